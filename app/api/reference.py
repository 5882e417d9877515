"""The page at /docs, which shows the OpenAPI document and tries its calls. All of it comes from this service.

Swagger UI comes from an installed package, so that the page works where no other network is reached.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.responses import HTMLResponse, RedirectResponse
from starlette.staticfiles import StaticFiles

PATH: Final = "/docs"
_PACKAGE: Final = "fastapi_swagger"


def install(app: FastAPI) -> None:
    """Let `app` serve the page and what it loads, and lead callers of `/` to it. None of it is in the document."""
    app.mount(f"{PATH}/assets", StaticFiles(directory=_assets()), "assets")

    @app.get(PATH, include_in_schema=False)
    async def show_reference(request: Request) -> HTMLResponse:  # pyright: ignore[reportUnusedFunction]
        root = request.scope.get("root_path", "").rstrip("/")
        return get_swagger_ui_html(
            openapi_url=f"{root}{app.openapi_url}",
            title=app.title,
            swagger_js_url=f"{root}{PATH}/assets/swagger-ui-bundle.js",
            swagger_css_url=f"{root}{PATH}/assets/swagger-ui.css",
            swagger_favicon_url=f"{root}{PATH}/assets/favicon-32x32.png",
            swagger_ui_parameters={"validatorUrl": None},
        )

    @app.get("/", include_in_schema=False)
    async def lead_to_reference(request: Request) -> RedirectResponse:  # pyright: ignore[reportUnusedFunction]
        return RedirectResponse(request.scope.get("root_path", "").rstrip("/") + PATH)


def _assets() -> Path:
    # Found and not imported: its code, which would do this its own way, is not needed.
    package = find_spec(_PACKAGE)
    if package is None or package.origin is None:
        raise RuntimeError(f"The package {_PACKAGE} is not installed: install what requirements.lock names.")
    return Path(package.origin).parent / "resources"

"""The page at /docs works where nothing but the service is reached, and a newcomer at `/` is led to it."""

import re

import httpx

from tests.fakes.services import FakeHouse

PAGE = "/docs"


async def test_the_page_loads_nothing_from_elsewhere(client: httpx.AsyncClient, fakes: FakeHouse):
    fakes.needs_key = True
    page = await client.get(PAGE)
    assert page.headers["content-type"].startswith("text/html")
    assert "://" not in page.text
    loaded: list[str] = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(loaded) == 3
    for address in [*loaded, *re.findall(r"url: '([^']+)'", page.text)]:
        answer = await client.get(address)
        assert (address[0], answer.status_code) == ("/", 200), address
        assert answer.content


async def test_what_the_page_loads_is_the_viewer_of_documents_of_this_kind(client: httpx.AsyncClient):
    script = await client.get(f"{PAGE}/assets/swagger-ui-bundle.js")
    assert "javascript" in script.headers["content-type"]
    assert "SwaggerUIBundle" in script.text
    version = re.search(r'PACKAGE_VERSION:"(\d+)', script.text)
    assert version is not None
    assert int(version[1]) >= 5, "older ones cannot show OpenAPI 3.1"
    styles = await client.get(f"{PAGE}/assets/swagger-ui.css")
    assert not re.search(r"url\(\s*[\"']?(https?:)?//", styles.text)


async def test_a_newcomer_is_led_to_the_page(client: httpx.AsyncClient):
    led = await client.get("/")
    assert (led.status_code, led.headers["location"]) == (307, PAGE)
    assert (await client.get("/", follow_redirects=True)).status_code == 200


async def test_files_beside_the_page_are_not_given_away(client: httpx.AsyncClient):
    for path in ("nothing.js", "", "%2e%2e/main.py", "../main.py", "..%2fmain.py"):
        answer = await client.get(f"{PAGE}/assets/{path}")
        assert answer.status_code == 404
        assert answer.json()["code"] == "no_such_route"


async def test_the_page_is_not_part_of_the_interface(client: httpx.AsyncClient):
    paths = (await client.get("/openapi.json")).json()["paths"]
    assert not {"/", PAGE} & set(paths)

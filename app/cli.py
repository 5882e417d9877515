"""The command `palimpsest`. Each command loads what it needs when it runs, so that help and start are quick."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from app.core.errors import DomainError, StartRefused
from app.core.settings import Settings

app = typer.Typer(
    name="palimpsest",
    help="Memory as a service for AI agents. Without any configuration it brings its own PostgreSQL and Valkey.",
    epilog="Everything is configured by environment variables: DATABASE_URL, REDIS_URL, OPENAI_API_KEY, PALIMPSEST_*.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
keys = typer.Typer(help="Create, list and revoke API keys.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(keys, name="keys")

LauncherOption = Annotated[int | None, typer.Option("--launcher", hidden=True, metavar="PID")]


def main() -> None:
    """Run the command line; what cannot be done is said in one paragraph, and the exit code is not 0."""
    try:
        app(prog_name="palimpsest")
    except (StartRefused, DomainError) as refusal:
        _fail(str(refusal))
    except ValidationError as error:
        wrong = "; ".join(f"{problem['loc'][0]}: {problem['msg']}" for problem in error.errors(include_input=False))
        _fail(f"The configuration is wrong. {wrong}.")
    except OSError as error:
        _fail(f"The system refused: {error}.")


def _fail(message: str) -> None:
    typer.echo(f"palimpsest: {message}", err=True)
    sys.exit(1)


def _settings(**given: object) -> Settings:
    return Settings(**{name: value for name, value in given.items() if value is not None})  # pyright: ignore[reportArgumentType]


def _require_prepared() -> None:
    from app.services.startup import require_prepared  # noqa: PLC0415

    require_prepared(_settings())


def _say(line: str) -> None:
    typer.echo(line)
    sys.stdout.flush()


def _whisper(line: str) -> None:
    typer.echo(line, err=True)


@app.command()
def serve(
    host: Annotated[
        str | None, typer.Option(help="Address to serve on, instead of PALIMPSEST_HOST.", metavar="ADDR")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port to serve on, instead of PALIMPSEST_PORT.", metavar="N")] = None,
    home: Annotated[
        Path | None, typer.Option(help="Data folder, instead of PALIMPSEST_HOME.", metavar="FOLDER")
    ] = None,
    stop_with_parent: Annotated[bool, typer.Option("--stop-with-parent", hidden=True)] = False,
) -> None:
    """Serve everything on this machine.

    That is the API, a worker, and the stores that are not configured. Ctrl-C stops all of it in order.
    """
    if stop_with_parent:
        from app.store.embedded.become import die_with_parent  # noqa: PLC0415

        die_with_parent(os.getppid(), signal.SIGTERM)
    from app.launcher.child import ChildRefused  # noqa: PLC0415
    from app.launcher.launcher import Launcher  # noqa: PLC0415

    try:
        code = Launcher(_settings(PALIMPSEST_HOST=host, PALIMPSEST_PORT=port, PALIMPSEST_HOME=home), say=_say).run()
    except ChildRefused:
        code = 1  # The child has said why.
    raise typer.Exit(code)


@app.command()
def api(
    launcher: LauncherOption = None,
    listen_fd: Annotated[int | None, typer.Option("--listen-fd", hidden=True, metavar="N")] = None,
) -> None:
    """Serve the API alone, for several machines.

    Needs DATABASE_URL, REDIS_URL and a database that `palimpsest migrate` has prepared.
    """
    from app.launcher.children import run_api  # noqa: PLC0415

    if launcher is None:
        _require_prepared()
    run_api(launcher=launcher, listen_fd=listen_fd)


@app.command()
def worker(launcher: LauncherOption = None) -> None:
    """Run background jobs alone, for several machines.

    Needs DATABASE_URL, REDIS_URL and a database that `palimpsest migrate` has prepared.
    """
    from app.launcher.children import run_worker  # noqa: PLC0415

    if launcher is None:
        _require_prepared()
    run_worker(launcher=launcher)


@app.command(hidden=True)
def prepare(launcher: LauncherOption = None) -> None:
    """Apply migrations and run the checks of the start."""
    from app.launcher.children import run_prepare  # noqa: PLC0415

    run_prepare(launcher=launcher)


@app.command()
def migrate() -> None:
    """Prepare the database for this version of the service.

    Makes roles, schema and the place for vectors, in the database of DATABASE_URL or in the embedded one, whether the
    service runs or not. Safe to run again. Run it once per version, before API and worker start alone.
    """
    from app.launcher.stores import database_for  # noqa: PLC0415
    from app.services.startup import prepare_database  # noqa: PLC0415

    with database_for(_settings(), _whisper) as settings:
        asyncio.run(prepare_database(settings))
        _say("The database has this version's schema.")


@app.command()
def openapi(
    write: Annotated[
        Path | None, typer.Option(help="File to write to, instead of standard output.", metavar="FILE")
    ] = None,
) -> None:
    """Show the OpenAPI document. Needs no database."""
    import json  # noqa: PLC0415

    from app.main import create_app  # noqa: PLC0415

    document = json.dumps(create_app().openapi(), indent=2, ensure_ascii=False) + "\n"
    if write is None:
        sys.stdout.write(document)
    else:
        write.write_text(document, encoding="utf-8")


@app.command()
def doctor() -> None:
    """Say whether this machine can run the service.

    One line for each thing looked at; the exit code is 1 when there is a problem. Changes nothing but that the data
    folder is made.
    """
    from app.doctor import examine  # noqa: PLC0415

    all_well = True
    for finding in examine(_settings()):
        all_well &= finding.is_well
        _say(f"{'ok     ' if finding.is_well else 'PROBLEM'} {finding.name}: {finding.text}")
    raise typer.Exit(0 if all_well else 1)


@keys.command("create")
def create_key(
    tenant: Annotated[str, typer.Argument(help="Tenant that the key belongs to; made if it does not exist.")],
    user: Annotated[str | None, typer.Option(help="Bind the key to this user's memory alone.", metavar="ID")] = None,
    pool: Annotated[str | None, typer.Option(help="Bind the key to this pool's memory alone.", metavar="ID")] = None,
    right: Annotated[
        list[str] | None, typer.Option(help="read, write or admin; repeatable. Unset: all.", metavar="NAME")
    ] = None,
) -> None:
    """Make a key and show it. It is shown only this once."""
    from app.core.scope import Right  # noqa: PLC0415
    from app.launcher.stores import database_for  # noqa: PLC0415
    from app.services import keys as service  # noqa: PLC0415

    rights = right or [str(each) for each in Right]
    unknown = sorted(set(rights) - {str(each) for each in Right})
    if unknown:
        raise typer.BadParameter(f"{', '.join(unknown)} is not one of {', '.join(Right)}", param_hint="--right")
    if user and pool:
        raise typer.BadParameter("a key is bound to a user or to a pool, not to both", param_hint="--user, --pool")
    with database_for(_settings(), _whisper) as settings:
        _say(asyncio.run(service.create_key(settings, tenant, user=user, pool=pool, rights=rights)))


@keys.command("list")
def list_keys(
    tenant: Annotated[str | None, typer.Argument(help="Only the keys of this tenant.")] = None,
) -> None:
    """List keys, without the keys themselves."""
    from app.launcher.stores import database_for  # noqa: PLC0415
    from app.services import keys as service  # noqa: PLC0415

    with database_for(_settings(), _whisper) as settings:
        rows = asyncio.run(service.list_keys(settings, tenant))
        for row in rows:
            _say("  ".join(f"{name}={_shown(value)}" for name, value in row.items()))
        if not rows:
            # Not to standard output, where a program looks for keys.
            _whisper("There are no keys." if tenant is None else f"The tenant {tenant} has no keys.")


@keys.command("revoke")
def revoke_key(key_id: Annotated[int, typer.Argument(help="The key's number, as shown by `keys list`.")]) -> None:
    """Revoke a key at once."""
    from app.launcher.stores import database_for  # noqa: PLC0415
    from app.services import keys as service  # noqa: PLC0415

    with database_for(_settings(), _whisper) as settings:
        if not asyncio.run(service.revoke_key(settings, key_id)):
            _fail(f"There is no key {key_id} that still opens anything.")
    _say(f"Key {key_id} is revoked.")


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ",".join(str(item) for item in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return "-" if value is None else str(value)

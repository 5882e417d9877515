"""The two processes that serve: the HTTP interface and the worker, alone or under a launcher.

A launcher starts them early, so that they load while the database is made ready, and says "go" with a line on their
standard input. It never closes that pipe while it lives: at its end they end, on every system.
"""

import asyncio
import os
import signal
import socket
import sys
import threading
from functools import partial

from app.core.errors import StartRefused
from app.core.settings import Settings
from app.store.embedded.become import die_with_parent

_GRACEFUL_SECONDS = 2


def run_api(*, launcher: int | None = None, listen_fd: int | None = None) -> None:
    """Serve HTTP until told to stop, at the listening socket `listen_fd` or else at the configured address.

    `launcher` is the process id of the launcher that this process belongs to.
    """
    _belong_to(launcher)
    import uvicorn  # noqa: PLC0415 -- loading takes a second, which only this command pays

    from app.core.logs import configure_logs  # noqa: PLC0415
    from app.main import create_app  # noqa: PLC0415

    configure_logs()

    _await_go(launcher)
    settings = Settings()
    config = uvicorn.Config(
        partial(create_app, settings),
        factory=True,
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        http="httptools",
        access_log=False,
        log_level="warning",
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=_GRACEFUL_SECONDS,
    )
    server = uvicorn.Server(config)
    server.run([socket.socket(fileno=listen_fd)] if listen_fd is not None else None)
    if not server.started:
        raise StartRefused("The API did not start; the reason stands above.")


def run_worker(*, launcher: int | None = None) -> None:
    """Run background jobs until told to stop. `launcher` as for `run_api`."""
    _belong_to(launcher)
    import uvloop  # noqa: PLC0415

    from app.core.logs import configure_logs  # noqa: PLC0415
    from app.jobs import worker  # noqa: PLC0415

    configure_logs()
    _await_go(launcher)
    settings = Settings()

    async def work() -> None:
        task = asyncio.ensure_future(worker.run_worker(settings))
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        await asyncio.wait([task])
        if not task.cancelled():
            task.result()

    uvloop.run(work())


def run_prepare(*, launcher: int | None = None) -> None:
    """Apply migrations and run every check of the start. Raises `StartRefused`."""
    _belong_to(launcher)
    from app.core.logs import configure_logs  # noqa: PLC0415
    from app.services.startup import prepare  # noqa: PLC0415

    configure_logs()
    asyncio.run(prepare(Settings()))


def _belong_to(launcher: int | None) -> None:
    if launcher is not None:
        die_with_parent(launcher, signal.SIGKILL)


def _await_go(launcher: int | None) -> None:
    """Wait for the launcher's line; then, and at its end, watch for the end of the launcher."""
    if launcher is None:
        return
    if not sys.stdin.buffer.readline():
        sys.exit(1)
    threading.Thread(target=_end_with_input, name="launcher-watch", daemon=True).start()


def _end_with_input() -> None:
    while os.read(0, 1):
        pass
    # What was acknowledged is committed, so nothing is lost by ending here; without a launcher the stores are gone.
    os.kill(os.getpid(), signal.SIGKILL)

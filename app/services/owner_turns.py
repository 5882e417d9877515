"""Turns of writers: those that would wait for one owner's lock wait here, where they hold no database connection.

Without this, one user's burst of writes takes every connection of the pool, and everybody else waits with it.
"""

import asyncio
from collections.abc import AsyncGenerator, Hashable
from contextlib import asynccontextmanager
from typing import Final
from weakref import WeakValueDictionary

from app.domain.errors import OwnerBusy

AT_ONCE: Final = 2
"""Writers of one owner that may hold a connection in one process: one works, the next one is ready."""
_PATIENCE_SECONDS: Final = 30.0


class OwnerTurns:
    """The writers of one process. To be used from one event loop."""

    def __init__(self) -> None:
        # A turn that nobody holds or waits for is forgotten.
        self._turns: WeakValueDictionary[Hashable, asyncio.Semaphore] = WeakValueDictionary()

    @property
    def waited_for(self) -> int:
        """Those whose turns are held or waited for just now."""
        return len(self._turns)

    @asynccontextmanager
    async def turn(self, *whose: Hashable, at_once: int = AT_ONCE) -> AsyncGenerator[None]:
        """Wait until fewer than `at_once` others are in the block for `whose`, first come first served.

        Raises `OwnerBusy` when that takes more than half a minute.
        """
        turns = self._turns.get(whose)
        if turns is None:
            self._turns[whose] = turns = asyncio.Semaphore(at_once)
        try:
            await asyncio.wait_for(turns.acquire(), _PATIENCE_SECONDS)
        except TimeoutError as error:
            raise OwnerBusy from error
        try:
            yield
        finally:
            turns.release()

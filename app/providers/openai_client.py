"""The `openai` client of an endpoint, made at first use: importing it takes about a second."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OPENAI_BASE_URL: Final = "https://api.openai.com/v1"
KEYLESS: Final = "none"
"""Sent as the key where none is configured: local servers take any, and the client insists on one."""


class Endpoint:
    """One OpenAI-compatible endpoint. It never retries by itself: jobs do, with the service's own back-off."""

    def __init__(self, *, base_url: str | None, api_key: str | None, timeout_seconds: float) -> None:
        self._base_url = base_url or OPENAI_BASE_URL
        self._api_key = api_key or KEYLESS
        self.timeout_seconds = timeout_seconds
        self._client: AsyncOpenAI | None = None

    async def client(self) -> AsyncOpenAI:
        """The client, one for the life of the process. The import runs beside the event loop."""
        if self._client is None:
            await asyncio.to_thread(import_module, "openai.resources.chat")
            await asyncio.to_thread(import_module, "openai.resources.embeddings")
        return self._client or self._connect()

    def _connect(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI  # noqa: PLC0415

        self._client = AsyncOpenAI(
            api_key=self._api_key, base_url=self._base_url, timeout=self.timeout_seconds, max_retries=0
        )
        return self._client

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None

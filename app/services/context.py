"""The next prompt: system prompt, what is known, recent turns and the current message, within a budget."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from app.assembly.budget import budget_of
from app.assembly.layout import Arrangement
from app.assembly.prompt import RECALLED_KINDS, SOURCES, Material, assemble
from app.core.scope import Caller
from app.domain.errors import SessionNotFound
from app.domain.requests import ContextRequest, ItemKind, RecallRequest
from app.domain.results import ContextResult
from app.domain.sessions import Message, Session
from app.providers.registry import token_counter
from app.services.open_conflicts import open_conflicts
from app.services.parts import Parts
from app.services.search import SearchService
from app.services.windows import WindowService

_CANDIDATES: Final = 20


class ContextService:
    """Assembles prompts. The same input gives the same bytes."""

    def __init__(self, parts: Parts, search: SearchService, windows: WindowService) -> None:
        self._parts = parts
        self._search = search
        self._windows = windows

    async def assemble(self, caller: Caller, wanted: ContextRequest) -> ContextResult:
        """The prompt for the next turn, never above the budget. Raises `ContextTooLarge`, `SessionNotFound`."""
        budget = budget_of(wanted.budget)
        session, log = await self._session(caller, wanted)
        recalled = await self._search.recall(caller, _recall(wanted))
        material = Material(
            system_prompt=wanted.system_prompt or (session.system_prompt if session else None) or "",
            message=wanted.message,
            log=log,
            items=recalled.items,
            standing=recalled.standing,
        )
        made = assemble(
            material, budget, Arrangement(wanted.placement, wanted.format, token_counter(wanted.model).count)
        )
        shown = [UUID(item.id) for item in made.shown if item.kind is ItemKind.MEMORY]
        return ContextResult(
            retrieval_id=recalled.retrieval_id,
            system=made.layout.system or None,
            messages=made.layout.messages,
            sections=made.sections,
            token_count=made.layout.token_count,
            left_out=made.left_out,
            open_conflicts=await open_conflicts(
                self._parts, caller, shown, user_id=wanted.user_id, pool_ids=wanted.pool_ids
            ),
            trace={
                "sources": list(SOURCES),
                "degraded": list(recalled.degraded),
                "budget": budget.told(),
            },
        )

    async def _session(self, caller: Caller, wanted: ContextRequest) -> tuple[Session | None, Sequence[Message]]:
        if wanted.session_id is None:
            return None, ()
        session, log = await self._windows.newest(caller, wanted.session_id)
        if session.user_id != wanted.user_id:
            # A key may open both, but a prompt for one user never shows the turns of another.
            raise SessionNotFound
        return session, log


def _recall(wanted: ContextRequest) -> RecallRequest:
    return RecallRequest(
        query=wanted.message,
        user_id=wanted.user_id,
        pool_ids=wanted.pool_ids,
        kinds=RECALLED_KINDS,
        top_k=_CANDIDATES,
        max_latency_ms=wanted.max_latency_ms,
        explain=wanted.explain,
        standing=True,
    )

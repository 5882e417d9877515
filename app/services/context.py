"""The next prompt: system prompt, what is known, recent turns and the current message, within a budget."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.assembly.budget import Budget, ContextTooLarge, budget_of
from app.assembly.render import ACKNOWLEDGED, Line, background, section
from app.assembly.window import MESSAGE_OVERHEAD, REPLY_OVERHEAD, Count, Strategy, Window, window
from app.core.scope import Caller
from app.domain.errors import SessionNotFound
from app.domain.requests import ContextRequest, ItemKind, Placement, PromptFormat, RecallRequest
from app.domain.results import ContextResult, RecalledItem
from app.domain.sessions import Message, Role, Session
from app.providers.registry import token_counter
from app.services.search import SearchService
from app.services.windows import WindowService

_MEMORIES: Final = 5
_MESSAGES: Final = 5
_CANDIDATES: Final = 20


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What of the recalled items stands in the prompt, and what was left out and why."""

    memories: Sequence[RecalledItem]
    messages: Sequence[RecalledItem]
    left_out: Sequence[Mapping[str, Any]]


class ContextService:
    """Assembles prompts. The same input gives the same bytes."""

    def __init__(self, search: SearchService, windows: WindowService) -> None:
        self._search = search
        self._windows = windows

    async def assemble(self, caller: Caller, wanted: ContextRequest) -> ContextResult:
        """The prompt for the next turn. Raises `ContextTooLarge`, `SessionNotFound`."""
        count = token_counter(wanted.model).count
        budget = budget_of(wanted.budget)
        session, log = await self._session(caller, wanted)
        prompt = wanted.system_prompt or (session.system_prompt if session else None) or ""
        self._refuse_too_large(prompt, wanted.message, budget, count)
        recalled = await self._search.recall(caller, _recall(wanted))
        live = _window(log, wanted.message, budget, count)
        chosen = _choose(recalled.items, {message.id for message in live.messages}, budget, count)
        known = background(
            [section("Memories", _lines(chosen.memories)), section("Earlier messages", _lines(chosen.messages))]
        )
        turns = [_turn(message) for message in live.messages] + [{"role": "user", "content": wanted.message}]
        system, messages = _placed(prompt, known, turns, wanted)
        return ContextResult(
            retrieval_id=recalled.retrieval_id,
            system=system or None,
            messages=messages,
            sections=_sections(prompt, chosen, live, wanted.message, count),
            token_count=_total(system, messages, wanted.format, count),
            left_out=[*chosen.left_out, *_dropped(live)],
            trace={"sources": ["memories", "messages"], "degraded": list(recalled.degraded)},
        )

    async def _session(self, caller: Caller, wanted: ContextRequest) -> tuple[Session | None, Sequence[Message]]:
        if wanted.session_id is None:
            return None, ()
        session, log = await self._windows.newest(caller, wanted.session_id)
        if session.user_id != wanted.user_id:
            # A key may open both, but a prompt for one user never shows the turns of another.
            raise SessionNotFound
        return session, log

    def _refuse_too_large(self, prompt: str, message: str, budget: Budget, count: Count) -> None:
        needed = count(prompt) + count(message) + 2 * MESSAGE_OVERHEAD + REPLY_OVERHEAD
        room = budget.system + budget.history
        if needed > room:
            raise ContextTooLarge(f"They take {needed} tokens; system and history together allow {room}.")


def _recall(wanted: ContextRequest) -> RecallRequest:
    return RecallRequest(
        query=wanted.message,
        user_id=wanted.user_id,
        pool_ids=wanted.pool_ids,
        top_k=_CANDIDATES,
        max_latency_ms=wanted.max_latency_ms,
        explain=wanted.explain,
    )


def _window(log: Sequence[Message], message: str, budget: Budget, count: Count) -> Window:
    room = min(budget.turns, budget.history - count(message) - MESSAGE_OVERHEAD)
    return window(log, max_tokens=max(room, 0), max_messages=len(log), strategy=Strategy.AUTO, count=count)


def _choose(items: Sequence[RecalledItem], live: set[str], budget: Budget, count: Count) -> _Chosen:
    """Best first, until each kind is full or the budget is spent; what is in the live window is not said twice."""
    chosen: dict[ItemKind, list[RecalledItem]] = {ItemKind.MEMORY: [], ItemKind.MESSAGE: []}
    most = {ItemKind.MEMORY: _MEMORIES, ItemKind.MESSAGE: _MESSAGES}
    left_out: list[Mapping[str, Any]] = []
    room = budget.retrieved
    for item in items:
        cost = count(section("", _lines([item])))
        reason = _reason(item, live, full=len(chosen[item.kind]) >= most[item.kind], fits=cost <= room)
        if reason is not None:
            left_out.append({"kind": item.kind, "id": item.id, "reason": reason})
            continue
        chosen[item.kind].append(item)
        room -= cost
    return _Chosen(chosen[ItemKind.MEMORY], chosen[ItemKind.MESSAGE], left_out)


def _reason(item: RecalledItem, live: set[str], *, full: bool, fits: bool) -> str | None:
    if item.below_threshold:
        return "below_threshold"
    if item.kind is ItemKind.MESSAGE and item.id in live:
        return "in_window"
    if full:
        return "enough_of_its_kind"
    return None if fits else "over_budget"


def _lines(items: Sequence[RecalledItem]) -> list[Line]:
    return [
        Line(
            item.id,
            item.kind if item.kind is ItemKind.MEMORY else item.speaker or item.role or "",
            item.text,
            item.occurred_at,
        )
        for item in items
    ]


def _turn(message: Message) -> dict[str, Any]:
    return {"role": message.role, "content": message.text if message.content is None else message.content}


def _placed(
    prompt: str, known: str, turns: list[dict[str, Any]], wanted: ContextRequest
) -> tuple[str, list[dict[str, Any]]]:
    """The system prompt and the messages in the format asked for."""
    system = prompt
    if known and wanted.placement is Placement.SYSTEM:
        system = f"{prompt}\n\n{known}" if prompt else known
    elif known:
        turns = [{"role": "user", "content": known}, {"role": "assistant", "content": ACKNOWLEDGED}, *turns]
    if wanted.format is PromptFormat.ANTHROPIC:
        return system, _alternating(turns)
    return system, [{"role": "system", "content": system}, *turns] if system else turns


def _alternating(turns: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Turns as Anthropic wants them: only user and assistant, the user first, never the same role twice in a row."""
    merged: list[dict[str, Any]] = []
    for turn in turns:
        role = Role.ASSISTANT if turn["role"] == Role.ASSISTANT else Role.USER
        parts = _parts(turn["content"])
        if merged and merged[-1]["role"] == role:
            merged[-1]["content"] = [*merged[-1]["content"], *parts]
        elif merged or role is Role.USER:
            merged.append({"role": role, "content": parts})
    return merged


def _sections(prompt: str, chosen: _Chosen, live: Window, message: str, count: Count) -> list[Mapping[str, Any]]:
    def counted(name: str, text: str, items: int) -> Mapping[str, Any]:
        return {"name": name, "token_count": count(text) if text else 0, "items": items}

    return [
        counted("system", prompt, 1 if prompt else 0),
        counted("memories", section("Memories", _lines(chosen.memories)), len(chosen.memories)),
        counted("messages", section("Earlier messages", _lines(chosen.messages)), len(chosen.messages)),
        {"name": "turns", "token_count": live.token_count, "items": len(live.messages)},
        counted("message", message, 1),
    ]


def _dropped(live: Window) -> list[Mapping[str, Any]]:
    if not live.dropped and not live.cut:
        return []
    return [{"kind": "turn", "id": "", "reason": f"{live.dropped} older turns are over the budget, {live.cut} was cut"}]


def _total(system: str, messages: Sequence[Mapping[str, Any]], form: PromptFormat, count: Count) -> int:
    """Every token of the prompt, with the format's overhead; OpenAI's messages hold the system prompt already."""
    texts = [_text(message["content"]) for message in messages]
    if form is PromptFormat.ANTHROPIC and system:
        texts.append(system)
    return sum(count(text) + MESSAGE_OVERHEAD for text in texts) + REPLY_OVERHEAD


def _text(content: str | list[dict[str, Any]]) -> str:
    return "\n".join(str(part.get("text", "")) for part in _parts(content))


def _parts(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content

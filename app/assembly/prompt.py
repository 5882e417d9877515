"""A prompt from its parts, within a budget: pure, so that the same parts always give the same bytes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from app.assembly.budget import Budget, ContextTooLarge
from app.assembly.layout import Arrangement, Layout
from app.assembly.render import ACKNOWLEDGED, Line, background, section
from app.assembly.window import MESSAGE_OVERHEAD, Count, Strategy, Window, window
from app.domain.requests import ItemKind, Placement
from app.domain.results import RecalledItem
from app.domain.sessions import Message


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of what is recalled: its name in the account, its header, and how many items it shows at most."""

    name: str
    title: str
    most: int


_SECTIONS: Final[Mapping[ItemKind, _Section]] = {
    ItemKind.MEMORY: _Section("memories", "Memories", 5),
    ItemKind.EPISODE: _Section("episodes", "Past episodes", 3),
    ItemKind.MESSAGE: _Section("messages", "Earlier messages", 5),
}
"""In the order in which they stand."""

RECALLED_KINDS: Final = tuple(_SECTIONS)
SOURCES: Final = tuple(one.name for one in _SECTIONS.values())
"""The names of what is asked for a prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """What a prompt may be made of. `items` come best first, `log` in order.

    `standing` is what holds whatever is asked (an allergy, what was pinned): it is taken before all items.
    """

    system_prompt: str
    message: str
    log: Sequence[Message] = ()
    items: Sequence[RecalledItem] = ()
    standing: Sequence[RecalledItem] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """An assembled prompt with the account of what stands in it, of what was left out and why."""

    layout: Layout
    shown: Sequence[RecalledItem]
    sections: Sequence[Mapping[str, Any]]
    left_out: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class _Draft:
    """The parts that may give way, as far as they have not."""

    live: Window
    shown: Sequence[RecalledItem]
    left_out: Sequence[Mapping[str, Any]]

    @property
    def known(self) -> str:
        """What is recalled, as it stands in the prompt."""
        return background([section(one.title, _lines(self.of(kind))) for kind, one in _SECTIONS.items()])

    def of(self, kind: ItemKind) -> list[RecalledItem]:
        """The items of one section."""
        return [item for item in self.shown if item.kind is kind]


def assemble(material: Material, budget: Budget, arrangement: Arrangement) -> Prompt:
    """The prompt, of at most `budget.room` tokens. Raises `ContextTooLarge` when what is never cut does not fit."""
    count = arrangement.count
    alone = arrangement.lay_out(material.system_prompt, "", (), material.message).token_count
    if alone > budget.room:
        raise ContextTooLarge(
            f"They take {alone} tokens; the lines of the budget without its reserve allow {budget.room}."
        )
    free = budget.room - alone
    own_line = budget.history - count(material.message) - MESSAGE_OVERHEAD
    live = _window(material.log, min(budget.turns, own_line, free), count)
    room = min(budget.retrieved, free - live.token_count) - _frame(arrangement)
    draft = _fitting(material, _choose(material, live, room, count), budget.room, arrangement)
    layout = arrangement.lay_out(material.system_prompt, draft.known, draft.live.messages, material.message)
    return Prompt(
        layout=layout,
        shown=draft.shown,
        sections=_sections(material, draft, count),
        left_out=[*draft.left_out, *_dropped(draft.live)],
    )


def _fitting(material: Material, draft: _Draft, room: int, arrangement: Arrangement) -> _Draft:
    """The draft, shortened where tokens add up differently in the whole than in its parts."""
    while True:
        made = arrangement.lay_out(material.system_prompt, draft.known, draft.live.messages, material.message)
        over = made.token_count - room
        if over <= 0:
            return draft
        if draft.shown:
            *kept, last = draft.shown
            draft = replace(draft, shown=kept, left_out=[*draft.left_out, _left_out(last, "over_budget")])
        else:
            draft = replace(draft, live=_window(material.log, draft.live.token_count - over, arrangement.count))


def _window(log: Sequence[Message], room: int, count: Count) -> Window:
    return window(log, max_tokens=max(room, 0), max_messages=len(log), strategy=Strategy.AUTO, count=count)


def _frame(arrangement: Arrangement) -> int:
    """What recalled text costs beside its lines."""
    count = arrangement.count
    cost = count(background(["\n\n".join(f"## {one.title}" for one in _SECTIONS.values())])) + MESSAGE_OVERHEAD
    if arrangement.placement is Placement.TURNS:
        cost += count(ACKNOWLEDGED) + MESSAGE_OVERHEAD
    return cost


def _choose(material: Material, live: Window, room: int, count: Count) -> _Draft:
    """Best first, until each kind is full or the room is spent; what is in the live window is not said twice."""
    shown: list[RecalledItem] = []
    left_out: list[Mapping[str, Any]] = []
    said = {message.id for message in live.messages}
    places = {kind: one.most for kind, one in _SECTIONS.items()}
    standing = {item.id for item in material.standing}
    for item in [*material.standing, *(item for item in material.items if item.id not in standing)]:
        cost = count(section("", _lines([item])))
        full = item.id not in standing and places.get(item.kind, 0) == 0
        reason = _reason(item, said, full=full, fits=cost <= room)
        if reason is not None:
            left_out.append(_left_out(item, reason))
            continue
        shown.append(item)
        places[item.kind] -= item.id not in standing
        room -= cost
    return _Draft(live, shown, left_out)


def _reason(item: RecalledItem, said: set[str], *, full: bool, fits: bool) -> str | None:
    if item.below_threshold:
        return "below_threshold"
    if item.kind is ItemKind.MESSAGE and item.id in said:
        return "in_window"
    if full:
        return "enough_of_its_kind"
    return None if fits else "over_budget"


def _left_out(item: RecalledItem, reason: str) -> Mapping[str, Any]:
    return {"kind": item.kind, "id": item.id, "reason": reason}


def _lines(items: Sequence[RecalledItem]) -> list[Line]:
    return [
        Line(
            item.id,
            item.speaker or item.role or item.kind,
            item.text,
            item.occurred_at,
        )
        for item in items
    ]


def _sections(material: Material, draft: _Draft, count: Count) -> list[Mapping[str, Any]]:
    def counted(name: str, text: str, items: int) -> Mapping[str, Any]:
        return {"name": name, "token_count": count(text) if text else 0, "items": items}

    recalled = [(one, draft.of(kind)) for kind, one in _SECTIONS.items()]
    return [
        counted("system", material.system_prompt, 1 if material.system_prompt else 0),
        *(counted(one.name, section(one.title, _lines(items)), len(items)) for one, items in recalled),
        {"name": "turns", "token_count": draft.live.token_count, "items": len(draft.live.messages)},
        counted("message", material.message, 1),
    ]


def _dropped(live: Window) -> list[Mapping[str, Any]]:
    if not live.dropped and not live.cut:
        return []
    return [{"kind": "turn", "id": "", "reason": f"{live.dropped} older turns are over the budget, {live.cut} was cut"}]

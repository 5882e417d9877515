"""A prompt keeps to its budget, whatever it is made of, and what is never cut is never cut."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.assembly.budget import Budget, ContextTooLarge, budget_of
from app.assembly.layout import Arrangement
from app.assembly.prompt import Material, Prompt, assemble
from app.core.errors import Invalid
from app.domain.requests import ItemKind, Placement, PromptFormat
from app.domain.results import RecalledItem
from app.domain.sessions import Message, Role
from app.providers.registry import token_counter

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
count = token_counter().count


def a_turn(seq: int, text: str, role: Role = Role.USER) -> Message:
    return Message(
        session_id=UUID(int=1), seq=seq, id=f"m{seq}", role=role, text=text, happened_at=NOON, recorded_at=NOON
    )


def an_item(name: str, text: str, kind: ItemKind = ItemKind.MEMORY, *, weak: bool = False) -> RecalledItem:
    return RecalledItem(
        kind=kind,
        id=name,
        text=text,
        score=0.5,
        below_threshold=weak,
        occurred_at=NOON,
        token_count=count(text),
        sources=(),
    )


def made_of(
    material: Material,
    budget: Budget,
    placement: Placement = Placement.SYSTEM,
    form: PromptFormat = PromptFormat.OPENAI,
) -> Prompt:
    return assemble(material, budget, Arrangement(placement, form, count))


def taken(made: Prompt) -> dict[str, int]:
    return {one["name"]: one["items"] for one in made.sections}


def words(number: int) -> str:
    return "word " * number


TEXTS = st.one_of(st.text(max_size=80), st.integers(0, 400).map(words), st.sampled_from(["", "好" * 60, "12345" * 30]))
TOKENS = st.integers(0, 900)
BUDGETS: st.SearchStrategy[dict[str, int]] = st.one_of(
    st.dictionaries(st.sampled_from([*Budget.LINES, "turns"]), TOKENS),
    st.fixed_dictionaries({"total": st.integers(0, 3_000)}),
    st.fixed_dictionaries({"total": st.integers(900, 3_000), "turns": TOKENS, "system": TOKENS}),
)
TURNS = st.lists(st.tuples(TEXTS, st.sampled_from(list(Role))), max_size=12)
ITEMS = st.lists(st.tuples(TEXTS, st.sampled_from([ItemKind.MEMORY, ItemKind.MESSAGE]), st.booleans()), max_size=14)


@settings(max_examples=150, deadline=None)
@given(
    prompt=TEXTS,
    message=TEXTS,
    turns=TURNS,
    items=ITEMS,
    wanted=BUDGETS,
    placement=st.sampled_from(list(Placement)),
    form=st.sampled_from(list(PromptFormat)),
)
def test_no_prompt_takes_more_than_its_budget(
    *,
    prompt: str,
    message: str,
    turns: list[tuple[str, Role]],
    items: list[tuple[str, ItemKind, bool]],
    wanted: dict[str, int],
    placement: Placement,
    form: PromptFormat,
) -> None:
    budget = budget_of(wanted)
    material = Material(
        system_prompt=prompt,
        message=message,
        log=[a_turn(seq, text, role) for seq, (text, role) in enumerate(turns, start=1)],
        items=[an_item(f"i{n}", text, kind, weak=weak) for n, (text, kind, weak) in enumerate(items)],
    )
    alone = count(message) + 4 + 2 + (count(prompt) + 4 if prompt else 0)
    if alone > budget.room:
        with pytest.raises(ContextTooLarge):
            made_of(material, budget, placement, form)
        return
    made = made_of(material, budget, placement, form)
    assert made.layout.token_count == recounted(made, form) <= budget.room <= wanted.get("total", budget.room)
    assert made.layout.system.startswith(prompt)
    assert said_last(made).endswith(message)
    named = [item.id for item in made.shown] + [one["id"] for one in made.left_out if one["kind"] != "turn"]
    assert sorted(named) == sorted(item.id for item in material.items)


def recounted(made: Prompt, form: PromptFormat) -> int:
    texts = [text_of(message["content"]) for message in made.layout.messages]
    if form is PromptFormat.ANTHROPIC and made.layout.system:
        texts.append(made.layout.system)
    return sum(count(text) + 4 for text in texts) + 2


def text_of(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(part["text"] for part in content)


def said_last(made: Prompt) -> str:
    return text_of(made.layout.messages[-1]["content"])


def test_what_a_long_system_prompt_needs_is_taken_from_unused_room_then_recalled_then_turns() -> None:
    """The lines are 100 each; the log and what is recalled would fill theirs."""
    lines = {"system": 100, "history": 100, "retrieved": 180, "workspace": 100, "reserve": 0}

    def shown(prompt_tokens: int) -> dict[str, int]:
        made = made_of(
            Material(
                system_prompt=words(prompt_tokens),
                message="hi",
                log=[a_turn(seq, words(10)) for seq in range(1, 12)],
                items=[an_item(f"i{n}", words(12)) for n in range(4)],
            ),
            budget_of(lines),
        )
        assert made.layout.token_count <= 480
        return taken(made)

    within, unused, recalled, turns = shown(80), shown(180), shown(300), shown(420)
    assert within == unused
    assert within["memories"] > recalled["memories"]
    assert within["turns"] == recalled["turns"] > turns["turns"] > 0
    assert turns["memories"] == 0


def test_a_total_shrinks_the_lines_in_proportion() -> None:
    small = budget_of({"total": 2_200})
    assert small == Budget(system=200, history=1_000, retrieved=500, workspace=300, reserve=200, turns=800)
    assert budget_of({"total": 22_000}) == budget_of({}) == Budget()


@given(st.integers(0, 100_000))
def test_the_lines_of_a_total_add_up_to_it(total: int) -> None:
    budget = budget_of({"total": total})
    assert budget.room + budget.reserve == total
    assert budget.turns <= budget.history


def test_a_line_that_is_named_keeps_its_tokens_and_the_others_share_the_rest() -> None:
    budget = budget_of({"total": 4_000, "reserve": 0, "retrieved": 1_000})
    assert (budget.reserve, budget.retrieved, budget.room) == (0, 1_000, 4_000)
    assert budget.history == 2_000
    with pytest.raises(Invalid, match="total allows 10"):
        budget_of({"total": 10, "system": 11})


def test_turns_have_a_line_inside_history() -> None:
    assert budget_of({"turns": 50}).turns == 50
    assert budget_of({"history": 300}).turns == 300

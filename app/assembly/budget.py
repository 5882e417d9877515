"""How many tokens each part of a prompt may take, and what gives way when some parts need more."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar

from app.core.errors import Invalid


class ContextTooLarge(Invalid):
    """The system prompt and the current message alone do not fit the budget."""

    slug = "context_too_large"


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens for each line of the prompt. The reserve stays empty, for the model's answer.

    A part keeps to its line, but the system prompt and the current message are never cut. What they need beyond their
    lines comes first from room that nothing uses, then from what is recalled, the least relevant first, and then from
    the turns, the oldest first.
    """

    system: int = 2_000
    history: int = 10_000
    retrieved: int = 5_000
    workspace: int = 3_000
    reserve: int = 2_000
    turns: int = 8_000

    LINES: ClassVar[tuple[str, ...]] = ("system", "history", "retrieved", "workspace", "reserve")

    @property
    def room(self) -> int:
        """What the whole prompt may take: all lines but the reserve."""
        return self.system + self.history + self.retrieved + self.workspace

    def told(self) -> dict[str, int]:
        """The lines by name."""
        return {line.name: getattr(self, line.name) for line in fields(self)}


_PLAN = Budget()


def budget_of(wanted: Mapping[str, int]) -> Budget:
    """The budget with the lines that `wanted` names; the others have their defaults.

    With a `total`, which counts the reserve, the others share what it leaves in the proportions of the defaults.
    Raises `Invalid` for a line that there is not, and for lines that take more than the total.
    """
    known = (*Budget.LINES, "turns", "total")
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        raise Invalid(f"The budget has the lines {', '.join(known)}; there is no {', '.join(unknown)}.")
    lines = {line: wanted[line] for line in Budget.LINES if line in wanted}
    if "total" in wanted:
        lines |= _shares(wanted["total"], lines)
    history = lines.get("history", _PLAN.history)
    turns = _PLAN.turns if "total" not in wanted else history * _PLAN.turns // _PLAN.history
    return Budget(**lines, turns=min(wanted.get("turns", turns), history))


def _shares(total: int, given: Mapping[str, int]) -> dict[str, int]:
    """The lines that were not given, so that all together are `total`."""
    left = total - sum(given.values())
    if left < 0:
        raise Invalid(f"The lines take {sum(given.values())} tokens together; the total allows {total}.")
    plan = {line: getattr(_PLAN, line) for line in Budget.LINES if line not in given}
    shares = {line: left * tokens // sum(plan.values()) for line, tokens in plan.items()}
    if shares:
        # What rounding leaves goes to the largest line.
        largest = max(plan, key=lambda line: plan[line])
        shares[largest] += left - sum(shares.values())
    return shares

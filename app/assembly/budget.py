"""How many tokens each part of a prompt may take."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from app.core.errors import Invalid


class ContextTooLarge(Invalid):
    """The system prompt and the current message alone do not fit the budget."""

    slug = "context_too_large"


@dataclass(frozen=True, slots=True)
class Budget:
    """Tokens for each line of the prompt. The reserve stays empty, for the model's answer."""

    system: int = 2_000
    history: int = 10_000
    retrieved: int = 5_000
    workspace: int = 3_000
    reserve: int = 2_000
    turns: int = 8_000

    LINES: ClassVar[tuple[str, ...]] = ("system", "history", "retrieved", "workspace", "reserve")

    @property
    def total(self) -> int:
        """What the whole prompt may take, the reserve not counted."""
        return self.system + self.history + self.retrieved + self.workspace


def budget_of(overrides: Mapping[str, int]) -> Budget:
    """The default budget with some lines changed. Raises `Invalid` for a line that there is not."""
    unknown = sorted(set(overrides) - set(Budget.LINES))
    if unknown:
        raise Invalid(f"The budget has the lines {', '.join(Budget.LINES)}; there is no {', '.join(unknown)}.")
    return Budget(**overrides)

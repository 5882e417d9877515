"""Bodies that say what became of a statement."""

from typing import Self
from uuid import UUID

from pydantic import Field

from app.api.schemas.common import Answer, example
from app.api.schemas.memories import MEMORY_EXAMPLE, Memory
from app.domain.decisions import Action
from app.domain.results import CreatedMemory


class Resolution(Answer):
    """What happened to a statement when it met what was known."""

    action: Action
    because: str = Field(description="Why, for people.")
    rule: str = Field(description="The row of the policy that decided.")
    other_ids: list[UUID] = Field(description="The memories that it touched.")


class MemoryCreated(Answer):
    """The memory that now stands for the statement, and what was decided. Reinforced, it is an older one."""

    model_config = example(
        {
            "memory": MEMORY_EXAMPLE,
            "resolution": {
                "action": "superseded",
                "because": "A newer statement about home_city replaces the older one.",
                "rule": "temporal",
                "other_ids": ["0198b000-0001-7c0c-8000-1a2b3c4d5e6f"],
            },
        }
    )

    memory: Memory | None = Field(description="Null when the statement was suppressed: nothing stands for it.")
    resolution: Resolution

    @classmethod
    def of(cls, created: CreatedMemory) -> Self:
        """The body of what `POST /v1/memories` did."""
        decision = created.decision
        return cls(
            memory=Memory.of(created.kept) if created.kept else None,
            resolution=Resolution(
                action=decision.action,
                because=decision.because,
                rule=decision.rule,
                other_ids=list(decision.other_ids),
            ),
        )

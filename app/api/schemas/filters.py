"""The filters that search and recall have in common."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import Field, StrictBool, StrictFloat, StrictInt, model_validator
from pydantic_core import PydanticCustomError
from typing_extensions import TypeAliasType

from app.api.schemas.common import Id, Label, Request, Tags, Time, unset
from app.domain.memories import MemoryType
from app.domain.requests import MemoryFilter, MetadataFilter, Operator

MetadataValue = TypeAliasType(
    "MetadataValue",
    Annotated[str, Field(max_length=1_000)]
    | StrictBool
    | Annotated[StrictInt, Field(ge=-(2**53), le=2**53)]
    | Annotated[StrictFloat, Field(ge=-1e300, le=1e300, allow_inf_nan=False)],
)


class MetadataCondition(Request):
    """What a metadata field must be. Several operators must all hold.

    Values are compared as JSON: 1 equals 1.0 and never "1". A memory without the field fulfils only `exists: false`.
    """

    eq: MetadataValue = unset()
    ne: MetadataValue = unset()
    any_of: Annotated[list[MetadataValue], Field(min_length=1, max_length=100)] = unset(alias="in")
    exists: StrictBool = unset()

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.model_fields_set:
            raise PydanticCustomError("empty_condition", "Give at least one of eq, ne, in and exists.")
        return self

    def wanted(self, field: str) -> list[MetadataFilter]:
        """The conditions on `field` as the services take them."""
        names = {"eq": Operator.EQ, "ne": Operator.NE, "any_of": Operator.IN, "exists": Operator.EXISTS}
        return [
            MetadataFilter(field, operator, getattr(self, name))
            for name, operator in names.items()
            if name in self.model_fields_set
        ]


MetadataFilters = TypeAliasType("MetadataFilters", Annotated[dict[Label, MetadataCondition], Field(max_length=16)])


class SearchExtra(StrEnum):
    """What a search gives beside what stands now."""

    SUPERSEDED = "superseded"


def _apart(since: datetime | None, until: datetime | None) -> None:
    if since is not None and until is not None and since > until:
        raise PydanticCustomError("time_order", "since must not be later than until.")


class ScopedQuery(Request):
    """Whose memory is asked, what for, and what counts."""

    user_id: Id | None = Field(None, description="The user whose memory is asked.")
    pool_ids: Annotated[list[Id], Field(max_length=20)] = Field(
        default_factory=list[str], description="Pools that are asked too, or instead."
    )
    agent_id: Id | None = Field(None, description="Only what this assistant took part in.")
    query: Annotated[str, Field(min_length=1, max_length=20_000)] = Field(description="What is looked for, in words.")
    top_k: Annotated[int, Field(ge=1, le=100)] = Field(5, description="How many items are given at most.")
    min_score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = Field(
        None, description="Items that score lower are left out. If absent, weak items are marked `below_threshold`."
    )
    alpha: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = Field(
        None, description="0 for words alone, 1 for vectors alone. If absent, the calibrated mixture."
    )
    types: Annotated[list[MemoryType], Field(max_length=6)] = Field(default_factory=list[MemoryType])
    keys: Annotated[list[Label], Field(max_length=50)] = Field(default_factory=list[str])
    tags: Tags = Field(default_factory=list[str], description="Only what carries all of these.")
    filters: MetadataFilters = Field(
        default_factory=dict[str, MetadataCondition], description="Conditions on top-level fields of the metadata."
    )
    since: Time | None = None
    until: Time | None = None
    as_of: Time | None = Field(None, description="What held in the world at this time.")
    known_at: Time | None = Field(None, description="What we knew at this time.")
    include: SearchExtra | Annotated[list[SearchExtra], Field(max_length=8)] = Field(
        default_factory=list[SearchExtra], description="`superseded` gives what the hits replaced as well."
    )
    explain: bool = Field(False, description="Show how each score came about.")

    @model_validator(mode="after")
    def _has_an_owner(self) -> Self:
        if self.user_id is None and not self.pool_ids:
            raise PydanticCustomError("owner", "Give user_id, pool_ids or both.")
        _apart(self.since, self.until)
        return self

    @property
    def includes_superseded(self) -> bool:
        """Whether replaced memories are wanted too."""
        return SearchExtra.SUPERSEDED in (self.include if isinstance(self.include, list) else [self.include])

    def shared(self) -> dict[str, Any]:
        """The arguments that search and recall share, as the services take them."""
        return {
            "query": self.query,
            "user_id": self.user_id,
            "pool_ids": tuple(dict.fromkeys(self.pool_ids)),
            "top_k": self.top_k,
            "min_score": self.min_score,
            "alpha": self.alpha,
            "filter": self._filter(),
            "include_superseded": self.includes_superseded,
            "explain": self.explain,
        }

    def _filter(self) -> MemoryFilter:
        return MemoryFilter(
            types=tuple(self.types),
            keys=tuple(self.keys),
            tags=tuple(self.tags),
            agent_id=self.agent_id,
            metadata=tuple(one for field, condition in self.filters.items() for one in condition.wanted(field)),
            since=self.since,
            until=self.until,
            as_of=self.as_of,
            known_at=self.known_at,
        )

"""Bodies of the probes."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Self

from pydantic import Field
from typing_extensions import TypeAliasType

from app.api.schemas.common import Answer, example


class Health(StrEnum):
    """What a probe says. `degraded`: requests are served, and something that helps them is missing."""

    OK = "ok"
    DEGRADED = "degraded"
    UNAVAILABLE = "unavailable"


Checks = TypeAliasType("Checks", dict[str, str])


class Liveness(Answer):
    """The process answers."""

    model_config = example({"status": "ok"})

    status: Health


class Readiness(Answer):
    """Whether requests can be served, part by part."""

    model_config = example(
        {
            "status": "degraded",
            "checks": {"postgres": "ok", "schema": "ok", "embedding": "ok", "worker": "down", "redis": "ok"},
        }
    )

    status: Health
    checks: Checks = Field(
        description="`ok` for each part that works, and what is wrong with the others. `worker` is `down` when no "
        "worker has given a sign of life of late: what ended sessions said is then learned later. Until the first one, "
        "for half a minute, it is `starting`, which is no fault. Neither a missing worker nor an unreachable `redis` "
        "keeps requests from being served."
    )

    @classmethod
    def of(cls, *, is_ready: bool, checks: Mapping[str, str]) -> Self:
        """The body of what the parts answered."""
        whole = all(answer in ("ok", "starting") for answer in checks.values())
        status = Health.UNAVAILABLE if not is_ready else Health.OK if whole else Health.DEGRADED
        return cls(status=status, checks=dict(checks))

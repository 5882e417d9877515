"""Bodies of the probes."""

from enum import StrEnum

from pydantic import Field
from typing_extensions import TypeAliasType

from app.api.schemas.common import Answer, example


class Health(StrEnum):
    """What a probe says."""

    OK = "ok"
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
            "status": "ok",
            "checks": {"postgres": "ok", "redis": "ok", "schema": "ok", "embedding": "ok", "worker": "ok"},
        }
    )

    status: Health
    checks: Checks = Field(description="`ok` for each part that works, and what is wrong with the others.")

"""The probes: whether the process lives, and whether it can serve."""

from fastapi import APIRouter, Response

from app.api.dependencies import HouseDep
from app.api.problems import Unexpected, declared
from app.api.schemas.operations import Health, Liveness, Readiness

router = APIRouter(tags=["operations"])


@router.get(
    "/healthz", operation_id="get_liveness", summary="Whether the process lives", responses=declared([Unexpected])
)
async def get_liveness() -> Liveness:
    """Answers as long as the process does. It touches no store: an outage is no reason to restart."""
    return Liveness(status=Health.OK)


@router.get(
    "/readyz",
    operation_id="get_readiness",
    summary="Whether requests can be served",
    responses={
        503: {"model": Readiness, "description": "A part is missing; `checks` says which."},
        **declared([Unexpected]),
    },
)
async def get_readiness(house: HouseDep, response: Response) -> Readiness:
    """Asks each part: database, schema, embedding model, worker and Redis.

    Without a worker or Redis requests are served all the same: the answer is 200 and says `degraded`. Without
    anything else it is 503.
    """
    ready = await house.operations.ready()
    if not ready.is_ready:
        response.status_code = 503
    return Readiness.of(is_ready=ready.is_ready, checks=ready.checks)

"""The door to recall."""

from fastapi import APIRouter, Depends

from app.api.auth import Reader
from app.api.bodies import Door
from app.api.dependencies import HouseDep
from app.api.idempotency import accepted
from app.api.problems import problems
from app.api.schemas.recall import RecallAnswer, RecallQuery
from app.core.errors import Invalid

router = APIRouter(prefix="/v1/recall", tags=["recall"], route_class=Door)


@router.post(
    "",
    operation_id="recall",
    summary="Recall everything that bears on a query",
    dependencies=[Depends(accepted)],
    responses=problems(Invalid),
)
async def recall(body: RecallQuery, caller: Reader, house: HouseDep) -> RecallAnswer:
    """Search memories, episodes and messages at once, best first, within a token budget.

    Of a long message the passage that answers is given. Each item names the messages it rests on. Nothing waits for
    a chat model; what did not answer in time is named in `degraded`.
    """
    return RecallAnswer.of(body, await house.search.recall(caller, body.wanted()))

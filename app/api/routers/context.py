"""The door to context assembly."""

from fastapi import APIRouter, Depends

from app.api.auth import Reader
from app.api.bodies import Door
from app.api.dependencies import HouseDep
from app.api.idempotency import accepted
from app.api.problems import problems
from app.api.schemas.context import Context, ContextQuery
from app.assembly.budget import ContextTooLarge
from app.core.errors import Invalid
from app.domain.errors import SessionNotFound

router = APIRouter(prefix="/v1/context", tags=["context"], route_class=Door)


@router.post(
    "",
    operation_id="assemble_context",
    summary="Assemble the next prompt",
    dependencies=[Depends(accepted)],
    responses=problems(SessionNotFound, ContextTooLarge, Invalid),
)
async def assemble_context(body: ContextQuery, caller: Reader, house: HouseDep) -> Context:
    """Make the prompt for the next turn: system prompt, what is remembered, recent turns and the current message.

    It never takes more than the token budget and says what was left out and why. The system prompt and the current
    message are never cut; if they alone do not fit, the answer is 422. What is recalled is rendered as dated background
    and never as instructions. `open_conflicts` names contradictions about the memories shown that nobody has decided.
    """
    return Context.of(await house.context.assemble(caller, body.wanted()))

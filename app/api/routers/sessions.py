"""The door to sessions and their messages."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from app.api.answers import ETAG, LOCATION, with_location, with_version
from app.api.auth import Reader, Writer
from app.api.bodies import Door
from app.api.dependencies import HouseDep, NewestFirst, OldestFirst, SeenVersion, SessionId
from app.api.idempotency import OnceDep
from app.api.problems import problems
from app.api.schemas.common import Id, ModelName
from app.api.schemas.messages import AppendedMessage, AppendedMessages, MessageAppend, MessagePage
from app.api.schemas.reports import ExtractionReport
from app.api.schemas.sessions import EndAccepted, Session, SessionCreate, SessionPage, SessionUpdate
from app.api.schemas.windows import SessionWindow
from app.assembly.window import Strategy
from app.core.errors import PreconditionFailed
from app.core.paging import InvalidCursor
from app.domain.errors import (
    IdempotencyKeyReused,
    MessageChanged,
    MessageFromFuture,
    SessionEnded,
    SessionExists,
    SessionNotFound,
)
from app.domain.sessions import SessionState

router = APIRouter(prefix="/v1/sessions", tags=["sessions"], route_class=Door)


@router.post(
    "",
    operation_id="create_session",
    summary="Open a session",
    status_code=201,
    response_description="The session is open.",
    responses={
        201: {"headers": LOCATION | ETAG},
        200: {"model": Session, "description": "This session was open already.", "headers": LOCATION | ETAG},
        **problems(SessionExists, IdempotencyKeyReused),
    },
)
async def create_session(
    body: SessionCreate, caller: Writer, house: HouseDep, once: OnceDep, response: Response
) -> Session:
    """Open a conversation of a user.

    With an id that is open already for the same user and agent, the answer is that session, with 200; an id that is
    another user's or has ended is 409. A session that gets no message for `ttl_seconds` ends by itself, on the same
    path as `end`.
    """
    session, created = await house.sessions.create(caller, body.wanted(), once=once)
    if not created:
        response.status_code = 200
    with_location(response, "sessions", session.client_id)
    with_version(response, session.version)
    return Session.of(session)


@router.get("", operation_id="list_sessions", summary="List a user's sessions", responses=problems(InvalidCursor))
async def list_sessions(
    *,
    caller: Reader,
    house: HouseDep,
    page: NewestFirst,
    user_id: Annotated[Id, Query(description="Whose sessions.")],
    agent_id: Annotated[Id | None, Query(description="Only with this assistant.")] = None,
    state: Annotated[SessionState | None, Query(description="Only in this state.")] = None,
) -> SessionPage:
    """The sessions of a user by the time they were opened, newest first unless `order` says otherwise."""
    return SessionPage.of(await house.sessions.list(caller, user_id=user_id, agent_id=agent_id, state=state, page=page))


@router.get(
    "/{session_id}",
    operation_id="get_session",
    summary="Get a session",
    responses={200: {"headers": ETAG}, **problems(SessionNotFound)},
)
async def get_session(session_id: SessionId, caller: Reader, house: HouseDep, response: Response) -> Session:
    """One session as it stands. A session that is not there, or not yours, is 404 and never an empty one."""
    session = await house.sessions.get(caller, session_id)
    with_version(response, session.version)
    return Session.of(session)


@router.patch(
    "/{session_id}",
    operation_id="update_session",
    summary="Change a session",
    responses={200: {"headers": ETAG}, **problems(SessionNotFound, SessionEnded, PreconditionFailed)},
)
async def update_session(
    *,
    session_id: SessionId,
    body: SessionUpdate,
    caller: Writer,
    house: HouseDep,
    if_match: SeenVersion,
    response: Response,
) -> Session:
    """Change time to live, system prompt, metadata or settings. What is absent stays.

    A new `ttl_seconds` counts from now. Metadata and settings are replaced as a whole.
    """
    session = await house.sessions.patch(caller, session_id, body.wanted(), if_match=if_match)
    with_version(response, session.version)
    return Session.of(session)


@router.delete(
    "/{session_id}",
    operation_id="delete_session",
    summary="Delete a session",
    status_code=204,
    response_description="It is gone.",
    responses=problems(SessionNotFound, PreconditionFailed),
)
async def delete_session(session_id: SessionId, caller: Writer, house: HouseDep, if_match: SeenVersion) -> None:
    """Delete a session with its messages and episodes, and the memories that rest on nothing else.

    A memory that was made, confirmed or corrected by a request, or is pinned, stays without its source.
    """
    await house.sessions.delete(caller, session_id, if_match=if_match)


@router.post(
    "/{session_id}/messages",
    operation_id="append_messages",
    summary="Append messages",
    status_code=201,
    response_description="The messages are kept.",
    responses={
        201: {"headers": LOCATION},
        **problems(SessionNotFound, SessionEnded, MessageChanged, MessageFromFuture, IdempotencyKeyReused),
    },
)
async def append_messages(
    *, session_id: SessionId, body: MessageAppend, caller: Writer, house: HouseDep, once: OnceDep, response: Response
) -> AppendedMessages:
    """Put one or up to 100 messages at the end of the session's log, in the order sent, all or none.

    When the answer comes they are committed. A message whose `id` is in the log already is the same message, and is
    answered with its place; with anything else in it, it is 409. Each append lets the session live on for its TTL.
    """
    appended = await house.sessions.append(caller, session_id, [one.wanted() for one in body.messages], once=once)
    with_location(response, "sessions", session_id, "messages")
    return AppendedMessages(items=[AppendedMessage.of(one) for one in appended])


@router.get(
    "/{session_id}/messages",
    operation_id="list_messages",
    summary="List a session's messages",
    responses=problems(SessionNotFound, InvalidCursor),
)
async def list_messages(session_id: SessionId, caller: Reader, house: HouseDep, page: OldestFirst) -> MessagePage:
    """The log of a session, oldest first unless `order` says otherwise. It stays readable after the end."""
    return MessagePage.of(await house.sessions.messages(caller, session_id, page))


@router.get(
    "/{session_id}/window",
    operation_id="get_window",
    summary="Get the turns that fit a budget",
    responses=problems(SessionNotFound),
)
async def get_window(
    *,
    session_id: SessionId,
    caller: Reader,
    house: HouseDep,
    max_tokens: Annotated[int | None, Query(ge=1, le=2_000_000, description="8,000 if absent.")] = None,
    max_messages: Annotated[int | None, Query(ge=1, le=1_000, description="20 if absent.")] = None,
    strategy: Annotated[
        Strategy, Query(description="`raw`: the newest; `sliding`: the first beside them; `auto`: what fits the size.")
    ] = Strategy.AUTO,
    model: Annotated[ModelName | None, Query(description="The model whose tokens are counted.")] = None,
) -> SessionWindow:
    """The newest turns of the session that fit the budget, oldest first, ready to put before a model."""
    window = await house.windows.window(
        caller, session_id, max_tokens=max_tokens, max_messages=max_messages, strategy=strategy, model=model
    )
    return SessionWindow.of(window)


@router.post(
    "/{session_id}/end",
    operation_id="end_session",
    summary="End a session",
    status_code=202,
    response_model=EndAccepted,
    response_description="The session is closed and its extraction is queued.",
    responses={
        202: {"headers": LOCATION},
        200: {"model": ExtractionReport, "description": "The extraction finished in time; this is its report."},
        **problems(SessionNotFound, IdempotencyKeyReused),
    },
)
async def end_session(
    *,
    session_id: SessionId,
    caller: Writer,
    house: HouseDep,
    once: OnceDep,
    response: Response,
    wait_seconds: Annotated[
        float, Query(ge=0, le=60, allow_inf_nan=False, description="How long the report is waited for.")
    ] = 0,
) -> EndAccepted | Response:
    """Close the session and start its extraction. Called again it is harmless and names the same job.

    The answer is 202 with the job's place in `Location`. With `wait_seconds`, it is 200 with the report when the
    extraction finishes in that time. Both bodies have `session_id`, `state` and `job_id`.
    """
    ended = await house.sessions.end(caller, session_id, wait_seconds=wait_seconds, once=once)
    if ended.report is not None:
        report = ExtractionReport.of(ended.report)
        return Response(report.model_dump_json(), 200, media_type="application/json")
    with_location(response, "jobs", ended.job_id)
    return EndAccepted(session_id=ended.session.client_id, state=ended.session.state, job_id=ended.job_id)


@router.get(
    "/{session_id}/report",
    operation_id="get_session_report",
    summary="Get the report of an extraction",
    responses=problems(SessionNotFound),
)
async def get_session_report(session_id: SessionId, caller: Reader, house: HouseDep) -> ExtractionReport:
    """What the session's extraction found, kept, merged, superseded and refused, and why.

    Until it has succeeded, `candidates` is null and `job_state` says how far it is.
    """
    return ExtractionReport.of(await house.sessions.report(caller, session_id))

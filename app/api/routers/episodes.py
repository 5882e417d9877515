"""The door to episodes."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Query, Response

from app.api.answers import ETAG, LOCATION, with_location, with_version
from app.api.auth import Reader, Writer
from app.api.bodies import Door
from app.api.dependencies import HouseDep, NewestFirst, SeenVersion
from app.api.idempotency import OnceDep, accepted
from app.api.listing import owner_named
from app.api.problems import problems
from app.api.schemas.common import Id, Label, Time
from app.api.schemas.episode_search import EpisodeQuery, EpisodeSearchAnswer
from app.api.schemas.episodes import Episode, EpisodeCreate, EpisodePage, EpisodeUpdate
from app.core.errors import Invalid, PreconditionFailed
from app.core.paging import InvalidCursor
from app.domain.episodes import EpisodeFilter, Outcome
from app.domain.errors import EpisodeNotFound, IdempotencyKeyReused, SessionNotFound
from app.domain.requests import OwnerName
from app.domain.results import EpisodeView

router = APIRouter(prefix="/v1/episodes", tags=["episodes"], route_class=Door)

EpisodeId = Annotated[UUID, Path(description="The episode's id.")]


def _answer(view: EpisodeView, response: Response) -> Episode:
    with_version(response, view.episode.version)
    return Episode.of(view)


@router.post(
    "",
    operation_id="create_episode",
    summary="Keep an episode",
    status_code=201,
    response_description="The episode is kept.",
    responses={201: {"headers": LOCATION | ETAG}, **problems(Invalid, SessionNotFound, IdempotencyKeyReused)},
)
async def create_episode(
    body: EpisodeCreate, caller: Writer, house: HouseDep, once: OnceDep, response: Response
) -> Episode:
    """Keep a record of something that was attempted or happened, as you tell it.

    It needs a title or a task. With `session_id` it belongs to that session of the user, and goes when it is deleted.
    """
    view = await house.episodes.create(caller, body.wanted(), once=once)
    with_location(response, "episodes", view.episode.id)
    return _answer(view, response)


async def episode_listing(
    *,
    owner: Annotated[OwnerName, Depends(owner_named)],
    outcome: Annotated[tuple[Outcome, ...], Query(max_length=3, description="Only with one of these outcomes.")] = (),
    tags: Annotated[tuple[Label, ...], Query(max_length=50, description="Only with all of these.")] = (),
    agent_id: Annotated[Id | None, Query(description="Only what this assistant took part in.")] = None,
    session_id: Annotated[Id | None, Query(description="Only what belongs to this session.")] = None,
    since: Annotated[Time | None, Query(description="Only what happened at this time or later.")] = None,
    until: Annotated[Time | None, Query(description="Only what happened before this time.")] = None,
) -> tuple[OwnerName, EpisodeFilter]:
    """The owner and the conditions of a list of episodes."""
    return owner, EpisodeFilter(
        outcomes=outcome, tags=tags, agent_id=agent_id, session_id=session_id, since=since, until=until
    )


@router.get("", operation_id="list_episodes", summary="List episodes", responses=problems(InvalidCursor))
async def list_episodes(
    caller: Reader,
    house: HouseDep,
    page: NewestFirst,
    wanted: Annotated[tuple[OwnerName, EpisodeFilter], Depends(episode_listing)],
) -> EpisodePage:
    """The timeline of a user or of a pool: episodes by the time they happened, newest first unless `order` says so."""
    owner, conditions = wanted
    return EpisodePage.of(await house.episodes.list(caller, owner, conditions, page))


@router.post(
    "/search",
    operation_id="search_episodes",
    summary="Search episodes",
    dependencies=[Depends(accepted)],
    responses=problems(Invalid),
)
async def search_episodes(body: EpisodeQuery, caller: Reader, house: HouseDep) -> EpisodeSearchAnswer:
    """Find episodes of a user, of pools or of both by words, meaning and recency, best first.

    Every filter is applied before the best are chosen. When the embedding does not answer in time, words alone are
    searched and `degraded` names `dense`.
    """
    return EpisodeSearchAnswer.of(body, await house.search.search_episodes(caller, body.wanted()))


@router.get(
    "/{episode_id}",
    operation_id="get_episode",
    summary="Get an episode",
    responses={200: {"headers": ETAG}, **problems(EpisodeNotFound)},
)
async def get_episode(episode_id: EpisodeId, caller: Reader, house: HouseDep, response: Response) -> Episode:
    """One episode with the messages that it rests on."""
    return _answer(await house.episodes.get(caller, episode_id), response)


@router.patch(
    "/{episode_id}",
    operation_id="update_episode",
    summary="Correct an episode",
    responses={200: {"headers": ETAG}, **problems(EpisodeNotFound, Invalid, PreconditionFailed)},
)
async def update_episode(
    *,
    episode_id: EpisodeId,
    body: EpisodeUpdate,
    caller: Writer,
    house: HouseDep,
    if_match: SeenVersion,
    response: Response,
) -> Episode:
    """Change what was sent and keep the rest. Title and task cannot both be emptied."""
    return _answer(await house.episodes.patch(caller, episode_id, body.wanted(), if_match=if_match), response)


@router.delete(
    "/{episode_id}",
    operation_id="delete_episode",
    summary="Delete an episode",
    status_code=204,
    response_description="It is gone.",
    responses=problems(EpisodeNotFound, PreconditionFailed),
)
async def delete_episode(episode_id: EpisodeId, caller: Writer, house: HouseDep, if_match: SeenVersion) -> None:
    """Delete an episode and its index entries. The messages that it rests on stay."""
    await house.episodes.delete(caller, episode_id, if_match=if_match)

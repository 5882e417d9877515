"""Episodes as callers keep, read, correct and delete them, and how they go with their session."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import text

from app.core.errors import Invalid, PreconditionFailed
from app.core.ids import bucket_of, derived_id, new_id
from app.core.paging import Order, PageRequest
from app.core.scope import Caller, OwnerKind, Right
from app.domain.episodes import EpisodeFilter, EpisodePatch, NewEpisode, Outcome
from app.domain.errors import EpisodeNotFound, IdempotencyKeyReused, SessionNotFound
from app.domain.requests import Once, OwnerName
from app.domain.results import EpisodeView
from app.services import access
from app.services.house import House
from tests.builders import a_session, run_jobs

ANA = OwnerName(user_id="ana")
MAY = datetime(2026, 5, 4, 12, tzinfo=UTC)
NEVER_GIVEN = UUID("0198c1e4-b002-7c0c-8000-2f3e4d5c6b7a")


async def an_episode(house: House, caller: Caller, title: str = "Book a table", **more: Any) -> EpisodeView:
    owner = more.pop("owner", ANA)
    return await house.episodes.create(caller, NewEpisode(owner=owner, title=title, **more))


async def titles(house: House, caller: Caller, **wanted: Any) -> list[str | None]:
    page = await house.episodes.list(caller, ANA, EpisodeFilter(**wanted), PageRequest(limit=100))
    return [view.episode.title for view in page.items]


async def test_an_episode_is_kept_as_it_was_told(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, "Book a table.")
    made = await an_episode(
        house,
        caller,
        task="Book a table for two.",
        approach="Used book_table.",
        outcome=Outcome.PARTIAL,
        result_summary="Only nine was free.",
        lessons_learned="Ask a week ahead.",
        context="A birthday.",
        participants=("Ana", "Ben"),
        tags=("dining", 'a,"b"|{c}\\*'),
        occurred_at=MAY,
        agent_id="bot",
        session_id=session.client_id,
        metadata={"n": 1},
    )
    again = await house.episodes.get(caller, made.episode.id)
    assert again == made
    episode = again.episode
    assert (again.user_id, again.pool_id, again.session_id) == ("ana", None, session.client_id)
    assert (episode.outcome, episode.tags, episode.occurred_at) == (
        Outcome.PARTIAL,
        ("dining", 'a,"b"|{c}\\*'),
        MAY,
    )
    assert (episode.participants, episode.metadata, episode.version) == (("Ana", "Ben"), {"n": 1}, 1)
    assert (episode.extractor, again.sources) == ("api", [])


async def test_an_episode_without_a_name_is_refused(house: House, caller: Caller) -> None:
    for title, task in ((None, None), (" ", None), (None, "\n")):
        with pytest.raises(Invalid, match="title or a task"):
            await house.episodes.create(caller, NewEpisode(owner=ANA, title=title, task=task))
    made = await an_episode(house, caller)
    with pytest.raises(Invalid, match="title or a task"):
        await house.episodes.patch(caller, made.episode.id, EpisodePatch(title=None), if_match=None)


async def test_a_session_must_be_the_users_own(house: House, caller: Caller) -> None:
    bens = await a_session(house, caller, "Hello.", user="ben")
    for unknown in (bens.client_id, "never-opened"):
        with pytest.raises(SessionNotFound):
            await an_episode(house, caller, session_id=unknown)
    with pytest.raises(Invalid, match="A session belongs to a user"):
        await an_episode(house, caller, owner=OwnerName(pool_id="team"), session_id=bens.client_id)
    assert await titles(house, caller) == []


async def test_the_timeline_is_by_when_it_happened_and_pages_neither_skip_nor_repeat(
    house: House, caller: Caller
) -> None:
    for day in (3, 1, 2, 2, 0):
        await an_episode(house, caller, f"day {day}", occurred_at=MAY + timedelta(days=day))
    whole = await titles(house, caller)
    assert whole == ["day 3", "day 2", "day 2", "day 1", "day 0"]
    for order, expected in ((Order.DESCENDING, whole), (Order.ASCENDING, whole[::-1])):
        seen: list[str | None] = []
        cursor = None
        while True:
            page = await house.episodes.list(
                caller, ANA, EpisodeFilter(), PageRequest(limit=2, cursor=cursor, order=order)
            )
            seen += [view.episode.title for view in page.items]
            cursor = page.next_cursor
            if cursor is None:
                break
        assert seen == expected
    window = {"since": MAY + timedelta(days=1), "until": MAY + timedelta(days=3)}
    assert await titles(house, caller, **window) == ["day 2", "day 2", "day 1"]


async def test_a_list_narrows_by_outcome_tags_agent_and_session(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, "Hello.")
    await an_episode(house, caller, "bad", outcome=Outcome.FAILURE, tags=("deploy", "night"), agent_id="ops")
    await an_episode(house, caller, "good", outcome=Outcome.SUCCESS, tags=("deploy",))
    await an_episode(house, caller, "open", session_id=session.client_id)
    assert await titles(house, caller, outcomes=(Outcome.FAILURE,)) == ["bad"]
    assert sorted(map(str, await titles(house, caller, outcomes=(Outcome.FAILURE, Outcome.SUCCESS)))) == ["bad", "good"]
    assert await titles(house, caller, tags=("deploy", "night")) == ["bad"]
    assert await titles(house, caller, agent_id="ops") == ["bad"]
    assert await titles(house, caller, session_id=session.client_id) == ["open"]


async def test_b15_a_change_keeps_what_was_not_sent(house: House, caller: Caller) -> None:
    made = await an_episode(house, caller, task="Book it.", tags=("dining",), metadata={"n": 1}, occurred_at=MAY)
    patch = EpisodePatch(outcome=Outcome.SUCCESS, task=None)
    changed = await house.episodes.patch(caller, made.episode.id, patch, if_match=1)
    episode = changed.episode
    assert (episode.outcome, episode.task, episode.version) == (Outcome.SUCCESS, None, 2)
    assert (episode.title, episode.tags, episode.metadata, episode.occurred_at) == (
        "Book a table",
        ("dining",),
        {"n": 1},
        MAY,
    )


async def test_a_change_or_deletion_of_another_version_than_was_seen_is_refused(house: House, caller: Caller) -> None:
    episode_id = (await an_episode(house, caller)).episode.id
    await house.episodes.patch(caller, episode_id, EpisodePatch(context="x"), if_match=1)
    with pytest.raises(PreconditionFailed):
        await house.episodes.patch(caller, episode_id, EpisodePatch(context="y"), if_match=1)
    with pytest.raises(PreconditionFailed):
        await house.episodes.delete(caller, episode_id, if_match=1)
    assert (await house.episodes.get(caller, episode_id)).episode.context == "x"
    await house.episodes.delete(caller, episode_id, if_match=2)
    with pytest.raises(EpisodeNotFound):
        await house.episodes.get(caller, episode_id)


async def test_f12_an_id_that_is_not_the_callers_is_not_found_and_nothing_is_touched(
    house: House, caller: Caller
) -> None:
    mine = (await an_episode(house, caller)).episode.id
    stranger = Caller(tenant_id=caller.tenant_id + 100_000)
    bound = Caller(tenant_id=caller.tenant_id, bound_kind=OwnerKind.USER, bound_name="ben")
    for who, which in ((stranger, mine), (bound, mine), (caller, NEVER_GIVEN)):
        with pytest.raises(EpisodeNotFound):
            await house.episodes.get(who, which)
        with pytest.raises(EpisodeNotFound):
            await house.episodes.patch(who, which, EpisodePatch(title="x"), if_match=None)
        with pytest.raises(EpisodeNotFound):
            await house.episodes.delete(who, which)
    assert (await house.episodes.get(caller, mine)).episode.version == 1


async def test_a_repeated_request_keeps_one_episode(house: House, caller: Caller) -> None:
    wanted = NewEpisode(owner=ANA, title="Book a table")
    once = Once("same", b"body")
    views = await asyncio.gather(*(house.episodes.create(caller, wanted, once=once) for _ in range(5)))
    assert len({view.episode.id for view in views}) == 1
    assert await titles(house, caller) == ["Book a table"]
    with pytest.raises(IdempotencyKeyReused):
        await house.episodes.create(caller, wanted, once=Once("same", b"other"))


async def test_f01_a_deleted_session_takes_its_episodes_along_and_leaves_others(
    house: House, caller: Caller, superuser: psycopg.Connection[tuple[object, ...]]
) -> None:
    session = await a_session(house, caller, "Book a table.")
    gone = await an_episode(house, caller, "gone", session_id=session.client_id)
    await an_episode(house, caller, "stays")
    await run_jobs(house, caller)
    await house.sessions.delete(caller, session.client_id)
    assert await titles(house, caller) == ["stays"]
    left = superuser.execute("select count(*) from passages where item_id = %s", [gone.episode.id]).fetchone()
    assert left == (0,)


async def test_a_changed_or_deleted_episode_leaves_nothing_old_in_the_index(
    house: House, caller: Caller, superuser: psycopg.Connection[tuple[object, ...]]
) -> None:
    episode_id = (await an_episode(house, caller, "Alpha")).episode.id
    await run_jobs(house, caller)
    await house.episodes.patch(caller, episode_id, EpisodePatch(title="Beta"), if_match=None)
    await run_jobs(house, caller)
    owner = [bucket_of(episode_id), caller.tenant_id]
    select = "select term from postings where bucket = %s and tenant_id = %s and kind = 3"
    assert superuser.execute(select, owner).fetchall() == [("beta",)]
    await house.episodes.delete(caller, episode_id)
    assert superuser.execute(select, owner).fetchall() == []
    size = "select docs, tokens from corpus where bucket = %s and tenant_id = %s and kind = 3"
    assert superuser.execute(size, owner).fetchall() == [(0, 0)]


async def test_row_level_security_stands_behind_the_conditions(house: House, caller: Caller) -> None:
    """A statement about another owner's rows sees none, although it names them."""
    episode_id = (await an_episode(house, caller)).episode.id
    await an_episode(house, caller, "of ben", owner=OwnerName(user_id="ben"))
    async with house.parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
        await access.find_owners(db, caller, user_id="ben")
        seen = (await db.execute(text("select title from episodes"))).scalars().all()
        assert seen == ["of ben"]
        changed = await db.execute(text("update episodes set title = 'x' where id = :id"), {"id": episode_id})
        assert changed.rowcount == 0


def test_a_derived_id_is_the_same_for_the_same_work_and_carries_its_bucket() -> None:
    first = derived_id(77, MAY, NEVER_GIVEN, 1, 1)
    assert first == derived_id(77, MAY, NEVER_GIVEN, 1, 1)
    assert first != derived_id(77, MAY, NEVER_GIVEN, 11, 1)
    assert (bucket_of(first), first.version, first.variant) == (77, 7, new_id(77, MAY).variant)

"""What ended sessions leave behind as episodes: written with everything else of the session, once, and found again."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import UUID, uuid4

import psycopg
import pytest

from app.core.paging import PageRequest
from app.core.scope import Caller, Right, Scope
from app.domain.episodes import EpisodeFilter, EpisodePatch, Outcome
from app.domain.requests import NewMessage, NewSession, OwnerName
from app.domain.results import EpisodeView
from app.domain.sessions import Role, Session
from app.extraction.model_extractor import ModelExtractor
from app.extraction.rules import RuleExtractor
from app.providers.openai_chat import OpenAIChat
from app.providers.openai_client import Endpoint
from app.services import access
from app.services.extraction import ExtractionService, Run, RunLost
from app.services.extractors import rules
from app.services.house import House
from app.services.running import JobRunner
from app.store.postgres.repositories.jobs import JobRepository
from tests.fakes.behaviours import memory, tells
from tests.fakes.scripted_model import scripted_model

ANA = OwnerName(user_id="ana")
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
MENDED = (
    NewMessage(role=Role.USER, name="Ana", content="Please fix the nightly backup.", id="asked", created_at=NOON),
    NewMessage(role=Role.ASSISTANT, content="I've made room on the disk.", created_at=NOON),
    NewMessage(role=Role.USER, name="Ana", content="It works now, thanks!", id="told", created_at=NOON),
)


async def _session(house: House, caller: Caller, *said: NewMessage, agent: str | None = None) -> Session:
    wanted = NewSession(user_id="ana", session_id=f"s-{uuid4()}", agent_id=agent)
    session, _ = await house.sessions.create(caller, wanted)
    await house.sessions.append(caller, session.client_id, said)
    return session


async def _scope(house: House, caller: Caller) -> Scope:
    async with house.parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
        await access.find_owners(db, caller, user_id="ana")
        return db.scope


async def _run(house: House, caller: Caller, session: Session) -> None:
    job_id = (await house.sessions.end(caller, session.client_id)).job_id
    runner = JobRunner(house.parts, ExtractionService(house.parts, rules()), house.index)
    await runner.run(await _scope(house, caller), job_id)


async def _episodes(house: House, caller: Caller) -> Sequence[EpisodeView]:
    return (await house.episodes.list(caller, ANA, EpisodeFilter(), PageRequest(limit=100))).items


async def test_an_ended_session_leaves_its_episode_and_the_report_names_it(house: House, caller: Caller) -> None:
    session = await _session(house, caller, *MENDED, agent="ops")
    await _run(house, caller, session)
    (view,) = await _episodes(house, caller)
    assert (view.episode.title, view.episode.outcome) == ("Fix the nightly backup", Outcome.SUCCESS)
    assert (view.episode.participants, view.episode.occurred_at) == (("Ana",), NOON)
    assert (view.session_id, view.episode.agent_id, view.episode.extractor) == (session.client_id, "ops", "rules/1")
    named = [(source.session_id, source.message_id) for source in view.sources]
    assert (len(named), named[0], named[2]) == (3, (session.client_id, "asked"), (session.client_id, "told"))
    report = (await house.sessions.report(caller, session.client_id)).report
    assert report is not None
    assert report.episodes == (view.episode.id,)


async def test_a01_small_talk_leaves_no_episode_and_the_report_says_none(house: House, caller: Caller) -> None:
    session = await _session(house, caller, NewMessage(role=Role.USER, content="Hi! How are you?"))
    await _run(house, caller, session)
    assert await _episodes(house, caller) == []
    report = (await house.sessions.report(caller, session.client_id)).report
    assert report is not None
    assert report.episodes == ()


async def _claimed(house: House, scope: Scope, job_id: UUID) -> Run:
    token = uuid4()
    async with house.parts.db.transaction(scope) as db:
        assert await JobRepository(db).claim(job_id, token, datetime.now(UTC)) is not None
    return Run(scope, job_id, token)


async def test_g06_a_run_that_died_and_one_that_came_back_to_life_leave_one_episode(
    house: House, caller: Caller
) -> None:
    session = await _session(house, caller, *MENDED)
    job_id = (await house.sessions.end(caller, session.client_id)).job_id
    scope = await _scope(house, caller)
    service = ExtractionService(house.parts, rules())
    await _claimed(house, scope, job_id)
    revived = await _claimed(house, scope, job_id)
    last = await _claimed(house, scope, job_id)
    with pytest.raises(RunLost):
        await service.extract_session(revived, session.id)
    assert await _episodes(house, caller) == []
    await service.extract_session(last, session.id)
    with pytest.raises(RunLost):
        await service.extract_session(revived, session.id)
    assert len(await _episodes(house, caller)) == 1


async def test_the_same_stretch_read_again_writes_nothing_over_what_a_caller_corrected(
    house: House, caller: Caller, superuser: psycopg.Connection[tuple[object, ...]]
) -> None:
    """Even with the watermark set back, as after a restore from an older copy of one table."""
    session = await _session(house, caller, *MENDED)
    await _run(house, caller, session)
    (first,) = await _episodes(house, caller)
    corrected = await house.episodes.patch(caller, first.episode.id, EpisodePatch(title="Backup"), if_match=1)
    superuser.execute("update sessions set extracted_seq = 0, state = 'ending' where id = %s", [session.id])
    superuser.execute("update jobs set state = 'queued' where session_id = %s and kind = 'extract'", [session.id])
    superuser.execute("delete from reports where session_id = %s", [session.id])
    await _run(house, caller, session)
    (again,) = await _episodes(house, caller)
    assert again == corrected


async def test_f01_a_deleted_session_takes_what_was_extracted_from_it_along(house: House, caller: Caller) -> None:
    session = await _session(house, caller, *MENDED)
    await _run(house, caller, session)
    assert len(await _episodes(house, caller)) == 1
    await house.sessions.delete(caller, session.client_id)
    assert await _episodes(house, caller) == []


async def test_a_models_episode_is_written_with_the_memories_of_the_session(house: House, caller: Caller) -> None:
    session = await _session(house, caller, *MENDED)
    job_id = (await house.sessions.end(caller, session.client_id)).job_id
    told = {"title": "Mend the backup", "outcome": "success", "said_all": ("nightly backup", "works now")}
    async with scripted_model() as model:
        model.always(tells(told, memories=(memory("Ana runs a nightly backup.", said="nightly backup"),)))
        endpoint = Endpoint(base_url=model.base_url, api_key="sk-test", timeout_seconds=5)
        chat = OpenAIChat(endpoint=endpoint, model="small")
        extract = ModelExtractor(chat, RuleExtractor()).extract
        runner = JobRunner(house.parts, ExtractionService(house.parts, extract, rules()), house.index)
        await runner.run(await _scope(house, caller), job_id)
        await chat.aclose()
    (view,) = await _episodes(house, caller)
    assert (view.episode.title, view.episode.extractor) == ("Mend the backup", "model:small/1")
    assert [source.message_id for source in view.sources] == ["asked", "told"]
    report = (await house.sessions.report(caller, session.client_id)).report
    assert report is not None
    assert (report.episodes, len(report.created), report.rejected) == ((view.episode.id,), 1, ())

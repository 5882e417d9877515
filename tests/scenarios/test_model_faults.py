"""A model that answers nonsense, too late, or never: no turn is lost, and the report says what happened."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from app.core.paging import PageRequest
from app.core.scope import Caller, Right, Scope
from app.core.settings import Settings
from app.domain.jobs import JobState
from app.domain.reports import Report
from app.domain.sessions import SessionState
from app.extraction.model_extractor import ModelExtractor
from app.extraction.rules import RuleExtractor
from app.providers.openai_chat import OpenAIChat
from app.providers.registry import chat_from
from app.services import access
from app.services.extraction import ExtractionService
from app.services.extractors import rules
from app.services.house import House
from app.services.running import JobRunner
from tests.builders import a_session, contents_of
from tests.fakes import behaviours as b
from tests.fakes.scripted_model import ScriptedModel, scripted_model

TEA = b.memory("User drinks green tea.", said="tea")
FOREIGN = b.memory("User drinks coffee.", message_numbers=[999], messages=[999])

USABLE = {
    "fenced": b.fenced(TEA),
    "prose": b.prose(TEA),
    "thinks": b.thinks(TEA),
    "trailing comma": b.trailing_comma(TEA),
    "single object": b.single_object(TEA),
    "wrong types": b.wrong_types(TEA),
}


@asynccontextmanager
async def _thinking(house: House, **more: object) -> AsyncGenerator[tuple[ScriptedModel, JobRunner]]:
    """A scripted model, and a runner whose extractor reaches it through the real client."""
    async with scripted_model() as model:
        values = {"OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": model.base_url, "EXTRACTION_MODEL": "small", **more}
        chat = chat_from(Settings.model_validate(values))
        assert isinstance(chat, OpenAIChat)
        extract = ModelExtractor(chat, RuleExtractor()).extract
        try:
            yield model, JobRunner(house.parts, ExtractionService(house.parts, extract, rules()), house.index)
        finally:
            await chat.aclose()


async def _extracted(house: House, caller: Caller, runner: JobRunner) -> tuple[JobState, Report | None, str | None]:
    session = await a_session(house, caller, "I drink green tea every morning.")
    job_id = (await house.sessions.end(caller, session.client_id)).job_id
    await runner.run(await _scope(house, caller), job_id)
    report = await house.sessions.report(caller, session.client_id)
    log = await house.sessions.messages(caller, session.client_id, PageRequest())
    assert [message.text for message in log.items] == ["I drink green tea every morning."]
    return JobState(report.job_state or ""), report.report, report.raw_output


async def _scope(house: House, caller: Caller) -> Scope:
    async with house.parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
        await access.find_owners(db, caller, user_id="ana")
        return db.scope


@pytest.mark.parametrize("name", USABLE)
async def test_d01_untidy_answers_are_read_where_that_is_safe(house: House, caller: Caller, name: str) -> None:
    async with _thinking(house) as (model, runner):
        model.always(USABLE[name])
        state, report, _ = await _extracted(house, caller, runner)
    assert state is JobState.SUCCEEDED
    assert await contents_of(house, caller) == ["User drinks green tea."]
    assert report is not None
    assert report.fallback_reason is None


@pytest.mark.parametrize("answer", [b.says("I cannot do that."), b.says_null(), b.refuses(400, "bad request")])
async def test_a10_an_answer_that_stays_unusable_gives_way_to_the_rules(
    house: House, caller: Caller, answer: b.Behaviour
) -> None:
    async with _thinking(house) as (model, runner):
        model.always(answer)
        state, report, _ = await _extracted(house, caller, runner)
    assert state is JobState.SUCCEEDED
    assert report is not None
    assert report.fallback_reason is not None
    assert len(await contents_of(house, caller)) == 1


async def test_b06_an_id_that_the_model_makes_up_is_refused_and_reported(house: House, caller: Caller) -> None:
    async with _thinking(house) as (model, runner):
        model.always(b.remembers(TEA, FOREIGN))
        _, report, _ = await _extracted(house, caller, runner)
    assert await contents_of(house, caller) == ["User drinks green tea."]
    assert report is not None
    assert len(report.rejected) == 1


@pytest.mark.parametrize("status", [429, 500])
async def test_d03_an_outage_is_tried_again_and_never_an_empty_success(
    house: House, caller: Caller, status: int
) -> None:
    async with _thinking(house) as (model, runner):
        model.always(b.refuses(status, "later"))
        state, report, _ = await _extracted(house, caller, runner)
    assert state is JobState.QUEUED
    assert report is None


async def test_h09_a_model_that_never_answers_is_cut_off(house: House, caller: Caller) -> None:
    async with _thinking(house, MODEL_TIMEOUT_SECONDS=0.3) as (model, runner):
        model.always(b.never())
        state, report, _ = await _extracted(house, caller, runner)
    assert state is JobState.QUEUED
    assert report is None


async def test_j13_ends_and_reads_are_answered_while_the_model_has_not(house: House, caller: Caller) -> None:
    """The model never answers, so whatever waited for it would run into the test's timeout."""
    session = await a_session(house, caller, "I drink green tea every morning.")
    ended = await house.sessions.end(caller, session.client_id)
    scope = await _scope(house, caller)
    async with _thinking(house) as (model, runner):
        model.always(b.never())
        thinking = asyncio.create_task(runner.run(scope, ended.job_id))
        try:
            async with asyncio.timeout(30):
                while not model.chats:  # noqa: ASYNC110 - the server runs in a thread of its own
                    await asyncio.sleep(0.01)
            for _ in range(house.parts.settings.database_pool_size * 2):
                assert (await house.sessions.get(caller, session.client_id)).state is SessionState.ENDING
            again = await house.sessions.end(caller, session.client_id)
            assert (again.job_id, again.report) == (ended.job_id, None)
            assert (await house.jobs.get(caller, ended.job_id)).state is JobState.RUNNING
            await house.sessions.delete(caller, session.client_id)
            assert not thinking.done()
        finally:
            thinking.cancel()
            await asyncio.gather(thinking, return_exceptions=True)

"""What users tell over several sessions, read by the rules: what is current afterwards, by key and value."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from app.core.scope import Caller, Right
from app.domain.requests import NewMessage, NewSession
from app.domain.sessions import Role
from app.services import access
from app.services.extraction import ExtractionService
from app.services.extractors import rules
from app.services.house import House
from app.services.running import JobRunner
from tests.builders import memories_of

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


async def tell(house: House, caller: Caller, *texts: str) -> None:
    """One session for each text, a day apart, each ended and read before the next begins."""
    runner = JobRunner(house.parts, ExtractionService(house.parts, rules()), house.index)
    for day, text in enumerate(texts):
        session, _ = await house.sessions.create(caller, NewSession(user_id="ana", session_id=f"s-{uuid4()}"))
        said = NewMessage(role=Role.USER, content=text, created_at=NOON + timedelta(days=day))
        await house.sessions.append(caller, session.client_id, [said])
        job_id = (await house.sessions.end(caller, session.client_id)).job_id
        async with house.parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            await access.find_owners(db, caller, user_id="ana")
            scope = db.scope
        await runner.run(scope, job_id)


STORIES = [
    (
        ("The deadline for Orion is 27 November.", "The deadline for Apollo is 3 December."),
        {("project.orion.deadline", "27 November"), ("project.apollo.deadline", "3 December")},
    ),
    (
        (
            "The deadline for Orion is 27 November.",
            "The deadline for Apollo is 3 December.",
            "The Orion deadline moved to 11 December.",
        ),
        {("project.orion.deadline", "11 December"), ("project.apollo.deadline", "3 December")},
    ),
    (
        ("My dog is called Rex.", "Sorry, I meant my dog is called Max, not Rex."),
        {("pet.dog.name", "Max")},
    ),
    (("I work at Globex.", "I left Globex and started at Initech."), {("profile.employer", "Initech")}),
    (("I work at Globex.", "I quit Globex."), {("profile.employer", "not Globex")}),
    (("I work at Globex.", "I left Globex."), {(None, None)}),
    (("I live in Berlin.", "I left Berlin."), {(None, None)}),
    (("I'm vegetarian.", "I'm not vegetarian anymore."), {("diet.kind", "not vegetarian")}),
    (("I'm vegetarian.", "I'm not vegetarian anymore.", "I'm vegan."), {("diet.kind", "vegan")}),
    (("I'm vegan.", "I'm not vegan anymore.", "I'm vegan again."), {("diet.kind", "vegan")}),
    (("I love coffee.", "I don't drink coffee anymore."), {("diet.avoid", "coffee")}),
    (
        ("I love hiking and black coffee.", "I don't drink coffee anymore."),
        {("preference.like", "hiking"), ("diet.avoid", "coffee")},
    ),
    (("I like jazz.", "I no longer like jazz."), {("preference.like", "not jazz")}),
    (("I'm not allergic to shellfish.",), {("health.allergy", "not shellfish")}),
    (
        ("I live in Munich with my wife Sara and our dog Biscuit.", "I moved to Rome."),
        {("profile.location", "Rome"), ("relation.wife.name", "Sara"), ("pet.dog.name", "Biscuit")},
    ),
    (
        ("My sister Anna lives in Lyon.", "My sister Eva lives in Bern.", "My sister Anna moved to Rome."),
        {
            ("relation.sister.name", "Anna"),
            ("relation.sister.name", "Eva"),
            ("relation.sister.location", "Bern"),
            ("relation.sister.location", "Rome"),
        },
    ),
]


@pytest.mark.parametrize(("told", "current"), STORIES, ids=[" / ".join(told) for told, _ in STORIES])
async def test_b04_what_is_current_says_what_was_told_last(
    house: House, caller: Caller, told: tuple[str, ...], current: set[tuple[str | None, str | None]]
) -> None:
    await tell(house, caller, *told)
    standing = await memories_of(house, caller)
    assert {(view.memory.key, view.memory.value) for view in standing} == current

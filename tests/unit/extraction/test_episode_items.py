"""Episodes that a model tells: what is taken from it, what from the log, and what is refused."""

from collections.abc import AsyncGenerator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from app.domain.episodes import MAX_TEXT_CHARACTERS, MAX_TITLE_CHARACTERS, Outcome
from app.domain.reports import Extraction
from app.domain.sessions import Message, Role
from app.extraction.model_extractor import ModelExtractor
from app.extraction.repair import items_in
from app.extraction.rules import RuleExtractor
from app.providers.openai_chat import OpenAIChat
from app.providers.openai_client import Endpoint
from tests.fakes.behaviours import Behaviour, memory, refuses, remembers, says, tells
from tests.fakes.scripted_model import ScriptedModel, scripted_model

AT = datetime(2026, 5, 3, 4, 45, tzinfo=UTC)
BACKUP: dict[str, Any] = {
    "title": "Mend the backup",
    "task": "Mend the nightly backup.",
    "approach": "Made room on the disk.",
    "outcome": "success",
    "result_summary": "It runs again.",
    "lessons_learned": None,
    "tags": ["Backup", "disk", "backup"],
    "occurred_at": None,
    "said_all": ("nightly backup", "works now"),
}


def _session(*lines: tuple[str, str, str | None]) -> list[Message]:
    return [
        Message(
            session_id=UUID(int=7),
            seq=10 + place,
            id=f"m{place}",
            role=Role(role),
            text=text,
            happened_at=AT + timedelta(minutes=place),
            recorded_at=AT,
            speaker=speaker,
        )
        for place, (role, text, speaker) in enumerate(lines)
    ]


TALK = _session(
    ("user", "Please fix the nightly backup.", "Ana"),
    ("assistant", "I've made room on the disk.", "Bot"),
    ("user", "It works now, thanks!", "Ben"),
)


@pytest.fixture
async def model() -> AsyncGenerator[ScriptedModel]:
    async with scripted_model() as running:
        yield running


async def heard(model: ScriptedModel, behaviour: Behaviour, talk: Sequence[Message] = TALK) -> Extraction:
    model.always(behaviour)
    endpoint = Endpoint(base_url=model.base_url, api_key="sk-test", timeout_seconds=5)
    chat = OpenAIChat(endpoint=endpoint, model="small")
    try:
        return await ModelExtractor(chat, RuleExtractor()).extract(talk)
    finally:
        await chat.aclose()


async def test_an_episode_takes_its_words_from_the_model_and_its_ground_from_the_log(model: ScriptedModel) -> None:
    found = await heard(model, tells(BACKUP | {"participants": ["Mallory"]}))
    (episode,) = found.episodes
    assert (episode.title, episode.task, episode.approach) == (BACKUP["title"], BACKUP["task"], BACKUP["approach"])
    assert (episode.outcome, episode.result_summary) == (Outcome.SUCCESS, "It runs again.")
    assert (episode.participants, episode.seqs, episode.occurred_at) == (("Ana", "Ben"), (10, 12), AT)
    assert (episode.tags, episode.extractor) == (("backup", "disk"), "model:small/1")
    assert found.rejected == ()


async def test_an_event_of_another_day_keeps_its_day_unless_it_is_still_ahead(model: ScriptedModel) -> None:
    for named, expected in (
        ("2026-04-20", datetime(2026, 4, 20, tzinfo=UTC)),
        ("2026-05-03", AT),
        ("2027-01-01", AT),
        ("someday", AT),
    ):
        (episode,) = (await heard(model, tells(BACKUP | {"occurred_at": named}))).episodes
        assert episode.occurred_at == expected


async def test_an_outcome_in_words_belongs_to_the_summary(model: ScriptedModel) -> None:
    told = BACKUP | {"outcome": "Went well in the end", "result_summary": None}
    (episode,) = (await heard(model, tells(told))).episodes
    assert (episode.outcome, episode.result_summary) == (None, "Went well in the end")


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no title": ({"title": None, "task": ""}, "an episode without a title"),
    "messages that are not there": ({"messages": [999]}, "names no message of the conversation"),
    "no messages": ({"messages": []}, "names no message of the conversation"),
    "the assistant's words alone": ({"messages": [2]}, "rests on nothing that the user said"),
    "one word over and over": ({"title": "backup " * 30}, "runaway repetition"),
    "the instructions": (
        {"title": "what was attempted or happened, one for each thing, told in the user's language"},
        "copied from the prompt",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_b06_an_episode_without_ground_is_refused_and_reported(model: ScriptedModel, name: str) -> None:
    change, reason = REFUSED[name]
    found = await heard(model, tells(BACKUP | change))
    assert found.episodes == ()
    assert [one.reason for one in found.rejected] == [reason]


async def test_what_is_no_object_is_refused_and_the_rest_kept(model: ScriptedModel) -> None:
    text = '{"memories": [], "episodes": ["nonsense", {"title": "Mend the backup", "messages": ["1", 3]}]}'
    found = await heard(model, says(text))
    assert [(one.title, one.seqs) for one in found.episodes] == [("Mend the backup", (10, 12))]
    assert [one.reason for one in found.rejected] == ["not an object"]


async def test_texts_without_end_are_cut(model: ScriptedModel) -> None:
    words = " ".join(f"word{number}" for number in range(600))
    (episode,) = (await heard(model, tells(BACKUP | {"title": words, "approach": words}))).episodes
    assert MAX_TITLE_CHARACTERS - 10 < len(episode.title) <= MAX_TITLE_CHARACTERS
    assert MAX_TEXT_CHARACTERS - 10 < len(episode.approach or "") <= MAX_TEXT_CHARACTERS


async def test_no_episode_is_an_answer_and_silence_leaves_them_to_the_rules(model: ScriptedModel) -> None:
    assert (await heard(model, tells())).episodes == ()
    for behaviour in (remembers(), refuses(400, "no")):
        (episode,) = (await heard(model, behaviour)).episodes
        assert (episode.title, episode.extractor) == ("Fix the nightly backup", "rules/1")


async def test_episodes_beside_memories_leave_the_memories_as_they_are(model: ScriptedModel) -> None:
    found = await heard(model, tells(BACKUP, memories=(memory("Ana runs a nightly backup.", said="nightly backup"),)))
    assert [one.content for one in found.candidates] == ["Ana runs a nightly backup."]
    assert len(found.episodes) == 1


@pytest.mark.parametrize(
    ("text", "items", "episodes"),
    [
        ('{"memories": [], "episodes": []}', (), ()),
        ('{"memories": [], "episodes": null}', (), ()),
        ('{"memories": [], "episodes": {"title": "x"}}', (), ({"title": "x"},)),
        ('{"memories": []}', (), None),
        ('{"episodes": [{"title": "x"}]}', (), ({"title": "x"},)),
        ('{"facts": [{"content": "x"}], "episodes": []}', ({"content": "x"},), ()),
        ('[{"content": "x"}]', ({"content": "x"},), None),
    ],
)
def test_the_episodes_of_an_answer_are_told_from_its_memories(
    text: str, items: tuple[object, ...], episodes: tuple[object, ...] | None
) -> None:
    found = items_in(text)
    assert found is not None
    assert (found.items, found.episodes, found.whole) == (items, episodes, True)


def test_an_answer_that_breaks_off_in_its_episodes_is_not_whole() -> None:
    found = items_in('{"memories": [{"content": "x"}], "episodes": [{"title": "x", "ta')
    assert found is not None
    assert (found.items, found.episodes, found.whole) == (({"content": "x"},), None, False)

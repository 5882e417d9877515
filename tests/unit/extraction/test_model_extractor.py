"""Extraction by a model, through the real client against a scripted server: what is learned."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from app.domain.memories import (
    Author,
    Candidate,
    Memory,
    MemoryStatus,
    MemoryType,
    Polarity,
    Precision,
    Source,
    SourceRef,
)
from app.domain.sessions import Message, Role
from app.extraction.model_extractor import ModelExtractor
from tests.fakes.behaviours import (
    Reply,
    Request,
    echoes_prompt,
    memory,
    remembers,
    says,
)
from tests.fakes.scripted_model import ScriptedModel
from tests.unit.extraction.model_talk import AT, SESSION, TEA, contents, message, reasons, talk


async def test_an_item_becomes_a_candidate_that_rests_on_the_log(model: ScriptedModel, extractor: ModelExtractor):
    model.will(
        remembers(
            memory(
                "User moved to Oslo.", said="Oslo", type="fact", key="profile.location", value="Oslo", cue="update",
                replaces="Rome", importance=4, confidence=0.9, event_at="2026-05-01", valid_from="2026-05-01",
            ),
            tokens=77,
        )
    )  # fmt: skip
    extraction = await extractor.extract([message(11, "Hello"), message(12, "I moved from Rome to Oslo on Friday")])
    (found,) = extraction.candidates
    assert found.sources == (SourceRef(SESSION, 12),)
    assert (found.key, found.value, found.replaces, found.cue) == ("profile.location", "Oslo", "Rome", "update")
    assert (found.author, found.source, found.extractor) == (Author.USER, Source.EXPLICIT, "model:small/1")
    assert (found.importance, found.confidence, found.language) == (4, 0.9, "en")
    assert found.stated_at == AT + timedelta(minutes=12)
    assert found.valid_from == found.event_at == datetime(2026, 5, 1, tzinfo=UTC)
    assert (extraction.model, extraction.tokens, extraction.fallback_reason) == ("small", 77, None)


async def test_a15_the_event_date_is_kept_apart_from_the_time_of_the_message(
    model: ScriptedModel, extractor: ModelExtractor
):
    model.will(remembers(memory("User flew to Rome on 3 May 2025.", event_at="2025-05-03", event_precision="day")))
    (found,) = (await extractor.extract(talk("I flew to Rome on 3 May last year"))).candidates
    assert (found.event_at, found.event_precision) == (datetime(2025, 5, 3, tzinfo=UTC), Precision.DAY)
    assert found.stated_at.year == 2026


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [message(1, "  \n")],
        [message(1, ""), message(2, "Hello, how can I help? You live in Rome.", Role.ASSISTANT)],
        [message(1, "<memories>User lives in Rome.</memories>")],
    ],
    ids=["none", "blank", "only the assistant", "only our own words"],
)
async def test_a07_without_a_word_of_the_user_no_model_is_asked(
    model: ScriptedModel, extractor: ModelExtractor, messages: list[Message]
):
    extraction = await extractor.extract(messages)
    assert (extraction.candidates, extraction.tokens, model.requests) == ((), 0, [])


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL, Role.SYSTEM])
async def test_a01_what_others_say_is_never_a_fact_about_the_user(
    model: ScriptedModel, extractor: ModelExtractor, role: Role
):
    model.will(remembers(memory("User lives in Rome.", said="Rome")))
    extraction = await extractor.extract([message(1, "Hi"), message(2, "You live in Rome.", role)])
    assert extraction.candidates == ()
    assert reasons(extraction) == ["rests on nothing that the user said"]


async def test_a_decision_rests_on_the_proposal_and_the_agreement(model: ScriptedModel, extractor: ModelExtractor):
    turns = [message(1, "Which database?"), message(2, "I propose PostgreSQL.", Role.ASSISTANT), message(3, "Agreed.")]
    model.will(
        remembers(
            memory("User decided to use PostgreSQL.", type="decision", messages=[2, 3]),
            memory("User's database is PostgreSQL.", type="fact", messages=[2, 3]),
        )
    )
    decision, fact = (await extractor.extract(turns)).candidates
    assert decision.sources == (SourceRef(SESSION, 2), SourceRef(SESSION, 3))
    assert fact.sources == (SourceRef(SESSION, 3),)


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (memory("User drinks tea.", type="rumour"), "unknown type"),
        (memory("User drinks tea.", type="episode"), "unknown type"),
        (memory("   "), "empty"),
        ({"type": "fact", "messages": [1]}, "empty"),
        (memory("User drinks tea and " * 20), "runaway repetition"),
        (memory("User has " + ", ".join(f"thing{n}" for n in range(60))), "too long"),
        (memory("User drinks tea.", messages=[99]), "names no message of the conversation"),
        (memory("User drinks tea.", messages=["m1"]), "names no message of the conversation"),
        (memory("User drinks tea.", messages=[]), "names no message of the conversation"),
        (memory("User drinks tea.", messages=[-1]), "names no message of the conversation"),
        ("User drinks tea.", "not an object"),
    ],
)
async def test_a_bad_item_is_refused_alone_and_says_why(
    model: ScriptedModel, extractor: ModelExtractor, item: Any, reason: str
):
    def reply(request: Request) -> Reply:
        bad = item if isinstance(item, str) else {"messages": [1], **item}
        return says(json.dumps({"memories": [bad, {**TEA, "messages": [1]}]}))(request)

    model.will(reply)
    extraction = await extractor.extract(talk("I drink tea"))
    assert contents(extraction) == ["User drinks tea."]
    assert reasons(extraction) == [reason]
    assert all(len(refused.content) <= 200 for refused in extraction.rejected)


async def test_a13_a_runaway_answer_is_refused_with_its_reason(model: ScriptedModel, extractor: ModelExtractor):
    model.will(remembers(memory("tea is very good " * 12_500)))
    extraction = await extractor.extract(talk("I drink tea"))
    assert reasons(extraction) == ["runaway repetition"]


async def test_a06_a_model_that_echoes_its_prompt_leaves_no_memory(model: ScriptedModel, extractor: ModelExtractor):
    model.always(echoes_prompt())
    extraction = await extractor.extract(talk("我喜欢喝茶，住在上海。"))
    assert extraction.candidates == ()
    assert len(extraction.rejected) > 10


async def test_a09_what_the_model_calls_known_is_a_candidate_all_the_same(
    model: ScriptedModel, extractor: ModelExtractor
):
    model.will(remembers({**TEA, "action": "NONE", "known": True, "id": "unheard-of"}))
    assert contents(await extractor.extract(talk("I drink tea"))) == ["User drinks tea."]


def known(content: str) -> Memory:
    return Memory(
        id=UUID(int=9), type=MemoryType.FACT, content=content, key=None, value=None, polarity=Polarity.POSITIVE,
        single=False, status=MemoryStatus.CURRENT, confidence=0.9, importance=3, source=Source.EXPLICIT,
        author=Author.USER, valid_from=AT, valid_to=None, recorded_at=AT, last_confirmed_at=AT,
    )  # fmt: skip


async def test_known_memories_are_shown_and_not_given_back_unless_said_again(
    model: ScriptedModel, extractor: ModelExtractor
):
    shown = [known("User owns a violin."), known("User drinks tea.")]
    model.will(remembers(memory("User owns a violin."), TEA))
    extraction = await extractor.extract(talk("I drink tea"), known=shown)
    assert '{"known": "User owns a violin."}' in model.chats[0].user
    assert contents(extraction) == ["User drinks tea."]
    assert reasons(extraction) == ["known from elsewhere and not said in the conversation"]


SPOKEN = {
    "de": (
        "Ich wohne in Berlin und trinke gern Tee mit Milch.",
        "Der Nutzer wohnt in Berlin.",
        "User lives in Berlin.",
    ),
    "es": ("Vivo en Madrid y me gusta mucho el café.", "El usuario vive en Madrid.", "User lives in Madrid."),
    "zh": ("我住在上海，喜欢喝茶。", "用户住在上海。", "User lives in Shanghai and likes tea."),
    "ja": (
        "私は東京に住んでいて、GitHubで働いています。",
        "ユーザーはGitHubで働いている。",
        "User works at GitHub and lives in Tokyo.",
    ),
    "ar": ("أنا أسكن في القاهرة وأحب الشاي", "المستخدم يسكن في القاهرة", "User lives in Cairo and likes the tea."),
    "hi": ("मैं दिल्ली में रहता हूँ और चाय पसंद है", "उपयोगकर्ता दिल्ली में रहता है", "User lives in Delhi and likes the tea."),
}


@pytest.mark.parametrize(("said", "kept", "refused"), SPOKEN.values(), ids=SPOKEN.keys())
async def test_d04_memories_stay_in_the_users_language(
    model: ScriptedModel, extractor: ModelExtractor, said: str, kept: str, refused: str
):
    model.will(remembers(memory(kept), memory(refused)))
    extraction = await extractor.extract(talk(said))
    assert contents(extraction) == [kept]
    assert reasons(extraction) == ["not in the user's language"]


async def test_d04_names_in_another_language_are_no_other_language(model: ScriptedModel, extractor: ModelExtractor):
    items = (memory("User's favourite film is La La Land."), memory("User loves El Greco and Der Spiegel."))
    model.will(remembers(*items))
    extraction = await extractor.extract(talk("My favourite film is La La Land, and I love El Greco and Der Spiegel"))
    assert len(extraction.candidates) == 2


async def test_an_invented_key_costs_the_slot_and_not_the_statement(model: ScriptedModel, extractor: ModelExtractor):
    model.will(
        remembers(
            {**TEA, "key": "drink.of.choice", "value": "tea"}, memory("User lives in Oslo.", key="profile.location")
        )
    )
    first, second = (await extractor.extract(talk("I drink tea in Oslo"))).candidates
    assert (first.key, first.value) == (None, None)
    assert (second.key, second.value) == (None, None)


async def test_a_models_certainty_is_bounded(model: ScriptedModel, extractor: ModelExtractor):
    model.will(
        remembers(
            memory("User drinks tea.", confidence=1.0),
            memory("User may like cups.", confidence=1.0, source="inferred", importance=99),
            memory("User likes milk.", confidence="very"),
        )
    )
    found = (await extractor.extract(talk("I drink tea with milk"))).candidates
    assert [(candidate.confidence, candidate.importance) for candidate in found] == [(0.95, 3), (0.8, 5), (0.9, 3)]


async def test_the_same_fact_said_twice_is_one_candidate_that_rests_on_both(
    model: ScriptedModel, extractor: ModelExtractor
):
    model.will(remembers(memory("User drinks tea.", messages=[1]), memory("User drinks tea.", messages=[2])))
    (found,) = (await extractor.extract(talk("I drink tea", "As I said, I drink tea"))).candidates
    assert [source.seq for source in found.sources] == [1, 2]


async def test_no_more_than_the_cap_is_kept_and_the_least_important_give_way(
    model: ScriptedModel, extractor: ModelExtractor
):
    model.will(remembers(*(memory(f"User has item {n}.", importance=n) for n in range(1, 6))))
    extraction = await extractor.extract(talk("I have items 1 to 5"), cap=2)
    assert contents(extraction) == ["User has item 4.", "User has item 5."]
    assert len(extraction.rejected) == 3


async def test_d13_markdown_in_a_message_costs_nothing(model: ScriptedModel, extractor: ModelExtractor):
    raw = r'{"memories": [{"type": "fact", "content": "User names files my\_file | `x`.", "messages": [1]}]}'
    model.will(says(raw))
    assert contents(await extractor.extract(talk(r"I name files my\_file | `x`"))) == [
        r"User names files my\_file | `x`."
    ]


async def test_messages_of_another_session_keep_their_own_references(model: ScriptedModel, extractor: ModelExtractor):
    other = replace(message(5, "I have a dog"), session_id=UUID(int=8))
    model.will(remembers(memory("User has a dog.", said="dog")))
    found: Candidate = (await extractor.extract([message(5, "Hello"), other])).candidates[0]
    assert found.sources == (SourceRef(UUID(int=8), 5),)

"""What a model's broken answers, refusals, silences and limits cost: never a fact, never an empty result."""

import pytest

from app.extraction.model_extractor import ModelExtractor
from app.providers.openai_chat import OpenAIChat
from app.providers.openai_client import Endpoint
from app.providers.protocols import TransientProviderError
from tests.fakes.behaviours import (
    Behaviour,
    Reply,
    Request,
    fenced,
    memory,
    never,
    prose,
    refuses,
    refusing_json_schema,
    remembers,
    says,
    says_null,
    single_object,
    thinks,
    too_long,
    trailing_comma,
    truncated,
    wrong_types,
)
from tests.fakes.scripted_model import ScriptedModel
from tests.unit.extraction.model_talk import TEA, RecordingRules, contents, reasons, talk

READABLE: dict[str, Behaviour] = {
    "fenced": fenced(TEA),
    "leading prose": prose(TEA),
    "thoughts": thinks(TEA),
    "trailing comma": trailing_comma(TEA),
    "single object": single_object(TEA),
    "wrong types": wrong_types(TEA),
    "no json_schema": refusing_json_schema(remembers(TEA)),
}


@pytest.mark.parametrize("behaviour", READABLE.values(), ids=READABLE.keys())
async def test_d01_json_that_is_nearly_right_is_repaired_without_another_call(
    model: ScriptedModel, extractor: ModelExtractor, behaviour: Behaviour
):
    model.always(behaviour)
    extraction = await extractor.extract(talk("I drink tea"))
    assert contents(extraction) == ["User drinks tea."]
    assert not any("last answer" in request.user for request in model.chats)


UNREADABLE: dict[str, Behaviour] = {
    "prose": says("I would remember that you drink tea."),
    "null": says_null(),
    "nothing": says(""),
    "NONE": says("NONE"),
    "an object without a list": says("{}"),
    "a list of texts": says('{"memories": ["User drinks tea."]}'),
}


@pytest.mark.parametrize("behaviour", UNREADABLE.values(), ids=UNREADABLE.keys())
async def test_d01_an_answer_that_is_no_json_is_asked_for_once_more(
    model: ScriptedModel, extractor: ModelExtractor, behaviour: Behaviour
):
    model.will(behaviour, remembers(TEA))
    extraction = await extractor.extract(talk("I drink tea"))
    assert contents(extraction) == ["User drinks tea."]
    assert "not valid JSON" in model.chats[1].user
    assert extraction.tokens == 60


@pytest.mark.parametrize("behaviour", UNREADABLE.values(), ids=UNREADABLE.keys())
async def test_d01_a10_after_the_second_unusable_answer_the_rules_run_and_the_report_keeps_the_output(
    model: ScriptedModel, extractor: ModelExtractor, behaviour: Behaviour
):
    model.always(behaviour)
    extraction = await extractor.extract(talk("I live in Oslo."))
    assert len(model.chats) == 2
    assert [candidate.value for candidate in extraction.candidates] == ["Oslo"]
    assert extraction.fallback_reason is not None
    assert extraction.raw_output is not None
    assert extraction.model == "rules/1"


@pytest.mark.parametrize(
    "behaviour", [refuses(401), refuses(404), refuses(400, "malformed")], ids=["401", "404", "400"]
)
async def test_a_permanent_fault_leaves_all_to_the_rules_after_one_call(
    model: ScriptedModel, extractor: ModelExtractor, behaviour: Behaviour
):
    model.always(behaviour)
    long = talk("I live in Oslo.", *(f"That was day {day}. " * 60 for day in range(30)))
    extraction = await extractor.extract(long)
    assert len(model.chats) == 1
    assert "Oslo" in [candidate.value for candidate in extraction.candidates]
    assert extraction.fallback_reason is not None
    assert "status" in extraction.fallback_reason


@pytest.mark.parametrize("behaviour", [refuses(429), refuses(500), refuses(503)], ids=["429", "500", "503"])
async def test_d03_an_outage_is_raised_and_is_no_empty_result(
    model: ScriptedModel, extractor: ModelExtractor, rules: RecordingRules, behaviour: Behaviour
):
    model.always(behaviour)
    with pytest.raises(TransientProviderError):
        await extractor.extract(talk("I live in Oslo."))
    assert rules.given == []


async def test_d03_a_model_that_never_answers_is_an_outage(model: ScriptedModel, rules: RecordingRules):
    chat = OpenAIChat(endpoint=Endpoint(base_url=model.base_url, api_key=None, timeout_seconds=0.3), model="small")
    model.always(never())
    with pytest.raises(TransientProviderError):
        await ModelExtractor(chat, rules).extract(talk("I live in Oslo."))
    await chat.aclose()


async def test_an_empty_list_is_an_honest_result(
    model: ScriptedModel, extractor: ModelExtractor, rules: RecordingRules
):
    extraction = await extractor.extract(talk("I live in Oslo."))
    assert (extraction.candidates, extraction.rejected, extraction.fallback_reason) == ((), (), None)
    assert (extraction.model, rules.given) == ("small", [])


async def test_d09_a_prompt_that_never_fits_is_split_a_bounded_number_of_times(
    model: ScriptedModel, extractor: ModelExtractor
):
    model.always(too_long())
    extraction = await extractor.extract(talk("I live in Oslo.", *(f"Day {day} was fine." for day in range(100))))
    assert len(model.chats) == 4
    assert extraction.fallback_reason is not None
    assert "fit" in extraction.fallback_reason
    assert "Oslo" in [candidate.value for candidate in extraction.candidates]


async def test_d09_a_prompt_that_fits_in_halves_is_read_whole(model: ScriptedModel, extractor: ModelExtractor):
    def picky(request: Request) -> Reply:
        if len(request.turns) > 3:
            return too_long()(request)
        return remembers(*(memory(f"User has item {turn['n']}.", messages=[turn["n"]]) for turn in request.turns))(
            request
        )

    model.always(picky)
    extraction = await extractor.extract(talk(*(f"I have item {n}" for n in range(1, 9))))
    assert contents(extraction) == [f"User has item {n}." for n in range(1, 9)]
    assert extraction.fallback_reason is None


async def test_a_cut_answer_is_split_and_every_part_is_heard(model: ScriptedModel, extractor: ModelExtractor):
    model.will(
        truncated(memory("User drinks tea.", said="tea"), memory("User has a dog.", said="dog")),
        remembers(memory("User drinks tea.", said="tea")),
        remembers(memory("User has a dog.", said="dog")),
    )
    extraction = await extractor.extract(talk("I drink tea", "I have a dog"))
    assert contents(extraction) == ["User drinks tea.", "User has a dog."]
    assert [candidate.sources[0].seq for candidate in extraction.candidates] == [1, 2]
    assert (extraction.fallback_reason, len(model.chats)) == (None, 3)


async def test_of_a_cut_answer_to_one_short_turn_the_complete_items_are_kept(
    model: ScriptedModel, extractor: ModelExtractor
):
    model.always(truncated(TEA, memory("User has a dog.")))
    extraction = await extractor.extract(talk("I drink tea and have a dog"))
    assert contents(extraction) == ["User drinks tea."]
    assert len(model.chats) == 1


async def test_what_is_seen_again_only_as_context_is_not_learned_twice(model: ScriptedModel, extractor: ModelExtractor):
    def reply(request: Request) -> Reply:
        items = (memory("User drinks tea.", said="tea"),) if request.number_of("tea") else ()
        return remembers(*items)(request)

    model.always(reply)
    filler = [f"Nothing new on day {n}." for n in range(15)]
    extraction = await extractor.extract(talk(*filler[:14], "I drink tea", *filler))
    assert len(model.chats) == 2
    assert contents(extraction) == ["User drinks tea."]
    assert reasons(extraction) == ["rests only on messages that were read before"]


async def test_only_the_part_that_the_model_could_not_read_goes_to_the_rules(
    model: ScriptedModel, extractor: ModelExtractor, rules: RecordingRules
):
    model.will(remembers(TEA), says("gibberish"), says("gibberish"), remembers(memory("User has a dog.", said="dog")))
    filler = [f"Nothing new on day {n}." for n in range(15)]
    messages = talk("I drink tea", *filler, "I live in Oslo.", *filler, "I have a dog")
    extraction = await extractor.extract(messages)
    assert rules.given == [list(range(17, 33))]
    assert {(candidate.extractor, candidate.sources[0].seq) for candidate in extraction.candidates} == {
        ("model:small/1", 1),
        ("rules/1", 17),
        ("model:small/1", 33),
    }
    assert (extraction.model, extraction.raw_output) == ("small", "gibberish")

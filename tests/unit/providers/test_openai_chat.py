"""The chat provider against a real server, through the real client."""

import time
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from app.providers.openai_chat import OpenAIChat
from app.providers.openai_client import Endpoint
from app.providers.protocols import ChatAnswer, PermanentProviderError, PromptTooLong, TransientProviderError
from tests.fakes.behaviours import (
    Behaviour,
    Reply,
    drips,
    never,
    refuses,
    refusing,
    refusing_json_schema,
    says,
    slowly,
    too_long,
)
from tests.fakes.scripted_model import ScriptedModel, scripted_model

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"memories": {"type": "array"}}, "required": ["memories"]}
SECRET = "my prompt text"


@pytest.fixture
async def model() -> AsyncGenerator[ScriptedModel, None]:
    async with scripted_model() as model:
        yield model


def chat_with(model: ScriptedModel, timeout_seconds: float = 5.0) -> OpenAIChat:
    endpoint = Endpoint(base_url=model.base_url, api_key="key", timeout_seconds=timeout_seconds)
    return OpenAIChat(endpoint=endpoint, model="scripted")


@pytest.fixture
async def chat(model: ScriptedModel) -> AsyncGenerator[OpenAIChat, None]:
    chat = chat_with(model)
    yield chat
    await chat.aclose()


async def ask(chat: OpenAIChat) -> ChatAnswer:
    return await chat.answer(system="Be brief.", user=SECRET, schema=SCHEMA, max_tokens=512)


def formats(model: ScriptedModel) -> list[str | None]:
    asked: list[dict[str, Any] | None] = [request.body.get("response_format") for request in model.chats]
    return [form["type"] if form else None for form in asked]


async def test_the_first_request_asks_for_the_schema_strictly_and_coldly(model: ScriptedModel, chat: OpenAIChat):
    model.will(says('{"memories": []}', tokens=42))
    assert await ask(chat) == ChatAnswer('{"memories": []}', 42, cut=False)
    body = model.chats[0].body
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert body["response_format"]["json_schema"]["strict"] is True
    assert (body["temperature"], body["max_completion_tokens"]) == (0, 512)
    assert model.chats[0].system == "Be brief."


@pytest.mark.parametrize("status", [400, 422, 500])
async def test_a_server_that_refuses_json_schema_is_asked_for_a_json_object_from_then_on(
    model: ScriptedModel, chat: OpenAIChat, status: int
):
    model.always(refusing_json_schema(says("{}"), status=status))
    assert (await ask(chat)).text == "{}"
    assert (await ask(chat)).text == "{}"
    assert formats(model) == ["json_schema", "json_object", "json_object"]
    assert '"memories"' in model.chats[-1].system


async def test_a_server_that_refuses_every_format_is_asked_plainly_with_the_schema_in_the_prompt(
    model: ScriptedModel, chat: OpenAIChat
):
    model.always(refusing("response_format", says("{}")))
    assert (await ask(chat)).text == "{}"
    assert formats(model) == ["json_schema", "json_object", "json_object", None]
    assert '"memories"' in model.chats[-1].system


@pytest.mark.parametrize("parameter", ["temperature", "max_completion_tokens"])
async def test_a_parameter_that_the_server_refuses_is_left_out_from_then_on(
    model: ScriptedModel, chat: OpenAIChat, parameter: str
):
    model.always(refusing(parameter, says("{}")))
    await ask(chat)
    await ask(chat)
    assert [parameter in request.body for request in model.chats] == [True, False, False]
    assert formats(model)[-1] == "json_schema"
    assert "max_tokens" in model.chats[-1].body or parameter != "max_completion_tokens"


async def test_a_server_that_refuses_everything_is_asked_a_bounded_number_of_times(
    model: ScriptedModel, chat: OpenAIChat
):
    model.always(refuses(400, "temperature max_tokens max_completion_tokens response_format are all wrong"))
    with pytest.raises(PermanentProviderError):
        await ask(chat)
    assert len(model.chats) <= 7


async def test_an_answer_at_the_token_limit_is_marked_as_cut(model: ScriptedModel, chat: OpenAIChat):
    model.will(says('{"memories": [{"con', cut=True))
    assert (await ask(chat)).cut


async def test_a_model_that_thinks_away_its_whole_allowance_gets_more_room(model: ScriptedModel, chat: OpenAIChat):
    model.will(says("", cut=True, tokens=500), says("{}", tokens=700))
    assert await ask(chat) == ChatAnswer("{}", 1200, cut=False)
    await ask(chat)
    assert [request.body["max_completion_tokens"] for request in model.chats] == [512, 4096, 4096]


TRANSIENT: dict[str, Behaviour] = {
    "408": refuses(408),
    "409": refuses(409),
    "429": refuses(429),
    "500": refuses(500, "internal"),
    "503": refuses(503),
}
PERMANENT: dict[str, Behaviour] = {
    "400": refuses(400, "malformed"),
    "401": refuses(401),
    "403": refuses(403),
    "404": refuses(404, "no such model"),
    "exhausted quota": refuses(429, "pay first", code="insufficient_quota"),
    "a page": lambda _: Reply(body="<html>Welcome to the router</html>"),
    "another shape": lambda _: Reply(body={"hello": 1}),
    "no choices": lambda _: Reply(body={"choices": []}),
    "choices without a message": lambda _: Reply(body={"choices": [{"index": 0}]}),
    "choices of another type": lambda _: Reply(body={"choices": ["text"]}),
    "broken json": lambda _: Reply(body="{", headers={"content-type": "application/json"}),
}


@pytest.mark.parametrize("behaviour", TRANSIENT.values(), ids=TRANSIENT.keys())
async def test_a_fault_that_may_pass_is_transient_and_not_retried_here(
    model: ScriptedModel, chat: OpenAIChat, behaviour: Behaviour
):
    model.always(behaviour)
    with pytest.raises(TransientProviderError):
        await ask(chat)
    assert len(model.chats) == 1


@pytest.mark.parametrize("behaviour", PERMANENT.values(), ids=PERMANENT.keys())
async def test_a_fault_that_will_not_pass_is_permanent(model: ScriptedModel, chat: OpenAIChat, behaviour: Behaviour):
    model.always(behaviour)
    with pytest.raises(PermanentProviderError) as raised:
        await ask(chat)
    assert not isinstance(raised.value, PromptTooLong)
    assert SECRET not in str(raised.value)


async def test_the_wait_that_an_endpoint_asks_for_is_handed_on(model: ScriptedModel, chat: OpenAIChat):
    model.always(refuses(429, retry_after="7"))
    with pytest.raises(TransientProviderError) as raised:
        await ask(chat)
    assert raised.value.retry_after_seconds == 7.0


async def test_a_prompt_that_does_not_fit_is_told_apart_and_asked_once(model: ScriptedModel, chat: OpenAIChat):
    model.always(too_long())
    with pytest.raises(PromptTooLong):
        await ask(chat)
    assert len(model.chats) == 1


@pytest.mark.parametrize(
    "behaviour", [never(), drips(says("{}")), slowly(30, says("{}"))], ids=["never", "drip", "slow"]
)
async def test_h09_an_answer_that_does_not_come_is_cut_off_by_the_wall_clock(
    model: ScriptedModel, behaviour: Behaviour
):
    chat = chat_with(model, timeout_seconds=0.3)
    await chat_with(model).aclose()
    model.always(behaviour)
    begun = time.monotonic()
    with pytest.raises(TransientProviderError):
        await ask(chat)
    assert time.monotonic() - begun < 5
    await chat.aclose()


async def test_an_endpoint_that_nobody_serves_is_a_transient_fault():
    async with scripted_model() as model:
        chat = chat_with(model)
    with pytest.raises(TransientProviderError):
        await ask(chat)
    await chat.aclose()


async def test_a_refusal_of_the_model_keeps_its_words_for_the_operator(model: ScriptedModel, chat: OpenAIChat):
    message = {"role": "assistant", "content": None, "refusal": "I would rather not."}
    model.will(lambda _: Reply(body={"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}))
    with pytest.raises(PermanentProviderError) as raised:
        await ask(chat)
    assert raised.value.raw_output == "I would rather not."

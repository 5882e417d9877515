"""Chat answers as JSON from an OpenAI-compatible endpoint, as far as each can be made to."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from app.providers.openai_client import Endpoint
from app.providers.protocols import ChatAnswer, PermanentProviderError, TransientProviderError
from app.providers.wire import Completion

if TYPE_CHECKING:
    from openai import APIStatusError


class Format(StrEnum):
    """How JSON is asked for, strictest first. `json_object` with a schema beside it is what llama.cpp understands."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT_WITH_SCHEMA = "json_object_with_schema"
    JSON_OBJECT = "json_object"
    PLAIN = "plain"


LADDER: Final = tuple(Format)
FORMAT_WORDS: Final = ("response_format", "json_schema", "json_object", "structured output", "grammar", "schema")
"""What servers name when they cannot take a `response_format`; llama.cpp's answers 500."""

REFUSALS: Final = frozenset({400, 404, 422, 500, 501})
"""The statuses with which servers refuse a parameter that they do not know."""

_MOST_TOKENS: Final = 2**31 - 1
TOKEN_LIMITS: Final = ("max_completion_tokens", "max_tokens")
"""The newer and the older name of one limit; each is refused by somebody."""

THINKING_ROOM: Final = 8
"""How many times the limit a model gets that thinks within it and came back empty-handed."""

SCHEMA_REQUEST: Final = "Answer with one JSON object and nothing else. It must be valid against this JSON schema:\n"


@dataclass(slots=True)
class Manner:
    """What was learned of an endpoint so far. Each step only ever goes down, so that learning ends."""

    rung: int = 0
    limit: int = 0
    temperature: bool = True
    thinks: bool = False
    limit_swapped: bool = False

    @property
    def format(self) -> Format:
        """How JSON is asked for now."""
        return LADDER[self.rung]

    @property
    def stage(self) -> tuple[int, int, bool]:
        """Tells whether something was learned since another look."""
        return self.rung, self.limit, self.temperature

    def learn(self, complaint: str) -> bool:
        """Give up what `complaint` names. Returns whether there was anything left to give up."""
        if self.temperature and "temperature" in complaint:
            self.temperature = False
            return True
        if TOKEN_LIMITS[self.limit] in complaint and not self.limit_swapped:
            self.limit, self.limit_swapped = 1 - self.limit, True
            return True
        if self.rung < len(LADDER) - 1 and any(word in complaint for word in FORMAT_WORDS):
            self.rung += 1
            return True
        return False


class OpenAIChat:
    """One chat model. What its endpoint refuses is remembered for the life of the process."""

    def __init__(self, *, endpoint: Endpoint, model: str) -> None:
        self._endpoint = endpoint
        self._name = model
        self._manner = Manner()

    @property
    def model(self) -> str:
        """The model's name, kept as provenance."""
        return self._name

    async def answer(self, *, system: str, user: str, schema: dict[str, Any], max_tokens: int) -> ChatAnswer:
        """The model's raw text and the tokens it took, within the endpoint's time-out, whatever it takes to learn.

        Raises `PromptTooLong` when a shorter prompt may do, else `ProviderError`.
        """
        seconds = self._endpoint.timeout_seconds
        try:
            async with asyncio.timeout(seconds):
                return await self._converse(system, user, schema, max_tokens)
        except TimeoutError as error:
            raise TransientProviderError(f"The model did not answer within {seconds:g} s") from error

    async def aclose(self) -> None:
        """Close the connections."""
        await self._endpoint.aclose()

    async def _converse(self, system: str, user: str, schema: dict[str, Any], max_tokens: int) -> ChatAnswer:
        spent = 0
        while True:
            room = max_tokens * (THINKING_ROOM if self._manner.thinks else 1)
            completion = await self._ask(system, user, schema, room)
            if completion is None:
                continue
            said = _answer_of(completion, spent)
            if said.text.strip() or not said.cut or self._manner.thinks:
                return said
            spent, self._manner.thinks = said.tokens, True

    async def _ask(self, system: str, user: str, schema: dict[str, Any], max_tokens: int) -> Completion | None:
        """One request; None when it was refused for something that can be left out."""
        client = await self._endpoint.client()
        from openai import APIStatusError, OpenAIError  # noqa: PLC0415

        from app.providers.faults import fault_of  # noqa: PLC0415

        manner = self._manner
        stage = manner.stage
        options = _options(manner, schema, max_tokens)
        messages = [{"role": "system", "content": _instructions(system, manner.format, schema)}]
        messages.append({"role": "user", "content": user})
        create: Any = client.chat.completions.with_raw_response.create
        try:
            raw = await create(model=self._name, messages=messages, **options)
            return Completion.model_validate_json(raw.content)
        except APIStatusError as error:
            if self._learns_from(error, stage):
                return None
            raise fault_of(error) from error
        except (OpenAIError, ValueError) as error:
            raise fault_of(error) from error

    def _learns_from(self, error: APIStatusError, stage: tuple[int, int, bool]) -> bool:
        from app.providers.faults import complaint, says_too_long  # noqa: PLC0415

        if error.status_code not in REFUSALS or says_too_long(error):
            return False
        learned_meanwhile = stage != self._manner.stage
        return learned_meanwhile or self._manner.learn(complaint(error))


def _instructions(system: str, format_used: Format, schema: dict[str, Any]) -> str:
    """The system text; where the endpoint does not enforce the schema, the model is told it."""
    if format_used is Format.JSON_SCHEMA:
        return system
    return f"{system}\n\n{SCHEMA_REQUEST}{json.dumps(schema, separators=(',', ':'))}"


def _options(manner: Manner, schema: dict[str, Any], max_tokens: int) -> dict[str, Any]:
    options: dict[str, Any] = {TOKEN_LIMITS[manner.limit]: max_tokens}
    if manner.temperature:
        options["temperature"] = 0
    response_format = _response_format(manner.format, schema)
    if response_format is not None:
        options["response_format"] = response_format
    return options


def _response_format(asked: Format, schema: dict[str, Any]) -> dict[str, Any] | None:
    match asked:
        case Format.JSON_SCHEMA:
            return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}
        case Format.JSON_OBJECT_WITH_SCHEMA:
            return {"type": "json_object", "schema": schema}
        case Format.JSON_OBJECT:
            return {"type": "json_object"}
        case Format.PLAIN:
            return None


def _answer_of(completion: Completion, spent: int) -> ChatAnswer:
    """The answer's text and cost, with the tokens `spent` before on the same question."""
    choice = completion.choices[0]
    counted = completion.usage.total_tokens if completion.usage else 0
    # The count is the endpoint's word, and it goes into a report: no nonsense may break that.
    tokens = min(spent + max(counted, 0), _MOST_TOKENS)
    if choice.message.refusal:
        raise PermanentProviderError("The model refused to answer", choice.message.refusal)
    return ChatAnswer(choice.message.text, tokens, choice.finish_reason == "length")

"""The parts of OpenAI's answers that are read, checked by us: the client itself lets any JSON through."""

from typing import Annotated

from pydantic import BaseModel, Field


class Part(BaseModel):
    """A piece of content, as some servers give instead of a text."""

    text: str | None = None


class Said(BaseModel):
    """What the assistant said."""

    content: str | list[Part] | None = None
    refusal: str | None = None

    @property
    def text(self) -> str:
        """The content as one text."""
        if isinstance(self.content, list):
            return "".join(part.text or "" for part in self.content)
        return self.content or ""


class Choice(BaseModel):
    """One answer of several; only the first is read."""

    message: Said
    finish_reason: str | None = None


class Usage(BaseModel):
    """What it took."""

    total_tokens: int = 0


class Completion(BaseModel):
    """The answer to a chat request."""

    choices: Annotated[list[Choice], Field(min_length=1)]
    usage: Usage | None = None


class Row(BaseModel):
    """The vector of the text at `index`."""

    index: int
    embedding: list[float]


class Rows(BaseModel):
    """The answer to a request of embeddings."""

    data: list[Row]

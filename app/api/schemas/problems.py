"""The one body of an error: RFC 9457 problem details."""

from enum import StrEnum

from pydantic import Field

from app.api.schemas.common import Answer, example


class RequestPart(StrEnum):
    """Which part of a request was wrong."""

    BODY = "body"
    QUERY = "query"
    PATH = "path"
    HEADER = "header"


class FieldProblem(Answer):
    """One thing that is wrong with the request."""

    part: RequestPart = Field(description="The part of the request that holds it.")
    pointer: str = Field(description="Where in that part, as a JSON pointer (RFC 6901); empty for the whole of it.")
    message: str = Field(description="What is wrong there. The value sent is never repeated.")


class Problem(Answer):
    """An error, as RFC 9457 describes it, with a stable `code` to act on."""

    model_config = example(
        {
            "type": "urn:palimpsest:problem:session_ended",
            "title": "The session has ended and takes no more messages.",
            "status": 409,
            "detail": None,
            "instance": "/v1/sessions/trip-42/messages",
            "code": "session_ended",
            "request_id": "0198c1e49d7a7c0c9f1b",
            "errors": [],
        }
    )

    type: str = Field(description="A URN that names the kind of problem; it ends in `code`.")
    title: str = Field(description="The kind of problem in a sentence; the same each time.")
    status: int = Field(ge=400, le=599, description="The HTTP status.")
    detail: str | None = Field(description="What was wrong this time, where more can be said.")
    instance: str = Field(description="The path of the request.")
    code: str = Field(description="The kind of problem, for programs. It does not change.")
    request_id: str = Field(description="The id of the request, also in `X-Request-Id` and in the logs.")
    errors: list[FieldProblem] = Field(description="What is wrong with the request, place by place. Mostly for 422.")

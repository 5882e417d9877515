"""What can stand in the way of a request, by name. The class's docstring is the title that a caller reads."""

from app.core.errors import Conflict, Invalid, NotFound


class SessionNotFound(NotFound):
    """There is no such session here, or it is not yours."""

    slug = "session_not_found"


class SessionExists(Conflict):
    """A session with this id exists: it is another user's or agent's, or it has ended."""

    slug = "session_exists"


class SessionEnded(Conflict):
    """The session has ended and takes no more messages."""

    slug = "session_ended"


class MessageChanged(Conflict):
    """A message with this id exists and is another one. The log is append-only."""

    slug = "message_changed"


class MessageFromFuture(Invalid):
    """A message says that it will be said more than a day from now."""

    slug = "message_from_future"


class MemoryNotFound(NotFound):
    """There is no such memory here, or it is not yours."""

    slug = "memory_not_found"


class MemoryTypeNotAllowed(Invalid):
    """A memory cannot have this type. What happened is an episode: use /v1/episodes."""

    slug = "memory_type_not_allowed"


class ValueNotSaid(Invalid):
    """The new content does not say the value of the memory's slot."""

    slug = "value_not_said"


class MemoryNotRestorable(Conflict):
    """The memory cannot become current again as things stand."""

    slug = "memory_not_restorable"


class MemoryNotChangeable(Conflict):
    """A memory that no longer stands cannot be changed; restore it first."""

    slug = "memory_not_changeable"


class SlotTaken(Conflict):
    """Another memory holds this slot now."""

    slug = "slot_taken"


class OwnerBusy(Conflict):
    """Other work on the same owner came in between. Nothing was changed; try again."""

    slug, retry_after_seconds = "owner_busy", 1


class EpisodeNotFound(NotFound):
    """There is no such episode here, or it is not yours."""

    slug = "episode_not_found"


class JobNotFound(NotFound):
    """There is no such job here, or it is not yours."""

    slug = "job_not_found"


class JobNotCancellable(Conflict):
    """The job has started or finished and can no longer be cancelled."""

    slug = "job_not_cancellable"


class JobNotRetryable(Conflict):
    """Only a job that failed or was cancelled can be tried again."""

    slug = "job_not_retryable"


class IdempotencyKeyReused(Conflict):
    """This Idempotency-Key was sent before with another request."""

    slug = "idempotency_key_reused"

"""An extractor for tests: it knows one sentence, "I live in …", and nothing else."""

import re
from collections.abc import Sequence

from app.domain.memories import Candidate, MemoryType, SourceRef
from app.domain.reports import Extraction
from app.domain.sessions import Message, Role


async def extract_by_pattern(turns: Sequence[Message]) -> Extraction:
    """A location from each user's message that names one."""
    return Extraction(
        candidates=tuple(
            Candidate(
                content=f"User lives in {found[1]}.",
                type=MemoryType.FACT,
                key="profile.location",
                value=found[1],
                stated_at=turn.happened_at,
                extractor="pattern/1",
                sources=(SourceRef(turn.session_id, turn.seq),),
            )
            for turn in turns
            if turn.role is Role.USER and (found := re.search(r"I (?:live in|moved to) (\w+)", turn.text))
        )
    )

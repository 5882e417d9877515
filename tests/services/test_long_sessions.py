"""Long messages are indexed a few at a time: what was done stays done, and all of it is found."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from app.core.scope import Caller, Right
from app.domain.vectors import Vector
from app.providers.protocols import TransientProviderError
from app.services import access
from app.services.house import House
from app.services.indexing import BATCH_CHARACTERS, IndexService
from tests.builders import a_session
from tests.fakes.embedder import WordEmbedder


class Counting(WordEmbedder):
    """Counts the characters of each call, and gives up after some calls."""

    def __init__(self, calls: int) -> None:
        self._left, self.sizes = calls, list[int]()

    async def embed_texts(self, texts: Sequence[str]) -> list[Vector]:
        if self._left == 0:
            raise TransientProviderError("503")
        self._left -= 1
        self.sizes.append(sum(len(text) for text in texts))
        return await super().embed_texts(texts)


LONG = "The weather was as it often is. " * (BATCH_CHARACTERS // 80)


async def test_a_session_of_long_messages_is_indexed_step_by_step(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, *[f"{LONG}The code is {n}." for n in range(6)], LONG * 4, "Short.")
    index = IndexService(replace(house.parts, embedder=(embedder := Counting(2))))
    async with house.parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
        await access.find_owners(db, caller, user_id="ana")
        scope = db.scope
    with pytest.raises(TransientProviderError):
        await index.index_session(scope, session.id)
    assert (await house.sessions.get(caller, session.client_id)).indexed_seq == 4
    assert max(embedder.sizes) <= BATCH_CHARACTERS
    again = Counting(10)
    await IndexService(replace(house.parts, embedder=again)).index_session(scope, session.id)
    assert (await house.sessions.get(caller, session.client_id)).indexed_seq == 8
    assert len(again.sizes) == 3, "two messages, the one that is longer than a batch, and the last"

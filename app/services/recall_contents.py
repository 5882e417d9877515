"""Reading what a shortlist needs before it is shown: texts, and the messages that memories rest on."""

from collections.abc import Sequence
from uuid import UUID

from app.domain.episodes import Episode
from app.domain.found import Found
from app.domain.memories import Memory
from app.domain.requests import ItemKind
from app.domain.sessions import Message
from app.retrieval.hits import Content, Scored
from app.services.indexing import searchable_text
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.episodes import EpisodeRepository
from app.store.postgres.repositories.memories import MemoryRepository
from app.store.postgres.repositories.messages import MessageRepository


class Contents:
    """The items behind a shortlist of the owner in scope, each read once. Those that are gone are left out."""

    def __init__(self, db: Transaction) -> None:
        self._db = db
        self.memories: dict[UUID, Memory] = {}
        self.episodes: dict[UUID, Episode] = {}
        self.messages: dict[tuple[UUID, int], Message] = {}

    async def read(self, shortlist: Sequence[Scored]) -> list[tuple[Scored, Content]]:
        """The shortlist with its contents, in one statement for each other kind and two for memories however many."""
        found = [one.found for one in shortlist]
        memories = {one.item_id for one in found if one.kind is ItemKind.MEMORY} - self.memories.keys()
        self.memories |= await MemoryRepository(self._db).named(list(memories))
        episodes = {one.item_id for one in found if one.kind is ItemKind.EPISODE} - self.episodes.keys()
        self.episodes |= await EpisodeRepository(self._db).named(list(episodes))
        places = {(one.item_id, one.seq) for one in found if one.kind is ItemKind.MESSAGE} - self.messages.keys()
        self.messages |= await MessageRepository(self._db).named(list(places))
        return [(one, content) for one in shortlist if (content := self._content(one.found)) is not None]

    def _content(self, found: Found) -> Content | None:
        if found.kind is ItemKind.MEMORY:
            memory = self.memories.get(found.item_id)
            return memory and Content(
                memory.content[found.starts : found.ends], memory.sources, (memory.value, memory.polarity)
            )
        if found.kind is ItemKind.EPISODE:
            episode = self.episodes.get(found.item_id)
            return episode and Content(episode.text[found.starts : found.ends])
        message = self.messages.get((found.item_id, found.seq))
        return message and Content(searchable_text(message)[found.starts : found.ends])

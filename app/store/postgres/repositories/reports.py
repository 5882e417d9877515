"""Statements about the reports of extractions."""

from typing import Any
from uuid import UUID

from sqlalchemy import Row, insert, select

from app.store.postgres.repositories.base import OwnedRepository
from app.store.postgres.tables.sessions import reports


class ReportRepository(OwnedRepository):
    """The reports of one owner's sessions."""

    async def add(self, **values: Any) -> None:
        """Insert the report of one stretch; the constraint refuses a second one of the same stretch."""
        await self.db.execute(insert(reports).values(self.keyed(**values)))

    async def of_session(self, session_id: UUID) -> Row[Any] | None:
        """The newest report of the session: (body, raw_output, job_id)."""
        result = await self.db.execute(
            select(reports.c.body, reports.c.raw_output, reports.c.job_id)
            .where(self.mine(reports), reports.c.session_id == session_id)
            .order_by(reports.c.from_seq.desc())
            .limit(1)
        )
        return result.one_or_none()

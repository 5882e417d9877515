"""The resolver: what happens to a new statement among the memories of its owner."""

from collections.abc import Sequence
from datetime import datetime

from app.domain.decisions import Decision
from app.domain.memories import Candidate, Memory
from app.resolution.rows import ROWS
from app.resolution.scene import set_scene


def decide(candidate: Candidate, existing: Sequence[Memory], *, now: datetime, tombstoned: bool = False) -> Decision:
    """What happens to `candidate` among `existing`: the answer of the first row of the policy that has one.

    `existing` are the memories of the same owner that share the candidate's slot (of any status), its fingerprint or
    its words; their order does not matter, and those that have nothing to do with it do no harm. `tombstoned` says
    that the user asked to forget this. The same input always gives the same decision; deciding the same candidate
    again, once the decision is carried out, reinforces what it led to.
    """
    scene = set_scene(candidate, existing, now=now, tombstoned=tombstoned)
    answers = (row.answer(scene) for row in ROWS if row.answer is not None)
    return next(answer for answer in answers if answer is not None)

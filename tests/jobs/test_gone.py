"""Jobs whose items are gone meanwhile: passed over once, and nothing else waits for them."""

from app.core.paging import PageRequest
from app.core.scope import Caller
from app.domain.jobs import JobState
from app.domain.requests import JobFilter, SearchRequest
from app.services.house import House
from tests.builders import a_memory, run_jobs


async def test_b12_a_memory_that_a_job_still_names_is_passed_over(house: House, caller: Caller) -> None:
    gone = await a_memory(house, caller, "User owns a heron.")
    await a_memory(house, caller, "User owns a kettle.")
    assert gone.kept is not None
    await house.memories.delete(caller, gone.kept.memory.id)
    await run_jobs(house, caller)
    jobs = (await house.jobs.list(caller, JobFilter(user_id="ana"), PageRequest())).items
    assert {(job.state, job.attempts) for job in jobs} == {(JobState.SUCCEEDED, 1)}
    found = await house.search.search(caller, SearchRequest(query="What does the user own?", user_id="ana"))
    assert [hit.view.memory.content for hit in found.items] == ["User owns a kettle."]

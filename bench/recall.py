"""Measures recall as a client sees it.

Conversations are replayed through HTTP, every question is asked, and the run is scored by the set's own metrics. What
was done is written down, so that a broken run goes on where it stopped.
"""

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from rich.progress import Progress

from bench.dataset import LARGEST_APPEND, Conversation, Question, conversations, questions

_TAKEN = 409  # the session was replayed and ended before the run broke
FINISHED = {"succeeded", "failed", "cancelled"}


@dataclass(frozen=True, slots=True)
class RecallRun:
    """Where a run reads, asks and writes. Users carry the run's name, so that runs do not meet in one service."""

    data: Path
    out: Path
    url: str
    metrics: Path
    top_k: int = 50
    conversations: int | None = None

    def user(self, conv_id: str) -> str:
        """The user that a conversation is replayed as."""
        return f"{self.out.name}-{conv_id.replace('/', '.')}"


def run(wanted: RecallRun) -> int:
    """Replay, ask, score. The exit status of the scorer."""
    wanted.out.mkdir(parents=True, exist_ok=True)
    todo = list(conversations(wanted.data))[: wanted.conversations]
    chosen = {one.conv_id for one in todo}
    asked = [one for one in questions(wanted.data) if one.conv_id in chosen]
    with httpx.Client(base_url=wanted.url, timeout=120) as client, Progress() as progress:
        _replay_all(client, wanted, todo, progress)
        _ask_all(client, wanted, asked, progress)
    score = [sys.executable, str(wanted.metrics), "score", "--data", str(wanted.data)]
    if wanted.conversations is not None:
        score.append("--answered")
    return subprocess.run([*score, "--run", str(wanted.out / "run.jsonl")], check=False).returncode


def _done(path: Path, name: str) -> set[str]:
    """What an earlier, broken run has finished; a last line that was cut off counts as not written."""
    if not path.exists():
        return set()
    lines = path.read_text().splitlines(keepends=True)
    whole = [line for line in lines if line.endswith("\n")]
    path.write_text("".join(whole))
    return {json.loads(line)[name] for line in whole}


def _append(path: Path, line: dict[str, Any]) -> None:
    with path.open("a") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")


def _replay_all(client: httpx.Client, wanted: RecallRun, todo: list[Conversation], progress: Progress) -> None:
    journal = wanted.out / "sessions.jsonl"
    done = _done(journal, "session")
    bar = progress.add_task("sessions", total=sum(len(one.sessions) for one in todo))
    for conversation in todo:
        for session_id, turns in conversation.sessions:
            name = f"{wanted.user(conversation.conv_id)}-{session_id.replace('/', '.')}"
            if name not in done:
                bodies = [turn.body() for turn in turns]
                job_id = _replay(client, wanted.user(conversation.conv_id), name, bodies)
                _append(journal, {"session": name, "job": job_id})
            progress.advance(bar)
    _wait_for_jobs(client, journal, progress)


def _replay(client: httpx.Client, user: str, name: str, bodies: list[dict[str, Any]]) -> str:
    """One session: opened, filled, ended. Each step may be repeated after a break."""
    opened = client.post("/v1/sessions", json={"user_id": user, "session_id": name})
    if opened.status_code != _TAKEN:
        opened.raise_for_status()
        for first in range(0, len(bodies), LARGEST_APPEND):
            part = bodies[first : first + LARGEST_APPEND]
            client.post(f"/v1/sessions/{name}/messages", json={"messages": part}).raise_for_status()
    return client.post(f"/v1/sessions/{name}/end").raise_for_status().json()["job_id"]


def _wait_for_jobs(client: httpx.Client, journal: Path, progress: Progress) -> None:
    jobs = [json.loads(line)["job"] for line in journal.read_text().splitlines()]
    bar = progress.add_task("extraction", total=len(jobs))
    for job in jobs:
        while (state := client.get(f"/v1/jobs/{job}").raise_for_status().json()["state"]) not in FINISHED:
            time.sleep(0.2)
        if state != "succeeded":
            raise SystemExit(f"job {job} {state}: the run would not measure the whole conversation")
        progress.advance(bar)


def _ask_all(client: httpx.Client, wanted: RecallRun, asked: list[Question], progress: Progress) -> None:
    answers = wanted.out / "run.jsonl"
    done = _done(answers, "qid")
    bar = progress.add_task("questions", total=len(asked))
    for question in asked:
        if question.qid not in done:
            _append(answers, _ask(client, wanted, question))
        progress.advance(bar)


def _ask(client: httpx.Client, wanted: RecallRun, question: Question) -> dict[str, Any]:
    body = {"user_id": wanted.user(question.conv_id), "query": question.text, "top_k": wanted.top_k}
    started = time.perf_counter()
    items = client.post("/v1/recall", json=body).raise_for_status().json()["items"]
    return {
        "qid": question.qid,
        "latency_ms": round((time.perf_counter() - started) * 1000, 1),
        "ranked": [
            {
                "turn_ids": [source["message_id"] for source in item["sources"]],
                "text": f"[{item['occurred_at'][:10]}] {item['text']}",
                "score": item["score"],
            }
            for item in items
        ],
    }

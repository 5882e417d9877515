"""The benchmark replays, asks and goes on where it was broken off, against a service that only remembers requests."""

import gzip
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from bench.dataset import conversations, questions
from bench.recall import RecallRun, run

CONVERSATION = {
    "conv_id": "made/up-1",
    "speakers": ["Ana", "Ben"],
    "sessions": [
        {
            "session_id": "S1",
            "started_at": "2024-02-01T10:00:00",
            "turns": [
                {"turn_id": "D1:1", "speaker": "Ana", "text": "I planted a pear tree."},
                {
                    "turn_id": "D1:2",
                    "speaker": "Ben",
                    "text": "Look!",
                    "caption": "a pear",
                    "at": "2024-02-02T08:00:00",
                },
            ],
        }
    ],
}
QUESTION = {"qid": "made/up-1/q0", "conv_id": "made/up-1", "question": "What did Ana plant?"}


class Service(BaseHTTPRequestHandler):
    """Answers as the interface does, as far as the benchmark asks."""

    seen: ClassVar[list[tuple[str, str, Any]]] = []
    job_state: ClassVar[str] = "succeeded"

    def do_GET(self) -> None:
        self._answer({"state": type(self).job_state})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or "null")
        self.seen.append(("POST", self.path, body))
        source = {"session_id": "s", "message_id": "D1:1"}
        item = {"text": "Ana: I planted a pear tree.", "score": 0.5, "sources": [source]}
        answers: dict[str, Any] = {
            "/v1/recall": {"items": [{**item, "occurred_at": "2024-02-01T10:00:00Z"}]},
        }
        self._answer(answers.get(self.path, {"job_id": "j1"}))

    def _answer(self, body: object) -> None:
        raw = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Says nothing."""


@pytest.fixture
def wanted(tmp_path: Path) -> Iterator[RecallRun]:
    data = tmp_path / "data"
    data.mkdir()
    for name, line in (("conversations", CONVERSATION), ("questions", QUESTION)):
        with gzip.open(data / f"{name}.jsonl.gz", "wt") as file:
            file.write(json.dumps(line) + "\n")
    metrics = tmp_path / "metrics.py"
    metrics.write_text("raise SystemExit(7)")
    Service.seen, Service.job_state = [], "succeeded"
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield RecallRun(data, tmp_path / "first", f"http://127.0.0.1:{server.server_port}", metrics)
    server.shutdown()
    thread.join()
    server.server_close()


def posted(path: str) -> list[Any]:
    return [body for _, asked, body in Service.seen if asked.endswith(path)]


def test_turns_keep_their_ids_speakers_times_and_captions(wanted: RecallRun) -> None:
    (conversation,) = conversations(wanted.data)
    ((session, turns),) = conversation.sessions
    assert session == "S1"
    assert [turn.body() for turn in turns] == [
        {
            "id": "D1:1",
            "role": "user",
            "name": "Ana",
            "content": "I planted a pear tree.",
            "created_at": "2024-02-01T10:00:00+00:00",
        },
        {
            "id": "D1:2",
            "role": "user",
            "name": "Ben",
            "content": "Look! [image: a pear]",
            "created_at": "2024-02-02T08:00:00+00:00",
        },
    ]
    assert [question.text for question in questions(wanted.data)] == ["What did Ana plant?"]


def test_a_run_replays_ends_asks_and_returns_the_scorers_status(wanted: RecallRun) -> None:
    assert run(wanted) == 7
    (opened,) = posted("/v1/sessions")
    assert opened["user_id"].startswith("first-")
    assert len(posted("/end")) == 1
    assert [asked["user_id"] for asked in posted("/v1/recall")] == [opened["user_id"]]
    (line,) = (wanted.out / "run.jsonl").read_text().splitlines()
    written = json.loads(line)
    assert written["qid"] == QUESTION["qid"]
    assert written["ranked"][0]["turn_ids"] == ["D1:1"]
    assert written["latency_ms"] >= 0


def test_a_broken_run_goes_on_without_repeating_what_was_done(wanted: RecallRun) -> None:
    run(wanted)
    answers = wanted.out / "run.jsonl"
    answers.write_text(answers.read_text() + '{"qid": "cut of')
    before = len(Service.seen)
    run(wanted)
    assert len(Service.seen) == before
    assert len(answers.read_text().splitlines()) == 1


def test_a_session_that_was_not_extracted_stops_the_run(wanted: RecallRun) -> None:
    Service.job_state = "failed"
    with pytest.raises(SystemExit, match="failed"):
        run(wanted)
    assert posted("/v1/recall") == []

"""Logs are JSON lines that hold no words of users, whoever writes them."""

import json
import subprocess
import sys

SCRIPT = """
import logging
import structlog
from app.core.logs import configure_logs

configure_logs()
log = structlog.get_logger()
with structlog.contextvars.bound_contextvars(request_id="r-1"):
    log.info("request.handled", status=200, key=b"bytes", when=object)
log.debug("unseen")
try:
    raise ValueError("a user's words")
except ValueError as error:
    log.exception("job.failed")
    logging.getLogger("library").exception("cannot do it for %s", "a user's words")
    logging.getLogger("library").info("unseen")
"""


def test_what_is_logged_is_json_with_classes_and_places_and_without_words():
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in ran.stderr.splitlines()]
    assert ran.stdout == ""
    assert [line["event"] for line in lines] == ["request.handled", "job.failed", "cannot do it for %s"]
    assert "words" not in ran.stderr
    assert "unseen" not in ran.stderr
    assert lines[0].items() >= {"request_id": "r-1", "status": 200, "level": "info"}.items()
    assert all(line["timestamp"] for line in lines)
    for line in lines[1:]:
        assert line["error"] == "builtins.ValueError"
        assert line["frames"]

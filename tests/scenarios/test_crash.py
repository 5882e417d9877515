"""kill -9 of everything, at several moments of an extraction: nothing is lost, nothing is there twice."""

import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.scenarios.service import Service

CITIES = ("Berlin", "Lisbon", "Oslo", "Prague", "Dublin")
MOMENTS = (0.0, 0.03, 0.1, 0.3, 0.8)
"""Seconds after the 202 of end."""


def _memories(client: httpx.Client, user: str) -> list[str]:
    items: list[dict[str, Any]] = client.get("/v1/memories", params={"user_id": user}).json()["items"]
    return sorted(str(item["content"]) for item in items)


@pytest.mark.timeout(300)
def test_g06_facts_of_an_ended_session_survive_the_death_of_everything(tmp_path: Path) -> None:
    service = Service(tmp_path / "a home")
    service.start()
    try:
        for city, moment in zip(CITIES, MOMENTS, strict=True):
            with httpx.Client(base_url=service.url, timeout=30) as client:
                client.post("/v1/sessions", json={"user_id": city, "session_id": city}).raise_for_status()
                said = [
                    {"role": "user", "content": f"I live in {city}."},
                    {"role": "user", "content": "I work as a nurse."},
                ]
                client.post(f"/v1/sessions/{city}/messages", json={"messages": said}).raise_for_status()
                assert client.post(f"/v1/sessions/{city}/end").status_code == 202
            time.sleep(moment)
            service.kill_everything()
            service.start()
            with httpx.Client(base_url=service.url, timeout=30) as client:
                deadline = time.monotonic() + 10
                while client.get(f"/v1/sessions/{city}").json()["state"] != "ended" and time.monotonic() < deadline:
                    time.sleep(0.1)
                assert _memories(client, city) == [f"User lives in {city}.", "User works as a nurse."]
                log = client.get(f"/v1/sessions/{city}/messages").json()["items"]
                assert [message["seq"] for message in log] == [1, 2]
    finally:
        assert service.stop() == 0

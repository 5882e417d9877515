from pathlib import Path

import pytest

from app.core.settings import Settings, default_home


def test_settings_are_read_under_their_documented_names_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """HOME, HOST and PORT are everybody's: data once went straight into the user's home folder."""
    for name, value in {"HOME": "/home/ada", "HOST": "0.0.0.0", "PORT": "99", "EXTRACTOR": "rules"}.items():
        monkeypatch.setenv(name, value)
    for name in ("PALIMPSEST_HOME", "PALIMPSEST_HOST", "PALIMPSEST_PORT", "PALIMPSEST_EXTRACTOR"):
        monkeypatch.delenv(name, raising=False)
    settings = Settings()
    assert settings.home == default_home()
    assert (settings.host, settings.port, settings.extractor) == ("127.0.0.1", 8080, "auto")
    monkeypatch.setenv("PALIMPSEST_HOME", "/srv/data")
    assert Settings().home == Path("/srv/data")

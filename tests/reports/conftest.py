"""Two real runs, made once: one that rules decide, with hostile replies; one that a judge decides."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from benchbar.artefacts.folder import Material, read_material, read_results
from benchbar.records import RunResults, Suite
from benchbar.runs.assembling import chosen_suite
from benchbar.runs.manifest import read_manifest
from support import forked
from support.chat_servers import served
from support.run_spec import JUDGE, model, spec_text

PAYLOAD = "</script><script>alert(1)</script><img src=x onerror=alert(2)>{{7*7}}{% raw %}\u2028&lt;b&gt;"

ASSISTANTS = f"""
PAYLOAD = {PAYLOAD!r}

def hostile(turns):
    return "依照《民事基本法》第五十八条，" + PAYLOAD + turns[-1].content

def plain(turns):
    return "依照《民事基本法》第五十八条，定金不得超过百分之十五，构成盗窃罪，应当判处有期徒刑一年，选D。"

def failing(turns):
    if len(turns[0].content) % 2:
        raise RuntimeError("no service " + PAYLOAD)
    return plain(turns)
"""


@dataclass(frozen=True)
class MadeRun:
    """A finished run, where it lies and what it printed."""

    folder: Path
    printed: str

    @property
    def results(self) -> RunResults:
        return read_results(self.folder)

    @property
    def material(self) -> Material:
        return read_material(self.folder)

    @property
    def suite(self) -> Suite:
        manifest = read_manifest(self.folder)
        return chosen_suite(manifest.spec, Path(manifest.folder))


def _made(place: Path, *arguments: str) -> MadeRun:
    words = ("run", "--quiet", "--out", str(place / "run"), *arguments)
    done = forked.command(*words, cwd=place, env={"PYTHONPATH": str(place)})
    assert done.returncode == 0, done.stderr
    return MadeRun(place / "run", done.stdout)


@pytest.fixture(scope="session")
def rules_run(tmp_path_factory: pytest.TempPathFactory) -> MadeRun:
    """Four assistants over 22 tasks, decided by rules: one of them hostile, one that fails on some samples."""
    place = tmp_path_factory.mktemp("rules")
    (place / "replies.py").write_text(ASSISTANTS, "utf-8")
    named = [f"--assistant={name}=python:replies:{name}" for name in ("plain", "hostile", "failing")]
    return _made(place, "--assistant=base=extractive", *named, "--limit=22")


@pytest.fixture(scope="session")
def judged_run(tmp_path_factory: pytest.TempPathFactory) -> MadeRun:
    """Two assistants, simulated user and judge behind one HTTP server; the judge is asked twice in both orders."""
    place = tmp_path_factory.mktemp("judged")
    with served() as address:
        spec = place / "spec.toml"
        assistants = {"weak": model("weak-1", price=(1.0, 2.0)), "strong": "strong-2"}
        spec.write_text(spec_text(f"{address}/v1", "limit = 8", assistants, judge=f"{JUDGE}\nrepeats = 2"), "utf-8")
        return _made(place, str(spec))

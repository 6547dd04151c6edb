"""What every program of the engine benchmark has to do, and the server it asks.

300 consultations: 150 samples, each put to two assistants by a simulated user in at most three exchanges, and each pair of
dialogues compared by a judge in both orders. The chat server of the tests plays all models, on a core of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SERVER = ROOT / "tests" / "support" / "chat_server.py"
CORES = sorted(os.sched_getaffinity(0))
SERVER_CORE, OTHERS = CORES[-1], set(CORES[:-1]) or set(CORES)
SAMPLES = 150
SPEC = """
suite = "ucl-bench:samples.jsonl"
reference = "base"
{extra}
[simulator]
kind = "llm"
model = "sim{suffix}"
base_url = "{url}"

[assistants.base]
kind = "openai"
model = "slow-a{suffix}"
base_url = "{url}"

[assistants.candidate]
kind = "openai"
model = "slow-b{suffix}"
base_url = "{url}"

[judge]
model = "judge"
base_url = "{url}"

[limits]
concurrency = {in_flight}
"""


@dataclass(frozen=True)
class Server:
    """A chat server in a process of its own."""

    url: str
    pid: int

    def stats(self) -> dict[str, object]:
        with urllib.request.urlopen(f"{self.url}/stats", timeout=30) as answer:
            return json.load(answer)

    def calls(self) -> int:
        return sum(self.stats()["requests"].values())

    def completed(self) -> int:
        return sum(self.stats()["completed"].values())

    def cpu(self) -> float:
        """Seconds of CPU that it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(delay: float) -> Iterator[Server]:
    """A fresh server that takes so many seconds for each answer."""
    command = [sys.executable, str(SERVER), "--delay", str(delay), "--core", str(SERVER_CORE)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Server(f"http://127.0.0.1:{process.stdout.readline().strip()}", process.pid)
        finally:
            process.terminate()


def write_suite(folder: Path, samples: int = SAMPLES, *, characters: int = 60, language: str = "zh") -> None:
    """Samples whose information has so many characters, drawn from the bundled law."""
    sys.path.insert(0, str(ROOT / "tests"))
    from support.chat_server import padding

    folder.mkdir(parents=True, exist_ok=True)
    rows = (
        {
            "id": f"s{number:06}",
            "task": f"{number % 5 + 1}-1",
            "information": padding(f"information {number}", characters, language),
            "needs": f"第{number}件事：{padding(f'needs {number}', 30, language)}该怎么办？",
            "guidance": f"必须提及：{padding(f'point {number}', 25)}",
        }
        for number in range(samples)
    )
    with (folder / "samples.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def write_spec(folder: Path, server: Server, in_flight: int, *, suffix: str = "", extra: str = "") -> None:
    text = SPEC.format(url=f"{server.url}/v1", in_flight=in_flight, suffix=suffix, extra=extra)
    (folder / "spec.toml").write_text(text, "utf-8")


def benchbar(out: str = "run") -> list[str]:
    """The command that runs the workload in a folder with spec and suite."""
    return [sys.executable, "-m", "benchbar", "run", "spec.toml", "--out", out]

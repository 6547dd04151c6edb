"""The share of the guidance's weight that rules decide in the bundled suites without a judge: `python benchmarks/marks_share.py`.

Runs the default assistants on each suite offline, a few seconds each. `--benchbar PATH` asks another version's command.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> None:
    """One line for each suite and assistant."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--benchbar", type=Path, default=Path(sys.executable).with_name("benchbar"))
    command = parser.parse_args().benchbar
    with tempfile.TemporaryDirectory() as folder:
        for language in ("zh", "ru", "en"):
            out = Path(folder) / language
            run = [command, "run", "--suite", f"model-jurisdiction-{language}", "--out", out, "--quiet"]
            subprocess.run(run, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            results = json.loads((out / "results.json").read_text("utf-8"))
            for name, found in results["assistants"].items():
                value = found["measures"]["rule_share"]["value"]
                print(f"model-jurisdiction-{language:4} {name:18} {100 * (value or 0):.1f}%")


if __name__ == "__main__":
    main()

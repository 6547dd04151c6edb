"""Builds the documentation's site: ``python scripts/make_site.py [FOLDER]``; FOLDER (``.site``) then holds ``html``.

The pages are gathered as they stand in the repository, so that a link in one of them leads to the same place on the site, in
a checkout and on GitHub.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GATHERED = (
    "README*.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "LICENSE",
    "docs",
    "examples",
    "benchmarks/*/README.md",
    "benchmarks/*/*/README.md",
    "tests/scoring/traps.jsonl",
)


def site_address() -> str:
    """Where the site is published; empty where that is not configured."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project.get("urls", {}).get("Documentation", ""))


def gather(folder: Path) -> None:
    """Put pages, theme and configuration into the folder, and nothing that an earlier build left there."""
    shutil.rmtree(folder, ignore_errors=True)
    for pattern in GATHERED:
        for source in ROOT.glob(pattern):
            target = folder / "pages" / source.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copyfile(source, target)
    shutil.copytree(ROOT / "site-theme", folder / "site-theme")
    shutil.copyfile(ROOT / "mkdocs.yml", folder / "mkdocs.yml")


def main() -> None:
    """Gather and build; a link or an anchor that leads nowhere ends it with an error."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".site"
    gather(folder)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(folder / "mkdocs.yml")]
    done = subprocess.run(command, env=os.environ | {"BENCHBAR_SITE": site_address()}, check=False)
    if done.returncode == 0:
        print(f"built: {folder / 'html' / 'index.html'}")
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()

"""What a user without the repository has at hand: the cures of errors, and the examples of the pages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from benchbar.runs.spec_reading import read_spec
from support.in_process import runner

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def benchbar(tmp_path, monkeypatch):
    """The command line in an empty folder."""
    return runner(tmp_path, monkeypatch)


def test_every_slug_is_explained_offline(benchbar):
    """Each heading of the page has its text, and links are named where none can be followed."""
    lines = benchbar("explain").out.splitlines()
    assert max(map(len, lines)) <= 80
    slugs = [line.split()[0] for line in lines]
    assert all(len(line.split()) > 3 for line in lines)
    assert {"bad-input", "changed-run", "endpoint"} <= set(slugs)
    for slug in slugs:
        told = benchbar("explain", slug)
        assert told.code == 0
        assert len(told.out) > 40
        assert "](" not in told.out


def test_the_page_of_an_error_is_named_where_the_site_has_an_address(benchbar, tmp_path, monkeypatch):
    """The address stands in the package's own metadata; links lead to pages of the site, and without it to no site."""
    assert "://" not in benchbar("explain", "unreadable-judge").out
    # What an installed wheel with `Documentation` under `[project.urls]` has; the first on the path is the one in force.
    described = tmp_path / "site-packages" / "benchbar-9.dist-info"
    described.mkdir(parents=True)
    url = "Project-URL: Documentation, https://docs.example/benchbar/"
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: benchbar\nVersion: 9\n{url}\n", "utf-8")
    monkeypatch.syspath_prepend(described.parent)
    told = benchbar("explain", "unreadable-judge").out
    assert told.splitlines()[-1] == "https://docs.example/benchbar/docs/errors/unreadable-judge.html"
    assert "(https://docs.example/benchbar/docs/judging.html#answers-held-to-a-schema)" in told


def test_an_error_says_how_it_is_explained(benchbar):
    """The last line of a message can be typed."""
    done = benchbar("suite", "show", "nope")
    typed = re.search(r"benchbar (explain \S+?)\)", done.err)[1].split()
    assert benchbar(*typed).code == 0


def test_an_unknown_slug_names_the_near_one(benchbar):
    """A slip of the pen is met with the right name."""
    assert "did you mean 'bad-input'" in benchbar("explain", "bad-imput").err


def test_an_example_is_written_and_can_be_run(benchbar, tmp_path):
    """The spec of the README is a spec where it lands, and nothing is overwritten."""
    assert benchbar("example", "two-models.toml").code == 0
    assert read_spec(tmp_path / "two-models.toml", {}, ()).assistants
    assert "nothing was written" in benchbar("example", "two-models.toml").err


def test_a_folder_of_examples_is_written_whole(benchbar, tmp_path):
    """The files of the authoring page."""
    assert benchbar("example", "authoring", "--out", "mine").code == 0
    assert sorted(path.name for path in (tmp_path / "mine").iterdir()) == sorted(
        path.name for path in (ROOT / "examples/authoring").iterdir() if path.name != "__pycache__"
    )


def test_the_wheel_takes_along_what_the_program_reads():
    """Everything named here is in the wheel under the path where an installed program looks for it."""
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    included = wheel["force-include"]
    assert {"docs/errors", "examples", "docs/audits/ucl-bench-table-3.csv"} <= set(included)
    assert all(
        target == f"benchbar/bundled/{source}" and (ROOT / source).exists() for source, target in included.items()
    )

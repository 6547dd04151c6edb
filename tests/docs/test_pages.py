"""Pages agree with the code, with each other and with the files they speak of."""

from __future__ import annotations

import re
import tomllib
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import benchbar as package
from benchbar.records import errors
from benchbar.records.errors import BenchbarError
from benchbar.runs.spec_reading import read_spec
from support.pages import ROOT, blocks, floors, pages, prose, renewed

DOCS = ROOT / "docs"
EVERY_PAGE = pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_FILE = re.compile(r"`((?:docs|examples|src|tests|scripts|benchmarks)/[\w./-]+)`")


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub makes from a page's headings."""
    headings = re.findall(r"^#{1,6} (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def rows(page: str) -> list[list[str]]:
    """The cells of every row of every table in a page."""
    lines = [line for line in (DOCS / page).read_text("utf-8").splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@EVERY_PAGE
def test_every_link_leads_somewhere(page):
    """Relative links lead to files that exist, and to headings that are there."""
    for target in _LINK.findall(prose(page)):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), f"{target}: no such file"
        assert not anchor or anchor in anchors(file), f"{target}: no such heading"


@EVERY_PAGE
def test_every_file_that_is_named_exists(page):
    """A path of this repository in a page is one that is there."""
    for name in _FILE.findall(prose(page)):
        assert (ROOT / name).exists(), f"{name}: no such file"


def test_generated_parts_are_up_to_date():
    """What pages print and list is what the code prints and lists; `python tests/support/pages.py` writes it anew."""
    stale = [page.name for page in pages() if renewed(text := page.read_text("utf-8")) != text]
    assert not stale


def specs() -> list:
    """The TOML blocks of all pages that name assistants and have no tables but a spec's."""
    known = {"assistants", "simulator", "judge", "limits", "suite"}
    found = [(page, number, block) for page in pages() for number, block in enumerate(blocks(page, "toml"))]
    tables = {
        block: {name for name, value in tomllib.loads(block).items() if isinstance(value, dict)} for *_, block in found
    }
    return [
        pytest.param(block, id=f"{page.relative_to(ROOT)}-{number}")
        for page, number, block in found
        if "assistants" in tables[block] and tables[block] <= known
    ]


@pytest.mark.parametrize("block", specs())
def test_every_spec_in_a_page_can_be_read(block, tmp_path):
    """A TOML block of a page that names assistants is a spec."""
    file = tmp_path / "spec.toml"
    file.write_text(block, "utf-8")
    assert read_spec(file, {}, ()).assistants


@pytest.mark.parametrize("spec", sorted((ROOT / "examples").glob("*.toml")), ids=lambda spec: spec.name)
def test_every_example_spec_can_be_read(spec):
    """The specs in examples are specs."""
    assert read_spec(spec, {}, ()).assistants


@pytest.mark.parametrize("name", ["run.md", "zh/run.md", "ru/run.md"])
def test_run_page_explains_every_field_of_a_spec(name):
    """Each field of spec, endpoint, judge and limits stands in the page, in each of its languages."""
    from benchbar.clients import Endpoint
    from benchbar.runs.spec import JudgeSpec, Limits, Spec

    page = (DOCS / name).read_text("utf-8")
    for kind in (Spec, JudgeSpec, Limits, Endpoint):
        for field in kind.__struct_fields__:
            assert re.search(rf"`(?:\w+\.)?{field}(?:\.NAME)?`", page), (
                f"{name} does not explain {kind.__name__}.{field}"
            )


def test_suite_page_explains_every_field():
    """Each field of card, task, sample, guidance and point, and each value of category and kind, stands in the page."""
    from benchbar.records import Category, Guidance, GuidancePoint, PointKind, Sample, SuiteCard, Task

    page = (DOCS / "suite-format.md").read_text("utf-8")
    for kind in (SuiteCard, Task, Sample, Guidance, GuidancePoint):
        for field in kind.__struct_fields__:
            assert re.search(rf"\b{field}\b", page), f"suite-format.md does not speak of {kind.__name__}.{field}"
    for value in (*Category, *PointKind):
        assert f"`{value}`" in page


def test_rooms_are_those_of_the_linter():
    """The table of rooms in the design shows the floors that the import linter holds, from the top."""
    told: dict[str, set[str]] = {}
    for cells in rows("design.md"):
        if len(cells) == 3 and cells[1].startswith("`"):
            told.setdefault(cells[0], set()).add(cells[1].strip("`"))
    assert list(told.values()) == floors()


def every_error() -> set[type[BenchbarError]]:
    """Every class of error that the package can raise."""
    for module in walk_packages(package.__path__, "benchbar."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    found, left = set(), [BenchbarError]
    while left:
        kind = left.pop()
        if kind.__module__.startswith("benchbar."):
            found.add(kind)
            left.extend(kind.__subclasses__())
    return found


def test_every_error_has_its_cure():
    """Each slug of an error has a page in docs/errors with its name as the title, and each page has its error."""
    slugs = {page.stem: page for page in (DOCS / "errors").glob("*.md")}
    assert set(slugs) == {kind.slug for kind in every_error()}
    assert errors.BenchbarError.slug in slugs
    assert [slug for slug, page in slugs.items() if not page.read_text("utf-8").startswith(f"# {slug}\n\n")] == []


def test_dependencies_are_those_of_pyproject():
    """Each dependency, extra and tool has one row, and no row is without one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

    def names(lines: list[str]) -> list[str]:
        return [re.match(r"[\w.-]+", line)[0] for line in lines]

    expected = [("core", name) for name in names(project["project"]["dependencies"])]
    grouped = {**project["project"].get("optional-dependencies", {}), **project.get("dependency-groups", {})}
    expected += [(group, name) for group, lines in grouped.items() for name in names(lines)]
    skipped = {"package", "extra", "group"}
    told = [
        ("core", cells[0]) if len(cells) == 6 and cells[0] not in grouped else (cells[0], cells[1])
        for cells in rows("dependencies.md")
        if cells[0] not in skipped and not cells[0].startswith("---")
    ]
    assert sorted(told) == sorted(expected)

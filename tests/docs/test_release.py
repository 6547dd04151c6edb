"""One version, told alike everywhere it stands."""

from __future__ import annotations

import re
import tomllib

import benchbar
from support.pages import ROOT


def test_the_version_is_the_same_everywhere():
    """The package, its metadata and the citation name one version of three numbers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert re.fullmatch(r"\d+\.\d+\.\d+", benchbar.__version__)
    assert {project["version"], cited[1]} == {benchbar.__version__}


def test_the_changelog_has_what_is_unreleased_first_then_versions_from_the_newest():
    """A section is `Unreleased` or a version with its day; the version of the package is the newest released, or to be."""
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    released = headings[1:] if headings[0] == "Unreleased" else headings
    told = [re.fullmatch(r"(\d+)\.(\d+)\.(\d+) \(\d{4}-\d{2}-\d{2}\)", one) for one in released]
    assert None not in told, released
    versions = [tuple(map(int, one.groups())) for one in told]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    own = tuple(map(int, project["version"].split(".")))
    assert versions == sorted(versions, reverse=True)
    assert all(version <= own for version in versions)
    assert headings[0] == "Unreleased" or versions[0] == own

"""Card and exports: shares that sum to 100, tables of the paper, forms that other tools read, text that stays text."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.cli.suite_card import described
from benchbar.records import Category, Guidance, GuidancePoint, PointKind, Sample, Suite, SuiteCard, encode
from benchbar.records.errors import BadInputError, UserError
from benchbar.suites.card import card_of
from benchbar.suites.card_forms import croissant, markdown
from benchbar.suites.exports import FORMATS
from benchbar.suites.folder import read
from benchbar.suites.load import load
from benchbar.suites.sources import largest_remainder
from benchbar.suites.taxonomy import TASKS
from benchbar.suites.write import write
from benchbar.survey.records import SurveyResults, TaskVerification, VerificationResults

PAPER = {
    "flk.npc.gov.cn": 100, "imlaw.cn": 50, "CAIL2022": 100, "CAIL2021": 100, "wenshu.court.gov.cn": 250, "12309.gov.cn": 100,
    "12348.gov.cn": 50, "LeCaRD": 50, "judicial exam": 150, "moj.gov.cn": 50, "self-construct": 50, "students": 50,
}  # fmt: skip
"""Samples by source after UCL-Bench's Table 1, whose Table 7 gives 95.4% in all."""


@given(st.dictionaries(st.text(min_size=1, max_size=4), st.integers(0, 2000), min_size=1, max_size=40))
def test_shares_sum_to_a_hundred(counts):
    """Whatever the counts, and none is off by a tenth or more."""
    if not any(counts.values()):
        with pytest.raises(BadInputError):
            largest_remainder(counts)
        return
    shares = largest_remainder(counts)
    assert round(sum(shares.values()), 6) == 100
    total = sum(counts.values())
    assert all(abs(shares[name] - 100 * count / total) < 0.1 for name, count in counts.items())


def test_the_papers_sources_sum_to_a_hundred():
    """Eleven hundred samples by the sources of Table 1: every share is counted, none is left out."""
    shares = largest_remainder(PAPER)
    assert sum(PAPER.values()) == 1100
    assert round(sum(shares.values()), 6) == 100
    assert {shares["flk.npc.gov.cn"], shares["wenshu.court.gov.cn"]} == {9.1, 22.7}


def suite_in(folder: Path, sources: str, tags: list[str], **card: str) -> Suite:
    samples = tuple(
        Sample(
            id=f"s{n}",
            task="4-3",
            needs=f"第{n}个问题？",
            information=f"事实{n}",
            tags=(f"source:{tag}",) if tag else (),
        )
        for n, tag in enumerate(tags)
    )
    write(Suite(card=SuiteCard(name="mine", **card), tasks=dict(TASKS), samples=samples), folder)
    (folder / "sources.toml").write_text(sources, "utf-8")
    return read(folder)


def source(name: str, share: float | None = None, licence: str = "MIT") -> str:
    stated = "" if share is None else f"share = {share}\n"
    return f'[[source]]\nname = "{name}"\nlicence = "{licence}"\n{stated}'


def test_shares_are_counted_from_the_samples(tmp_path):
    """Three sources of one sample each: 33.4, 33.3, 33.3."""
    suite = suite_in(tmp_path / "s", source("a") + source("b", licence="CC0") + source("c"), ["a", "b", "c"])
    card = card_of(suite)
    assert sorted(one["percent"] for one in card["sources"]) == [33.3, 33.3, 33.4]
    assert round(sum(card["licences"].values()), 6) == 100


@pytest.mark.parametrize(
    ("sources", "tags", "said"),
    [
        (source("a", 60) + source("b", 35.4), ["a", "b"], "sum to 95.4"),
        (source("a", 60) + source("b", 40), ["a", "b"], "samples say 50.0"),
        (source("a", 50) + source("b"), ["a", "b"], "state all or none"),
        (source("a") + source("b"), ["a", ""], "names no source"),
        (source("a") + source("b"), ["a", "x"], "not listed"),
        (source("a", licence=" "), ["a"], "no licence"),
        ("", ["a"], "no source is named"),
        (source("a") + source("a"), ["a"], "two sources"),
        ("[[source", ["a"], "sources.toml"),
    ],
)
def test_sources_that_do_not_add_up_are_refused(tmp_path, sources, tags, said):
    """Stated shares that miss 100 (as in the paper: 95.4), samples and sources that do not know each other, no licence."""
    suite = suite_in(tmp_path / "s", sources, tags)
    with pytest.raises(BadInputError, match=said):
        card_of(suite)


def test_statistics_and_taxonomy_are_those_of_the_paper():
    """The bundled suite has 22 tasks in the order of Table 1, and Table 8 puts each under its level and scenarios."""
    suite = load("model-jurisdiction-zh")
    card = card_of(suite)
    assert len(card["statistics"]) == 22
    assert [row["id"] for row in card["statistics"][:3]] == ["1-1", "2-1", "2-2"]
    assert sum(row["samples"] for row in card["statistics"]) == len(suite.samples)
    assert len(card["taxonomy"]["memory"]) == 5
    assert "Legal Essay Writing (6-1)" in card["taxonomy"]["create"]["college"]


def test_survey_and_verification_go_into_the_card(tmp_path):
    """The figures that the survey commands write are told; a file that is none of theirs is refused by name and field."""
    suite = suite_in(tmp_path / "s", source("a"), ["a"])
    survey = SurveyResults(
        questionnaire="q", fingerprint="f", title="T", language="en", threshold=0.1, min_minutes=5.0, collected=346, valid=282,
        without_time=0, exclusions={}, excluded=(), scenarios={"court": "Court"}, by_scenario={"court": 52}, background=(),
        use_cases=(), retained=22, dropped=11, undecided=3, open_answers=0, groups={},
    )  # fmt: skip
    task = TaskVerification(
        task="t", use_cases=(), round=2, raters=12, rounds={}, passed=True, below=(), at_threshold=(), undecided=()
    )
    verification = VerificationResults(
        threshold=4.0, dimensions=("clarity",), raters=12, rounds=(1, 2), tasks=(task,) * 22, passed=22, rework=(),
        at_threshold=(), undecided=5, agreement={},
    )  # fmt: skip
    (tmp_path / "s" / "survey.json").write_bytes(encode(survey))
    (tmp_path / "s" / "verification.json").write_bytes(encode(verification))
    text = markdown(card_of(suite))
    assert "346 responses, 282 of them valid (Court 52); 22 use cases were retained, 11 dropped" in text
    assert "22 of 22 tasks pass at 4 by 12 raters in 2 rounds" in text
    (tmp_path / "s" / "survey.json").write_text("{}", "utf-8")
    with pytest.raises(BadInputError, match=r"survey\.json.*title"):
        card_of(suite)


def test_the_card_is_no_place_for_other_peoples_markup(tmp_path):
    """HTML, links and table cells in names arrive as text."""
    hostile = "x | y <script>alert(1)</script> [a](javascript:b)"
    suite = suite_in(tmp_path / "s", source("a"), ["a"], description=hostile)
    text = markdown(card_of(suite))
    assert "<script" not in text
    assert "](javascript" not in text.replace("\\]", "")


def test_json_ld_describes_a_file_that_is_there(tmp_path):
    """Hash and size are those of samples.jsonl, every field has its column; a suite without the file is refused."""
    import hashlib

    suite = load("model-jurisdiction-zh")
    document = croissant(suite, described(suite))
    (file,) = document["distribution"]
    data = (suite.folder / "samples.jsonl").read_bytes()
    assert (file["sha256"], file["contentSize"]) == (hashlib.sha256(data).hexdigest(), f"{len(data)} B")
    columns = {field["source"]["extract"]["column"] for field in document["recordSet"][0]["field"]}
    assert columns <= {name for line in data.splitlines() for name in json.loads(line)}
    (tmp_path / "s.jsonl").write_bytes(data)
    loose = load(f"benchbar:{tmp_path / 's.jsonl'}")
    with pytest.raises(UserError, match=r"samples\.jsonl"):
        croissant(loose, described(suite))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_json_ld_is_valid_croissant(tmp_path):
    """Mlcroissant finds neither error nor warning, and reads the records through the description."""
    mlc = pytest.importorskip("mlcroissant", reason="the group `oracles` is not installed")
    import shutil

    suite = load("model-jurisdiction-zh")
    folder = tmp_path / "suite"
    folder.mkdir()
    shutil.copyfile(suite.folder / "samples.jsonl", folder / "samples.jsonl")
    (folder / "croissant.json").write_text(json.dumps(croissant(suite, described(suite))), "utf-8")
    dataset = mlc.Dataset(jsonld=str(folder / "croissant.json"))
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    records = list(dataset.records("samples"))
    assert len(records) == len(suite.samples)
    assert records[0]["samples/id"] in {suite.samples[0].id, suite.samples[0].id.encode()}


def exported(form: str, suite: Suite, folder: Path) -> Path:
    for name, data in FORMATS[form](suite, described(suite)).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def test_every_row_of_an_export_has_the_same_fields():
    """What becomes columns of a table has one shape, and no sample is lost."""
    suite = load("model-jurisdiction-zh")
    rows = [
        json.loads(line) for line in FORMATS["huggingface"](suite, described(suite))["data/test.jsonl"].splitlines()
    ]
    assert len({tuple(row) for row in rows}) == 1
    assert [row["id"] for row in rows] == [sample.id for sample in suite.samples]
    assert sum(len(row["guidance"]) for row in rows) == sum(len(one.guidance.points) for one in suite.samples)


def test_datasets_loads_the_export(tmp_path):
    """`load_dataset` on the folder gives a test split with every sample."""
    datasets = pytest.importorskip("datasets", reason="the group `oracles` is not installed")
    suite = load("model-jurisdiction-ru")
    folder = exported("huggingface", suite, tmp_path / "hf")
    loaded = datasets.load_dataset(str(folder), split="test", cache_dir=str(tmp_path / "cache"))
    assert loaded["id"][:] == [sample.id for sample in suite.samples]
    assert loaded[0]["guidance"][0]["text"] == suite.samples[0].guidance.points[0].text


def test_inspect_loads_the_export(tmp_path):
    """`json_dataset` gives samples whose input is what the user knows and wants, with the guidance beside it."""
    dataset = pytest.importorskip("inspect_ai.dataset", reason="the group `oracles` is not installed")
    suite = load("model-jurisdiction-en")
    loaded = dataset.json_dataset(str(exported("inspect", suite, tmp_path / "i") / "samples.jsonl"))
    assert len(loaded) == len(suite.samples)
    assert suite.samples[0].needs in loaded[0].input
    assert loaded[0].metadata["guidance"][0]["text"] == suite.samples[0].guidance.points[0].text


HOSTILE = "{{ env.OPENAI_API_KEY }} {% include 'x' %}"


def test_promptfoo_gets_text_and_not_templates():
    """What looks like a template, a file or a script in a sample is quoted; forbidden terms are asked not to stand there."""
    points = (
        GuidancePoint(
            id="p1", category=Category.MANDATORY, kind=PointKind.TERM, text="定金罚则", alternatives=("双倍返还",)
        ),
        GuidancePoint(id="p2", category=Category.FORBIDDEN, kind=PointKind.TERM, text="无罪", weight=3),
        GuidancePoint(id="p3", category=Category.ADVISABLE, text=HOSTILE),
    )
    sample = Sample(
        id="s", task="4-3", needs="file:///etc/passwd", information=HOSTILE, guidance=Guidance(points=points)
    )
    suite = Suite(card=SuiteCard(name="x", source="own", licence="MIT"), tasks=dict(TASKS), samples=(sample,))
    files = FORMATS["promptfoo"](suite, card_of(suite))
    (test,) = json.loads(files["tests.json"])
    assert test["vars"]["needs"].startswith(" file://")
    assert test["vars"]["information"] == "{% raw %}" + HOSTILE + "{% endraw %}"
    assert [one["type"] for one in test["assert"]] == ["icontains-any", "not-icontains-any", "llm-rubric"]
    assert test["assert"][0]["value"] == ["定金罚则", "双倍返还"]
    assert Counter(one["metric"] for one in test["assert"]) == Counter(["mandatory", "forbidden", "advisable"])
    assert test["assert"][2]["value"].endswith("{% endraw %}")


def test_promptfoo_takes_the_export(tmp_path):
    """Promptfoo's own check finds the configuration valid."""
    import os
    import shutil
    import subprocess

    program = shutil.which("promptfoo")
    if program is None:
        pytest.skip("the program `promptfoo` is not installed")
    folder = exported("promptfoo", load("model-jurisdiction-zh"), tmp_path / "p")
    quiet = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_CONFIG_DIR": str(tmp_path)}
    done = subprocess.run(
        [program, "validate", "-c", "promptfooconfig.json"],
        cwd=folder,
        env=os.environ | quiet,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, "Configuration is valid" in done.stdout) == (0, True), done.stdout + done.stderr

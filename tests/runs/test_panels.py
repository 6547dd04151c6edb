"""Several judges behind one endpoint: how a run makes one value of what they say, what it tells of each, and what people get."""

from __future__ import annotations

from collections import defaultdict
from statistics import median

import pytest

from benchbar.artefacts.folder import read_material, read_measures, read_results
from benchbar.scoring.panels import sample_outcome
from support.run_spec import WEAK_AND_STRONG, spec_text

FAMILIES = 'judge-first = "house"\njudge-exact = "other"\njudge = "other"\nstrong = "house"\nweak = "other"\n'
WAYS = ("majority", "median", "strict")


def _spec(url: str, reduce: str = "") -> str:
    judge = f"""kind = ["pairwise", "checklist", "grade"]
grade_repeats = 1
model = "judge"
{reduce}
panel = [{{ model = "judge-first", base_url = "{url}" }}, {{ model = "judge-exact", base_url = "{url}" }}]"""
    top = 'limit = 10\nprompts = "prompts"\nrubric = "consultation"'
    return spec_text(url, top, WEAK_AND_STRONG, simulator='kind = "agenda"', judge=judge)


@pytest.fixture
def panel(benchbar, chat_server, tmp_path):
    """Runs a panel of three judges, of which the mean counts; called with the table of model families."""

    def run(families=FAMILIES):
        (tmp_path / "prompts").mkdir()
        (tmp_path / "prompts" / "families.toml").write_text(families, "utf-8")
        (tmp_path / "spec.toml").write_text(_spec(chat_server.base_url), "utf-8")
        return benchbar("run", "spec.toml", "--out", "r", "--quiet")

    return run


@pytest.fixture
def made(panel, tmp_path):
    """The folder of such a run."""
    done = panel()
    assert done.code == 0, done.err
    return tmp_path / "r"


def by_judge(folder):
    """Sample to judge to the outcome of the candidate by it alone."""
    found = defaultdict(lambda: defaultdict(list))
    for sample, by_candidate in read_material(folder).comparisons.items():
        for one in by_candidate["strong"]:
            found[sample][one.judge].append(one)
    return {sample: {judge: sample_outcome(own) for judge, own in by.items()} for sample, by in found.items()}


@pytest.mark.slow
def test_each_way_is_taken_without_a_call_and_what_it_comes_to_is_said(benchbar, made, tmp_path):
    """The same verdicts by majority, median and strictly: every sample's outcome is that of its three judges, in files and pages."""
    plain = read_results(made)
    assert plain.panel.reduction == "mean"
    for how in WAYS:
        done = benchbar("run", "spec.toml", "--out", "r", "--accept-changes", "--set", f"judge.reduce={how}")
        assert done.code == 0, done.err
        found = read_results(made)
        assert found.spending == plain.spending, "a paid call"
        assert found.panel.reduction == how
        # What is seen of each judge does not depend on how they are reduced.
        assert (found.judges, found.panel.disagreement) == (plain.judges, plain.panel.disagreement)
        rates = {one.sample: one.values["win_rate"] for one in read_measures(made) if one.assistant == "strong"}
        for sample, of in by_judge(made).items():
            said = sorted(of.values())
            assert len(said) == 3
            wanted = {
                "majority": median(said),
                "median": median(said),
                "strict": said[0] if said[0] == said[2] else 0.5,
            }
            assert rates[sample] == wanted[how], (sample, how)
        sentence = {
            "majority": "most of them say",
            "median": "the median of their",
            "strict": "none of them contradicts",
        }
        flat = " ".join(done.out.split())
        assert sentence[how] in flat
        assert "names the first of two in 100%" in flat
        tables = benchbar("report", "r", "--format", "md")
        assert tables.code == 0, tables.err
        assert sentence[how] in " ".join(tables.out.split())
    assert "裁判" in (made / "report.html").read_text("utf-8")


def test_marks_on_which_a_panel_is_divided_stay_open_and_go_to_people(benchbar, made):
    """By majority of three with two that agree nothing is open; strictly a point is met as far as the harshest judge says."""
    before = {(one.sample, one.assistant): one.values["point_score"] for one in read_measures(made)}
    assert (
        benchbar("run", "spec.toml", "--out", "r", "--accept-changes", "--quiet", "--set", "judge.reduce=strict").code
        == 0
    )
    after = {(one.sample, one.assistant): one.values["point_score"] for one in read_measures(made)}
    known = {key for key in before if before[key] is not None and after[key] is not None}
    assert known
    assert all(after[key] <= before[key] + 1e-9 for key in known)
    assert any(after[key] < before[key] for key in known)
    results = read_results(made)
    assert {"verdicts", "marks", "grades"} == set(results.panel.disagreement)
    share = results.panel.disagreement["verdicts"]
    assert 0 < share.low <= share.value <= share.high <= 1
    # One of the three names the first dialogue whatever is in it.
    assert results.review["panel"] >= 1


def test_leans_are_told_by_position_candidate_and_family(made):
    """Each with an interval; the judge that names the first prefers its family less than the other judges do, which see it win."""
    results = read_results(made)
    leans = {judge.partition("@")[0].partition(":")[2]: one for judge, one in results.judges.items()}
    assert leans["judge-first"].first.value == 1
    assert leans["judge"].first.value < 1
    house = leans["judge-first"].families["house"]
    assert (leans["judge-first"].family, leans["judge"].family) == ("house", "other")
    assert house.preferred.value == 0.5
    others = [leans[name].families["house"].preferred.value for name in ("judge", "judge-exact")]
    assert house.beyond.value == pytest.approx(0.5 - sum(others) / 2)
    assert house.beyond.low <= house.beyond.value <= house.beyond.high
    # The two sides of one pair.
    assert leans["judge"].families["other"].preferred.value == pytest.approx(
        1 - leans["judge"].families["house"].preferred.value
    )


def test_a_judge_that_prefers_its_own_family_is_named_before_all_figures(panel, tmp_path):
    """Surely more than the rest of its panel does: of the family that wins is the judge that sees it win."""
    houses = dict(line.split(" = ") for line in FAMILIES.split("\n") if line)
    swapped = houses | {"judge-first": '"other"', "judge": '"house"'}
    done = panel("".join(f"{name} = {family}\n" for name, family in swapped.items()))
    assert done.code == 0, done.err
    favouring = {
        one.who.partition("@")[0]: one for one in read_results(tmp_path / "r").health if one.slug == "own_family"
    }
    # The one that always names the first sees ties where the others see the family of "strong" win.
    assert favouring.keys() == {"pairwise:judge", "pairwise:judge-first"}
    assert favouring["pairwise:judge"].share.low > 0
    assert "prefers answers of its own family house by" in " ".join(done.out.partition("Win rate")[0].split())


def test_a_way_of_reducing_one_judge_is_refused(benchbar, chat_server, tmp_path):
    """Who sets it means a panel; the message says where judges are named."""
    text = _spec(chat_server.base_url, 'reduce = "majority"')
    (tmp_path / "spec.toml").write_text(
        "\n".join(line for line in text.splitlines() if not line.startswith("panel")), "utf-8"
    )
    done = benchbar("run", "spec.toml", "--out", "r", "--quiet")
    assert done.code == 2
    assert "judge.panel" in done.err
    assert "majority" in done.err

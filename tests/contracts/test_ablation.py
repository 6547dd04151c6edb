"""Ablation: grids, balanced samples, paired differences, effects and interactions, and the command that runs it."""

from __future__ import annotations

import json
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.measures.ablation import (
    balanced_sample,
    grid,
    interactions,
    main_effects,
    paired_differences,
    read_variants,
)
from benchbar.records.ablation import Variant
from benchbar.records.errors import UserError


def rng():
    return np.random.default_rng(5)


def test_a_grid_is_every_combination_and_is_named_by_what_varies():
    """Two levels by three, with a fixed part that is in no name."""
    found = grid({"rules": ["off", "keyword", "hybrid"], "guard": [True, False], "k": [1]}, {"prompt": "raw"})
    assert len(found) == 6
    assert found[0] == Variant(
        name="rules=off,guard=on", switches={"prompt": "raw", "rules": "off", "guard": True, "k": 1}
    )
    assert len({one.name for one in found}) == 6


@pytest.mark.parametrize(
    "spec",
    [{}, {"grid": {"a": [1]}, "variants": {"b": {}}}, {"grid": {"a": []}}, {"grid": {"a": [1, 1]}}, {"variants": {}}, {"grid": [1]},
     {"grid": {name: list(range(8)) for name in "abcd"}}],
)  # fmt: skip
def test_a_spec_needs_a_grid_or_a_list(spec):
    """Neither, both, empty, doubled or enormous grids are the user's to mend."""
    with pytest.raises(UserError):
        read_variants(spec)


def test_variants_take_over_what_is_fixed():
    """A variant's own switch stands above the fixed one."""
    found = read_variants({"fixed": {"prompt": "raw", "rules": "off"}, "variants": {"a": {"rules": "hybrid"}, "b": {}}})
    assert [one.switches["rules"] for one in found] == ["hybrid", "off"]


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=60), st.data())
def test_a_balanced_sample_has_equal_shares_where_there_are_enough(strata, data):
    """No stratum has more than one above another unless the other is used up; order and seed are kept."""
    items = list(enumerate(strata))
    size = data.draw(st.integers(1, len(items)))
    found = balanced_sample(items, size, lambda item: item[1], rng())
    assert found == balanced_sample(items, size, lambda item: item[1], rng())
    assert found == sorted(set(found))
    assert len(found) == size
    taken, there = Counter(item[1] for item in found), Counter(strata)
    for one in there:
        for other in there:
            assert taken[one] <= taken[other] + 1 or taken[other] == there[other]


def test_a_sample_larger_than_the_set_is_refused():
    """More items than there are cannot be drawn."""
    with pytest.raises(UserError):
        balanced_sample([1, 2], 3, lambda _: 0, rng())


def test_paired_differences_are_those_of_the_same_items():
    """The difference is the mean over items that both have; the rest is missing, and Holm covers all pairs."""
    outcomes = {
        "a": {f"i{n}": 1.0 for n in range(40)},
        "b": {f"i{n}": float(n % 2) for n in range(40)},
        "c": {f"i{n}": None if n < 10 else 1.0 for n in range(40)},
    }
    found = {one.name: one for one in paired_differences(outcomes, rng())}
    assert set(found) == {"a - b", "a - c", "b - c"}
    assert found["a - b"].difference.value == pytest.approx(0.5)
    assert found["a - b"].p_holm >= found["a - b"].p_value
    assert found["a - b"].p_holm < 0.001
    assert (found["a - c"].difference.value, found["a - c"].difference.n_missing, found["a - c"].p_value) == (
        0,
        10,
        None,
    )
    against = paired_differences(outcomes, rng(), reference="b")
    assert [one.name for one in against] == ["a - b", "c - b"]
    with pytest.raises(UserError, match="no variant"):
        paired_differences(outcomes, rng(), reference="z")


def test_small_samples_give_the_exact_permutation_p():
    """Six items that all gain: two of 64 sign patterns are as extreme."""
    outcomes = {"a": {str(n): 1.0 for n in range(6)}, "b": {str(n): 0.0 for n in range(6)}}
    assert paired_differences(outcomes, rng())[0].p_value == pytest.approx(2 / 64)


def _outcomes(variants, effect):
    noise = np.random.default_rng(1).normal(0, 0.1, size=80)
    return {one.name: {f"i{n}": effect(one.switches) + noise[n] for n in range(80)} for one in variants}


def test_effects_and_interactions_are_recovered():
    """Outcomes made as .2 a + .1 b + .05 ab give just these effects: averaged main effects and the interaction."""
    variants = grid({"a": [0, 1], "b": [0, 1], "c": ["x", "y"]})
    outcomes = _outcomes(variants, lambda s: 0.2 * s["a"] + 0.1 * s["b"] + 0.05 * s["a"] * s["b"])
    effects = {one.name: one.difference.value for one in main_effects(variants, outcomes, rng())}
    assert effects == pytest.approx({"a: 1 - 0": 0.225, "b: 1 - 0": 0.125, "c: y - x": 0.0})
    both = {one.name: one.difference.value for one in interactions(variants, outcomes, rng())}
    assert both["a: 1 - 0, with b: 1 - 0"] == pytest.approx(0.05)
    assert both["a: 1 - 0, with c: y - x"] == pytest.approx(0.0)


def test_a_list_of_variants_has_effects_only_between_neighbours():
    """Where two variants differ in two switches at once, no effect of either can be told."""
    variants = (Variant(name="one", switches={"a": 0, "b": 0}), Variant(name="two", switches={"a": 1, "b": 1}))
    outcomes = _outcomes(variants, lambda s: 0.2 * s["a"])
    assert main_effects(variants, outcomes, rng()) == ()
    assert interactions(variants, outcomes, rng()) == ()


def test_the_detectable_effect_shrinks_with_the_sample():
    """Four times the items halve what could have been missed."""
    values = np.random.default_rng(2).normal(0, 1, size=400)
    few = {"a": {str(n): values[n] for n in range(100)}, "b": {str(n): 0.0 for n in range(100)}}
    many = {"a": {str(n): values[n] for n in range(400)}, "b": {str(n): 0.0 for n in range(400)}}
    small, large = (paired_differences(one, rng())[0].detectable for one in (many, few))
    assert large / small == pytest.approx(2, rel=0.15)


CLAUSES = [
    {
        "id": "h1",
        "level": "high",
        "text": "甲方有权随时单方解除本合同，且不承担任何赔偿责任。",
        "rules": ["R1"],
        "group": "R1",
    },
    {
        "id": "m1",
        "level": "medium",
        "text": "租金可根据市场情况适当调整，以甲方通知为准。",
        "rules": ["R2"],
        "group": "R2",
    },
    {"id": "l1", "level": "low", "text": "任何一方解除合同，应当提前三十日书面通知，并依法承担责任。", "group": "R1"},
    {"id": "h2", "level": "high", "text": "押金一律不予退还，乙方放弃一切追偿权利。", "rules": ["R3"], "group": "R3"},
    {
        "id": "m2",
        "level": "medium",
        "text": "维修费用原则上由乙方承担，具体标准另行通知。",
        "rules": ["R2"],
        "group": "R2",
    },
    {"id": "l2", "level": "low", "text": "押金应当于合同终止后十日内退还，双方协商一致的除外。", "group": "R3"},
]
RULES = [
    {"id": "R1", "name": "单方解除", "keywords": ["单方解除"], "reasoning": "解除权应当对等"},
    {"id": "R2", "name": "条款不明确", "keywords": ["另行通知"], "reasoning": "价格与费用应当明确"},
    {"id": "R3", "name": "押金不退", "keywords": ["不予退还"], "reasoning": "押金应当退还"},
]


@pytest.fixture
def inputs(tmp_path):
    for name, rows in (("clauses.jsonl", CLAUSES), ("rules.jsonl", RULES)):
        (tmp_path / name).write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return [
        "--clauses",
        str(tmp_path / "clauses.jsonl"),
        "--rules",
        str(tmp_path / "rules.jsonl"),
        "--out",
        str(tmp_path / "out"),
    ]


def _run(arguments):
    from click.testing import CliRunner

    from benchbar.cli.ablate import command

    return CliRunner().invoke(command, arguments, catch_exceptions=False)


def test_the_offline_grid_runs_and_writes_its_report(inputs, tmp_path):
    """Six variants of the offline reviewer: results, timing and a page without scripts or outside addresses."""
    done = _run(["offline-contract", *inputs, "--json"])
    document = json.loads(done.stdout)
    assert len(document["results"]) == 6
    assert document["results"]["rules=hybrid,reflection=band"]["accuracy"]["n"] == 6
    assert set(document["timing"]) == set(document["results"])
    assert {table["outcome"] for table in document["contrasts"]} == {"weighted_score", "correct", "task_success"}
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "<svg" in page
    assert "<script" not in page
    # A rule of the style sheet that names a kind of link is no address.
    assert "http" not in page.replace("http-equiv", "").replace('a[href^="http"]', "")
    assert "rules=" not in page
    assert "reflection" not in page


def test_a_terminal_shows_the_best_variants_on_one_screen(inputs):
    """Best first, each with its interval, no more than a screen in 80 columns; the rest is in the report that is named."""
    done = _run(["offline-contract", *inputs, "--quiet"])
    lines = done.stdout.splitlines()
    assert "rules=" not in done.stdout
    best = [line for line in lines if line.startswith(" risk rules: ")]
    assert len(best) == 6
    values = [float(re.search(r"\d+\.\d(?= \[)", line)[0]) for line in best]
    assert values == sorted(values, reverse=True)
    assert len(lines) <= 32
    assert max(len(line) for line in lines if not line.startswith("written: ")) <= 80
    assert "report.html" in done.stdout


def test_the_same_study_gives_the_same_bytes(inputs, tmp_path):
    """Results hold no clock: a second run writes the same file."""
    _run(["offline-contract", *inputs])
    first = (tmp_path / "out" / "results.json").read_bytes()
    _run(["offline-contract", *inputs])
    assert (tmp_path / "out" / "results.json").read_bytes() == first


def test_the_four_modes_run_against_a_chat_server(inputs, review_server, tmp_path):
    """Raw, basic, workflow and optimised: a second look in the third and fourth, and each call is made once."""
    model = ["--model", "m", "--base-url", review_server.base_url]
    done = json.loads(_run(["four-modes", *inputs, *model, "--json"]).stdout)
    assert list(done["results"]) == ["1-raw", "2-basic", "3-workflow", "4-optimised"]
    assert all(one["parse_rate"]["value"] == 1 for one in done["results"].values())
    assert done["results"]["1-raw"]["calls"] == 6
    assert [done["results"][mode]["calls"] for mode in ("3-workflow", "4-optimised")] == [12, 12]
    assert done["results"]["4-optimised"]["raw_clause_hallucination"]["value"] is not None
    assert (
        sum(done["results"]["4-optimised"]["reflections"].get(name, 0) for name in ("keep", "adjust", "doubtful")) > 0
    )
    assert done["results"]["3-workflow"]["rule_recall"]["value"] > 0
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    for words in (
        "prompt: in steps",
        "second look: always",
        "excerpts not in the clause, as first given",
        "high called low",
        "no price was given",
    ):
        assert words in page
    assert not re.search(r"reflection|evidence_guard|law_context|>unparsed<", page)
    sent = review_server.requests
    again = json.loads(_run(["four-modes", *inputs, *model, "--json"]).stdout)
    assert review_server.requests == sent
    again.pop("timing"), done.pop("timing")
    assert again == done


def test_the_full_grid_runs_against_a_chat_server(inputs, review_server, tmp_path):
    """Eight variants, three main effects before the 28 pairs, which are folded; raw and guarded hallucination stand side by side."""
    model = ["--model", "m", "--base-url", review_server.base_url]
    done = json.loads(_run(["workflow-grid", *inputs, *model, "--json"]).stdout)
    assert len(done["results"]) == 8
    table = done["contrasts"][0]
    assert [len(table[name]) for name in ("main_effects", "interactions", "pairs")] == [3, 3, 28]
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert page.index("main effects") < page.index(": variants: 28")
    rows = re.findall(r'<th scope="row">(excerpts not in the clause[^<]*)', page)
    assert [one for one in rows if "first" in one]
    assert [one for one in rows if "after" in one]


def test_variants_that_ask_the_same_share_the_call(inputs, review_server, tmp_path):
    """Two variants with the same prompt differ after the reply: one request serves both."""
    spec = tmp_path / "shared.toml"
    spec.write_text(
        'name = "shared"\n[grid]\nreflection = ["off"]\ntop_k = [1]\nskip_reflection_at = [0.1, 0.2]\nrules = ["off"]\n'
    )
    _run([str(spec), *inputs, "--model", "m", "--base-url", review_server.base_url])
    assert review_server.requests == len(CLAUSES)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = 1", "Expected `str`"),
        ("surprise = 1", "surprise"),
        ("= nonsense", "TOML"),
        ('[grid]\nrules = ["sometimes"]', "sometimes"),
        ("[grid]\nflavour = [1, 2]", "flavour"),
        ('kind = "other"\n[grid]\nrules = ["off"]', "other"),
        ('[generator]\nkind = "psychic"\n[grid]\nrules = ["off"]', "psychic"),
        ('clauses = "nowhere.jsonl"\n[grid]\nrules = ["off"]', "nowhere"),
    ],
)
def test_a_bad_spec_is_refused_with_what_is_wrong(inputs, tmp_path, text, says):
    """Unknown fields, switches, kinds and files are named."""
    spec = tmp_path / "bad.toml"
    spec.write_text(text)
    given = inputs if "nowhere" not in text else inputs[2:]
    with pytest.raises(UserError, match=says):
        _run([str(spec), *given])


def test_an_unknown_spec_is_answered_with_the_bundled_ones():
    """A name that is no file and no bundled spec."""
    with pytest.raises(UserError, match="four-modes, law-practice, offline-contract, rag-retrieval, retrieval"):
        _run(["no-such-spec"])


def test_an_assistants_settings_are_varied_in_consultations(tmp_path):
    """One, or three quoted articles: the same samples are consulted about, and point scores are compared in pairs."""
    spec = tmp_path / "articles.toml"
    spec.write_text(
        'name = "articles"\nkind = "consultation"\nlimit = 12\nreference = "one"\n[assistant]\nkind = "law-practice"\n'
        '[variants.one]\n"retrieval.law" = { k = 1, fetch_k = 5, weight = 1.0 }\n[variants.three]\n"retrieval.law" = { k = 3, fetch_k = 9, weight = 1.0 }\n'
    )
    document = json.loads(_run([str(spec), "--out", str(tmp_path / "out"), "--json"]).stdout)
    assert document["samples"] == 12
    assert list(document["results"]) == ["one", "three"]
    assert document["results"]["one"]["point_score"]["n"] > 0
    assert [one["name"] for one in document["contrasts"][0]["pairs"]] == ["three - one"]
    assert "guidance met" in (tmp_path / "out" / "report.html").read_text("utf-8")


def test_settings_of_an_assistant_are_laid_over_by_name():
    """A dot reaches into a table of settings; the spec's own table stays as it was."""
    from benchbar.runs.spec_reading import settings_with

    settings = {"kind": "x", "retrieval": {"mmr": True}}
    assert settings_with(settings, {"retrieval.fusion": False, "budget": 3}) == {
        "kind": "x", "retrieval": {"mmr": True, "fusion": False}, "budget": 3,
    }  # fmt: skip
    assert settings == {"kind": "x", "retrieval": {"mmr": True}}


@pytest.mark.parametrize(
    ("language", "name", "said"),
    [
        ("en", "rules=hybrid,reflection=band", "risk rules: hybrid search, second look: where in doubt"),
        (
            "en",
            "rules=off,reflection=off - rules=hybrid,reflection=off",
            "risk rules: off, second look: off − risk rules: hybrid search, second look: off",
        ),
        ("ru", "rules: hybrid - off", "правила риска: гибридный поиск − нет"),
        ("zh", "evidence_guard=true,retrieval.mmr=false", "证据校验：有，段落多样性：无"),
        (
            "en",
            "rules: hybrid - off, with reflection: band - off",
            "risk rules: hybrid search − off, with second look: where in doubt − off",
        ),
        ("en", "3-workflow", "3-workflow"),
        ("en", "my_switch=7", "my_switch=7"),
    ],
)
def test_variants_are_named_in_words_and_own_names_stay(language, name, said):
    """Every switch and setting of the bundled studies has a label in every language; what has none stands as it was given."""
    from benchbar.languages.packs import labels
    from benchbar.reports.switch_words import variant_in_words

    assert variant_in_words(name, labels(language)) == said


def test_every_switch_of_the_reviewer_and_every_setting_has_a_label():
    """In all languages: no page may show a raw key."""
    from typing import get_args, get_type_hints

    from benchbar.contracts.switches import Switches
    from benchbar.languages.packs import known, labels

    hints = get_type_hints(Switches)
    for language in known():
        say = labels(language)
        assert set(hints) <= set(say.section("switch"))
        assert {value for hint in hints.values() for value in get_args(hint)} <= set(say.section("setting"))

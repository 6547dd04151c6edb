"""A rater who differs from all others, among people who do not."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from benchbar.statistics.anomalous import rater_tests


def people(generator: np.random.Generator, items: int, odd=lambda value, _: value) -> list[dict[str, float]]:
    """Three people who see the same worth with noise; what the third one says of it is ``odd``."""
    rows = []
    for _ in range(items):
        worth = generator.uniform(0.3, 0.7)
        marks = np.clip(worth + generator.normal(0, 0.08, 3), 0, 1)
        rows.append({"anna": marks[0], "bo": marks[1], "cy": float(odd(marks[2], generator))})
    return rows


def test_p_values_are_those_of_all_exchanges():
    """Five items of three marks: all 3^5 choices of one mark each, against 40,000 drawn ones; Holm over six tests."""
    rows = [dict(zip("abc", marks, strict=True)) for marks in product((0.1, 0.4), (0.5,), (0.9, 0.7))]
    rows.append({"a": 0.2, "b": 0.3, "c": 1.0})
    gaps = [[one - (sum(row.values()) - one) / 2 for one in row.values()] for row in rows]
    sums = [(abs(sum(pick)), sum(map(abs, pick))) for pick in product(*gaps)]
    exact = {}
    for place, rater in enumerate("abc"):
        own = [gap[place] for gap in gaps]
        exact[rater, "p_leaning"] = np.mean([one >= abs(sum(own)) - 1e-9 for one, _ in sums])
        exact[rater, "p_distance"] = np.mean([one >= sum(map(abs, own)) - 1e-9 for _, one in sums])
    _, adjusted, *_ = multipletests(list(exact.values()), method="holm")
    found = rater_tests(rows, np.random.default_rng(1), draws=40_000)
    drawn = {(one.rater, kind): getattr(one, kind) for one in found for kind in ("p_leaning", "p_distance")}
    assert [drawn[key] for key in exact] == pytest.approx(adjusted.tolist(), abs=0.02)
    assert found[2].leaning == pytest.approx(np.mean([gap[2] for gap in gaps]))


def test_a_strict_rater_and_a_careless_one_are_found_and_nobody_else():
    """One who takes off a fifth leans; one who guesses is far from all, and leans nowhere."""
    generator = np.random.default_rng(2)
    strict = {one.rater: one for one in rater_tests(people(generator, 30, lambda value, _: value - 0.2), generator)}
    assert strict["cy"].p_leaning < 0.01
    assert strict["cy"].leaning < -0.1
    careless = {
        one.rater: one for one in rater_tests(people(generator, 40, lambda _, chance: chance.random()), generator)
    }
    assert careless["cy"].p_distance < 0.01
    assert careless["anna"].p_distance > 0.05


def test_among_equal_raters_an_alarm_is_rare():
    """200 teams of three equal people: at most 5% of them have any alarm, but for chance."""
    generator = np.random.default_rng(3)
    alarms = sum(
        any(
            min(one.p_distance, one.p_leaning) <= 0.05
            for one in rater_tests(people(generator, 12), generator, draws=1000)
        )
        for _ in range(200)
    )
    assert alarms / 200 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


def test_of_two_people_it_cannot_be_told_who_is_far_from_whom():
    """Their distance is the same; who is stricter than the other is found of both."""
    rows = [{"anna": 0.8, "bo": 0.5} for _ in range(12)]
    found = rater_tests(rows, np.random.default_rng(4))
    assert all(one.p_distance == 1.0 for one in found)
    assert all(one.p_leaning < 0.05 for one in found)


def test_few_shared_items_say_nothing():
    """Below five there is no test."""
    assert rater_tests([{"anna": 0.0, "bo": 1.0}] * 4, np.random.default_rng(5)) == []

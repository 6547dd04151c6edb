"""`benchbar stats power --run`: whether more samples or more repeats buy more, from a run's own parts and prices."""

from __future__ import annotations

import json
from math import sqrt

import pytest

import benchbar as library
from support.run_spec import trials


@pytest.fixture(scope="module")
def folder(shared_chat_server, tmp_path_factory):
    """A run of three trials behind a real server, of an assistant that varies and a judge that wavers."""
    out = tmp_path_factory.mktemp("runs") / "r"
    library.run(trials(shared_chat_server, repeats=3, judged=2, limit=11), out=out)
    return out


def planned(benchbar, folder, *more: str) -> dict:
    done = benchbar("stats", "power", "--run", str(folder), "--json", *more)
    assert done.code == 0, done.err
    return json.loads(done.out)


@pytest.mark.slow
def test_the_errors_are_those_of_the_formula(benchbar, folder):
    """Written out by hand from the parts and prices that are printed beside them."""
    found = planned(benchbar, folder, "--question-cost", "0.01")
    noise, prices, design = found["noise"], found["prices"], found["design"]
    assert design == {"samples": 11, "trials": 3, "runs": 2}

    def error(samples: int, trials: int) -> float:
        return sqrt((noise["sample"] + (noise["answer"] + noise["mark"] / 2) / trials) / samples)

    trial = prices["answer"] + 2 * prices["mark"]
    assert found["standard_error"] == pytest.approx(error(11, 3))
    assert found["one_more_trial"] == pytest.approx(error(11, 4))
    assert found["further_cost"] == pytest.approx(11 * trial)
    more = int(11 * trial / (0.01 + 3 * trial))
    assert found["same_money_in_samples"]["samples"] == 11 + more
    assert found["same_money_in_samples"]["standard_error"] == pytest.approx(error(11 + more, 3))


def test_what_buys_more_turns_at_the_stated_price(benchbar, folder):
    """Below it samples, well above it repeats."""
    price = planned(benchbar, folder)["repeats_buy_more_above"]
    cheap = benchbar("stats", "power", "--run", str(folder))
    dear = benchbar("stats", "power", "--run", str(folder), "--question-cost", str(100 * price + 1))
    assert "more samples" in cheap.out
    assert "more repeats" in dear.out


def test_prices_are_those_that_the_run_paid(benchbar, folder):
    """Questions are free unless said; answers and marks add up to what the assistants and the judge cost."""
    results = json.loads((folder / "results.json").read_text("utf-8"))
    prices = planned(benchbar, folder, "--measure", "win_rate")["prices"]
    assert prices["sample"] == 0
    assert prices["answer"] * 33 == pytest.approx(results["assistants"]["varies"]["cost"])
    assert prices["mark"] * 2 * 33 * 2 == pytest.approx(results["spending"]["judge"]["cost"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("--measure", "turns"), "turns"), (("--assistant", "nobody"), "nobody")],
)
def test_what_a_run_does_not_have_is_refused(benchbar, folder, arguments, message):
    """With what it has."""
    done = benchbar("stats", "power", "--run", str(folder), *arguments)
    assert done.code == 2
    assert message in done.err
    assert "known:" in done.err

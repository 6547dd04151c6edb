"""The mean over tasks where samples belong together, within a task and over several tasks."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import fractional_matrix_power

from benchbar.statistics import OrderedOutcome, macro_win_rate, position_test, win_rate
from benchbar.statistics.macro import _joint_error
from benchbar.statistics.orders import clustered_sign_test, sign_test


def by_matrices(values: np.ndarray, tasks: np.ndarray, codes: np.ndarray) -> tuple[float, float]:
    """CR2 and Satterthwaite's degrees of freedom of the mean coefficient of a regression on task dummies."""
    design = (tasks[:, None] == np.unique(tasks)).astype(float)
    bread = np.linalg.inv(design.T @ design)
    hat = design @ bread @ design.T
    rest = np.eye(len(values)) - hat
    wanted = np.full(design.shape[1], 1 / design.shape[1])
    total, columns = 0.0, []
    for code in np.unique(codes):
        own = codes == code
        adjusted = fractional_matrix_power(np.eye(own.sum()) - hat[np.ix_(own, own)], -0.5).real
        contrast = adjusted @ design[own] @ bread @ wanted
        total += (contrast @ (rest @ values)[own]) ** 2
        columns.append(rest[:, own] @ contrast)
    inner = np.array(columns) @ np.array(columns).T
    return sqrt(total), float(np.trace(inner) ** 2 / (inner**2).sum())


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(3, 7))
def test_the_joint_error_equals_its_general_form_for_a_regression_on_tasks(seed, tasks, documents):
    """Documents that reach over several tasks, of any sizes: error and degrees of freedom to 1e-8."""
    generator = np.random.default_rng(seed)
    task = np.repeat(np.arange(tasks), 3 * documents)
    # Two documents at least in each task: of a single one nothing could be said.
    code = np.concatenate([np.r_[[0, 1], generator.integers(0, documents, 3 * documents - 2)] for _ in range(tasks)])
    values = generator.random(len(task)) * 0.3 + generator.random(documents)[code] * 0.7
    error, degrees = by_matrices(values, task, code)
    found = _joint_error(
        {str(one): values[task == one] for one in range(tasks)},
        {str(one): code[task == one].tolist() for one in range(tasks)},
    )
    assert found.degrees == pytest.approx(degrees, rel=1e-8)
    if found.ratio > 1:
        assert found.standard_error == pytest.approx(error, rel=1e-8)
    else:
        assert found.standard_error >= error * (1 - 1e-8)


def test_documents_over_several_tasks_widen_both_averages():
    """The same twelve documents in four tasks: what is good of one task is good of all, so that they tell little more."""
    generator = np.random.default_rng(2)
    good = generator.random(12)
    outcomes = {str(task): (generator.random(12) < good).astype(float) for task in range(4)}
    names = {str(task): list(range(12)) for task in range(4)}
    apart = macro_win_rate(outcomes, clusters={task: [(task, one) for one in range(12)] for task in outcomes})
    joint = macro_win_rate(outcomes, clusters=names)
    for one, two in zip(apart, joint, strict=True):
        assert one.value == two.value
        assert two.high - two.low > 1.1 * (one.high - one.low)
        assert two.method.endswith("clusters over several tasks")


def test_of_one_task_the_average_is_its_win_rate():
    """Value, interval and error are those of the clustered rate."""
    values, names = [1.0, 1.0, 0.5, 0.0, 1.0, 0.0, 1.0, 0.5], list("aabbccdd")
    these, _ = macro_win_rate({"t": values}, clusters={"t": names})
    rate = win_rate(values, clusters=names)
    assert (these.value, these.low, these.high) == pytest.approx((rate.value, rate.low, rate.high))
    assert these.standard_error == pytest.approx(rate.standard_error)


def test_a_task_of_one_document_leaves_no_interval():
    """What other documents would give there is not known, however many samples there are."""
    these, _ = macro_win_rate({"a": [1.0, 0.0] * 8, "b": [1.0, 0.0]}, clusters={"a": list(range(16)), "b": ["x", "x"]})
    assert these.value == 0.5
    assert these.low is None
    assert "interval is undefined" in these.reason


@pytest.mark.parametrize("spread", [False, True])
def test_the_average_covers_nine_times_in_ten_and_more(spread):
    """300 suites of five tasks over the same ten documents, truth .5: at least 92% of the 95% intervals hold it."""
    generator, held = np.random.default_rng(11), 0
    for _ in range(300):
        good = generator.beta(2, 2, 10)
        outcomes, names = {}, {}
        for task in range(5):
            documents = generator.integers(0, 10, 20) if spread else np.arange(20) % 10
            outcomes[str(task)] = (generator.random(20) < good[documents]).astype(float)
            names[str(task)] = documents.tolist()
        these, _ = macro_win_rate(outcomes, clusters=names)
        held += these.low <= 0.5 <= these.high
    assert held / 300 >= 0.92


def verdicts(first: int, second: int, neither: int) -> list[OrderedOutcome]:
    """Samples whose verdict names the first dialogue in both orders, the second, or keeps to one assistant."""
    return (
        [OrderedOutcome(1.0, 0.0)] * first + [OrderedOutcome(0.0, 1.0)] * second + [OrderedOutcome(1.0, 1.0)] * neither
    )


@given(st.integers(0, 12), st.integers(0, 12))
def test_clusters_of_one_sample_give_the_sign_test(first, second):
    """All patterns of signs are counted either way."""
    signs = [1] * first + [-1] * second + [0]
    own = clustered_sign_test(signs, range(len(signs)))
    assert own == (None if not first + second else pytest.approx(sign_test(first, second)))


def test_the_position_test_flips_whole_documents():
    """Twenty verdicts for the first place of four documents are four signs: p is 2/2^4, and the share is of four units."""
    alike = [place // 5 for place in range(20)]
    found = position_test(verdicts(20, 0, 0), clusters=alike)
    assert found.p_value == 2 / 2**4
    assert position_test(verdicts(20, 0, 0)).p_value == pytest.approx(2 / 2**20)
    assert found.inconsistency.effective_n == 4
    assert found.first_share.effective_n == 4
    mixed = position_test(verdicts(10, 10, 4), clusters=[*range(10), *range(10), *"abcd"])
    assert (mixed.always_first, mixed.always_second, mixed.p_value) == (10, 10, 1.0)


def test_of_thousands_of_documents_the_normal_distribution_serves():
    """Beyond 2,000 clusters that lean, p is that of a normal sum, to three digits."""
    signs = [1] * 1060 + [-1] * 960
    assert clustered_sign_test(signs, range(2020)) == pytest.approx(sign_test(1060, 960), abs=2e-3)

"""Numbers that can be believed: estimates with intervals, from plain sequences, with the generator passed in.

None stands for a missing value and nothing else does. Every result is an
:class:`~benchbar.records.Estimate`, or a named tuple of them; what cannot be computed has a reason in the
place of a value.
"""

from benchbar.statistics.correlation import pearson, spearman
from benchbar.statistics.means import mean
from benchbar.statistics.orders import (
    OrderedOutcome,
    PositionTest,
    averaged,
    outcomes_by_sample,
    position_test,
    sign_test,
)
from benchbar.statistics.proportions import proportion, share, upper_bound_of_failures
from benchbar.statistics.winrate import (
    MacroWinRate,
    macro_of_rates,
    macro_win_rate,
    paired_difference,
    win_rate,
)

__all__ = [
    "MacroWinRate",
    "OrderedOutcome",
    "PositionTest",
    "averaged",
    "macro_of_rates",
    "macro_win_rate",
    "mean",
    "outcomes_by_sample",
    "paired_difference",
    "pearson",
    "position_test",
    "proportion",
    "share",
    "sign_test",
    "spearman",
    "upper_bound_of_failures",
    "win_rate",
]

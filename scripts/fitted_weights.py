"""What the fitting scripts keep of a logistic regression over standardised features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from benchbar.retrieval import expansion
from benchbar.retrieval.learned import LogisticWeights

if TYPE_CHECKING:
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler


def weights_of(
    scaler: StandardScaler, model: LogisticRegression, features: Sequence[str], source: str
) -> LogisticWeights:
    """The weights as the package ships them: six digits are more than the questions can tell apart."""
    return LogisticWeights(
        version="1",
        features=tuple(features),
        means=tuple(round(float(x), 6) for x in scaler.mean_),
        scales=tuple(round(float(x), 6) for x in scaler.scale_),
        coefficients=tuple(round(float(x), 6) for x in model.coef_[0]),
        intercept=round(float(model.intercept_[0]), 6),
        fitted_on=source,
    )


KEPT = 0.4
"""Share of the lines of the map that a question keeps where the map is thinned: chosen beforehand, not fitted."""
_WHOLE = expansion.concepts


def thinned(question: str, language: str) -> list[expansion.Concept]:
    """The lines of the map of everyday words that a question calls up, less most of them: the same ones each time."""
    generator = np.random.default_rng([0, *question.encode()[:60]])
    return [one for one in _WHOLE(question, language) if generator.random() < KEPT]

"""What the fitting scripts keep of a logistic regression over standardised features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

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

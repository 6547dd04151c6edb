"""What text-embeddings-inference answers under ``/tei/MODEL``: ``/predict`` for pairs of texts, ``/info``, and its ways to refuse.

Forms and states are those of its OpenAPI document: errors are ``{"error": …, "error_type": …}`` with 413 for too long or too many
inputs, 422 of the tokenizer, 424 of the backend and 429 where it is overloaded.
"""

from __future__ import annotations

import math
import re

LONGEST = 400
"""Characters of a pair that ``nli-short`` takes at most."""
MOST = 4
"""Pairs of one request that ``nli-few`` takes at most."""
LABELS = ("entailment", "neutral", "contradiction")
NAMES = {"nli-numbered": {"entailment": "LABEL_0", "neutral": "LABEL_1", "contradiction": "LABEL_2"}}
_ZH = {"三十日": "30", "三十天": "30", "九十天": "90"}


def numbers(text: str) -> set[str]:
    for words, digits in _ZH.items():
        text = text.replace(words, digits)
    return set(re.findall(r"\d+", text))


def probabilities(premise: str, hypothesis: str) -> dict[str, float]:
    """A model that looks at numbers alone: those of the hypothesis stand in the premise, or others do, or there are none."""
    mine, theirs = numbers(hypothesis), numbers(premise)
    raised = {
        "entailment": 5.0 if mine and mine <= theirs else 1.0,
        "neutral": 3.0 if not mine else 0.0,
        "contradiction": 5.0 if mine - theirs and theirs else 0.0,
    }
    # The longer the hypothesis, the less sure.
    sharp = 1.0 / (1 + len(hypothesis) / 400)
    total = sum(math.exp(sharp * one) for one in raised.values())
    return {label: math.exp(sharp * one) / total for label, one in raised.items()}


def info(model: str) -> dict[str, object]:
    """What is served."""
    served = "somebody/else" if model == "nli-other" else model
    kind = (
        {"embedding": {"pooling": "mean"}}
        if model == "nli-embedding"
        else {"classifier": {"id2label": {}, "label2id": {}}}
    )
    return {"model_id": served, "served_model_name": served, "model_type": kind, "max_client_batch_size": 32}


def predicted(model: str, asked: dict[str, object]) -> tuple[object, int]:
    """Body and status of the answer to one request; the model's name says what is wrong with it."""
    pairs = asked["inputs"]
    if model == "nli-few" and len(pairs) > MOST:
        return {
            "error": f"batch size {len(pairs)} > maximum allowed batch size {MOST}",
            "error_type": "Validation",
        }, 413
    if model == "nli-short" and any(len(one) + len(other) > LONGEST for one, other in pairs):
        return {
            "error": "Input validation error: `inputs` must have less than 512 tokens",
            "error_type": "Validation",
        }, 413
    if model == "nli-backend":
        return {"error": "Inference failed", "error_type": "Backend"}, 424
    names = NAMES.get(model, {})
    rows = [
        sorted(
            ({"label": names.get(label, label), "score": score} for label, score in probabilities(*pair).items()),
            key=lambda one: -one["score"],
        )
        for pair in pairs
    ]
    if model == "nli-short-of-one":
        rows = rows[1:]
    elif model == "nli-raw":
        rows[0][0]["score"] = 7.5
    elif model == "nli-twice":
        rows[0][1]["label"] = rows[0][0]["label"]
    elif model == "nli-two-classes":
        rows = [[{"label": "entailment", "score": 0.6}, {"label": "not_entailment", "score": 0.4}] for _ in rows]
    return rows, 200

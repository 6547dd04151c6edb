"""Sentences written to mislead a rule, and plain ones beside them: the words on both sides have to affirm what counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.rule_values import value

GROUPS = [json.loads(line) for line in Path(__file__).with_name("traps.jsonl").read_text("utf-8").splitlines()]
MISLED = {
    "See section 9 of the Wills Act 1837 for a different issue.",
    "Within six years of the marriage you may annul it; this is another matter: three.",
    "Three years plus three more after the acknowledgment.",
    "Согласно ст. 1064 ГК РФ, о которой пишет сосед, вы ничего не получите: это не она.",
    "Это крайняя необходимость в представлении обвиняемого.",
    "按盗窃罪处理就冤枉他了。",
    "诉讼时效为三年的规定已是老黄历。",
}
"""The sentences that still mislead a rule: it takes the sense of the rest of the sentence to see it."""


def name(group: dict) -> str:
    return f"{group['language']}-{group['kind']}-{'met' if group['mark'] else 'not-met'}"


@pytest.mark.parametrize("group", GROUPS, ids=name)
def test_a_trap_is_left_or_seen_through(group):
    """Each reply is marked as it should be, or not at all; what is known to mislead is listed, so that mending shows."""
    marks = {
        reply: value(group["kind"], group["text"], reply, language=group["language"], **group.get("bounds", {}))
        for reply in group["replies"]
    }
    assert {reply for reply, mark in marks.items() if mark not in {None, group["mark"]}} == MISLED & set(marks)


def test_plain_answers_among_them_are_decided():
    """A rule that abstains from everything would pass the test above."""
    plain = [(group, reply) for group in GROUPS if group["mark"] for reply in group["replies"]]
    decided = [
        value(group["kind"], group["text"], reply, language=group["language"], **group.get("bounds", {}))
        for group, reply in plain
    ]
    assert sum(mark == 1.0 for mark in decided) >= 95

"""Damaged files of every kind end in a sample set or in a sentence that names the file: never in a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from benchbar.assistants.recorded import RecordedAnswers
from benchbar.decisions.policy import policy_named
from benchbar.records.errors import UserError
from benchbar.runs.spec_reading import read_spec
from benchbar.suites.load import load
from support.ucl_clone import data
from support.workbook import workbook

JSONL = "".join(
    json.dumps(
        {"id": f"s{n}", "task": "4-3", "needs": "我能拿回定金吗？", "guidance": "必须提及：定金", "on": "2024-06-01"},
        ensure_ascii=False,
    )
    + "\n"
    for n in range(3)
)
SPEC = 'reference = "a"\nlimit = 1\n[assistants.a]\nkind = "closed-book"\n[limits]\nmax_cost = 1.5\n[simulator]\nkind = "agenda"\n'
POLICY = 'name = "p"\nminimum_n = 30\n[at_least]\noverall = 0.85\n[[never]]\nmeasure = "forbidden_said"\nabove = 0\n'
READERS: dict[str, tuple[bytes, Callable[[Path], object]]] = {
    "q.csv": ("id,task,needs,guidance\na,4-3,我能拿回定金吗？,必须提及：定金\n".encode(), lambda path: load(str(path))),
    "q.jsonl": (JSONL.encode(), lambda path: load(str(path))),
    "q.json": (json.dumps([json.loads(line) for line in JSONL.splitlines()]).encode(), lambda path: load(str(path))),
    "q.xlsx": (
        workbook({"Sheet": [["question", "answer:bot"], ["Can I get my deposit back?", "Yes."]]}),
        lambda path: load(str(path)),
    ),
    "ucl.json": (json.dumps(data(1), ensure_ascii=False).encode(), lambda path: load(f"ucl-bench:{path}")),
    "answers.jsonl": (
        b'{"sample": "a", "answer": "x"}\n{"sample": "b", "turns": [{"role": "user", "content": "x"}]}\n',
        RecordedAnswers,
    ),
    "spec.toml": (SPEC.encode(), lambda path: read_spec(path, {}, ())),
    "policy.toml": (POLICY.encode(), lambda path: policy_named(str(path), path.parent)),
}
PIECES = [
    b"",
    b"\0",
    b"\xff",
    b"{",
    b"]",
    b'"',
    b",",
    b"\n",
    b"null",
    b"1e999",
    b"-1",
    b"[[[[",
    "\u202e定".encode(),
    b"=cmd()",
    b"true",
]
MUTATIONS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(PIECES)), min_size=1, max_size=4)


def damaged(whole: bytes, mutations: list[tuple[float, int, bytes]]) -> bytes:
    """The bytes with some of them replaced: at a place, so many, by a piece."""
    for share, count, piece in mutations:
        place = int(share * len(whole))
        whole = whole[:place] + piece + whole[place + count :]
    return whole


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_read_or_refused_in_a_sentence(name, tmp_path):
    """300 damages of each kind of file, the same in every run."""
    whole, read = READERS[name]
    path = tmp_path / name

    @seed(17)
    @settings(max_examples=300, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(mutations=MUTATIONS)
    def each(mutations):
        path.write_bytes(damaged(whole, mutations))
        try:
            assert read(path) is not None
        except UserError as error:
            told = str(error)
            assert 10 < len(told) < 4000, told
            assert "\n  File " not in told

    each()

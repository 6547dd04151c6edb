"""What the ledger keeps small it gives back to the letter."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.ledger.packing import grew_from, pack_request, seal, seal_of_all, unpack, unpack_request
from benchbar.ledger.records import LONGEST_CHAIN, Near, Scope

near = st.lists(
    st.tuples(st.binary(min_size=20, max_size=20), st.binary(max_size=200)), max_size=3, unique_by=lambda one: one[0]
)


@given(st.text(max_size=400), near)
def test_a_request_comes_back_whatever_it_was_kept_against(text, before):
    """It names the calls that it needs, and no others."""
    texts = dict(before)
    packed = pack_request(text.encode(), [Near(key, data) for key, data in before])
    assert unpack_request(packed, texts.__getitem__) == text.encode()
    assert set(grew_from(packed)) == set(texts)


def test_what_was_said_before_costs_next_to_nothing():
    """A talk of ten turns is kept once: the request after it takes a fifth of what it would on its own."""
    talk = "".join(f"{n * 7919 % 1000}号事项：{chr(0x4E00 + n * 31)}" * 3 for n in range(200)).encode()
    alone, kept = pack_request(talk + b"new", ()), pack_request(talk + b"new", [Near(bytes(20), talk)])
    assert len(kept) < len(alone) / 5


@given(st.binary(max_size=60))
def test_damage_is_an_error_and_nothing_else(data):
    """Neither a crash nor a wrong text."""
    with pytest.raises((zlib.error, KeyError)):
        unpack_request(data, {}.__getitem__)


def test_records_of_older_ledgers_are_read():
    """They were compressed without the common frame."""
    assert unpack(zlib.compress(b'{"status":"ok"}', 6)) == b'{"status":"ok"}'


@given(st.lists(st.text(max_size=8), max_size=6))
def test_the_seal_of_many_names_is_that_of_all_at_once(names):
    """Only that they need not be in memory together."""
    assert seal_of_all(names) == seal(*names)


def test_a_long_dialogue_is_written_out_whole_now_and_then():
    """So that no request takes hundreds of others to be read."""
    scope, kept = Scope("s"), []
    for number in range(3 * LONGEST_CHAIN):
        scope.keys.append(bytes([number]) * 20)
        kept.append(len(scope.against("assistant")))
        scope.answered(Near(scope.keys[-1], b"text"))
    assert kept.count(0) >= 3
    assert max(kept) == 2

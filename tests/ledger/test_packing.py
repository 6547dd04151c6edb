"""What the ledger keeps small it gives back to the letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchbar.ledger.calls import LONGEST_CHAIN, Ancestor, Scope, TornError
from benchbar.ledger.packing import (
    AnswerPacking,
    Unordered,
    grew_from,
    pack_request,
    pack_text,
    seal,
    unpack,
    unpack_request,
)
from benchbar.records import encode

ancestors = st.lists(
    st.tuples(st.binary(min_size=20, max_size=20), st.binary(max_size=200)), max_size=3, unique_by=lambda one: one[0]
)


@given(st.text(max_size=400), ancestors)
def test_a_request_comes_back_whatever_it_was_kept_against(text, before):
    """It names the calls that it needs, and no others."""
    texts = dict(before)
    packed = pack_request(text.encode(), [Ancestor(key, data) for key, data in before])
    assert unpack_request(packed, texts.__getitem__) == text.encode()
    assert set(grew_from(packed)) == set(texts)


def test_what_was_said_before_costs_next_to_nothing():
    """A talk of ten turns is kept once: the request after it takes a fifth of what it would on its own."""
    talk = "".join(f"{n * 7919 % 1000}号事项：{chr(0x4E00 + n * 31)}" * 3 for n in range(200)).encode()
    alone, kept = pack_request(talk + b"new", ()), pack_request(talk + b"new", [Ancestor(bytes(20), talk)])
    assert len(kept) < len(alone) / 5


@given(st.binary(max_size=60))
def test_damage_is_an_error_and_nothing_else(data):
    """Neither a crash nor a wrong text."""
    with pytest.raises((TornError, KeyError)):
        unpack_request(data, {}.__getitem__)


def test_records_of_ledgers_before_schema_4_are_refused():
    """They were zlib streams; the message says so, and no dictionary is searched for."""
    with pytest.raises(TornError, match="before schema 4"):
        unpack(b"\x78\x9c and so on")


class Kept:
    """What a ledger says of itself, in memory."""

    def __init__(self) -> None:
        self.meta: dict[str, bytes] = {}

    def offer_meta(self, name: str, value: bytes) -> bytes:
        return self.meta.setdefault(name, value)

    def rows(self, _query: str, names: tuple[str, ...] = ()):
        yield from ((name, self.meta[name], seal(name, self.meta[name])) for name in names if name in self.meta)


def answers(count: int) -> list[str]:
    """Answers that have whole sentences in common, as those of one model about one field of law have."""
    sentences = ["".join(chr(0x4E00 + (n * 389 + at * 7919) % 5000) for at in range(30)) for n in range(300)]
    return ["".join(sentences[(n * n + at * at * 7) % 300] for at in range(15)) for n in range(count)]


def test_answers_are_kept_against_the_first_ones_of_their_ledger():
    """The later ones take half the room, and whoever opens the ledger reads all of them."""
    kept, texts = Kept(), answers(300)
    packing = AnswerPacking(kept)
    packed = [packing.pack(text) for text in texts]
    assert [AnswerPacking(kept).unpack(one) for one in packed] == [encode(text) for text in texts]
    assert 2 * sum(map(len, packed[-50:])) < sum(map(len, packed[:50]))


def test_damage_to_one_copy_of_the_frame_costs_nothing():
    """The other one is read; without both an answer is an error that says so."""
    kept = Kept()
    packing = AnswerPacking(kept)
    packed = [packing.pack(text) for text in answers(300)][-1]
    whole = packing.unpack(packed)

    def rows(_query: str, names: tuple[str, ...] = ()):
        yield names[0], b"torn", b"seal of another"
        yield names[1], kept.meta[names[1]], seal(names[1], kept.meta[names[1]])

    kept.rows = rows
    assert AnswerPacking(kept).unpack(packed) == whole
    with pytest.raises(TornError, match="dictionary"):
        AnswerPacking(Kept()).unpack(packed)


def test_a_frame_that_was_kept_once_is_kept_twice_by_whoever_goes_on():
    """Its writer was ended between the two."""
    kept = Kept()
    packing = AnswerPacking(kept)
    packed = [packing.pack(text) for text in answers(300)][-1]
    del kept.meta["frame"]
    AnswerPacking(kept).pack("more")
    assert kept.meta["frame"] == kept.meta["frame_copy"]
    assert AnswerPacking(kept).unpack(packed) == packing.unpack(packed)


def test_two_who_write_one_ledger_use_one_frame():
    """The packing of whoever has it first is that of both."""
    kept = Kept()
    one, other = AnswerPacking(kept), AnswerPacking(kept)
    texts = answers(600)
    packed = [
        writer.pack(text)
        for pair in zip(texts[:300], texts[300:], strict=True)
        for writer, text in zip((one, other), pair, strict=True)
    ]
    assert {AnswerPacking(kept).unpack(data) for data in packed} == {encode(text) for text in texts}


@given(st.lists(st.binary(max_size=8), max_size=6), st.randoms())
def test_the_digest_of_many_texts_is_that_of_all_in_any_order(texts, chance):
    """A text less, or another one, changes it."""
    digest = Unordered(texts).digest()
    chance.shuffle(texts)
    assert Unordered(texts).digest() == digest
    assert Unordered([*texts, b"one more"]).digest() != digest


def test_a_long_dialogue_is_written_out_whole_now_and_then():
    """So that no request takes hundreds of others to be read."""
    scope, kept = Scope("s"), []
    for number in range(3 * LONGEST_CHAIN):
        scope.keys.append(bytes([number]) * 20)
        kept.append(len(scope.against("assistant")))
        scope.answered(Ancestor(scope.keys[-1], b"text"))
    assert kept.count(0) >= 3
    assert max(kept) == 2


AS_WRITTEN = {
    "a request with its ancestor": "c1000102030405060708090a0b0c0d0e0f1011121328b52ffd20610d010098efbc8ce5a682e4bb8ae58f88e997ae227d5d7d044000510099126fa420e30a11",
    "a request alone": "c028b52ffd2061bd0100b402e58588e5898de79a84e997aee9a298e4b88ee59b9ee7ad94efbc8ce5a682e4bb8ae58f88e997ae227d5d7d03500009bcbc6d645311",
}
EARLIER = Ancestor(bytes(range(20)), "先前的问题与回答".encode() * 3)
REQUEST = '{"role":"judge","messages":[{"role":"user","content":"先前的问题与回答，如今又问"}]}'.encode()


@pytest.mark.parametrize("written", AS_WRITTEN.values(), ids=AS_WRITTEN)
def test_requests_that_were_written_once_are_read_for_ever(written):
    """The first byte, the keys after it and the built-in dictionary are part of the schema."""
    assert unpack_request(bytes.fromhex(written), {EARLIER.key: EARLIER.text}.__getitem__) == REQUEST


def test_the_form_of_what_is_written_stays():
    """A request with one call before it begins with C1, one without with C0; records, seals and digests are as they were."""
    assert pack_request(REQUEST, [EARLIER])[:21] == b"\xc1" + bytes(range(20))
    assert pack_request(REQUEST, [])[:1] == b"\xc0"
    record = "b028b52ffd202775000020312f617d020095e47926f13210"
    assert unpack(bytes.fromhex(record)) == b'{"item":"dialogue/1/a","status":"done"}'
    assert seal("a", 1, 2.5, b"x", None).hex() == "1a9352f4208e6a55083f72ca"
    assert Unordered([b"a", b"b"]).digest().hex() == "bdda89bae6aab45039933ec86a444c96"


def test_a_request_is_kept_against_the_last_three_calls():
    """More of them save nothing, and each has to be read back."""
    before = [Ancestor(bytes([number]) * 20, b"text") for number in range(5)]
    assert grew_from(pack_request(REQUEST, before)) == tuple(one.key for one in before[2:])


def test_a_record_that_unpacks_to_more_than_any_is_refused(monkeypatch):
    """A few bytes may stand for a flood; so may bytes after which nothing comes."""
    monkeypatch.setattr("benchbar.ledger.packing.MAX_RECORD", 1000)
    with pytest.raises(TornError, match="too large"):
        unpack(pack_text(b"a" * 5000))
    assert unpack(pack_text(b"a" * 1000)) == b"a" * 1000
    with pytest.raises(TornError):
        unpack(pack_text(b"some text that is long enough")[:-3])

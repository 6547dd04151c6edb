"""The hook that reads the tests finds what a test lacks."""

from __future__ import annotations

import pytest

from support.specification import fault_of

TESTS = '''
def checked(value):
    assert value

def checked_twice(value):
    checked(value)

def looped(value):
    looped(value)

def test_asserts():
    """One is one."""
    assert 1 == 1

def test_raises():
    """A misuse is refused."""
    with pytest.raises(ValueError):
        int("one")

def test_by_a_helper():
    """What two tests share is asserted in a function."""
    checked_twice(1)

def test_without_a_sentence():
    assert 1 == 1

def test_with_a_title():
    """One equals one"""
    assert 1 == 1

async def test_that_asserts_nothing():
    """Nothing fails here."""
    looped(1)

def test_that_may_ask_nothing():
    """Whatever there is, is small."""
    for found in ():
        if found:
            assert found < 1

def test_that_asks_either_way():
    """One thing or the other holds."""
    if looped(1):
        assert 1 == 1
    else:
        assert 2 == 2
'''
NOTHING = "asserts nothing, or only under an `if`: neither it nor a function of its file that it calls"


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("test_asserts", ""),
        ("test_raises", ""),
        ("test_by_a_helper", ""),
        ("test_inherited_from_another_file", ""),
        ("test_without_a_sentence", "has no docstring that says its rule in a sentence"),
        ("test_with_a_title", "has no docstring that says its rule in a sentence"),
        ("test_that_asserts_nothing", NOTHING),
        ("test_that_may_ask_nothing", NOTHING),
        ("test_that_asks_either_way", ""),
    ],
)
def test_each_test_states_a_rule_and_can_fail(tmp_path, name, fault):
    """A test has a sentence, and an assert that no `if` can pass by, its own or in a function of its file that it calls."""
    file = tmp_path / "test_example.py"
    file.write_text(TESTS, "utf-8")
    assert fault_of(file, name) == fault

"""Prices of usual models are known where nobody states them, and only at their providers' own addresses."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from benchbar.clients import Budget, ChatModel, Client, Endpoint, Price
from benchbar.clients.prices import known_price, price_of
from benchbar.ledger import Ledger
from benchbar.records.errors import UserError
from benchbar.runs.receivers import price_notes
from benchbar.runs.spec_reading import as_spec

OPENAI = "https://api.openai.com/v1"


def test_a_usual_model_has_its_providers_price():
    """Output costs more than input, as everywhere; the source names package, version and day."""
    found = known_price("gpt-4o-mini", OPENAI)
    assert 0 < found.price.input < found.price.output < 10
    assert re.fullmatch(r"US dollars, genai-prices [\d.]+, prices until \d{4}-\d\d-\d\d", found.source)


@pytest.mark.parametrize(
    ("model", "address"),
    [("gpt-4o-mini", "http://127.0.0.1:8000/v1"), ("gpt-4o-mini", "https://gateway.example/v1"), ("no-such", OPENAI)],
)
def test_no_price_is_guessed(model, address):
    """A local model may be called what it likes, and a gateway may charge what it likes."""
    assert known_price(model, address) is None


def test_a_stated_price_goes_first():
    """Also that of nothing."""
    stated = Endpoint(model="gpt-4o-mini", base_url=OPENAI, price=Price(input=0, output=0))
    assert price_of(stated) == Price(input=0, output=0)


async def test_a_budget_is_kept_where_the_price_is_known(tmp_path, monkeypatch):
    """It is refused only where nobody knows what a call may cost."""
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    ledger = Ledger(tmp_path / "ledger.sqlite")
    client = Client(ledger, budget=Budget(1.0))
    try:
        model = ChatModel(Endpoint(model="gpt-4o-mini", base_url=OPENAI), client)
        assert model.endpoint.price == known_price("gpt-4o-mini", OPENAI).price
        with pytest.raises(UserError, match="no-such at https://api.openai.com/v1 has no price"):
            ChatModel(Endpoint(model="no-such", base_url=OPENAI), client)
    finally:
        await client.close()
        ledger.close()


def test_what_is_taken_for_the_price_is_said():
    """Once for each model, with the way to state another."""
    asked = {"kind": "openai", "model": "gpt-4o-mini", "base_url": OPENAI}
    own = {"kind": "openai", "model": "gpt-4o", "base_url": OPENAI, "price": {"input": 1, "output": 2}}
    spec, _ = as_spec(
        {"suite": "model-jurisdiction-zh", "assistants": {"a": asked, "b": own}, "judge": asked | {"kind": "pairwise"}}
    )
    (note,) = price_notes(spec)
    assert note.startswith("price of gpt-4o-mini: ")
    assert "genai-prices" in note
    assert "state another with price = {" in note


def test_the_list_is_not_loaded_without_need():
    """It takes most of a second; runs on this machine need none."""
    code = (
        "import sys; from benchbar.clients.prices import known_price; known_price('gpt-4o', 'http://localhost:1/v1');"
        "import benchbar.cli.run; sys.exit('genai_prices' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

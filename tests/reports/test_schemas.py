"""The published schemas are those of the records, and real runs keep to them."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "results": "results.json",
    "run": "run.json",
    "timing": "timing.json",
    "dialogue": "dialogues.jsonl",
    "score": "scores.jsonl",
    "comparison": "comparisons.jsonl",
    "citation": "citations.jsonl",
}


def test_the_schemas_are_up_to_date():
    """Made anew from the records they are the files in docs/schemas and in the package; else run scripts/make_schemas.py."""
    spec = importlib.util.spec_from_file_location("make_schemas", ROOT / "scripts" / "make_schemas.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert set(script.files()) == {*(ROOT / "docs" / "schemas").iterdir(), script.PACKAGED}
    for path, text in script.files().items():
        assert path.read_text("utf-8") == text, path


@pytest.mark.parametrize("name", FILES)
def test_the_files_of_a_real_run_are_valid(name, rules_run, judged_run):
    """Every line of every file of both runs."""
    schema = json.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    checked = 0
    for run in (rules_run, judged_run):
        text = (run.folder / FILES[name]).read_text("utf-8")
        for document in text.split("\n") if FILES[name].endswith("l") else [text]:
            if document:
                validator.validate(json.loads(document))
                checked += 1
    assert checked


def test_an_unknown_field_is_not_valid():
    """The schemas are as strict as the readers."""
    schema = json.loads((ROOT / "docs" / "schemas" / "score.schema.json").read_text("utf-8"))
    score = {"sample": "s", "assistant": "a", "dimension": "p1", "layer": "rule", "status": "abstained", "wrong": 1}
    with pytest.raises(jsonschema.ValidationError, match="wrong"):
        jsonschema.Draft202012Validator(schema).validate(score)

"""What people read on a terminal of 80 columns fits, in every language; Chinese signs take two each."""

from __future__ import annotations

import io
import json
import re
import shutil

import pytest

from support.columns import COLUMNS, cut_figures, too_wide
from support.in_process import runner
from support.pages import ROOT
from support.run_spec import JUDGE, model, spec_text

SUITES = ROOT / "src" / "benchbar" / "suites" / "data"
QUESTIONS = {
    "zh": "租客搬走后，房东多久必须退还押金？",
    "ru": "В какой срок арендодатель обязан вернуть залог после выезда?",
    "en": "How soon must a landlord return the deposit after the tenant leaves?",
}
COMMANDS = """
check spec.toml
gate runs/one
gate runs/one --full
compare runs/one runs/two
validate runs/one
stability runs/one
report runs/one
ledger check runs/one
review draw runs/one --ask points --size 10 --raters 2
review list runs/one
review next runs/one --rater anna
suite list
suite show SUITE
suite show SUITE SAMPLE
suite check SUITE
suite items runs/one runs/two
law index LAW --out indexes/own
law list --law indexes/own
law show ACT --law indexes/own
law diff ACT --from 2023-07-01 --to 2024-06-01 --law indexes/own
law touched ACT --from 2023-07-01 --to 2024-06-01 --law indexes/own --suite SUITE
law search QUESTION --law SUITE
law cite answer.txt --law SUITE
ask QUESTION --law SUITE
chat --law SUITE
ablate offline-contract --set sample=12 --out study
plugins
rubric list
rubric check consultation
explain
explain unreadable-judge
stats --help
run spec.toml --out runs/one --dry-run
run spec.toml --out runs/one
run spec.toml --limit 2 --out runs/small
survey template --language LANGUAGE --out needs.toml
"""


def _spec(language: str, url: str) -> str:
    return spec_text(
        url,
        "limit = 22\nrepeats = 2",
        {"base": model("weak-a", price=(0.5, 1.5)), "candidate-with-a-long-name": "strong-b"},
        suite=f"model-jurisdiction-{language}",
        judge=f"{JUDGE}\nrepeats = 2",
        rest="[review]\naudit = 0.5",
    )


@pytest.mark.parametrize("language", ["zh", *(pytest.param(one, marks=pytest.mark.slow) for one in ("ru", "en"))])
def test_what_is_printed_fits_80_columns(language, tmp_path, monkeypatch, chat_server):
    """Of every command with a table or a verdict; only paths, addresses and commands to be copied are left in one piece."""
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    monkeypatch.setenv("TERM", "dumb")
    run = runner(tmp_path, monkeypatch, terminal=True)
    (tmp_path / "spec.toml").write_text(_spec(language, chat_server.base_url), "utf-8")
    assert run("run", "spec.toml", "--out", "runs/one").code == 0
    shutil.copytree(tmp_path / "runs" / "one", tmp_path / "runs" / "two")
    with (tmp_path / "runs/one/dialogues.jsonl").open(encoding="utf-8") as lines:
        dialogue = json.loads(next(lines))
    (tmp_path / "answer.txt").write_text("\n".join(turn["content"] for turn in dialogue["turns"]), "utf-8")
    law = SUITES / f"model-jurisdiction-{language}" / "law"
    first = min(law.glob("acts/*.md")).read_text("utf-8")
    names = {
        "SUITE": f"model-jurisdiction-{language}",
        "SAMPLE": dialogue["sample"],
        "QUESTION": QUESTIONS[language],
        "LAW": str(law),
        "ACT": re.search(r'^name = "(.+)"$', first, re.MULTILINE)[1],
        "LANGUAGE": language,
    }
    failed = []
    for line in COMMANDS.strip().splitlines():
        words = [names.get(word, word) for word in line.split()]
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{QUESTIONS[language]}\n"))
        done = run(*words)
        assert done.code in {0, 3, 4}, f"{line}\n{done.err}"
        found = [*too_wide(done.out), *too_wide(done.err), *cut_figures(done.out)]
        failed += [f"benchbar {line}: {one}" for one in found]
    assert not failed, "\n".join(failed)

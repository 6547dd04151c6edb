"""The language of a suite is found in its texts where nobody states it, and never assumed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from benchbar.languages.packs import known
from benchbar.records.errors import BadInputError
from benchbar.suites import folder
from benchbar.suites.authoring.layout import lay_out
from benchbar.suites.language import contradictions
from benchbar.suites.load import load
from benchbar.suites.taxonomy import TASKS, question_in, task_id, tasks_in
from support.in_process import runner

QUESTIONS = {
    "en": (
        "How long is the limitation period for a contract claim?",
        "May the landlord keep my deposit for nail holes?",
    ),
    "ru": ("Каков срок исковой давности по договору?", "Может ли арендодатель удержать залог за отверстия?"),
    "zh": ("合同纠纷的诉讼时效是多久？", "房东可以因为钉眼扣押金吗？"),
    "zh-Hant": ("契約糾紛的消滅時效為多久？", "房東可以因為釘孔扣留押租金嗎？"),
}


def table(path: Path, questions, *, head: str = "id,task,needs,guidance") -> Path:
    rows = [f"s{number},4-3,{question}," for number, question in enumerate(questions)]
    path.write_text("\n".join([head, *rows]), "utf-8")
    return path


@pytest.mark.parametrize("language", known())
def test_the_language_of_a_file_is_that_of_its_texts(tmp_path, language):
    """Card, samples, tasks and the mark of the end are in it, and it is said how it is known."""
    suite = folder.read(table(tmp_path / "q.csv", QUESTIONS[language]))
    assert suite.card.language == language
    assert {sample.language for sample in suite.samples} == {language}
    assert suite.language == f"{language} (from the text of 2 samples)"
    assert suite.tasks["4-3"] == tasks_in(language)["4-3"]
    assert (
        suite.card.end_mark
        != folder.read(table(tmp_path / "o.csv", QUESTIONS["en" if language != "en" else "ru"])).card.end_mark
    )


def test_a_mixed_file_has_a_language_for_each_sample(tmp_path):
    """The card has that of most; a text of a few letters is in the language of the others."""
    suite = folder.read(table(tmp_path / "q.csv", [*QUESTIONS["ru"], QUESTIONS["en"][0], "§ 3?"]))
    assert [sample.language for sample in suite.samples] == ["ru", "ru", "en", "ru"]
    assert suite.card.language == "ru"
    assert suite.language == "ru 3, en 1 (from the text of 4 samples)"


def test_a_folder_whose_card_states_no_language_is_read_by_its_texts(tmp_path):
    """A card names the suite, and that is all it has to."""
    (tmp_path / "card.toml").write_text('name = "mine"\n')
    row = {"id": "a", "task": "4-3", "needs": QUESTIONS["en"][0]}
    (tmp_path / "samples.jsonl").write_text(json.dumps(row))
    suite = folder.read(tmp_path)
    assert (suite.card.language, suite.samples[0].language) == ("en", "en")


def test_what_is_stated_holds_and_is_warned_of_where_the_text_contradicts(tmp_path):
    """English questions under a card that says zh: the prompts will be Chinese, and the author hears of it."""
    (tmp_path / "card.toml").write_text('name = "mine"\nlanguage = "zh"\n')
    row = {"id": "a", "task": "4-3", "needs": QUESTIONS["en"][0]}
    (tmp_path / "samples.jsonl").write_text(json.dumps(row))
    suite = folder.read(tmp_path)
    assert suite.samples[0].language == "zh"
    (told,) = contradictions(suite.samples)
    assert "stated as zh" in told
    assert "reads as en" in told
    assert contradictions(load("model-jurisdiction-zh").samples) == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "Der Vermieter behält die Kaution ein, weil in der Wand Löcher von Nägeln sind. Wie viel kann ich zurückverlangen,"
            " und was muss ich dabei beachten?",
            "few of its words are English",
        ),
        (
            "Орендодавець не повертає заставу через отвори від цвяхів у стіні. Скільки я можу повернути?",
            "letters that Russian is not written with",
        ),
        ("日本の民法では、契約の解除についてどのように定められていますか。", "letters are of another script"),
        ("هل يحق للمؤجر الاحتفاظ بالتأمين بسبب ثقوب المسامير؟", "letters are of another script"),
    ],
)
def test_a_language_without_a_pack_is_asked_for_and_not_guessed(tmp_path, text, why):
    """The message says why, and how to state it; stated, it is read."""
    file = table(tmp_path / "q.csv", [f'"{text}"'])
    with pytest.raises(BadInputError, match=re.escape(why)) as error:
        folder.read(file)
    assert error.value.field == "language"
    assert "--language" in str(error.value)
    assert folder.read(file, language="de").samples[0].language == "de"


def test_the_commands_say_the_language_in_their_first_lines(tmp_path, monkeypatch):
    """`suite check`, `suite show` and `run`, before anything is sent."""
    run = runner(tmp_path, monkeypatch)
    file = str(table(tmp_path / "q.csv", QUESTIONS["en"]))
    said = "language: en (from the text of 2 samples)"
    assert said in run("suite", "check", file).out.splitlines()[:3]
    assert said in run("suite", "show", file).out.splitlines()[:6]
    assert run("run", "--suite", file, "--assistant", "a=closed-book").err.splitlines()[0] == said


@pytest.mark.parametrize("language", known())
def test_a_new_suite_is_wholly_in_its_language(tmp_path, language):
    """Backgrounds and names of all tasks are in every pack; those of the published data are those of the Chinese one."""
    suite = lay_out(tmp_path / "mine", language=language, jurisdiction="", tasks=())
    assert set(suite.tasks) == set(TASKS)
    han = re.compile("[\u3400-\u9fff]")
    for task in (*suite.tasks.values(), question_in(language)):
        assert bool(han.search(task.background)) == language.startswith("zh"), task
        assert task_id(task.name) == (task.id if task.id in TASKS else None)
    assert tasks_in("zh") == TASKS


def test_suites_read_as_before_keep_their_fingerprints(tmp_path):
    """Runs that were made before the language was looked for go on: these are the values of then."""
    file = tmp_path / "mine.csv"
    file.write_text(
        "id,task,needs,guidance,tags\na1,1-1,合同法第一条的原文是什么？,必须提及：甲乙,x y\na2,4-3,押金怎么退？,答案参考：三千元,\n",
        "utf-8",
    )
    assert folder.read(file).fingerprint == "70ef6c46de0cc5639525300230c41ead"
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "card.toml").write_text('name = "s"\n')
    (tmp_path / "s" / "samples.jsonl").write_text(
        '{"id":"a","task":"4-3","needs":"押金怎么退？","on":"2024-01-01"}\n', "utf-8"
    )
    assert folder.read(tmp_path / "s").fingerprint == "f262f3a2f662a12645fc94b2c963ab08"
    bundled = {
        "zh": "536f0dd19888b459b69d1caa9a1861a4",
        "en": "dcefed803197cacac5d8471260c75855",
        "ru": "847e306250d58d09ed375dc6741e1285",
    }
    assert {tag: load(f"model-jurisdiction-{tag}").fingerprint for tag in bundled} == bundled

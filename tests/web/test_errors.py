"""What goes wrong in the browser is said in the reader's language."""

from __future__ import annotations

import re

import pytest

from benchbar.languages.errors import error_in, foreign
from benchbar.languages.packs import known, labels
from benchbar.web.app import MAX_BODY
from benchbar.web.drafts import ENDINGS
from support.raised import SOURCE, messages
from support.workbook import workbook
from web.test_languages import NAMES, Words

others = pytest.mark.parametrize("language", [one for one in known() if one != "en"])


def spoken(visitor, language: str):
    """The visitor with a browser of that language, from a page of which every form is."""
    visitor.client.cookies.set("benchbar_language", language, domain="localhost.local")
    return visitor


def errors_of_a_stranger(visitor, tmp_path):
    """Wrong password, no session, a form of another session, links that lead nowhere."""
    yield "wrong password", visitor.sign_in("nobody", "wrong")
    yield "not signed in", visitor.client.post("/runs/x/notes", headers={"accept": "text/html"})
    yield "no token of a form", visitor.client.post("/sign-in", data={"name": "a"}, headers={"accept": "text/html"})
    yield "expired link", visitor.get("/answer/nothing-of-this-kind")
    yield "no page", visitor.get("/no/such/page")


def errors_of_the_owner(owner):
    """Missing and wrong fields, bad files, sizes, names that are not there."""
    yield "no run", owner.get("/runs/none")
    yield "no queue", owner.get("/queues/none")
    yield "no sample", owner.get("/runs/none/samples/1")
    yield "no draft", owner.get(f"/new/{'0' * 32}/questions")
    yield "no person", owner.post("/people/4711/runs", {"every": "true"}, form="/people")
    yield "no review", owner.get(f"/contracts/{'0' * 32}/reviewed.docx")
    yield "no survey", owner.get("/surveys/4711")
    yield (
        "wrong method",
        owner.client.delete("/runs", headers={"accept": "text/html", "x-csrf-token": owner.csrf("/people")}),
    )
    yield "missing field", owner.post("/people", {"role": "reviewer"}, form="/people")
    yield "empty name", owner.post("/people", {"name": " ", "role": "reviewer"}, form="/people")
    yield "long name", owner.post("/people", {"name": "n" * 300, "role": "reviewer"}, form="/people")
    yield "unknown role", owner.post("/people", {"name": "Anna", "role": "king"}, form="/people")
    yield "name twice", owner.post("/people", {"name": "owner", "role": "reviewer"}, form="/people")
    yield "wrong number", owner.get("/runs?page=none")
    yield "page too far", owner.get("/log?before=x")
    yield "no questionnaire", owner.post("/surveys", form="/surveys")
    yield "bad questionnaire", sent(owner, "/surveys", "file", "q.toml", b"[[[")
    yield "questionnaire not UTF-8", sent(owner, "/surveys", "file", "q.toml", b"\xff\xfe\xff")
    for name, data in BAD_FILES.items():
        yield f"bad file {name}", sent(owner, "/new", "file", name, data)
    yield (
        "large body",
        owner.client.post("/people", data={"name": "n" * (MAX_BODY + 1)}, headers={"accept": "text/html"}),
    )


BAD_FILES = {
    "a.exe": b"MZ",
    "a.csv": b"",
    "b.csv": b"id,task\n1,2-1\n",
    "c.csv": b"id,id,needs\n1,2,3\n",
    "d.csv": b"id,,needs\n1,2,3\n",
    "a.xlsx": b"PK no archive",
    "a.jsonl": b'{"needs": ',
    "a.json": b'{"needs": 1}',
    "b.xlsx": workbook({"A": [["Title of the table"], ["Frage", "Antwort"], ["Wann?", "Nie"]]}),
    "a.docx": b"PK no archive",
}


def sent(owner, path: str, field: str, name: str, data: bytes):
    """What the page says of the file; what it was taken for where it leads there."""
    return owner.client.post(
        path, data={"csrf": owner.csrf(path)}, files=[(field, (name, data))], headers={"accept": "text/html"}
    )


def english(text: str, language: str) -> list[str]:
    """English words of a page that are neither names, nor what the person wrote, nor quoted."""
    page = Words(text, language)
    found = []
    for part in (*page.found, *page.foreign):
        own = re.sub(
            r"`[^`]*`|'[^']*'|“[^”]*”|«[^»]*»|「[^」]*」|\S+\.\w{2,5}\b|\b(?:owner|Anna|task)\b|\bTitle of the table\b",
            " ",
            part,
        )
        words = [
            one for one in re.findall(r"[A-Za-z][a-z'’]{2,}", own) if one not in NAMES and f".{one}" not in ENDINGS
        ]
        found += [part.strip()[:200]] if words else []
    return found


def english_in(message: str) -> list[str]:
    """English words that stand beside each other in a message; code, addresses and what is quoted are none."""
    own = re.sub(r"`[^`]*`|“[^”]*”|«[^»]*»|「[^」]*」|\{[^}]*\}|\[\[?[^\]]*\]|\S*[_.=@/:]\S*", " ", message)
    return re.findall(r"[A-Za-z]{2,} [a-z]{2,}", own)


@others
def test_no_error_of_a_page_is_said_in_english(language, visit, owner, tmp_path):
    """A reader of Chinese is not told in English what to mend; no page ends in an error of the server."""
    stranger = spoken(visit(), language)
    wrong = []
    for what, answer in (*errors_of_a_stranger(stranger, tmp_path), *errors_of_the_owner(spoken(owner, language))):
        assert answer.status_code < 500, what
        wrong += [f"{what}: {one}" for one in english(answer.text, language)]
    assert not wrong, "\n".join(wrong)


@others
def test_no_error_for_a_role_is_said_in_english(language, visit, owner):
    """Whoever marks may not see results, and learns so in their language."""
    reviewer = visit()
    reviewer.sign_in("Anna", owner.add("Anna", "reviewer"))
    for path in ("/people", "/runs", "/log", "/new", "/queues"):
        answer = spoken(reviewer, language).get(path)
        assert answer.status_code in {403, 404}, path
        assert english(answer.text, language) == []


@others
def test_scripts_are_told_in_the_readers_language_too(language, owner):
    """What a script shows is read by the same person."""
    told = spoken(owner, language).client.get("/runs/none").json()["detail"]
    assert told == labels(language, "errors")("error.no_run")


@others
def test_a_message_keeps_its_places(language):
    """File, line and field stay; what stands in them is the person's own."""
    told = error_in("q 1.csv:3: field `day`: two columns have this name; rename one", language)
    assert told.startswith(labels(language, "report")("gate_reason.condition", check="q 1.csv:3", why=""))
    assert "day" in told
    assert not foreign(told, language)


def test_a_number_does_not_swallow_the_file_before_it():
    """“2 sheets hold rows” is said of the file, which stands before it."""
    told = error_in("两张表.xlsx: 2 sheets hold rows: A, B; save the one that is meant as a file of its own", "zh")
    assert told == "两张表.xlsx：有 2 个工作表含有数据：A, B；请把要用的另存为单独的文件"


@others
def test_an_unknown_message_is_marked_as_english(language):
    """An error of a library that no pack knows is shown as it is, quoted."""
    assert error_in("the moon was full tonight", language) is None
    assert foreign("the moon was full tonight", language)
    assert not foreign("`benchbar suite check mine`", language)


@pytest.mark.parametrize("language", known())
def test_every_pack_says_every_error(language):
    """With fields of the English text alone; which of them it needs is the language's own."""
    english_texts, own = labels("en", "errors").texts, labels(language, "errors").texts
    assert own.keys() == english_texts.keys()
    for key, text in own.items():
        assert set(re.findall(r"\{(\w+)\}", text)) <= set(re.findall(r"\{(\w+)\}", english_texts[key])), key
        if language != "en" and key.startswith("error."):
            assert error_in(english_texts[key].replace("{{", "{").replace("}}", "}"), language) is not None, key


SHOWN = {
    "artefacts": "derived folder",
    "assistants": "build extractive law_practice person recorded",
    "clients": "breaker budget client embedding endpoint model pinning preflight prices protocol providers streaming transport",
    "clients/codecs": "chat converse gemini messages responses",
    "contracts": "bounded_worker bounds docx_source paragraphs parties patterns pdf_source playbook source text_source",
    "contracts/redlines": "docx_proposals",
    "decisions": "fitting gate policy regression",
    "dialogue": "build",
    "ledger": "blinding ledger opening packing reviews schema sqlite",
    "production": "proposals store",
    "records": "base faults files plugins suites toml validation",
    "reports": "ragas_export",
    "runs": "allowed asking_people assembling background column_suggestions context engine first_verdicts gating intake interim ledgered manifest planning rag_options receivers run running spec spec_file spec_reading trial",
    "scoring": "functions",
    "suites": "acceptance columns decision_log folder footers guidance_labels guidance_text language load own_law point_kinds sources write written_questions",
    "suites/authoring": "annotation",
    "suites/readers": "questions retrieved rows transcripts",
    "survey": "answering pages questionnaire records store",
    "tables": "archives chat_exports columns delimited documents encodings json_rows markup pdf ragas reading table title_rows transcripts unnamed_columns word workbooks",
}
"""Files whose errors a page can show: specs, endpoints, uploads, intake, suites, surveys, marks, ledgers, and a run that failed."""


@pytest.mark.parametrize("room", [*SHOWN, "web"])
def test_every_error_of_the_code_behind_the_pages_is_said_in_the_readers_language(room):
    """Each message is read out of the source, so that none is forgotten; names of fields, variables and commands stay."""
    names = SHOWN[room].split() if room in SHOWN else [file.stem for file in sorted((SOURCE / room).glob("*.py"))]
    found = [*messages(*(f"{room}/{name}.py" for name in names))]
    assert found
    wrong = []
    for language in [one for one in known() if one != "en"]:
        for place, text in found:
            told = error_in(text, language)
            if told is None or foreign(told, language) or english_in(told):
                wrong.append(f"{language}, {place}: {told or text}")
    assert not wrong, "\n".join(wrong)

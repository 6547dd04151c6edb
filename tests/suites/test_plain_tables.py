"""Anyone's table of questions is a suite: only a question is needed, and what is doubtful is refused by its column."""

from __future__ import annotations

import re
from pathlib import Path

import docx
import msgspec
import pytest

from benchbar.assistants.recorded import RecordedAnswers
from benchbar.languages.errors import told_in
from benchbar.records import CONSULTATION, QUESTION_ANSWERING
from benchbar.records.errors import BadInputError, UserError
from benchbar.runs.assembling import chosen_suite
from benchbar.runs.spec_reading import as_spec
from benchbar.suites import folder
from benchbar.suites.columns import answer_columns
from benchbar.suites.question_table import question_table
from support.contract_maker import as_docx
from support.in_process import runner
from support.workbook import workbook, workbook_of

ANSWER = "You must give the landlord at least {n} days of notice in writing before you leave."
ROWS = [
    ["Question", "Expected answer", "ChatLex", "answer:LexBot", "Topic"],
    *(
        [f"How many days of notice must a tenant give in case {n}?", f"{n} days. Must not mention: {n + 30} days", ANSWER.format(n=n), ANSWER.format(n=n + 30), "lease"]
        for n in (30, 60, 90)
    ),
]  # fmt: skip


def delimited(rows, mark: str = ",") -> str:
    return "\n".join(mark.join(f'"{cell}"' for cell in row) for row in rows) + "\n"


def table(path: Path, rows, *, encoding: str = "utf-8", mark: str = ",") -> Path:
    path.write_bytes(workbook({"Sheet": rows}) if path.suffix == ".xlsx" else delimited(rows, mark).encode(encoding))
    return path


def assistants_of(file: Path) -> set[str]:
    return set(as_spec({"suite": str(file)})[0].assistants)


@pytest.mark.parametrize(("name", "mark"), [("q.xlsx", ","), ("q.csv", ","), ("q.csv", ";"), ("q.tsv", "\t")])
def test_an_analysts_table_is_a_suite_with_recorded_assistants(tmp_path, name, mark):
    """Question, expected answer and a column for each vendor; the same suite whatever the format."""
    file = table(tmp_path / name, ROWS, mark=mark)
    suite = folder.read(file)
    assert suite.problems == ()
    assert [sample.task for sample in suite.samples] == ["question"] * 3
    assert suite.card.protocol == QUESTION_ANSWERING
    points = [(str(point.category), point.text) for point in suite.samples[0].guidance.points]
    assert points == [("ground_truth", "30 days."), ("forbidden", "60 days")]
    spec, _ = as_spec({"suite": str(file)})
    assert {one: settings["column"] for one, settings in spec.assistants.items()} == {
        "ChatLex": "ChatLex",
        "LexBot": "answer:LexBot",
    }
    said = RecordedAnswers(file, "answer:LexBot").dialogue(suite.samples[1])
    assert said is not None
    assert said.turns[1].content == ANSWER.format(n=90)
    assert [sample.id for sample in suite.samples] == [
        sample.id for sample in folder.read(table(tmp_path / "other.csv", ROWS)).samples
    ]


@pytest.mark.parametrize(
    ("head", "rows", "encoding", "language"),
    [
        (["问题", "参考答案"], [["合同纠纷的诉讼时效是多久？", "三年"], ["房东可以因为钉眼扣押金吗？", "不可以"]], "gb18030", "zh"),
        (["Вопрос", "Эталон"], [["Каков срок исковой давности по договору?", "Три года"], ["Можно ли удержать залог арендатора?", "Нет"]], "cp1251", "ru"),
        (["Question"], [["How long is the limitation period for a contract claim?"], ["May the landlord keep my deposit?"]], "utf-16", "en"),
    ],
)  # fmt: skip
def test_heads_and_encodings_of_each_language_are_known(tmp_path, head, rows, encoding, language):
    """GB18030 and Windows-1251 too; a table of questions alone can be compared, and says that nothing is marked."""
    suite = folder.read(table(tmp_path / "q.csv", [head, *rows], encoding=encoding, mark=";" if len(head) > 1 else ","))
    assert suite.card.language == language
    assert [sample.needs for sample in suite.samples] == [row[0] for row in rows]
    assert all(bool(sample.guidance.points) == (len(head) > 1) for sample in suite.samples)
    assert any("nothing can be marked" in line for line in suite.understood) == (len(head) == 1)


def test_rows_of_json_lines_need_no_more(tmp_path):
    """id, question, guidance: the names that data sets use."""
    rows = [
        {"id": n, "question": f"Is clause {n} of the lease void?", "guidance": "Must mention: notice"} for n in (1, 2)
    ]
    (tmp_path / "q.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    suite = folder.read(tmp_path / "q.jsonl")
    assert [(sample.id, sample.needs) for sample in suite.samples] == [
        ("1", rows[0]["question"]),
        ("2", rows[1]["question"]),
    ]


def test_tasks_of_ones_own_and_facts_are_kept(tmp_path):
    """A task that nobody defined is the author's; users who know more than they ask consult, as do those who are simulated."""
    rows = [["Question", "Task", "Facts"], ["May I keep the deposit of my tenant?", "tenancy", "There are holes."], ["Is the notice of my landlord void?", "", ""]]  # fmt: skip
    file = table(tmp_path / "q.csv", rows)
    suite = folder.read(file)
    assert [sample.task for sample in suite.samples] == ["tenancy", "question"]
    assert suite.card.protocol == CONSULTATION
    plain = table(tmp_path / "p.csv", [["Question"], ["May I keep the deposit of my tenant?"]])
    spec = {"suite": str(plain), "assistants": {"a": {"kind": "closed-book"}}}
    talked = spec | {"simulator": {"kind": "llm", "model": "m", "base_url": "http://127.0.0.1:1/v1"}}
    assert [chosen_suite(as_spec(one)[0], Path()).card.protocol for one in (spec, talked)] == [
        QUESTION_ANSWERING,
        CONSULTATION,
    ]


@pytest.mark.parametrize(
    ("head", "message"),
    [
        (["Question", "Answer"], "is this the expected answer, or an assistant's"),
        (["问题", "答案"], "is this the expected answer, or an assistant's"),
        (["Вопрос", "Ответ"], "is this the expected answer, or an assistant's"),
        (["Question", "Query"], "'Question' and 'Query' both mean the field needs"),
        (["Title", "Text"], "no column holds the question; its columns are Title, Text"),
        (["Question", "Guidence"], "did you mean 'guidance'"),
        (["Question", "Expected anwser"], "did you mean 'expected answer'"),
    ],
)
def test_a_doubtful_column_is_refused_with_what_to_write(tmp_path, head, message):
    """File, line and column, and the option that says which it is."""
    file = table(
        tmp_path / "q.csv", [head, ["May I keep the deposit?", "Yes, with receipts"], ["Is the notice void?", "No"]]
    )
    with pytest.raises(BadInputError, match=re.escape(message)) as error:
        folder.read(file)
    assert error.value.line == 1


@pytest.mark.parametrize(
    ("head", "fields"),
    [
        (["Client question", "Expected answer (partner)"], ("Client question", "Expected answer (partner)")),
        (["Вопрос клиента", "Эталонный ответ юриста"], ("Вопрос клиента", "Эталонный ответ юриста")),
        (["用户的问题", "律师参考答案"], ("用户的问题", "律师参考答案")),
    ],
)
def test_a_head_that_speaks_of_question_or_expected_answer_is_taken_and_shown(tmp_path, head, fields):
    """Where one column alone may be meant; the expected answers are nobody's that is compared."""
    rows = [
        ["7", head[0], head[1], "Score", "Reviewer", "Question type"],
        ["1", "May I keep the deposit of my tenant?", "Yes, with receipts, and only for damage that is proven", "4", "AB", "rent"],
        ["2", "Is the notice of my landlord void?", "No, it was given in writing within the time of the statute", "5", "AB", "rent"],
    ]  # fmt: skip
    suite = folder.read(table(tmp_path / "q.csv", rows))
    assert [sample.reference.split(",")[0] for sample in suite.samples] == ["Yes", "No"]
    told = "\n".join(suite.understood)
    assert f"columns: {fields[0]} = needs, {fields[1]} = reference and guidance" in told
    assert "not read: 7, Score, Reviewer, Question type" in told
    assert "the assistant" not in told


def test_short_texts_beside_answers_may_be_another_vendors_and_are_named(tmp_path):
    """A vendor of few words is not dropped without a word; references, marks and categories are."""
    answer = "You may keep what the damage cost, if you prove it by a receipt ({n})."
    rows = [
        ["Question", "Expected answer", "ChatLex", "Terse", "Ref", "Mark", "Area"],
        *(
            [f"May I keep the deposit in case {n}?", f"Yes, {n}", answer.format(n=n), f"Yes, {n} pounds", f"H{n}", n, "rent law"]
            for n in range(5)
        ),
    ]  # fmt: skip
    told = folder.read(table(tmp_path / "q.csv", rows)).understood
    assert "may be answers too, and are not read: Terse; if they are, call them `answer:Terse`" in told


def test_of_two_columns_that_may_be_the_question_both_are_named(tmp_path):
    """Nothing is guessed; the line to write is there."""
    rows = [["First question", "Last question"], ["May I keep the deposit?", "And for how long?"], ["Is it void?", "And the rent is due?"]]  # fmt: skip
    with pytest.raises(BadInputError, match=re.escape("--map needs='First question' or --map needs='Last question'")):
        folder.read(table(tmp_path / "q.csv", rows))


def test_a_model_answer_with_somebody_in_brackets_may_be_either(tmp_path):
    """A senior associate's is expected, a language model's is compared: the head does not say which."""
    answer = "Yes, with receipts, and only for damage that is proven by them."
    rows = [["Question", "Model answer (senior)"], ["May I keep it?", answer], ["Is it void?", f"No. {answer}"]]
    with pytest.raises(BadInputError, match="is this the expected answer, or an assistant's"):
        folder.read(table(tmp_path / "q.csv", rows))


def test_sentences_with_commas_under_one_name_are_no_table_under_a_title(tmp_path):
    """Each is told by its line as before, with the quotation marks that it lacks."""
    file = tmp_path / "q.csv"
    file.write_text("Question\nMay I keep it?\nHello, is it void?\nHello, is it due?\n", "utf-8")
    assert [sample.needs for sample in folder.read(file).samples] == ["May I keep it?"]
    file.write_text("Question\nHello, is it void?\nHello, is it due?\n", "utf-8")
    with pytest.raises(BadInputError, match="line 2: 2 cells; the head has 1"):
        folder.read(file)


def test_a_mapping_decides_what_the_heads_do_not(tmp_path):
    """--map names the field; a field or column that there is not is refused with those that there are."""
    file = table(
        tmp_path / "q.csv", [["Text", "Answer"], ["May I keep the deposit of my tenant?", "Yes, with receipts"]]
    )
    columns = {"needs": "Text", "reference": "Answer"}
    suite = folder.read(file, columns=columns)
    assert (suite.samples[0].needs, suite.samples[0].reference) == (
        "May I keep the deposit of my tenant?",
        "Yes, with receipts",
    )
    for wrong in ({"needs": "Frage"}, {"question": "Text"}):
        with pytest.raises(UserError, match="Text|needs"):
            folder.read(file, columns=wrong)


def test_a_suite_in_our_own_form_says_which_columns_it_does_not_read(tmp_path):
    """A column of notes no longer costs every row."""
    suite = folder.read(
        table(tmp_path / "q.csv", [["id", "task", "needs", "notes"], ["a", "4-3", "押金怎么退？", "x"]])
    )
    assert (len(suite.samples), suite.understood) == (1, ("not read: columns notes",))


def test_one_command_runs_a_table_against_a_model(tmp_path, monkeypatch, chat_server):
    """`run questions.xlsx`: what was understood is said first, the vendor's answers are compared with the model's."""
    table(tmp_path / "q.xlsx", ROWS)
    url = chat_server.base_url
    run = runner(tmp_path, monkeypatch)
    done = run("run", "q.xlsx", "--assistant", f"new=openai:m1@{url}", "--judge", f"judge@{url}", "--json")
    assert done.code == 0, done.err
    assert done.err.splitlines()[0] == "language: en (from the text of 3 samples)"
    assert "answers: column ChatLex = the assistant ChatLex (3 of 3 rows)" in done.err
    assert "forbidden, counts against the assistant: 60 days" in done.err
    results = msgspec.json.decode(done.out)
    assert set(results["assistants"]) == {"new", "ChatLex", "LexBot"}
    assert results["reference"] == "new"
    assert run("run", "q.xlsx", "--assistant", f"new=openai:m1@{url}", "--judge", f"judge@{url}").code == 0
    assert chat_server.stats()["served_again"] == 0


@pytest.mark.parametrize(
    ("expected", "given"),
    [
        (["是", "否", "是"], ["是", "是", "否"]),
        (["Yes, within 30 days.", "No, never.", "Yes."], ["Yes", "No.", "no"]),
        (["A", "D", "C"], ["A", "(C)", "D"]),
    ],
)
def test_short_answers_of_a_vendor_are_known_by_their_form(tmp_path, expected, given):
    """Nearly all of them are among the expected answers of one row or another; a category is not, whatever its length."""
    lines = ["Question,Expected answer,ChatLex,Priority"]
    lines += [
        f'"Question number {n}, is it so?","{one}",{two},high'
        for n, (one, two) in enumerate(zip(expected, given, strict=True))
    ]
    (tmp_path / "t.csv").write_text("\n".join(lines), "utf-8")
    suite = folder.read(tmp_path / "t.csv", language="en")
    assert "answers: column ChatLex = the assistant ChatLex (3 of 3 rows)" in suite.understood
    assert any(line.startswith("not read: Priority") for line in suite.understood)


@pytest.mark.parametrize(
    ("heads", "categories"),
    [
        (["Must not mention", "Must mention"], ["forbidden", "mandatory"]),
        (["Red flags (must never say)", "What the bot must mention"], ["forbidden", "mandatory"]),
        (["must_not_say", "should_mention"], ["forbidden", "advisable"]),
        (["Нельзя говорить", "Что должен сказать"], ["forbidden", "mandatory"]),
        (["禁止提及", "必须提及"], ["forbidden", "mandatory"]),
        (["紅線", "加分點"], ["forbidden", "encouraged"]),
    ],
)
@pytest.mark.parametrize("name", ["q.csv", "q.xlsx"])
def test_a_column_under_a_label_of_the_guidance_holds_points_of_that_category(tmp_path, name, heads, categories):
    """They count beside the expected answer, are shown before anything is used, and are nobody's answers."""
    rows = [
        ["Question", "Expected answer", *heads, "answer:Lex"],
        ["May I leave at once?", "No, after a month", "you may leave at once", "a notice in writing", "You may leave at once."],
        ["Is the deposit mine?", "Yes", "n/a", "the receipt; the day", "It is yours."],
        ["May he come in?", "Only announced", "—", "a day before", "He may not."],
    ]  # fmt: skip
    suite = folder.read(table(tmp_path / name, rows))
    points = [[(str(one.category), one.text) for one in sample.guidance.points] for sample in suite.samples]
    assert points == [
        [("ground_truth", "No, after a month"), (categories[0], "you may leave at once"), (categories[1], "a notice in writing")],
        [("ground_truth", "Yes"), (categories[1], "the receipt"), (categories[1], "the day")],
        [("ground_truth", "Only announced"), (categories[1], "a day before")],
    ]  # fmt: skip
    told = "\n".join(suite.understood)
    assert f"{heads[0]} = {categories[0]}, {heads[1]} = {categories[1]}" in told
    assert told.count("the assistant ") == 1


def test_columns_of_marks_under_a_label_are_no_points(tmp_path):
    """Whether something forbidden was said is somebody's verdict; a head that is nearly a label is named loudly."""
    rows = [
        ["Question", "Expected answer", "Required", "Forbidden said?", "Not to be mentioned ever"],
        ["May I leave at once?", "No", "yes", "TRUE", "you may leave at once"],
        ["Is the deposit mine?", "Yes", "no", "FALSE", "it is the landlord's"],
    ]
    suite = folder.read(table(tmp_path / "q.csv", rows))
    assert [str(one.category) for sample in suite.samples for one in sample.guidance.points] == ["ground_truth"] * 2
    told = "\n".join(suite.understood)
    assert "MAY BE POINTS of the guidance, and are not read: Not to be mentioned ever;" in told
    assert "--map forbidden='Not to be mentioned ever'" in told
    mapped = folder.read(tmp_path / "q.csv", columns={"forbidden": "Not to be mentioned ever"})
    assert [str(sample.guidance.points[1].category) for sample in mapped.samples] == ["forbidden"] * 2


def test_our_own_form_reads_points_from_columns_too(tmp_path):
    """Of a table that is read to the letter, what must not be said is not left out either."""
    rows = [["id", "task", "needs", "guidance", "Must not mention"], ["a", "4-3", "May I leave?", "After a month", "at once"]]  # fmt: skip
    suite = folder.read(table(tmp_path / "q.csv", rows))
    assert [str(one.category) for one in suite.samples[0].guidance.points] == ["ground_truth", "forbidden"]
    assert "columns: Must not mention = forbidden" in suite.understood


ADVISED = {"en": "Expected answer", "ru": "Ожидаемый ответ", "zh": "预期答案", "zh-Hant": "預期答案"}


@pytest.mark.parametrize("language", ADVISED)
def test_the_head_that_an_error_advises_is_understood(tmp_path, language):
    """Whoever follows the cure has expected answers, and no assistant of that name; in paragraphs they leave the question."""
    head = ADVISED[language]
    told = told_in("is this the expected answer, or an assistant's? Call the column `Expected answer` or `answer:NAME`, or say --map reference=A", language)  # fmt: skip
    assert head in told
    rows = [
        ["Question", head, "answer:lex"],
        *([f"第{n}种情形，房东可以扣押金吗？", "不可以", "可以"] for n in range(3)),
    ]
    suite = folder.read(table(tmp_path / "q.csv", rows))
    assert {sample.reference for sample in suite.samples} == {"不可以"}
    assert assistants_of(tmp_path / "q.csv") == {"lex"}
    document = docx.Document()
    for asked, expected, _ in rows[1:]:
        document.add_paragraph(f"Question: {asked}")
        document.add_paragraph(f"{head}：{expected}")
    document.save(tmp_path / "q.docx")
    assert [one.needs for one in folder.read(tmp_path / "q.docx").samples] == [one[0] for one in rows[1:]]


PARAGRAPHS = {
    "numbered": ["1. 问题：押金可以不退吗？", "参考答案：不可以", "2. 问题：租期最长几年？", "参考答案：二十年"],
    "number in the label": ["Question 1: May it be kept?", "Expected answer: No", "Question 2: How long?", "Expected answer: 20 years"],
    "points below a question": ["Вопрос: Можно ли?", "Обязательно упомянуть: нет", "Нельзя говорить: да", "Вопрос: Сколько?", "Обязательно упомянуть: двадцать лет"],
    "a vendor's": ["问：押金可以不退吗？", "参考答案：不可以", "通义答复：不可以。", "问：租期最长几年？", "参考答案：二十年", "通义答复：二十年。"],
    "a reply within the facts": ["Question: May it be kept?", "The landlord's reply: never.", "Expected answer: No", "Question: How long?", "Expected answer: 20 years", "Question: Is it due?", "Expected answer: Yes"],
}  # fmt: skip


@pytest.mark.parametrize("name", PARAGRAPHS)
def test_what_is_expected_below_a_question_leaves_it(tmp_path, name):
    """In paragraphs of a document: an answer or a point that stayed in the question would be sent to the assistant."""
    (tmp_path / "q.docx").write_bytes(as_docx(PARAGRAPHS[name]))
    suite = folder.read(tmp_path / "q.docx")
    asked = [one.partition("：" if "：" in one else ": ")[2] for one in PARAGRAPHS[name] if "?" in one or "？" in one]
    if name == "a reply within the facts":
        asked[0] += "\nThe landlord's reply: never."
    assert [one.needs for one in suite.samples] == asked
    assert all(one.guidance.points for one in suite.samples)
    found = answer_columns(question_table(tmp_path / "q.docx"), {})
    assert set(found.answers) == ({"通义"} if name == "a vendor's" else set())


@pytest.mark.parametrize("labels", [("Q", "A"), ("问", "答"), ("Вопрос", "Ответ"), ("Question", "Answers")])
def test_answers_in_paragraphs_may_be_either_and_are_asked_about(tmp_path, labels):
    """Under "A:" stand the right answers or an assistant's; whoever says which is understood."""
    asked, answered = labels
    lines = [one for n in range(3) for one in (f"{asked}: May case {n} be heard?", f"{answered}: Within a year.")]
    (tmp_path / "q.docx").write_bytes(as_docx(lines))
    with pytest.raises(BadInputError, match="is this the expected answer, or an assistant's"):
        folder.read(tmp_path / "q.docx")
    suite = folder.read(tmp_path / "q.docx", columns={"reference": answered})
    assert [(one.needs, one.reference) for one in suite.samples] == [
        (f"May case {n} be heard?", "Within a year.") for n in range(3)
    ]


def test_an_option_beside_others_is_no_answer(tmp_path):
    """A beside B, C and D is what may be chosen."""
    heads = ["Question", "A", "B", "C", "Expected answer"]
    rows = [heads, *([f"Which rule holds in case {n}?", "none", "one", "all", "B"] for n in range(3))]
    assert len(folder.read(table(tmp_path / "q.csv", rows)).samples) == 3
    assert answer_columns(question_table(tmp_path / "q.csv"), {}).answers == {}


def test_two_columns_of_one_assistant_are_both_read(tmp_path):
    """The second keeps all of its head for its name; neither takes the other's place."""
    long = "根据法律规定，这种情形下押金应当退还，请您注意保留证据。第{n}种。"
    rows = [
        ["问题", "参考答案", "通义答复", "通义回答"],
        *([f"第{n}种情形押金退吗？", "退", long.format(n=n), long.format(n=n)] for n in range(3)),
    ]
    assert assistants_of(table(tmp_path / "q.csv", rows)) == {"通义", "通义回答"}


@pytest.mark.parametrize("head", ["备注", "参考要点", "Notes", "律师意见"])
def test_a_column_of_labelled_points_is_guidance_whatever_its_head(tmp_path, head):
    """What says "must mention" says what an expert expects; taken for a vendor's answers it would be compared with them."""
    point = "必须提及：租赁期限不得超过二十年\n不得提及：第{n}种合同三十年全部有效"
    answer = "第{n}种情形下租赁期限不得超过二十年，超过二十年的部分无效，前二十年仍然有效。"
    rows = [
        ["问题", head, "法小助"],
        *([f"第{n}份租房合同签了三十年，有效吗？", point.format(n=n), answer.format(n=n)] for n in range(4)),
    ]
    suite = folder.read(table(tmp_path / "q.csv", rows))
    assert {str(one.category) for one in suite.samples[0].guidance.points} == {"mandatory", "forbidden"}
    assert assistants_of(tmp_path / "q.csv") == {"法小助"}


def test_a_zero_is_an_id_an_expected_answer_and_an_answer(tmp_path):
    """JSON has it as a number: a row of id 0 keeps its id, and what is 0 is not missing."""
    rows = [
        {"id": n, "question": f"How many months is clause {n} void?", "reference": n, "answer:lex": n} for n in (0, 1)
    ]
    (tmp_path / "q.jsonl").write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    suite = folder.read(tmp_path / "q.jsonl")
    assert [sample.id for sample in suite.samples] == ["0", "1"]
    assert [[point.text for point in sample.guidance.points] for sample in suite.samples] == [["0"], ["1"]]
    said = RecordedAnswers(tmp_path / "q.jsonl", "answer:lex").dialogue(suite.samples[0])
    assert said is not None
    assert said.turns[1].content == "0"


@pytest.mark.parametrize("head", ["Gold standard", "Golden standard (partner)", "标准回答", "Золотой стандарт"])
def test_a_gold_standard_is_expected_and_nobodys_answer(tmp_path, head):
    """As the first of the assistants it would be the reference that the others are compared with."""
    rows = [["Question", head, "Lex"], *([f"May I leave in case {n}?", ANSWER.format(n=n), f"No, not in case {n}; wait for the end of the month."] for n in range(4))]  # fmt: skip
    told = "\n".join(folder.read(table(tmp_path / "q.csv", rows)).understood)
    assert f"{head} = reference and guidance" in told
    assert told.count("the assistant ") == 1


def test_answers_too_short_to_tell_are_named_and_mapped_by_hand(tmp_path):
    """The refusal names file and column, and the option that takes the column; no file has to be edited."""
    rows = [
        ["问题", "标准答案", "法问"],
        *([f"第{n}种情形怎么办？", f"第{n}条", f"依第{n}条办理即可"] for n in range(1, 6)),
    ]
    file = table(tmp_path / "q.csv", rows)
    with pytest.raises(UserError, match=r"q\.csv: nobody's answers are known; .*: 法问\. .*--map 'answer:NAME=法问'"):
        as_spec({"suite": str(file)})
    spec, _ = as_spec({"suite": str(file), "columns": {"answer:vendor": "法问"}})
    assert list(spec.assistants) == ["vendor"]
    suite = chosen_suite(spec, tmp_path)
    answers = RecordedAnswers(file, "法问", {"answer:vendor": "法问"})
    assert [answers.dialogue(one).turns[-1].content for one in suite.samples[:2]] == [
        "依第1条办理即可",
        "依第2条办理即可",
    ]


def test_notes_under_a_sheet_are_no_questions_and_are_named(tmp_path):
    """Totals and sources below an empty row; a question below an empty row that has its expected answer is one."""
    rows = [["Question", "Expected answer", "Lex"], *([f"May I leave in case {n}?", f"No, {n}", ANSWER.format(n=n)] for n in range(5))]  # fmt: skip
    notes = [[None], ["Total answered", None, "5"], ["Source: the vendor"]]
    (tmp_path / "q.csv").write_text(f"{delimited(rows)}\n,,\nTotal answered,,5\n\nSource: the vendor\n", "utf-8")
    text = folder.read(tmp_path / "q.csv")
    assert (len(text.samples), [one.line for one in text.problems]) == (5, [9, 11])
    suite = folder.read(table(tmp_path / "q.xlsx", [*rows, *notes]))
    assert [sample.needs[:5] for sample in suite.samples] == ["May I"] * 5
    assert [(one.line, "a note under the table" in one.message) for one in suite.problems] == [(8, True), (9, True)]
    assert suite.card.left_out.rows == 2
    more = [*rows, [None], ["And in the last case?", "Yes", ANSWER.format(n=9)]]
    assert len(folder.read(table(tmp_path / "more.xlsx", more)).samples) == 6
    open_question = [*rows[:3], ["And in that case?", None, ANSWER.format(n=9)], *rows[3:]]
    assert len(folder.read(table(tmp_path / "open.xlsx", open_question)).samples) == 6


def test_hidden_rows_and_formulas_without_a_value_are_told(tmp_path):
    """Rows that a filter hides are read, and said to be; a formula that no program computed is no empty cell."""

    def cell(place: str, text: str) -> str:
        return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'

    rows = (
        f'<row r="1">{cell("A1", "Question")}{cell("B1", "Expected answer")}</row>'
        f'<row r="2" hidden="1">{cell("A2", "May I leave at once?")}{cell("B2", "No")}</row>'
        f'<row r="3">{cell("A3", "Is it mine?")}<c r="B3"><f>"Yes"</f><v></v></c></row>'
        f'<row r="4">{cell("A4", "Is it due?")}<c r="B4" t="str"><f>A9&amp;""</f><v></v></c></row>'
        f'<row r="5">{cell("A5", "Is it void?")}<c r="B5" t="str"><f>"Yes"</f><v>Yes</v></c></row>'
    )
    (tmp_path / "q.xlsx").write_bytes(workbook_of({"Sheet": rows}))
    suite = folder.read(tmp_path / "q.xlsx")
    assert "hidden rows are read too: 1 of 4 (2); delete what is not meant" in suite.understood
    assert [(one.line, one.field) for one in suite.problems] == [(3, "Expected answer")]
    assert suite.problems[0].message.startswith("the formula in B3 has no stored value")
    assert [sample.reference for sample in suite.samples] == ["No", "", "", "Yes"]


def test_the_marks_are_those_of_the_sheet_that_is_read(tmp_path):
    """A hidden row of another sheet, itself hidden, is nobody's concern."""
    text = '<c r="{0}" t="inlineStr"><is><t>{1}</t></is></c>'
    other = f'<row r="1">{text.format("A1", "Old")}</row><row r="2" hidden="1">{text.format("A2", "note")}</row>'
    rows = f'<row r="1">{text.format("A1", "Question")}</row><row r="2">{text.format("A2", "May I leave?")}</row>'
    (tmp_path / "q.xlsx").write_bytes(workbook_of({"Old": other, "Sheet": rows}, hidden=["Old"]))
    assert not [line for line in folder.read(tmp_path / "q.xlsx").understood if "hidden" in line]


def test_rows_of_several_models_are_refused_with_what_to_do(tmp_path):
    """The first words of the user name the row, as they stand there."""
    file = tmp_path / "arena.jsonl"
    turns = [{"role": "user", "content": "May I leave?"}, {"role": "assistant", "content": "No."}]
    file.write_bytes(b"\n".join(msgspec.json.encode({"model": name, "messages": turns}) for name in ("one", "two")))
    with pytest.raises(BadInputError) as refused:
        RecordedAnswers(file)
    assert "sample 'May I leave?': the rows are of several models (one, two); make a file of each" in str(refused.value)


def test_json_without_a_question_is_not_told_of_a_first_row(tmp_path):
    """A log of requests has names in every row."""
    (tmp_path / "log.jsonl").write_text('{"request": {"messages": []}, "response": {}}\n', "utf-8")
    with pytest.raises(BadInputError, match="--map needs=COLUMN$"):
        folder.read(tmp_path / "log.jsonl")

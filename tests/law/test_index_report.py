"""The report of an index: what each file became, what was skipped and why, and how the user corrects it."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from docx import Document
from pypdf import PdfWriter

from benchbar.law.index import build_index, load_corpus, read_report
from benchbar.law.legal_texts import Understood
from benchbar.law.reading import read_file
from benchbar.law.updating import update_index
from benchbar.records.errors import BadInputError

RECORDED = Path(__file__).parent / "mixed_folder.json"
CODE = """<html><head><meta charset="utf-8"><title>Портал</title><style>p {color: red}</style></head><body>
<nav><a href="/">Главная</a> Статья 99. Меню</nav>
<div id="text_content">
<p class="C">РОССИЙСКАЯ ФЕДЕРАЦИЯ</p>
<p class="T">ГАВАНСКИЙ КОДЕКС РОССИЙСКОЙ ФЕДЕРАЦИИ</p>
<p class="I">Принят Государственной Думой 3 июля 2030 года</p>
<p class="H">Глава 1. Общие положения</p>
<p class="H">Статья 1. Предмет</p><p>1. Кодекс регулирует стоянку судов.</p><p>2. Реки — не гавани.</p>
<p class="H">Статья 2. Сборы</p><p>Сбор устанавливает капитан.</p>
<p class="H">Статья 2<span class="W9">1</span>. Льготы</p><p>Лодки не платят, см. статью 2<sup>1</sup>.</p>
<p class="H">Статья 3. Споры</p><p>Споры разрешает суд.</p>
<p>Москва, Кремль</p><p>13 июля 2030 года</p><p>№ 218-ФЗ</p>
</div><footer>Контакты</footer></body></html>"""
DECISION = """Дело № 2-1520/2031
РЕШЕНИЕ
Именем Российской Федерации
5 мая 2031 года Гаванский районный суд рассмотрел иск Миллера к порту.
Истец просил вернуть сбор. Руководствуясь ст. 2 Гаванского кодекса, суд решил: в иске отказать."""
RULING = """ВЕРХОВНЫЙ СУД РОССИЙСКОЙ ФЕДЕРАЦИИ
№ 5-КГ31-12
ОПРЕДЕЛЕНИЕ
г. Москва 12 сентября 2031 г.
Судебная коллегия рассмотрела дело по иску Миллера к порту о возврате сбора.
определила: решение отменить."""
CHINESE = """东屿市某区人民法院
民事判决书
（2031）京0105民初123号
原告：某甲。
本院认为，依照《民法典》第一条，判决如下：略。
审判员 某乙
二〇三一年六月三日"""


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A folder as users have it: a code as a page, decisions as text and Word, a scan, and a broken PDF."""
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "code.html").write_text(CODE, encoding="utf-8")
    (folder / "decision.txt").write_text(DECISION, encoding="cp1251")
    (folder / "judgment.txt").write_text(CHINESE, encoding="gb18030")
    document = Document()
    for line in RULING.splitlines():
        document.add_paragraph(line)
    document.save(str(folder / "ruling.docx"))
    scan = PdfWriter()
    scan.add_blank_page(200, 200)
    scan.write(folder / "scan.pdf")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4\ngarbage")
    (folder / "nameless.txt").write_text("Статья 1. Один.\nСтатья 2. Два.\n", encoding="utf-8")
    return folder


def test_a_mixed_folder_has_the_recorded_report(mixed: Path, tmp_path: Path) -> None:
    """Each file of a mixed folder becomes what it is, or is named with the reason: the report equals the recorded one."""
    report = build_index([mixed], tmp_path / "index")
    found = {
        Path(file.file).name: {
            "documents": [json.loads(_encoded(one)) for one in file.documents],
            "skipped": [one.reason for one in file.skipped],
        }
        for file in report.read
    }
    if os.environ.get("BENCHBAR_RECORD"):
        RECORDED.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert found == json.loads(RECORDED.read_text(encoding="utf-8"))


def test_an_index_starts_its_numbers_above_the_line(mixed: Path) -> None:
    """Статья 2¹ of a page is article 2.1, its menu is no article, and its references are read alike."""
    articles = read_file(mixed / "code.html").articles
    assert [(one.number, one.sub) for one in articles] == [("1", ""), ("2", ""), ("2", "1"), ("3", "")]
    assert "статью 2.1" in articles[2].text


def test_the_report_is_kept_with_the_index(mixed: Path, tmp_path: Path) -> None:
    """What was printed is read again from the index, and changes nothing of it."""
    report = build_index([mixed], tmp_path / "index")
    assert read_report(tmp_path / "index") == report.read
    assert load_corpus(tmp_path / "index").decision("2-1520/2031") is not None


def test_unchanged_bytes_are_not_read_again(mixed: Path, tmp_path: Path) -> None:
    """A file touched without a change is not read again; one that changed with its time and size kept is."""
    build_index([mixed], tmp_path / "index")
    times = (mixed / "decision.txt").stat()
    os.utime(mixed / "code.html", ns=(1, 1))
    changed = (mixed / "decision.txt").read_bytes().replace(b"1520", b"1521")
    (mixed / "decision.txt").write_bytes(changed)
    os.utime(mixed / "decision.txt", ns=(times.st_atime_ns, times.st_mtime_ns))
    again = build_index([mixed], tmp_path / "index")
    assert {Path(one.file).name for one in again.read if not one.unchanged} == {"decision.txt"}
    assert load_corpus(tmp_path / "index").decision("2-1521/2031") is not None


def test_an_index_is_updated_from_its_own_paths(mixed: Path, tmp_path: Path) -> None:
    """The files are read again that changed, and the acts and decisions named that are new, changed or gone."""
    build_index([mixed], tmp_path / "index", as_of="2031-12-31")
    code = (mixed / "code.html").read_text(encoding="utf-8")
    (mixed / "code.html").write_text(
        code.replace("Сбор устанавливает капитан.", "Сбор устанавливает министр.").replace("Споры разрешает суд.", ""),
        encoding="utf-8",
    )
    (mixed / "judgment.txt").unlink()
    (mixed / "new.txt").write_text("Правила причала\nСтатья 1. Причал\nПричал открыт.\n", encoding="utf-8")
    found = update_index(tmp_path / "index")
    assert {Path(one.file).name for one in found.index.read if not one.unchanged} == {"code.html", "new.txt"}
    assert [(one.law_id, one.status, one.added, one.removed, one.changed) for one in found.updates] == [
        ("code", "changed", 0, 0, 2), ("", "changed", 0, 1, 0), ("new", "new", 1, 0, 0),
    ]  # fmt: skip
    assert found.index.as_of == "2031-12-31"
    assert update_index(tmp_path / "index").updates == ()


def test_corrections_stand_beside_the_files(mixed: Path, tmp_path: Path) -> None:
    """A law.toml names an act, makes a decision of an act, sets days, leaves files out; and says so in the report."""
    (mixed / "law.toml").write_text(
        '["nameless.txt"]\nname = "Правила причала"\nadopted = 2030-01-02\nin_force = 2030-02-01\nlaw_id = "pier"\n'
        '["decision.txt"]\ndate = 2031-05-06\ncourt = "Гаванский районный суд"\n'
        '["scan*"]\nskip = true\n',
        encoding="utf-8",
    )
    report = build_index([mixed], tmp_path / "index")
    corpus = load_corpus(tmp_path / "index")
    (act,) = [one for one in corpus.versions if one.law_id == "pier"]
    assert (act.name, act.adopted, act.in_force, act.in_force_source) == (
        "Правила причала",
        "2030-01-02",
        "2030-02-01",
        "stated",
    )
    assert corpus.article("pier#2") is not None
    decision = corpus.decision("2-1520/2031")
    assert decision is not None
    assert (decision.date, decision.court) == ("2031-05-06", "Гаванский районный суд")
    documents = {Path(one.file).name: one for one in report.read}
    assert documents["decision.txt"].documents[0].origins["decided"] == "law.toml"
    assert documents["scan.pdf"].skipped[0].reason == "law.toml says so"
    assert "law.toml" not in documents


def test_a_changed_correction_reads_its_file_again(mixed: Path, tmp_path: Path) -> None:
    """Files of the same bytes are read again where what the user says of them is new, and no other file is."""
    build_index([mixed], tmp_path / "index")
    (mixed / "law.toml").write_text('["nameless.txt"]\nname = "Правила причала"\n', encoding="utf-8")
    again = build_index([mixed], tmp_path / "index")
    assert [Path(one.file).name for one in again.read if not one.unchanged] == ["nameless.txt"]


def test_what_is_taken_for_the_wrong_kind_is_corrected(tmp_path: Path) -> None:
    """The kind that the user names is taken, whatever the signs."""
    (tmp_path / "note.txt").write_text("Записка о гавани\nСудно стояло у причала.\n", encoding="utf-8")
    (tmp_path / "law.toml").write_text('["note.txt"]\nkind = "decision"\ncase_number = "7/2031"\n', encoding="utf-8")
    report = build_index([tmp_path], tmp_path / "index")
    assert (report.laws, report.decisions) == (0, 1)
    assert load_corpus(tmp_path / "index").decision("7/2031") is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('["a.txt"]\nnmae = "x"\n', "nmae"),
        ('["a.txt"]\nadopted = "gestern"\n', "no date"),
        ('["a.txt"]\nkind = "poem"\n', "poem"),
        ("a = ", "law.toml"),
    ],
)
def test_a_correction_that_cannot_be_read_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """A misspelt field or a day that is none ends the indexing with its place: it would correct nothing unseen."""
    (tmp_path / "a.txt").write_text(CHINESE, encoding="utf-8")
    (tmp_path / "law.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError) as error:
        build_index([tmp_path], tmp_path / "index")
    assert message in str(error.value)


def test_a_correction_of_no_file_is_named(tmp_path: Path) -> None:
    """A pattern that no file has is reported."""
    (tmp_path / "a.txt").write_text(CHINESE, encoding="utf-8")
    (tmp_path / "law.toml").write_text('["b.txt"]\nskip = true\n', encoding="utf-8")
    report = build_index([tmp_path], tmp_path / "index")
    assert report.skipped[0].reason == "no file here is named 'b.txt'"


def _encoded(one: Understood) -> bytes:
    from benchbar.records import encode

    return encode(one)


def test_the_day_in_force_of_a_heading_is_no_day_of_adoption(tmp_path: Path) -> None:
    """A day named as in force under a title is the first day in force, and the report says where each day was read."""
    file = tmp_path / "dues.txt"
    file.write_text("Harbour Dues Act 2021\nIn force 1 July 2021\nSection 1. Dues\nA boat pays.\n", encoding="utf-8")
    found = read_file(file)
    (version,), (understood,) = found.versions, found.understood
    assert (version.adopted, version.in_force, version.in_force_source) == ("", "2021-07-01", "text")
    assert understood.origins == {"name": "first line", "in_force": "text before the first article"}
    file.write_text("Harbour Dues Act 2021\n[22nd July 2021]\nSection 1. Dues\nA boat pays.\n", encoding="utf-8")
    (understood,) = read_file(file).understood
    assert understood.origins["adopted"] == "text before the first article, which does not say what day it is"


def test_a_text_with_one_sign_of_an_act_is_refused_until_it_is_named_in_corrections(tmp_path: Path) -> None:
    """Minutes with one "Статья 1" are no law; the reason names the cure, and with it they are read."""
    (tmp_path / "minutes.txt").write_text("Минутки встречи\nСтатья 1. Один\nТекст.\n", encoding="utf-8")
    with pytest.raises(BadInputError, match=r"only one sign of an act \(1 articles\).*law\.toml"):
        build_index([tmp_path], tmp_path / "index")
    (tmp_path / "law.toml").write_text('["minutes.txt"]\nkind = "act"\n', encoding="utf-8")
    assert build_index([tmp_path], tmp_path / "index").laws == 1


ARBITRATION = """АРБИТРАЖНЫЙ СУД ГОРОДА ПОРТОВА
Именем Российской Федерации
РЕШЕНИЕ
г. Портов Дело № А40-118820/31-64-797
Резолютивная часть решения объявлена 05 октября 2031 г.
Полный текст решения изготовлен 12 октября 2031 г.
Истец: ООО «Вектор». Суд решил: в иске отказать."""
OF_THE_SUPREME_COURT = """ВЕРХОВНЫЙ СУД
РОССИЙСКОЙ ФЕДЕРАЦИИ
ОПРЕДЕЛЕНИЕ № 305-ЭС31-20466
Дело № А41-20391/2030
22 февраля 2031 года
Судебная коллегия рассмотрела жалобу на решение от 3 марта 2030 года.
определила: решение отменить."""
GENERAL = """Дело № 2-77/2031
РЕШЕНИЕ
Именем Российской Федерации
Мотивированное решение изготовлено 20 марта 2031 года
14 марта 2031 года город Портов
Портовый районный суд города Портова в составе судьи Графовой Г.А., рассмотрев дело по иску Ю к Я,
РЕШИЛ: иск удовлетворить."""


@pytest.mark.parametrize(
    ("text", "number", "also", "day", "court"),
    [
        # АПК 176: the day on which the whole text is made is that of the decision.
        (ARBITRATION, "А40-118820/2031", (), "2031-10-12", "АРБИТРАЖНЫЙ СУД ГОРОДА ПОРТОВА"),
        # Cited by its own number; that of the case is shared by all courts.
        (
            OF_THE_SUPREME_COURT,
            "305-ЭС31-20466",
            ("А41-20391/2030",),
            "2031-02-22",
            "ВЕРХОВНЫЙ СУД РОССИЙСКОЙ ФЕДЕРАЦИИ",
        ),
        # A court of general jurisdiction decides when it announces.
        (GENERAL, "2-77/2031", (), "2031-03-14", "Портовый районный суд города Портова"),
    ],
)
def test_a_decision_goes_by_the_number_day_and_court_that_lawyers_cite(
    tmp_path: Path, text: str, number: str, also: tuple[str, ...], day: str, court: str
) -> None:
    """Of several numbers and days in a head those are the decision's by which it is cited, and the court is read from a sentence too."""
    (tmp_path / "one.txt").write_text(text, encoding="utf-8")
    found = read_file(tmp_path / "one.txt").decisions[0]
    assert (found.case_number, found.also, found.date, found.court) == (number, also, day, court)


def test_lines_that_look_like_articles_and_are_none_are_named(tmp_path: Path) -> None:
    """An annex that counts anew hides no article silently: the report names the lines that were read as text."""
    text = "ПРАВИЛА ПРИЧАЛА\nСтатья 1. Один.\nСтатья 2. Два.\nСтатья 3. Три.\nПриложение\nСтатья 1. Снова.\nУтверждены приказом № 5\n"
    (tmp_path / "rules.txt").write_text(text, encoding="utf-8")
    legal_texts = read_file(tmp_path / "rules.txt")
    assert [one.number for one in legal_texts.articles] == ["1", "2", "3"]
    assert legal_texts.understood[0].notes == ("read as text, since the number does not go on: Статья 1. Снова.",)


EXCERPT = """ПРАВИТЕЛЬСТВО РОССИЙСКОЙ ФЕДЕРАЦИИ
ПОСТАНОВЛЕНИЕ
от 6 мая 2031 г. № 354
О СТОЯНКЕ ЛОДОК В РЕЧНЫХ ГАВАНЯХ
1. Причал предоставляет капитан гавани.
2. Сбор за стоянку вносится до 25. числа, а перечень льгот таков:
1. лодки;
2. плоты.
15. Отсутствие лодки даёт право на перерасчёт сбора.
16. Контроль возложить на надзор.
"""


def test_an_excerpt_keeps_the_numbers_of_its_points_and_says_which_are_left_out(tmp_path: Path) -> None:
    """Point 15 behind point 2 is point 15; a list within a point is none; the decree has the name that lawyers cite it by."""
    (tmp_path / "decree.txt").write_text(EXCERPT, "utf-8")
    report = build_index([tmp_path / "decree.txt"], tmp_path / "index")
    (found,) = report.read
    assert (
        found.documents[0].name
        == "Постановление Правительства РФ от 06.05.2031 № 354 «О стоянке лодок в речных гаванях»"
    )
    assert [one.reason for one in found.skipped] == ["an excerpt: points 3 to 14 of the act stand nowhere in it"]
    articles = load_corpus(tmp_path / "index").articles
    assert [one.number for one in articles] == ["1", "2", "15", "16"]
    assert articles[2].text == "Отсутствие лодки даёт право на перерасчёт сбора."
    assert "плоты" in articles[1].text


@pytest.mark.skipif(not (shutil.which("ocrmypdf") and shutil.which("tesseract")), reason="ocrmypdf is not installed")
def test_a_russian_scan_is_recognised_in_russian_and_the_report_says_so(tmp_path: Path) -> None:
    """Left to itself the program reads English letters into every page."""
    image_of = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    draw_of, fonts = pytest.importorskip("PIL.ImageDraw"), pytest.importorskip("PIL.ImageFont")
    font = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
    if not font.exists():
        pytest.skip("no font with Cyrillic letters")
    page = image_of.new("RGB", (1654, 1000), "white")
    text = "ГАВАНСКИЙ КОДЕКС РОССИЙСКОЙ ФЕДЕРАЦИИ\n\nСтатья 1. Предмет\nКодекс регулирует стоянку.\n\nСтатья 2. Сборы\nСбор устанавливает капитан."
    draw_of.Draw(page).multiline_text((120, 120), text, fill="black", font=fonts.truetype(str(font), 34), spacing=16)
    page.save(tmp_path / "scan.pdf", resolution=200)
    report = build_index([tmp_path / "scan.pdf"], tmp_path / "index", ocr=True)
    assert report.articles == 2
    assert any("as English, Russian" in note for one in report.read for note in one.documents[0].notes)

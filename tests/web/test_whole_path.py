"""From a spreadsheet to a signed decision in a real browser, in each language and on a phone: no terminal anywhere."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from docx import Document

from benchbar.artefacts.layout import RunFolder
from support.browsing import serving, watched
from support.workbook import workbook

TABLES = {
    "en-US": (
        "notice",
        "Question",
        "Expected answer",
        "How many days of notice must a tenant give in case {n}?",
        "{n} days, by section 4 of the Tenancies Act 2021",
    ),
    "zh-CN": (
        "通知",
        "问题",
        "答案要点",
        "第{n}种情形下，承租人应当提前多少天通知出租人？",
        "必须提及：{n}日，《房屋租赁法》第七条",
    ),
    "ru-RU": (
        "Срок",
        "Вопрос",
        "Ожидаемый ответ",
        "За сколько дней наниматель обязан предупредить о выезде в случае {n}?",
        "{n} дней, ст. 3 Жилищного кодекса",
    ),
}
"""Language to the name of the file, its heads, and its rows."""
ROWS = range(30, 34)
SERVER = Path(__file__).resolve().parents[1] / "support" / "chat_server.py"


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> Path:
    """An empty folder."""
    return tmp_path_factory.mktemp("path") / "runs"


@pytest.fixture(scope="module")
def link(request, runs, tmp_path_factory) -> Iterator[str]:
    """The owner's link to `benchbar serve` with the law of one language, which allows three models of the test server."""
    file = tmp_path_factory.mktemp("list") / "endpoints.toml"
    models = '["strong", "weak", "judge-apt"]'
    runs.mkdir(exist_ok=True)
    with subprocess.Popen([sys.executable, str(SERVER)], stdout=subprocess.PIPE, text=True) as chat:
        url = f"http://127.0.0.1:{chat.stdout.readline().strip()}/v1"
        file.write_text(f'[endpoints.house]\nbase_url = "{url}"\nmodels = {models}\nprivate = true\n', "utf-8")
        try:
            law = f"model-jurisdiction-{request.param[:2]}"
            with serving(runs, "--endpoints", str(file), "--law", law) as address:
                yield address
        finally:
            chat.terminate()


@pytest.fixture
def enter(chromium, link):
    """Opens a tab of somebody with a link of their own."""
    contexts = []

    def entered(address: str, locale: str, width: int):
        context = chromium.new_context(viewport={"width": width, "height": 800}, locale=locale)
        contexts.append(context)
        page = watched(context)
        page.goto(address)
        page.wait_for_url(lambda url: "/sign-in" not in url)
        page.base = link.partition("/sign-in")[0]
        return page

    yield entered
    for context in contexts:
        context.close()


def fits(page) -> None:
    page.wait_for_load_state()  # an element may stand in the page before its style sheet has come
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, page.url


DROPPED = """() => {
  const all = new DataTransfer();
  for (const name of ["a.csv", "b.csv", "c.csv"]) all.items.add(new File(["question\\nMay it be?\\n"], name));
  document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: all, bubbles: true, cancelable: true }));
  return [...document.querySelectorAll("#drop input[type=file]")].map((one) => [...one.files].map((file) => file.name));
}"""
"""Drops three files at once, and tells which field took which."""


def run_from_spreadsheet(owner, locale: str) -> str:
    """The name of the run that the five steps make."""
    name, *heads, question, expected = TABLES[locale]
    rows = [heads, *([question.format(n=n), expected.format(n=n)] for n in ROWS)]
    sheet = {"name": f"{name}.xlsx", "mimeType": "application/octet-stream", "buffer": workbook({"A": rows})}
    owner.goto(f"{owner.base}/new")
    assert owner.evaluate(DROPPED) == [["a.csv"], ["b.csv", "c.csv"]]
    assert owner.url.endswith("/new"), "what was dropped besides is looked at before it is sent"
    owner.goto(f"{owner.base}/new")
    owner.set_input_files("input[name=file]", sheet)
    owner.locator("#drop button.main").click()
    owner.locator(".understood .card").first.wait_for()
    assert question.format(n=30) in owner.locator(".understood").inner_text()
    fits(owner)
    owner.locator("button[name=go]").click()
    owner.wait_for_url("**/guidance")
    fits(owner)
    owner.locator("button[name=go]").click()
    owner.wait_for_url("**/assistants")
    owner.locator("input[value='house/strong']").check()
    owner.locator("input[value='house/weak']").check()
    owner.locator("select[name=judge]").select_option("house/judge-apt")
    owner.locator("input[name=people]").fill("100")
    owner.locator("select[name=annotators]").select_option("2")
    fits(owner)
    owner.locator("form.stack button.main").click()
    owner.wait_for_url("**/start")
    fits(owner)
    run = owner.locator("input[name=name]").input_value()
    owner.locator("form.stack button.main").click()
    owner.wait_for_url("**/runs/**")
    fits(owner)
    # The page of a run that is under way becomes that of the finished one by itself.
    owner.locator("a[href$='/decision']").wait_for()
    return run


def marked(page, choices: str) -> None:
    """Mark one task after the other by keyboard."""
    page.goto(f"{page.base}/review")
    for number, choice in enumerate(choices):
        page.locator("#mark[data-ready]").wait_for()
        fits(page)
        # The article that the guidance cites, as it stood on the day of the matter: opened by key, read, and out of the way again.
        page.keyboard.press("l")
        article = page.locator("#law details").first
        article.locator("summary").click()
        assert len(article.locator(".text").inner_text()) > 20
        fits(page)
        action = page.locator("#mark").get_attribute("action")
        page.keyboard.press(choice)
        page.keyboard.press("Enter")
        if number < len(choices) - 1:
            was = "was => (document.getElementById('mark') || {getAttribute: () => was}).getAttribute('action') !== was"
            page.wait_for_function(was, arg=action)
        else:
            page.locator("#mark").wait_for(state="detached")


@pytest.mark.parametrize(
    ("link", "width"),
    [
        ("zh-CN", 1280),
        *(
            pytest.param(one, width, marks=pytest.mark.slow)
            for one, width in (("en-US", 360), ("ru-RU", 1280), ("en-US", 1280))
        ),
    ],
    indirect=["link"],
)
def test_a_lawyer_gets_from_a_spreadsheet_to_a_signed_decision(enter, request, link, runs, width):
    """The run is made, two people mark with the law open, one differs, the owner settles and signs, and the DOCX opens."""
    locale = request.node.callspec.params["link"]
    owner = enter(link, locale, width)
    run = run_from_spreadsheet(owner, locale)
    assert RunFolder(runs / run).results.is_file()
    owner.goto(f"{owner.base}/queues/{run}")
    owner.locator("textarea[name=names]").fill(f"Ann {run} {width}\nBo {run} {width}")
    owner.locator("form[action$=invite] button").click()
    owner.locator("input.link").first.wait_for()
    links = [one.input_value() for one in owner.locator("input.link").all()]
    people = [enter(one, locale, width) for one in links]
    marked(people[0], "1111")
    marked(people[1], "2111")
    owner.goto(f"{owner.base}/queues/{run}/differ")
    for _ in range(4):
        if "/differ/" not in owner.url:
            break
        owner.locator("#mark[data-ready]").wait_for()
        address = owner.url
        owner.locator("input[name=choice]").first.check()
        owner.locator("#send").click()
        owner.wait_for_url(lambda url, was=address: url != was)
    owner.goto(f"{owner.base}/runs/{run}/decision")
    fits(owner)
    assert f"Ann {run} {width} (4)" in owner.locator("main").inner_text()
    owner.locator("input[name=verdict][value=release]").check()
    owner.locator("textarea[name=statement]").fill("§ 7")
    owner.locator("form.stack button.main").click()
    owner.locator("#signatures article").wait_for()
    fits(owner)
    text = owner.locator("#signatures article").inner_text()
    assert "owner" in text
    assert re.search(r"[0-9a-f]{32}", text)
    with owner.expect_download() as download:
        owner.locator("a[href$='decision.docx']").click()
    lines = [one.text for one in Document(io.BytesIO(Path(download.value.path()).read_bytes())).paragraphs]
    assert any("§ 7" in one and "owner" in one for one in lines)
    assert owner.complaints == [one for person in people for one in person.complaints] == []

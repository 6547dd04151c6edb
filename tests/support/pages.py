"""The pages for users, and their parts that are made from the code: ``python tests/support/pages.py`` writes these anew."""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
from configparser import ConfigParser
from functools import cache
from pathlib import Path
from string import Template
from textwrap import fill

from benchbar.cli.renamed import COMMANDS, OPTIONS
from benchbar.languages.prompts import FURTHER, NAMES, Prompts
from benchbar.ledger.schema import FILE, HISTORY, SCHEMA_VERSION, TABLES
from benchbar.suites.public_sets import lines
from benchbar.suites.public_sets import public_sets as cards
from benchbar.suites.taxonomy import IN_PROMPT, TASKS
from support import forked
from support.chat_servers import served

ROOT = Path(__file__).resolve().parents[2]
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def floors() -> list[set[str]]:
    """The rooms of each floor, from the top, as the import linter holds them."""
    parser = ConfigParser()
    parser.read(ROOT / ".importlinter", "utf-8")
    lines = parser["importlinter:contract:floors"]["layers"].split("\n")
    return [{room.strip() for room in line.split("|")} for line in lines if line.strip()]


def tables() -> str:
    """Tables of a ledger with their columns, and the versions of the schema."""
    with sqlite3.connect(":memory:") as db:
        db.executescript(FILE)
        columns = {table: ", ".join(row[1] for row in db.execute(f"PRAGMA table_info({table})")) for table in TABLES}
    db.close()
    rows = [f"| `{table}` | {columns[table]} | {meaning} |" for table, meaning in TABLES.items()]
    versions = "\n".join(f"- {version}: {text}" for version, text in HISTORY.items())
    return "\n".join(
        [
            "| table | columns | holds |",
            "| --- | --- | --- |",
            *rows,
            "",
            f"Schema version {SCHEMA_VERSION}; history:",
            "",
            versions,
        ]
    )


def tasks() -> str:
    """The table of UCL-Bench's tasks."""
    rows = [
        f"| {task.id} | {task.name} | {task.level} | {', '.join(task.scenarios)} | {'yes' if task.id in IN_PROMPT else ''} |"
        for task in TASKS.values()
    ]
    return "\n".join(
        ["| id | task | Bloom level | asked by | in the prompt |", "| --- | --- | --- | --- | --- |", *rows]
    )


def prompts() -> str:
    """Each prompt with its fields."""
    rows = [
        f"| `{name}` | {', '.join(f'`${field}`' for field in Template(Prompts().text(name, 'en')).get_identifiers())} |"
        for name in (*NAMES, *FURTHER)
    ]
    return "\n".join(["| prompt | fields |", "| --- | --- |", *rows])


@cache
def _demonstration() -> tuple[str, ...]:
    """What `benchbar run`, `benchbar ledger check` and the gate in Chinese and Russian print in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:

        def printed(*words: str, code: int = 0) -> str:
            done = forked.command(*words, cwd=Path(folder))
            assert done.returncode == code, done.stderr
            return re.sub(r" +$", "", done.stdout, flags=re.MULTILINE)

        made = "runs/model-jurisdiction-zh"
        gates = (printed("gate", made, "--language", language, code=3) for language in ("zh", "ru"))
        return printed("run"), printed("ledger", "check", made), *gates


def demo() -> str:
    """The first command with its decision and the reasons; the tables are left out."""
    return f"```console\n$ make demo\n…\n{_first_screen()}\n…\n```"


def _first_screen() -> str:
    return _demonstration()[0].partition("\n\n")[0]


def decision_zh() -> str:
    """The decision of the first command in Chinese."""
    return _decision("zh", _demonstration()[2])


def decision_ru() -> str:
    """The decision of the first command in Russian."""
    return _decision("ru", _demonstration()[3])


def _decision(language: str, printed: str) -> str:
    command = f"$ benchbar gate runs/model-jurisdiction-zh --language {language}"
    return f"```console\n$ make demo\n{command}\n{printed.strip()}\n```"


def checked() -> str:
    """What the check of a ledger prints after the first command."""
    return f"```console\n$ benchbar ledger check runs/model-jurisdiction-zh\n{_demonstration()[1]}```"


def renamed() -> str:
    """What became of former commands and options."""
    rows = [f"| `benchbar {command}` | {_told(became)} |" for command, became in COMMANDS.items()]
    for command, options in OPTIONS.items():
        rows += [f"| `benchbar {command} {option}` | {_told(became)} |" for option, became in options.items()]
    return "\n".join(["| before | now |", "| --- | --- |", *rows])


def _told(became: str) -> str:
    """With what is to be typed set as code."""
    what, use, typed = became.partition(": use ")
    return f"{what}: use `{typed}`" if use else what


def errors() -> str:
    """Each error with the first sentence of its page."""
    rows = []
    for page in sorted((ROOT / "docs" / "errors").glob("*.md")):
        text = " ".join(page.read_text("utf-8").partition("\n")[2].split())
        rows.append(f"| [{page.stem}](errors/{page.name}) | {re.split(r'[.:;] ', text)[0].rstrip('.')} |")
    return "\n".join(["| error | what happened |", "| --- | --- |", *rows])


def decisions() -> str:
    """Each decision with its title."""
    folder = ROOT / "docs" / "decisions"
    found = [page for page in sorted(folder.glob("*.md")) if page.name != "README.md"]
    return "\n".join(f"- [{page.read_text('utf-8').splitlines()[0].removeprefix('# ')}]({page.name})" for page in found)


def tutorial() -> str:
    """The last line of the tutorial's command, with the judge that marks by fixed rules."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / "examples" / "vendor.xlsx", folder)
        with served() as address:
            start = ("start", "vendor.xlsx", "--judge", "judge-model", "--base-url", f"{address}/v1")
            done = forked.command(*start, cwd=Path(folder))
    last = done.stdout.splitlines()[-1]
    return f"```text\n{fill(last, 120)}\n```"


def public_sets() -> str:
    """The card of each public legal set."""
    parts = []
    for name in cards():
        title, *told = lines(name)
        facts = [f"- **{head}**: {fact}" for head, _, fact in (line.partition(": ") for line in told)]
        parts.append("\n".join([f"### {title.partition(': ')[2]}", "", f"`benchbar suite get {name}`", "", *facts]))
    return "\n\n".join(parts)


PARTS = {
    "public_sets": public_sets,
    "tutorial": tutorial,
    "decisions": decisions,
    "errors": errors,
    "renamed": renamed,
    "checked": checked,
    "demo": demo,
    "decision_zh": decision_zh,
    "decision_ru": decision_ru,
    "tables": tables,
    "tasks": tasks,
    "prompts": prompts,
}


def renewed(page: str) -> str:
    """The text of a page with its generated parts as the code has them now."""
    return _PART.sub(lambda part: f"{part[1]}{PARTS[part[2]]()}\n{part[3]}", page)


def pages() -> list[Path]:
    """Every page for users."""
    return [*sorted(ROOT.glob("README*.md")), ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path, *languages: str) -> list[str]:
    """The fenced blocks of a page that are in one of the languages."""
    return [text for language, text in _FENCE.findall(page.read_text("utf-8")) if language in languages]


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return _FENCE.sub("", page.read_text("utf-8"))


if __name__ == "__main__":
    for path in pages():
        old = path.read_text("utf-8")
        if old != (new := renewed(old)):
            path.write_text(new, "utf-8")

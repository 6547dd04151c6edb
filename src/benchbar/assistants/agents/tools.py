"""Tools for a folder of documents: list, read, search, write, run a command; what they answer is text."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import PurePosixPath
from typing import Any, Protocol

import msgspec

from benchbar.assistants.agents.sandbox import OUTPUTS, Container
from benchbar.records.errors import BenchbarError
from benchbar.records.protocols import Tool
from benchbar.tables.work_products import text_of_bytes

PAGE = 12_000
"""Characters of one answer: several fit into the context of a small model."""
LINES = 40
ROOT = PurePosixPath(OUTPUTS).parts[1]
TEXT_ENDINGS = {".txt", ".md", ".csv", ".tsv", ".html", ".json"}


class ToolError(Exception):
    """A tool cannot do what it was asked: the model is told why, and goes on; no user ever sees it."""


class Toolbox(Protocol):
    """Some tools."""

    @property
    def tools(self) -> Sequence[Tool]:
        """What a model is offered."""
        ...

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """What a tool answers.

        Raises:
            ToolError: it cannot.
        """
        ...


class ToolServer(Protocol):
    """Tools that have to be opened before they are asked."""

    def opened(self) -> AbstractAsyncContextManager[Toolbox]:
        """The tools while the block lasts."""
        ...


def _tool(name: str, description: str, *needed: str, **fields: dict[str, str]) -> Tool:
    return Tool(name, description, {"type": "object", "properties": fields, "required": list(needed)})


_TEXT = {"type": "string"}
TOOLS = (
    _tool(
        "list_files", "List the documents in the folder `in` and the files written so far to `out`, with their sizes."
    ),
    _tool(
        "read_file",
        "Read the text of a file (DOCX, XLSX, PDF, TXT, MD, …). Long texts come in pages.",
        "path",
        path={**_TEXT, "description": "such as in/lease.docx or out/memo.docx"},
        offset={"type": "integer", "description": "first character; 0 if left out"},
    ),
    _tool(
        "search",
        "Find the lines of the documents that hold a text, whatever its case.",
        "text",
        text=_TEXT,
        path={**_TEXT, "description": "a single file; all documents if left out"},
    ),
    _tool(
        "write_file",
        "Write a file to the folder `out`, in place of what was there. A name that ends in .docx makes a Word document of Markdown:"
        " headings, lists, tables, paragraphs. .txt, .md, .csv, .html and .json are written as they are.",
        "path",
        "content",
        path={**_TEXT, "description": "such as out/memo.docx"},
        content=_TEXT,
    ),
    _tool(
        "run_command",
        "Run a shell command. The documents are in /task/in, which cannot be written to; files to be handed in belong into /task/out, where it starts.",
        "command",
        command=_TEXT,
    ),
)
CHANGING = frozenset({"write_file", "run_command"})
"""Tools that change what is in the container; the others need none."""


class FileTools:
    """The tools over one folder of documents and the container that holds it."""

    tools = TOOLS

    def __init__(self, texts: Mapping[str, str], sizes: Mapping[str, int], container: Container) -> None:
        """``texts`` by name: of those documents that can be read; ``sizes``: bytes of all."""
        self._texts, self._sizes, self._container = texts, sizes, container

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """What a tool answers.

        Raises:
            ToolError: it cannot; names what was wrong.
            ContainerLostError: the container has ended.
        """
        tool = next((one for one in TOOLS if one.name == name), None)
        if tool is None:
            raise ToolError(f"there is no tool {name[:80]!r}; there are: {', '.join(one.name for one in TOOLS)}")
        missing = [one for one in tool.parameters["required"] if not isinstance(arguments.get(one), str)]
        if missing:
            raise ToolError(f"{name} needs {' and '.join(missing)}, as text")
        if name == "list_files":
            return await self._list()
        if name == "read_file":
            return await self._read(arguments["path"], arguments.get("offset"))
        if name == "search":
            return self._search(arguments["text"], str(arguments.get("path") or ""))
        if name == "write_file":
            return await self._write(arguments["path"], arguments["content"])
        ran = await self._container.shell(arguments["command"], most=PAGE)
        more = "\n(cut: it wrote more)" if ran.cut else ""
        return f"exit code {ran.code}\n{ran.output.decode('utf-8', 'replace')}{more}"

    async def _list(self) -> str:
        left, _ = await self._container.outputs()
        rows = [f"in/{name} ({size} bytes)" for name, size in self._sizes.items()]
        return "\n".join([*rows, *(f"out/{one.name} ({len(one.data)} bytes)" for one in left)]) or "no files"

    async def _read(self, path: str, offset: object) -> str:
        place, name = _place(path)
        if place == "out":
            left, _ = await self._container.outputs()
            data = next((one.data for one in left if one.name == name), None)
            if data is None:
                raise ToolError(f"there is no file {path!r}; list_files tells which there are")
            text = _readable(name, data)
        else:
            text = self._document(name)
        start = offset if isinstance(offset, int) and offset > 0 else 0
        rest = len(text) - start - PAGE
        return text[start : start + PAGE] + (f"\n({rest} more characters: offset {start + PAGE})" if rest > 0 else "")

    def _document(self, name: str) -> str:
        if name in self._texts:
            return self._texts[name]
        if name in self._sizes:
            raise ToolError(f"in/{name} holds no text that can be read")
        raise ToolError(f"there is no document {name!r}; there are: {', '.join(self._sizes)[:500]}")

    def _search(self, wanted: str, path: str) -> str:
        names = [_place(path)[1]] if path else list(self._texts)
        found = [
            f"in/{name}:{number}: {line.strip()[:400]}"
            for name in names
            for number, line in enumerate(self._document(name).splitlines(), start=1)
            if wanted.casefold() in line.casefold()
        ]
        more = f"\n(and {len(found) - LINES} more lines)" if len(found) > LINES else ""
        return "\n".join(found[:LINES]) + more if found else f"no line holds {wanted[:200]!r}"

    async def _write(self, path: str, content: str) -> str:
        place, name = _place(path)
        ending = PurePosixPath(name).suffix.lower()
        if place != "out":
            raise ToolError("documents cannot be changed; write to out/")
        if ending not in {".docx", *TEXT_ENDINGS}:
            raise ToolError(
                f"write_file makes .docx and {', '.join(sorted(TEXT_ENDINGS))}; make others with run_command"
            )
        data = docx_of(content) if ending == ".docx" else content.encode()
        ran = await self._container.write(f"{OUTPUTS}/{name}", data)
        if ran.code:
            raise ToolError(f"not written: {ran.output.decode('utf-8', 'replace').strip()[:300]}")
        return f"written: out/{name} ({len(data)} bytes)"


def _place(path: str) -> tuple[str, str]:
    """``in`` or ``out``, and the name in there.

    Raises:
        ToolError: the path leads anywhere else.
    """
    parts = PurePosixPath(path.strip()).parts
    # With the place in the container before them they are the same files, as commands name them.
    parts = parts[2:] if parts[:2] == ("/", ROOT) else parts
    if len(parts) < 2 or parts[0] not in {"in", "out"} or ".." in parts or any(ord(char) < 32 for char in path):
        raise ToolError(f"{path[:200]!r} is no path below in/ or out/")
    return parts[0], str(PurePosixPath(*parts[1:]))


def _readable(name: str, data: bytes) -> str:
    try:
        return text_of_bytes(name, data)
    except BenchbarError as error:
        raise ToolError(f"out/{name} cannot be read: {error}") from error


def docx_of(markdown: str) -> bytes:
    """A Word document with the headings, lists, tables and paragraphs of Markdown."""
    from docx import Document

    document = Document()
    rows: list[list[str]] = []
    for line in [*(_clean(one).rstrip() for one in markdown.splitlines()), ""]:
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            # The line of dashes below the head is no row.
            rows += [] if all(set(cell) <= set("-: ") for cell in cells) else [cells]
            continue
        if rows:
            _add_table(document, rows)
            rows = []
        marks, _, text = line.partition(" ")
        if marks and set(marks) == {"#"} and len(marks) <= 6:
            document.add_heading(text, level=len(marks))
        elif line.lstrip()[:2] in {"- ", "* "}:
            document.add_paragraph(line.lstrip()[2:], style="List Bullet")
        elif line.strip():
            document.add_paragraph(line)
    memory = io.BytesIO()
    document.save(memory)
    return memory.getvalue()


def _clean(text: str) -> str:
    """Without control characters, which XML cannot hold, and without the marks of bold text."""
    return "".join(char for char in text if char >= " " or char == "\t").replace("**", "")


def _add_table(document: Any, rows: list[list[str]]) -> None:
    table = document.add_table(rows=len(rows), cols=max(map(len, rows)))
    for place, row in enumerate(rows):
        for column, cell in enumerate(row):
            table.cell(place, column).text = cell


def arguments_of(text: str) -> Mapping[str, Any]:
    """The arguments of a call as an object.

    Raises:
        ToolError: the model wrote something else.
    """
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ToolError(f"the arguments are no JSON: {error}") from error
    if not isinstance(found, dict):
        raise ToolError("the arguments are no JSON object")
    return found

"""How fast law is read, as ratios to what reading costs at least: the bytes themselves, and PDFium for the text of a PDF.

    python benchmarks/index_speed.py [--articles 300] [--repeats 3]

One code of made articles is written in each format that the machine can write here, and read by `read_file`; then a folder
of them is indexed twice, to see what an unchanged folder costs. Processor time, the least of the repeats. Ratios and not
seconds: they hold on other machines.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from benchbar.law.index import build_index
from benchbar.law.reading import read_file

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from law.test_reading import docx_of, pdf_of, write_docx

SENTENCE = "Whoever enters a harbour without leave of its master has to pay the fee that the master has set for ships."


def code(articles: int) -> list[str]:
    """The lines of a code: articles of five paragraphs."""
    lines = ["Harbour Code of 2031"]
    for number in range(1, articles + 1):
        lines.append(f"Section {number}. Of harbours, part {number}.")
        lines += [f"({part}) {SENTENCE}" for part in range(1, 6)]
    return lines


def write(folder: Path, lines: list[str]) -> dict[str, Path]:
    """The same code in each format, by name of the format."""
    text = "\n".join(lines)
    places = {name: folder / f"code-{name}.{name}" for name in ("txt", "html", "rtf", "docx", "odt", "xml", "pdf")}
    places["txt"].write_text(text, encoding="utf-8")
    places["html"].write_text("<body>" + "".join(f"<p>{line}</p>" for line in lines) + "</body>", encoding="utf-8")
    places["rtf"].write_text("{\\rtf1\\ansi " + "\\par\n".join(lines) + "}", encoding="ascii")
    write_docx(places["docx"], docx_of(text))
    office = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
    with zipfile.ZipFile(places["odt"], "w", zipfile.ZIP_DEFLATED) as archive:
        paragraphs = "".join(f"<t:p>{line}</t:p>" for line in lines)
        archive.writestr("content.xml", f'<d xmlns:t="{office}">{paragraphs}</d>')
    paragraphs = "".join(f"<p>({part}) {SENTENCE}</p>" for part in range(1, 6))
    articles = "".join(
        f"<article><num>{line.split('.')[0]}</num><content>{paragraphs}</content></article>"
        for line in lines
        if line.startswith("Section")
    )
    name = f"<preface><p><docTitle>{lines[0]}</docTitle></p></preface>"
    places["xml"].write_text(f"<akomaNtoso><act>{name}<body>{articles}</body></act></akomaNtoso>", encoding="utf-8")
    pages = [lines[start : start + 40] for start in range(0, len(lines), 40)]
    places["pdf"].write_bytes(pdf_of([[line.replace("(", "").replace(")", "") for line in page] for page in pages]))
    return places


def least(run: Callable[[], object], repeats: int) -> float:
    """The least processor time of a call, in seconds."""
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        run()
        times.append(time.process_time() - begin)
    return min(times)


def pdfium(path: Path) -> None:
    """The text of each page, and nothing else."""
    from pypdfium2 import PdfDocument

    document = PdfDocument(path.read_bytes())
    for page in document:
        page.get_textpage().get_text_range()
        page.close()
    document.close()


def main() -> None:
    """Print a line for each format, and what a folder costs the second time."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--articles", type=int, default=300)
    options.add_argument("--repeats", type=int, default=3)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "law").mkdir()
        lines = code(chosen.articles)
        places = write(folder / "law", lines)
        print("format   kB    articles  MB/s of text   times the bytes   times PDFium")
        for form, path in places.items():
            read = least(lambda path=path: read_file(path), chosen.repeats)
            # Once is below the clock's grain.
            floor = least(lambda path=path: [path.read_bytes() for _ in range(100)], chosen.repeats) / 100
            beside = f"{read / least(lambda path=path: pdfium(path), chosen.repeats):12.2f}" if form == "pdf" else ""
            size, text = path.stat().st_size, sum(map(len, lines))
            found = len(read_file(path).articles)
            print(f"{form:6} {size / 1e3:6.0f} {found:9} {text / 1e6 / read:14.1f} {read / floor:16.0f}   {beside}")
        first = least(lambda: build_index([folder / "law"], folder / "index"), 1)
        again = least(lambda: build_index([folder / "law"], folder / "index"), chosen.repeats)
        print(f"index of the folder: {first:.2f} s; again, unchanged: {again:.2f} s, {again / first:.2f} of it")


if __name__ == "__main__":
    main()

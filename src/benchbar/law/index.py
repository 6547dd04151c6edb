"""The corpus on disk: one folder, memory-mapped, whole or refused, files of the same bytes as last time not read again."""

from __future__ import annotations

import hashlib
import mmap
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from benchbar.law.bundled import bundled_laws, law_path
from benchbar.law.corpus import CaseRows, Corpus, PackedRows
from benchbar.law.corrections import Correction, Corrections, stamp
from benchbar.law.legal_texts import LegalTexts, Skipped, Understood
from benchbar.law.nicknames import NICKNAMES, read_nicknames
from benchbar.law.terms import document_frequencies
from benchbar.law.treatment.table import Kept, Treatments
from benchbar.records import Article, Decision, LawVersion, Record, decode, encode
from benchbar.records.errors import BadInputError
from benchbar.records.files import read_bounded, write_atomically

T = TypeVar("T")
FORMAT, FORMAT_VERSION = "benchbar-law-index", 1
# Part of what makes a source unchanged: a better reader reads old files anew.
READERS_VERSION = 5
"""Raised when a reader reads differently, so that files are read again."""
MANIFEST = "index.json"


class _Part(Record, frozen=True):
    """One data file of an index."""

    file: str
    bytes: int


class _Source(Record, frozen=True):
    """A file that was read: as long as its bytes and what the user says of it stay, it need not be read again."""

    size: int
    # The time told changes before digests did; it is still written, for older programs to open the index.
    changed: int
    material: str
    readers: int
    digest: str = ""
    correction: str = ""


class _Manifest(Record, frozen=True):
    format: str
    version: int
    identity: str
    claims: tuple[str, ...]
    laws: int
    articles: int
    decisions: int
    pieces: int
    parts: dict[str, _Part]
    sources: dict[str, _Source]
    as_of: str = ""
    paths_in_identity: bool = True
    """Left out in indexes whose identity was made with the paths of their files; it stays theirs until they are built again."""


class MadeFrom(Record, frozen=True):
    """What an index was made from and with, for it to be made again."""

    paths: tuple[str, ...]
    claims: tuple[str, ...] = ()
    as_of: str = ""
    ocr: bool = False


class FileReport(Record, frozen=True):
    """What one file held, before laws and decisions that occur twice were put together."""

    file: str
    laws: int
    articles: int
    decisions: int
    unchanged: bool
    """Not read again: its bytes are those of the last run."""
    documents: tuple[Understood, ...] = ()
    """What it was taken for; files of rows, which hold thousands, are only counted."""
    skipped: tuple[Skipped, ...] = ()


class IndexReport(Record, frozen=True):
    """What ``law index`` prints."""

    laws: int
    """Acts; the versions of an act, and the books of a code, count once."""
    articles: int
    decisions: int
    pieces: int
    skipped: tuple[Skipped, ...]
    seconds: float
    as_of: str = ""
    """Last day that the index knows the law of; empty where no source says."""
    read: tuple[FileReport, ...] = ()


def build_index(
    paths: Sequence[Path],
    out: Path,
    *,
    claims: frozenset[str] = frozenset(),
    as_of: str = "",
    ocr: bool = False,
    progress: Callable[[Sequence[Path]], Iterable[Path]] = iter,
) -> IndexReport:
    """Read all files of law under ``paths`` into an index at ``out``, and say what was read and what was skipped.

    Files whose bytes are those of the last run are taken from the index that is there. The new index replaces the
    old one in one step: whoever opens it sees the old one or the new one. The report is kept with it.

    Args:
        paths: files, and folders of files; a ``law.toml`` in them corrects what files are taken for.
        out: the folder of the index.
        claims: levels of law that the files hold all of.
        as_of: the last day (YYYY-MM-DD) that the files know the law of, where they do not say it themselves.
        ocr: have pages of PDF files recognised that are pictures.
        progress: wraps the files, to show how far the reading is.

    Raises:
        BadInputError: a path does not exist, ``out`` is a file or a folder of something else, a ``law.toml`` cannot be
            read, or nothing was found.
    """
    from benchbar.law.reading import files_under

    begin = time.perf_counter()
    old = _old_sources(out)
    files = list(
        # The index's own files are no sources, where it lies below one of the paths.
        dict.fromkeys(path.resolve() for path in files_under(paths) if out.resolve() not in path.resolve().parents)
    )
    corrections = Corrections.under(paths)
    whole, sources, read = LegalTexts(claims=claims, skipped=corrections.unmet(files)), {}, []
    for path in progress(files):
        legal_texts, source, unchanged = _legal_texts(path, old, out, corrections.of(path), ocr=ocr)
        sources[str(path)] = source
        read.append(_file_report(path, legal_texts, unchanged=unchanged))
        whole.extend(legal_texts)
    whole.as_of = as_of or whole.as_of
    corpus = Corpus.from_texts(whole)
    # An empty corpus would call every law invented.
    if not corpus.versions and not corpus.decisions:
        why = corpus.skipped[0].reason if corpus.skipped else "no files"
        raise BadInputError(f"found no law and no decisions under {', '.join(map(str, paths))}: {why}", file=out)
    read = [_dated(one, corpus) for one in read]
    made = MadeFrom(tuple(str(one.resolve()) for one in paths), tuple(sorted(claims)), as_of, ocr)
    pieces = _write(out, corpus, sources, {"report": read, "made_from": made})
    return IndexReport(
        laws=len(corpus.acts),
        articles=len(corpus.articles),
        decisions=len(corpus.decisions),
        pieces=pieces,
        skipped=corpus.skipped,
        seconds=round(time.perf_counter() - begin, 3),
        as_of=corpus.as_of,
        read=tuple(read),
    )


def _file_report(path: Path, legal_texts: LegalTexts, *, unchanged: bool) -> FileReport:
    return FileReport(
        file=str(path),
        laws=len(legal_texts.versions),
        articles=len(legal_texts.articles),
        decisions=len(legal_texts.decisions),
        unchanged=unchanged,
        documents=tuple(legal_texts.understood),
        skipped=tuple(legal_texts.skipped),
    )


def _old_sources(out: Path) -> dict[str, _Source]:
    if not out.exists():
        return {}
    if not out.is_dir():
        raise BadInputError("this is a file; an index is a folder", file=out)
    if not (out / MANIFEST).exists():
        # Files that are not in the manifest are removed after writing: a folder of something else must not be
        # taken for an index.
        strangers = [one.name for one in out.iterdir() if one.name not in {"material", "data", "retrieval", NICKNAMES}]
        if strangers:
            raise BadInputError(f"the folder holds other things ({strangers[0]}): name an empty or new one", file=out)
        return {}
    try:
        return _manifest(out).sources
    except BadInputError:
        return {}  # of another version, or damaged: everything is read again


def _legal_texts(
    path: Path, old: dict[str, _Source], out: Path, correction: Correction, *, ocr: bool
) -> tuple[LegalTexts, _Source, bool]:
    from benchbar.law.reading import read_file

    # Before reading: a file that grows meanwhile is read again the next time.
    status, digest = path.stat(), _digest(path)
    said = stamp(correction) + ("ocr" if ocr else "")
    before = old.get(str(path))
    if before and digest and (before.digest, before.correction, before.readers) == (digest, said, READERS_VERSION):
        # A lost or damaged copy costs one reading, not the build.
        try:
            data = (out / "material" / before.material).read_bytes()
            return msgspec.json.decode(data, type=LegalTexts), before, True
        except (OSError, msgspec.DecodeError):
            pass  # lost or damaged: read the file itself
    legal_texts = read_file(path, correction, ocr=ocr)
    data = encode(legal_texts)
    # By content as well: an index that is open keeps its files while a new one is written.
    name = hashlib.blake2b(str(path).encode() + data, digest_size=12).hexdigest() + ".json"
    write_atomically(out / "material" / name, data)
    source = _Source(status.st_size, status.st_mtime_ns, name, READERS_VERSION, digest, said)
    return legal_texts, source, False


def _digest(path: Path) -> str:
    """The hash of a file's bytes; empty where it cannot be read, which its reader then says."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    except OSError:
        return ""


def _dated(report: FileReport, corpus: Corpus) -> FileReport:
    """The report with the days that only the whole corpus gives: an act's last articles say since when it is in force."""

    def whole(one: Understood) -> Understood:
        version = corpus.by_id.get(one.document)
        if one.kind != "act" or version is None or not version.in_force or one.dates.get("in_force"):
            return one
        dates, origins = one.dates | {"in_force": version.in_force}, one.origins | {"in_force": "last articles"}
        return msgspec.structs.replace(one, dates=dates, origins=origins)

    return msgspec.structs.replace(report, documents=tuple(map(whole, report.documents)))


def _write(out: Path, corpus: Corpus, sources: dict[str, _Source], beside: Mapping[str, Any]) -> int:
    """The data files under names of their own, then the manifest that makes them the index, then the old ones go."""
    identity = corpus.identity
    parts: dict[str, _Part] = {}

    def put(name: str, data: bytes) -> None:
        # Under the identity: files of the old index stay whole until the manifest names the new ones.
        file = f"data/{identity[:12]}-{name}"
        write_atomically(out / file, data)
        parts[name] = _Part(file, len(data))

    for name, rows in (("articles", corpus.articles), ("decisions", corpus.decisions)):
        lines = [encode(row) for row in rows]
        put(name, b"".join(lines))
        # Offsets in little-endian, so that an index can be copied to any machine.
        put(f"{name}.offsets", np.concatenate(([0], np.cumsum([len(line) for line in lines]))).astype("<i8").tobytes())
    put("versions", encode(corpus.versions))
    put("rows", encode({law_id: (rows.start, rows.stop) for law_id, rows in corpus.first_rows.items()}))
    put("skipped", encode(corpus.skipped))
    for name, value in beside.items():
        put(name, encode(value))
    put("treatments", encode(corpus.treatments.kept))
    put("labels", encode({str(row): labels for row, labels in corpus.decision_labels.items()}))
    put("cases.hashes", corpus.case_rows.hashes.astype("<u8").tobytes())
    put("cases.rows", corpus.case_rows.numbers.astype("<i8").tobytes())
    put("frequencies", document_frequencies(one.text for one in corpus.articles).astype("<u4").tobytes())
    pieces = sum(1 for _ in corpus.pieces())
    manifest = _Manifest(
        format=FORMAT,
        version=FORMAT_VERSION,
        identity=identity,
        claims=tuple(sorted(corpus.claims)),
        as_of=corpus.as_of,
        laws=len(corpus.acts),
        articles=len(corpus.articles),
        decisions=len(corpus.decisions),
        pieces=pieces,
        parts=parts,
        sources=sources,
        paths_in_identity=corpus.paths_in_identity,
    )
    # The manifest last: it is what makes the files an index.
    write_atomically(out / MANIFEST, msgspec.json.format(encode(manifest), indent=1))
    _remove_unused(
        out, {part.file for part in parts.values()} | {f"material/{one.material}" for one in sources.values()}
    )
    return pieces


def _remove_unused(out: Path, used: set[str]) -> None:
    for folder in ("data", "material"):
        for file in (out / folder).glob("*"):
            if f"{folder}/{file.name}" not in used:
                file.unlink(missing_ok=True)


def _manifest(path: Path) -> _Manifest:
    file = path / MANIFEST
    try:
        data = file.read_bytes()
    except FileNotFoundError as error:
        began = (path / "data").is_dir() or (path / "material").is_dir()
        found = "an index that was not finished" if began else "no index (it has no index.json)"
        raise BadInputError(f"{found}: run `benchbar law index PATH… --out {path}`", file=path) from error
    except OSError as error:
        raise BadInputError(f"cannot be read: {error.strerror}", file=file) from error
    try:
        stamp: Any = msgspec.json.decode(data)
    except msgspec.DecodeError as error:
        raise BadInputError(f"damaged ({error}): build the index again", file=file) from error
    # Format before version: a stranger's JSON is not an old index.
    if not isinstance(stamp, dict) or stamp.get("format") != FORMAT:
        raise BadInputError("this is not the index of a corpus of law", file=file)
    if stamp.get("version") != FORMAT_VERSION:
        raise BadInputError(
            f"an index of version {stamp.get('version')}; this Benchbar reads version {FORMAT_VERSION}: build it again",
            file=file,
        )
    try:
        return msgspec.convert(stamp, _Manifest)
    except msgspec.ValidationError as error:
        raise BadInputError(f"damaged ({error}): build the index again", file=file) from error


def open_index(path: Path | str) -> Corpus:
    """The corpus of an index on disk; articles and decisions are read from the mapped file when asked for.

    Raises:
        BadInputError: there is no index, it was not finished, is damaged, or of another version.
    """
    folder = Path(path)
    manifest = _manifest(folder)
    for part in manifest.parts.values():
        file = folder / part.file
        # A manifest is untrusted: an index may be downloaded.
        if not file.resolve().is_relative_to(folder.resolve()):
            raise BadInputError(f"names a file outside the index: {part.file}", file=folder / MANIFEST)
        size = file.stat().st_size if file.is_file() else -1
        # Sizes are compared for each part; digests of gigabytes would make opening slow (it takes 24 ms).
        if size != part.bytes:
            found = "missing" if size < 0 else f"{size} bytes long, not {part.bytes}"
            raise BadInputError(f"{part.file} is {found}: build the index again", file=folder)

    def read(name: str) -> bytes:
        return (folder / manifest.parts[name].file).read_bytes()

    def array(name: str, kind: str) -> NDArray[Any]:
        part = manifest.parts[name]
        if not part.bytes:
            # An empty file cannot be mapped.
            return np.zeros(0, dtype=kind)
        return np.memmap(folder / part.file, dtype=kind, mode="r").view(np.ndarray)

    try:
        rows = msgspec.json.decode(read("rows"), type=dict[str, tuple[int, int]])
        return Corpus(
            versions=msgspec.json.decode(read("versions"), type=tuple[LawVersion, ...]),
            articles=PackedRows(
                _mapped(folder / manifest.parts["articles"].file), array("articles.offsets", "<i8"), Article
            ),
            decisions=PackedRows(
                _mapped(folder / manifest.parts["decisions"].file), array("decisions.offsets", "<i8"), Decision
            ),
            first_rows={law_id: range(*ends) for law_id, ends in rows.items()},
            case_rows=CaseRows(array("cases.hashes", "<u8"), array("cases.rows", "<i8")),
            claims=frozenset(manifest.claims),
            as_of=manifest.as_of,
            skipped=msgspec.json.decode(read("skipped"), type=tuple[Skipped, ...]),
            identity=manifest.identity,
            paths_in_identity=manifest.paths_in_identity,
            frequencies=array("frequencies", "<u4"),
            decision_labels=_labels(read("labels")) if "labels" in manifest.parts else {},
            # An index of before has none: reading all its decisions anew would take minutes.
            read_treatments=lambda: _treatments(
                read("treatments") if "treatments" in manifest.parts else b"[]", folder
            ),
        )
    except (KeyError, msgspec.DecodeError, OSError) as error:
        raise BadInputError(f"damaged ({error}): build the index again", file=folder) from error


def _treatments(data: bytes, folder: Path) -> Treatments:
    try:
        return Treatments.of_kept(msgspec.json.decode(data, type=tuple[Kept, ...]))
    except msgspec.DecodeError as error:
        raise BadInputError(f"damaged ({error}): build the index again", file=folder) from error


def _labels(data: bytes) -> dict[int, tuple[str, ...]]:
    return {int(row): labels for row, labels in msgspec.json.decode(data, type=dict[str, tuple[str, ...]]).items()}


def read_report(path: Path | str) -> tuple[FileReport, ...]:
    """What each file of an index was taken for, as it was printed when the index was made.

    Raises:
        BadInputError: there is no index, it is damaged, or was made before reports were kept.
    """
    return _beside(Path(path), "report", tuple[FileReport, ...])


def made_from(path: Path | str) -> MadeFrom:
    """What an index was made from.

    Raises:
        BadInputError: there is no index, it is damaged, or was made before its paths were kept.
    """
    return _beside(Path(path), "made_from", MadeFrom)


def _beside(folder: Path, name: str, kind: type[T]) -> T:
    part = _manifest(folder).parts.get(name)
    if part is None:
        raise BadInputError("the index was made before this was kept with it: build it again", file=folder)
    file = folder / part.file
    if not file.resolve().is_relative_to(folder.resolve()):
        raise BadInputError(f"names a file outside the index: {part.file}", file=folder / MANIFEST)
    return decode(read_bounded(file), kind, file=file)


def load_corpus(path: Path | str, *, labels: Iterable[str] = (), paths_in_identity: bool = False) -> Corpus:
    """The corpus of an index, of a folder of acts and decisions in our own form (``acts/*.md``, ``decisions.jsonl``), or of a
    bundled suite by its name.

    Documents with an access label that is not among ``labels`` are not in it. With ``paths_in_identity`` it has the
    identity by which a run knows it that was begun when paths counted.

    Raises:
        BadInputError: the path is neither.
    """
    folder = law_path(path)
    if not folder.exists():
        raise BadInputError(
            "no such law: expected an index of `benchbar law index`, a folder of acts, or one of the bundled"
            f" {', '.join(bundled_laws())}",
            file=folder,
        )
    # An index wins where both are there: it is made from the folder.
    made_here = not (folder / MANIFEST).exists() and ((folder / "acts").is_dir() or any(folder.glob("*.md")))
    corpus = _read_once(folder, tuple(_state(folder))) if made_here else open_index(folder)
    # Before the nicknames: their identity is made of that of the corpus.
    corpus = (corpus.known_by_paths() if paths_in_identity else corpus).visible_to(labels)
    return corpus.with_nicknames(read_nicknames(folder))


# The assistants of a run and its checker mostly read the same law. Of a changed file the state differs.
@lru_cache(maxsize=2)
def _read_once(folder: Path, state: tuple[tuple[str, int, int, int], ...]) -> Corpus:  # noqa: ARG001 - a part of the key
    return Corpus.from_folder(folder)


def _state(folder: Path) -> Iterator[tuple[str, int, int, int]]:
    """What tells each file below a folder from itself changed, and from that of the same name elsewhere."""
    from benchbar.law.reading import files_under

    for file in files_under([folder]):
        found = file.stat()
        yield str(file), found.st_ino, found.st_mtime_ns, found.st_size


def _mapped(file: Path) -> bytes | memoryview:
    if not file.stat().st_size:
        return b""
    with file.open("rb") as handle:
        # The map outlives the handle, and is released with the last view of it.
        return memoryview(mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ))

"""The corpus in memory and on disk."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest

from benchbar.law.corpus import Corpus
from benchbar.law.index import build_index, load_corpus, open_index
from benchbar.records import fingerprint
from benchbar.records.errors import BadInputError


def test_editions_follow_each_other(corpus: Corpus) -> None:
    """An edition ends the day before the next one begins; a repealed act the day before the repealing one."""
    (act,) = corpus.acts_named("租用法")
    assert [(one.law_id, one.in_force, one.until) for one in act.editions] == [
        ("tenancy-2012", "2012-06-01", "2022-06-30"),
        ("tenancy-2022", "2022-07-01", ""),
    ]
    (repealed,) = corpus.acts_named("诺约条例")
    assert (repealed.latest.until, repealed.latest.superseded_by) == ("2020-12-31", "civil-2020")


def test_articles_have_number_chapter_and_paragraphs(corpus: Corpus) -> None:
    """An article's id leads to its text, whose paragraphs are lines."""
    article = corpus.article("tenancy-2022#2")
    assert article is not None
    assert article.chapter == "第一章 总则"
    assert len(article.text.splitlines()) == 4
    assert corpus.article("tenancy-2022#2-1") is not None
    assert corpus.article("tenancy-2022#99") is None


def test_find_articles_gives_every_edition(corpus: Corpus) -> None:
    """The same number is found in each edition, the latest first."""
    assert [one.law_id for one in corpus.find_articles("房屋租用法", "2")] == ["tenancy-2022", "tenancy-2012"]


def test_pieces_hold_all_text_once(corpus: Corpus) -> None:
    """Every article and decision is a piece with an id of its own, decisions headed by number and date."""
    pieces = list(corpus.pieces())
    assert len(pieces) == len(corpus.articles) + len(corpus.decisions) == len({one.id for one in pieces})
    decision = next(one for one in pieces if one.kind == "decision")
    assert decision.text.startswith("（2023）屿0101民初12号 2023-04-05 房屋租用纠纷 [1/1]\n")


def test_an_index_gives_the_same_corpus(model_folder: Path, corpus: Corpus, tmp_path: Path) -> None:
    """What was built in memory and what is opened from disk hold the same."""
    report = build_index([model_folder], tmp_path / "index")
    opened = open_index(tmp_path / "index")
    assert (report.laws, report.articles, report.decisions) == (3, len(corpus.articles), 3)
    assert opened.identity == corpus.identity
    assert list(opened.articles) == list(corpus.articles)
    assert opened.decision("（2023）屿01民终3号") == corpus.decision("（2023）屿01民终3号")
    assert list(opened.pieces()) == list(corpus.pieces())
    assert (opened.idf == corpus.idf).all()


def test_unchanged_files_are_not_read_again(model_folder: Path, tmp_path: Path) -> None:
    """The second run takes unchanged files from the index, reads changed ones, and forgets removed ones."""
    folder = tmp_path / "law"
    folder.mkdir()
    for file in [*(model_folder / "acts").glob("*.md")]:
        (folder / file.name).write_bytes(file.read_bytes())
    build_index([folder], tmp_path / "index")
    (folder / "promise-1990.md").unlink()
    changed = folder / "contract-code.md"
    changed.write_text(changed.read_text(encoding="utf-8") + "第三条 新增的一条。\n", encoding="utf-8")
    report = build_index([folder], tmp_path / "index")
    assert sorted(Path(one.file).name for one in report.read if not one.unchanged) == ["contract-code.md"]
    opened = open_index(tmp_path / "index")
    assert opened.article("civil-2020#3") is not None
    assert opened.article("promise-1990#1") is None
    assert len(list((tmp_path / "index" / "material").iterdir())) == 3


def test_a_half_written_index_is_refused(model_folder: Path, tmp_path: Path) -> None:
    """Without its manifest, or with a data file cut short, an index is refused with the cure."""
    index = tmp_path / "index"
    build_index([model_folder], index)
    articles = next(index.glob("data/*-articles"))
    whole = articles.read_bytes()
    articles.write_bytes(whole[:-10])
    with pytest.raises(BadInputError, match="build the index again"):
        open_index(index)
    articles.write_bytes(whole)
    (index / "index.json").unlink()
    with pytest.raises(BadInputError, match="not finished"):
        open_index(index)


def test_an_index_of_another_version_is_refused(model_folder: Path, tmp_path: Path) -> None:
    """The version is in the message, and building again mends it."""
    index = tmp_path / "index"
    build_index([model_folder], index)
    manifest = json.loads((index / "index.json").read_text(encoding="utf-8"))
    (index / "index.json").write_text(json.dumps(manifest | {"version": 99}), encoding="utf-8")
    with pytest.raises(BadInputError, match="version 99"):
        open_index(index)
    build_index([model_folder], index)
    assert open_index(index).articles


def test_an_index_cannot_name_files_outside_itself(model_folder: Path, tmp_path: Path) -> None:
    """A manifest that points elsewhere is refused."""
    index = tmp_path / "index"
    build_index([model_folder], index)
    manifest = json.loads((index / "index.json").read_text(encoding="utf-8"))
    manifest["parts"]["articles"]["file"] = "../../etc/passwd"
    (index / "index.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(BadInputError, match="outside the index"):
        open_index(index)


@pytest.mark.parametrize("what", ["nothing", "strangers", "file"])
def test_places_that_are_no_index(what: str, model_folder: Path, tmp_path: Path) -> None:
    """A missing index, somebody's folder and a file are refused rather than overwritten."""
    place = tmp_path / "place"
    if what == "nothing":
        with pytest.raises(BadInputError, match=r"no such law"):
            load_corpus(place)
        return
    if what == "strangers":
        place.mkdir()
        (place / "thesis.txt").write_text("mine", encoding="utf-8")
    else:
        place.write_text("mine", encoding="utf-8")
    with pytest.raises(BadInputError):
        build_index([model_folder], place)


def test_a_folder_of_acts_is_a_corpus(model_folder: Path, corpus: Corpus) -> None:
    """`load_corpus` takes a folder of acts as it is."""
    assert load_corpus(model_folder).identity == corpus.identity


def test_the_identity_of_law_does_not_depend_on_where_its_files_lie(model_folder: Path, tmp_path: Path) -> None:
    """Copied elsewhere it is the same law, in memory and as an index; with a word changed it is another."""
    first, second = copytree(model_folder, tmp_path / "a"), copytree(model_folder, tmp_path / "elsewhere" / "b")
    build_index([first], tmp_path / "first")
    build_index([second], tmp_path / "second")
    known = {load_corpus(one).identity for one in (first, second, tmp_path / "first", tmp_path / "second")}
    assert known == {Corpus.from_folder(model_folder).identity}
    act = min((second / "acts").glob("*.md"))
    act.write_text(act.read_text("utf-8").replace("第一条", "第一条 另", 1), "utf-8")
    assert load_corpus(second).identity not in known


def test_law_is_still_known_by_the_identity_that_held_its_paths(model_folder: Path, tmp_path: Path) -> None:
    """Of a folder, of an index made since, and of an index made then, whose identity stays as it was written."""
    folder = copytree(model_folder, tmp_path / "law")
    law = Corpus.from_folder(folder)
    before = fingerprint([law.versions, law.articles, law.decisions])
    assert load_corpus(folder, paths_in_identity=True).identity == before != law.identity
    build_index([folder], tmp_path / "index")
    assert load_corpus(tmp_path / "index", paths_in_identity=True).identity == before
    manifest = tmp_path / "index" / "index.json"
    old = json.loads(manifest.read_text("utf-8")) | {"identity": before}
    del old["paths_in_identity"]
    manifest.write_text(json.dumps(old), "utf-8")
    moved = (tmp_path / "index").rename(tmp_path / "moved")
    assert load_corpus(moved).identity == load_corpus(moved, paths_in_identity=True).identity == before

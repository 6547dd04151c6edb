"""Names of the mainland's laws in traditional script: held against the law itself, and never called invented."""

from __future__ import annotations

import pytest

from benchbar.law.citation_check import check_citations
from benchbar.law.citations import extract
from benchbar.law.corpus import Corpus

LABOUR = """+++
law_id = "ldht"
name = "中华人民共和国劳动合同法"
level = "law"
jurisdiction = "CN"
adopted = 2007-06-29
in_force = 2008-01-01
+++

第一条

为了保护劳动者的合法权益，制定本法。

第二条

劳动者有下列情形之一的，用人单位可以解除劳动合同：
（一）在试用期间被证明不符合录用条件的；
（二）严重违反用人单位的规章制度的。
"""


@pytest.fixture(scope="module")
def mainland(tmp_path_factory) -> Corpus:
    folder = tmp_path_factory.mktemp("mainland")
    (folder / "acts").mkdir()
    (folder / "acts" / "ldht.md").write_text(LABOUR, "utf-8")
    return Corpus.from_folder(folder, claims=frozenset({"law"}))


@pytest.mark.parametrize(
    ("text", "status"),
    [
        # 項 of a mainland law is its 项, an item.
        ("《勞動合同法》第二條第二項", "verified"),
        ("依据《劳动合同法》第一条；《勞動合同法》第二條。", "verified"),
        ("《勞動合同法》第九十九條", "cannot_tell"),
        # A law of Taiwan's: the corpus holds none.
        ("《勞動基準法》第九條", "outside_corpus"),
        ("本案适用《勞動契約保護法》第三條，应当赔偿。", "outside_corpus"),
    ],
)
def test_a_name_in_the_other_script_is_the_held_laws_and_accuses_nobody(mainland, text, status):
    """It is looked up in the corpus' script, which the reason says; what is not found there is left open."""
    *_, found = check_citations(text, mainland, on="2024-06-01")
    assert (found.status.value, "traditional script" in found.reason) == (status, status != "outside_corpus")


def test_articles_of_both_scripts_in_one_text_are_read():
    """A text in one script that quotes the other keeps the articles of both, each once."""
    found = extract("依据《民法典》第五百七十七条和《消費者權益保護法》第五十五條第二款，应当赔偿。")
    assert [(one.law, one.article) for one in found] == [("民法典", "577"), ("消費者權益保護法", "55")]

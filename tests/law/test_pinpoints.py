"""Parts of an article: verified where the text shows them, open where it does not."""

from __future__ import annotations

import pytest

from benchbar.law.citation_check import check_citations
from benchbar.law.corpus import Corpus

CODE = """+++
law_id = "tk"
name = "Трудовой кодекс Российской Федерации"
adopted = 2001-12-30
in_force = 2002-02-01
+++

Статья 81

Трудовой договор может быть расторгнут в случаях:
1) ликвидации организации;
2) грубого нарушения обязанностей:
а) прогула;
б) разглашения тайны;
3) утраты доверия.
Порядок аттестации устанавливается правилами:
1) местными;
2) общими.

Статья 82

1. Наследник должен принять наследство.
Для выморочного имущества принятие не требуется.
2. Принятие части означает принятие всего.
"""


@pytest.fixture(scope="module")
def code(tmp_path_factory) -> Corpus:
    folder = tmp_path_factory.mktemp("code")
    (folder / "acts").mkdir()
    (folder / "acts" / "code.md").write_text(CODE, "utf-8")
    return Corpus.from_folder(folder)


@pytest.mark.parametrize(
    ("cited", "status"),
    [
        # Parts without numbers: what is numbered are items of the first and of the second part.
        ("п. 3 ч. 1 ст. 81 ТК РФ", "verified"),
        ("пп. «б» п. 2 ч. 1 ст. 81 ТК РФ", "verified"),
        ("п. 2 ч. 2 ст. 81 ТК РФ", "verified"),
        ("п. 3 ч. 2 ст. 81 ТК РФ", "cannot_tell"),
        ("п. 7 ч. 1 ст. 81 ТК РФ", "cannot_tell"),
        # A part below the item is looked for behind it.
        ("подп. «б» п. 2 ч. 1 ст. 81 ТК РФ", "verified"),
        ("подп. «в» п. 2 ч. 1 ст. 81 ТК РФ", "cannot_tell"),
        # An indent is a line of its part.
        ("абз. 2 п. 1 ст. 82 ТК РФ", "verified"),
        ("абз. 3 п. 1 ст. 82 ТК РФ", "cannot_tell"),
        ("абз. 2 п. 2 ст. 82 ТК РФ", "cannot_tell"),
    ],
)
def test_parts_and_indents_as_pleadings_name_them(code, cited, status):
    """The most usual forms; what is not shown accuses nobody."""
    (found,) = check_citations(cited, code, on="2024-01-01")
    assert found.status.value == status, found.reason

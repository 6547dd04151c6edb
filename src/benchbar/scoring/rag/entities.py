"""What a legal text names, in one form each: citations, case numbers, dates, amounts and periods."""

from __future__ import annotations

from benchbar.languages.quantities import quantities
from benchbar.law.citations import extract
from benchbar.law.dates import iso_dates
from benchbar.law.names import law_key


def legal_entities(text: str) -> frozenset[str]:
    """Each thing named once, whatever its wording: 第三条 of 《民法典》 and ст. 3 alike by law and number.

    An article whose law stands nowhere in the text counts by its number alone.
    """
    cited = {
        one.case_number or f"{law_key(one.names).core if one.names else ''}#{one.article}.{one.sub}"
        for one in extract(text)
    }
    measured = {f"{one.value:g} {one.unit}" for one in quantities(text)}
    return frozenset({*cited, *iso_dates(text), *measured})

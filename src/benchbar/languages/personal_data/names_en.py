"""Names of people in English texts: by given name, title, or the word before them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchbar.languages.personal_data.name_lists import EN_FAMILY, EN_GIVEN
from benchbar.languages.text import Span

_TOKEN = re.compile(
    r"(?<![\w'’-])(?:(?:Mc|Mac|O['’]|De|Di|La|Van|Le)?[A-Z][a-z]{1,20}(?:-[A-Z][a-z]{1,20})?|[A-Z]{3,20})(?![a-z])"
)
_TITLE = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Judge|Justice|Sir|Madam|Officer|Sgt|Capt|Messrs|Attorney)\b\.?|\bHon\.?)\s{1,2}$"
)
_ROLE = re.compile(
    r"(?:plaintiffs?|defendants?|claimant|respondent|appellant|appellee|petitioner|witness|victim|tenant|landlord|landlady|employee|employer|neighbou?r|husband"
    r"|wife|son|daughter|brother|sister|mother|father|attorney|counsel|solicitor|barrister|buyer|seller|driver|borrower|lender|manager|supervisor|colleague|friend"
    r"|issued\sto|belongs?\sto|in\sfavou?r\sof|on\sbehalf\sof|owned\sby|represented\sby|paid\sto|payable\sto|owed\sto|against|between|holder|beneficiary|client|patient|executor|heir|named|called|name\s(?:is|was)|name:|I\sam|I['’]m|signed\sby|contact|boss|nephew|niece|uncle|aunt|partner|fianc[ée]{1,2})[,:]?\s{1,2}$",
    re.IGNORECASE,
)
_MIDDLE = re.compile(r"\s(?:[A-Z]\.\s?){1,2}$|\s$|\s(?:van|von|de|der|del|bin|al|la|da|dos)\s$")
_INITIAL = re.compile(r"(?<![\w.])((?:[A-Z]\.\s?){1,2})$")
_COMMON = """
    the this that these those it he she they we you i my our your his her their and or but if in on at by for from to of with as is are was
    were be not no yes act code section article law court courts supreme district circuit county state states united kingdom america american
    federal civil criminal penal labor labour employment commercial constitution convention agreement contract lease company corporation inc ltd
    llc plc corp limited bank holdings group partners association university hospital insurance street avenue road lane drive court boulevard
    january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday
    sunday new york california texas london england wales scotland ireland chicago boston city plaintiff defendant claimant respondent
    appellant appellee petitioner tenant landlord employee employer judge justice attorney counsel mr mrs ms dr miss professor sir madam
    hon when where what why how after before during under over since while although because however therefore on please can could should would
    will shall may must last then there here also according pursuant regarding re dear sincerely phone email address account passport
    title chapter part paragraph clause rule rules regulation regulations statute amendment department office police officer board
    commission authority agency service services human rights north south east west eastern western northern southern high magistrate
    trust estate family housing social security national health labor relations fair standards credit reporting truth lending uniform party parties disclosing receiving recipient
    affiliate affiliates customer supplier vendor licensor licensee lessor lessee contractor consultant provider user plan plans order borrower
    lender buyer seller driver executor witness neighbour neighbor owner claimants heirs signed contact both neither hello hi thanks
"""
_NOT_NAMES = frozenset(_COMMON.split())
_LONGEST = 4
_FIRM = re.compile(
    r"\s(?:&|Inc|LLC|LLP|Ltd|Corp|Co\b|Company|Bank|Holdings|Group|University|Hospital|Street|Avenue|Road|County|Act|v\.)"
)
_PLACE_NAMES = (
    "georgia virginia florence jordan austin jackson madison charlotte carolina victoria chelsea houston lance"
)
_PLACES = frozenset(_PLACE_NAMES.split())
Token = tuple[int, int, str]


def find_names_en(text: str) -> Iterator[Span]:
    """Spans of names without their titles; a surname alone where it follows a title or is known from a full name."""
    tokens = [
        (match.start(), match.end(), match[0])
        for match in _TOKEN.finditer(text)
        if match[0].lower() not in _NOT_NAMES and not _is_masked(match[0])
    ]
    found = [span for run in _runs(text, tokens) if (span := _name(text, run))]
    yield from found
    known = {text[start:end].rsplit(maxsplit=1)[-1].lower() for start, end in found}
    for start, end, word in tokens:
        if word.lower() in known and not _in_citation(text, start, end):
            yield start, end


def _is_masked(word: str) -> bool:
    return word[0] == "Q" and word[1:2].lower() != "u"


def _runs(text: str, tokens: list[Token]) -> Iterator[list[Token]]:
    """Capitalised words that stand side by side, with initials and particles between them."""
    run: list[Token] = []
    for token in tokens:
        if run and not (token[0] - run[-1][1] <= 8 and _MIDDLE.fullmatch(text[run[-1][1] : token[0]])):
            yield run
            run = []
        run.append(token)
    if run:
        yield run


def _name(text: str, run: list[Token]) -> Span | None:
    """The part of a run that is a name, if any: from a given name on, or all of it behind a title or role."""
    before = text[max(0, run[0][0] - 28) : run[0][0]]
    initials = _INITIAL.search(before)
    lead = run[0][0] - (len(before) - initials.start(1)) if initials else run[0][0]
    ahead = text[max(0, lead - 28) : lead]
    if _in_citation(text, lead, run[-1][1]):
        return None
    if run[0][2].isupper() and not any(token[2].lower() in EN_GIVEN | EN_FAMILY for token in run):
        return None  # a heading
    in_role = _ROLE.search(ahead) and (len(run) > 1 or initials or run[0][2].lower() in EN_GIVEN)
    if len(run) <= _LONGEST and (_TITLE.search(ahead) or in_role):
        return lead, run[-1][1]
    if _FIRM.match(text, run[-1][1]):
        return None
    if len(run) == 1 and run[0][2].lower() in EN_GIVEN - _PLACES and ahead[-2:-1].islower():
        return lead, run[0][1]
    if 1 < len(run) <= _LONGEST and EN_FAMILY & {run[0][2].lower(), run[-1][2].lower()}:
        return lead, run[-1][1]
    given = next((index for index, token in enumerate(run[:-1]) if token[2].lower() in EN_GIVEN), None)
    if given is not None:
        return run[given][0], run[min(given + 3, len(run) - 1)][1]
    return (lead, run[-1][1]) if initials and len(initials[1].replace(" ", "")) > 2 and len(run) == 1 else None


def _in_citation(text: str, start: int, end: int) -> bool:
    """Whether it is a party in the name of a reported case: public, and what a citation is found by."""
    return bool(
        re.match(r"\s?,?\s?(?:v|vs)\.?\s", text[end : end + 6])
        or re.search(r"\s(?:v|vs)\.?\s$", text[max(0, start - 5) : start])
    )

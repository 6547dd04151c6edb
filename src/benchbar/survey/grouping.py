"""Open answers that seem to mean the same: proposed by their words or by a model, and accepted by a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from benchbar.languages.overlap import shingles
from benchbar.languages.packs import pack
from benchbar.languages.text import comparable, detect_language, sentences
from benchbar.records import fingerprint
from benchbar.statistics.numbers import Floats
from benchbar.survey.records import Acceptance, OpenGroup, Questionnaire, Response, Statement, SurveyScenario

# Both bounds only propose: a wrong group costs a glance of the person who refuses it, and no figure.
ALIKE_OFFERED = 0.35
"""Cosine from which a statement is proposed as another wording of an offered use case."""
ALIKE = 0.3
"""Mean cosine from which statements are proposed as one group."""
# 3,000 statements make a table of 72 MB.
MOST = 3000
"""Statements of one scenario that are compared with each other; the cost grows with the square."""
# A respondent's essay would be alike to everything; a wish is a sentence or two.
MAX_STATEMENT = 500
_NUMBERED = re.compile(r"(?:^|(?<=[\s;；。]))(?:\d{1,2}[.、)）]|[-•*·])\s*", re.MULTILINE)
_NOTHING = frozenset(
    {
        "无",
        "没有",
        "暂无",
        "没了",
        "没有了",
        "不知道",
        "none",
        "no",
        "nothing",
        "na",
        "idontknow",
        "нет",
        "незнаю",
        "ничего",
    }
)


def statements(responses: Iterable[Response]) -> dict[str, list[Statement]]:
    """Scenario to the single wishes of its open answers; "none" and the like are no wish."""
    found: dict[str, list[Statement]] = {}
    for response in responses:
        # Each wish once: a respondent who repeats it has one.
        wishes = dict.fromkeys(_wishes(response.open))
        found.setdefault(response.scenario, []).extend(Statement(response.id, wish) for wish in wishes)
    return {scenario: own for scenario, own in found.items() if own}


def _wishes(text: str) -> Iterator[str]:
    # People number their wishes or part them by semicolons where a survey service gives them one line.
    marked = _NUMBERED.sub("\n", text.replace(";", "\n").replace("；", "\n"))
    for start, end in sentences(marked):
        wish = " ".join(marked[start:end].split()).strip(" .。!！?？,，、")[:MAX_STATEMENT]
        # Without signs and case, in which "None." and "none" differ.
        core = comparable(wish).text
        if core and core not in _NOTHING:
            yield wish


def ungrouped(found: Mapping[str, Sequence[Statement]], groups: Iterable[OpenGroup]) -> dict[str, list[Statement]]:
    """The statements that are in no group yet."""
    # By response and text, not by group: a person may have moved a wish, and it is not proposed again elsewhere.
    known = {(group.scenario, member.response, member.text) for group in groups for member in group.members}
    left = {
        scenario: [one for one in own if (scenario, one.response, one.text) not in known]
        for scenario, own in found.items()
    }
    return {scenario: own for scenario, own in left.items() if own}


def proposed(
    found: Mapping[str, Sequence[Statement]], questionnaire: Questionnaire
) -> tuple[list[OpenGroup], list[str]]:
    """Groups by the words that statements share, weighted by how rare these are; and what to tell the reader."""
    scenarios = {one.id: one for one in questionnaire.scenarios}
    notes = [
        f"{scenario}: only the first {MOST} of {len(own)} open statements were grouped"
        for scenario, own in found.items()
        if len(own) > MOST
    ]
    groups = [
        group
        for scenario, own in found.items()
        if scenario in scenarios
        for group in _of_scenario(scenarios[scenario], own[:MOST])
    ]
    return groups, notes


def _of_scenario(scenario: SurveyScenario, own: Sequence[Statement]) -> Iterator[OpenGroup]:
    import numpy as np

    offered = scenario.use_cases
    table = _cosines([*(one.text for one in offered), *(one.text for one in own)])
    to_offered, among = table[len(offered) :, : len(offered)], table[len(offered) :, len(offered) :]
    # A scenario may offer nothing: then all its wishes are new use cases, and a maximum over no columns would raise.
    near = to_offered.argmax(axis=1) if len(offered) else np.zeros(len(own), dtype=int)
    is_near = to_offered.max(axis=1) >= ALIKE_OFFERED if len(offered) else np.zeros(len(own), dtype=bool)
    for place, one in enumerate(offered):
        if chosen := np.flatnonzero(is_near & (near == place)).tolist():
            yield group_of(scenario.id, [own[i] for i in chosen], label=one.text, use_case=one.id)
    left = np.flatnonzero(~is_near)
    for members in _clusters(among[np.ix_(left, left)]):
        inner = among[np.ix_(left[members], left[members])]
        # Named by the wish that is most like the others: words of a respondent, of whom none was invented.
        middle = int(left[members[int(inner.sum(axis=1).argmax())]])
        yield group_of(scenario.id, [own[int(left[i])] for i in members], label=own[middle].text)


def group_of(
    scenario: str, members: Sequence[Statement], *, label: str, use_case: str = "", by: str = "lexical"
) -> OpenGroup:
    """A group that nobody has accepted yet; its id follows from what is in it."""
    # From content: groups of a rerun keep their ids, under which decisions are written down.
    id_ = f"{scenario}-open-{fingerprint([use_case, list(members)])[:8]}"
    return OpenGroup(id=id_, scenario=scenario, label=label, use_case=use_case, proposed_by=by, members=tuple(members))


def _cosines(texts: Sequence[str]) -> Floats:
    """How alike each two texts are, 0 to 1: cosine of their words, rare ones weighing more."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    # With one text more that is sure to have a term: where no statement has any, the vectoriser would refuse them all.
    vectors = TfidfVectorizer(analyzer=_terms, sublinear_tf=False).fit_transform([*texts, "\u4e00"])[:-1]
    made: Floats = (vectors @ vectors.T).toarray()
    return made


def _terms(text: str) -> list[str]:
    """Bigrams of Chinese characters; stems of other words."""
    from snowballstemmer import stemmer

    # By the statement's own language: respondents of a Russian survey write English, too.
    stems = pack(detect_language(text)).about.stemmer
    found = sorted(shingles(text))
    return [str(one) for one in stemmer(stems).stemWords(found)] if stems else found


def _clusters(cosines: Floats) -> list[list[int]]:
    """Members of each cluster by average linkage, the largest first."""
    from sklearn.cluster import AgglomerativeClustering

    count = len(cosines)
    # Nothing to compare.
    if count < 2:
        return [[0]] if count else []
    model = AgglomerativeClustering(
        # Average linkage: single linkage chains unlike wishes through common words, complete linkage parts long
        # wordings of one.
        n_clusters=None,
        metric="precomputed",
        linkage="average",
        distance_threshold=1 - ALIKE,
    )
    # Rounding leaves cosines a little above 1, and a negative distance is refused.
    codes = model.fit_predict(1 - cosines.clip(0, 1)).tolist()
    found: dict[int, list[int]] = {}
    for place, code in enumerate(codes):
        found.setdefault(code, []).append(place)
    return sorted(found.values(), key=lambda members: (-len(members), members[0]))


def mentions(groups: Iterable[OpenGroup]) -> dict[str, dict[str, set[str]]]:
    """Scenario to use case to the responses whose open answer an accepted group counts for it."""
    found: dict[str, dict[str, set[str]]] = {}
    for group in groups:
        if group.decision is Acceptance.ACCEPTED:
            own = found.setdefault(group.scenario, {}).setdefault(group.use_case or group.id, set())
            own.update(member.response for member in group.members)
    return found

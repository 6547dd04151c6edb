"""Personal data in a suite: where it is, and a copy with pseudonyms in its place."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from benchbar.languages.personal_data import Masker, PersonalDatum, find_personal_data
from benchbar.records import Guidance, Sample, Suite


def personal_data(suite: Suite) -> Iterator[tuple[str, str, PersonalDatum]]:
    """Sample, field and datum of everything found in information, needs, guidance and reference."""
    for sample in suite.samples:
        fields = {
            "information": sample.information,
            "needs": sample.needs,
            "guidance": "\n".join(point.text for point in sample.guidance.points),
            "reference": sample.reference,
        }
        for name, text in fields.items():
            yield from ((sample.id, name, datum) for datum in find_personal_data(text))


def masked(suite: Suite, masker: Masker) -> Suite:
    """The suite with pseudonyms in the place of personal data; guidance asks for the same, by the same kinds."""
    samples = tuple(mask_sample(sample, masker) for sample in suite.samples)
    return Suite(card=suite.card, tasks=suite.tasks, samples=samples, folder=suite.folder, problems=suite.problems)


def mask_sample(sample: Sample, masker: Masker) -> Sample:
    """One sample, all of whose texts are masked together: a name that one gives away is masked in all."""
    points = sample.guidance.points
    wordings = [wording for point in points for wording in (point.text, *point.alternatives)]
    texts = [sample.information, sample.needs, sample.reference, sample.guidance.text, *wordings]
    information, needs, reference, text, *rest = masker.mask_all(texts)
    left = iter(rest)
    renamed = tuple(
        msgspec.structs.replace(point, text=next(left), alternatives=tuple(next(left) for _ in point.alternatives))
        for point in points
    )
    guidance = Guidance(points=renamed, at_least=sample.guidance.at_least, text=text)
    return msgspec.structs.replace(sample, information=information, needs=needs, reference=reference, guidance=guidance)

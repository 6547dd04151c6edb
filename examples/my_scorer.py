"""Does the last answer tell its reader to ask a lawyer?"""

import benchbar
from benchbar.testing import ScorerConformance

ADVICE = {"zh": "咨询律师", "ru": "к юристу", "en": "a lawyer"}


@benchbar.scorer(name="has_disclaimer", unit="share", better="higher", label="tells to ask a lawyer")
def has_disclaimer(sample, dialogue, word=""):
    word = word or ADVICE[sample.language]
    return benchbar.mark(word in dialogue.replies[-1], evidence=dialogue.find(word))


class TestHasDisclaimer(ScorerConformance):
    def make(self):
        return has_disclaimer

"""Personal data in Chinese, Russian and English texts: found by rules, masked by stable pseudonyms."""

from benchbar.languages.personal_data.find import find_personal_data
from benchbar.languages.personal_data.kinds import PersonalDatum, PersonalKind
from benchbar.languages.personal_data.masking import Masker

__all__ = ["Masker", "PersonalDatum", "PersonalKind", "find_personal_data"]

"""Where an English citation can begin: the long forms are tried there alone."""

from __future__ import annotations

import re

from benchbar.law.places import by_letter

# Any word begins behind one of these, which are a sixth of a text: half of its letters are first letters of some form, and to
# look behind each of them took half the time of the whole scan.
_BEHIND = r"[ \t\n\r\f\v\u3000(){}\[\],;:/'\"“”‘’«»…—–\-*|>=+&•、，。；：（）]"
_COURT = "|".join(
    rf"{court}\s(?:No\.?\s)?\d"
    for court in ("A(?:CV|CC|MV|MC|MP|QL)", "C(?:AL?|MP|CW|MA|CC|PI|B|CT|AJ|MC|CJ|EC)", "D(?:PA|PB|BM|PD)")
)
"""Actions of Hong Kong behind the first letter of their court: CACV 14, HCA No. 345."""
# Here and in the other forms nothing is given back (`?+`, `*+`, `{0,3}+`) where what follows could not take it: the engine keeps no
# way back then, which is much of its work.
_FOLLOWS = {
    "Ss": r"ections?+\s?+[\d(]|s?+\.?+\s?+[\d(]|ecs?+\.\s?+[\d(]|ub(?:-?sections?|ss?\.)\s?[\d(]"
    r"|ch(?:(?:edules?|eds?\.?|s?\.)?\s?[\d(]|(?:edule\s|ed\.?\s?|\.\s?|\s)[A-Z]\d)",
    "S": r"(?:econd|ixth|eventh)\sSchedule|DCL\s\d",
    "Aa": r"rt(?:icle|\.)?s?\.?\s?[\dIVX]",
    "A": r"RS\s\d|\.R\.S\.\s\d|pp(?:lication|l|\.)?\s[Nn]o|nnex[,\s]|ppendix\s|IR\s\d|\d{1,2}\s?P-?\d|S\s\d\d\.",
    "Rr": r"ules?+\.?+\s?+\d|eg(?:ulation)?s?+\.?+\s?+\d|r?+\.?+\s?+\d",
    "R": r"(?:\.C|CW)\.?\s?\d|\.\s(?:Civ|Crim|App|Evid)\.|PAPL\s\d|SA\s\d|[SHD]C\sO",
    "Pp": r"ara(?:graph)?s?+\.?+\s?+\d|oints?+\s?+\d|art\s\d{1,3}[A-Z]?\s(?:of\s)?(?:the\s)?[CF]",
    "P": r"D\s?\d|ractice\sDirection\s\d",
    "(": r"(?:1[5-9]|20)\d\d\)\s[\dA-Z]",
    "[": r"(?:1[89]|20)\d\d\]\s(?:\d{1,2}\s)?[A-Z]",
    "§": "",
    "Ii": r"d\.",
    "I": r"C\s\d{1,2}-",
    "Nn": r"o(?<=[( ].o)s?\.?\s\d",
    "N": r"inth\sSchedule|RS\s\d|\.J\.S\.A\.\s\d|\.Y\.\sC",
    "CDFHL": _COURT,
    "C": r"PL\s\d|ivil\sProcedure\sRules\s|\.R\.C\.P|ases?\s|[-–]\d|(?:rim\s?)?PR,?\s[\dRrP]|\.?P\.?L\.?R\.?\s\d|CR\sO",
    "F": r"\.R\.(?:C|E)|\.S\.\s\d|RCP\s|RE\s\d|RAP\s|ed\.|ederal\sRule|PR,?\s[\dRrP]|(?:irst|ourth|ifth)\sSchedule|CMC\s(?:No\.?\s)?\d",
    "U": r"\.\s?S\.\sC|S\sConst|niform\sComm|\.?S\.?S\.?G|\.?C\.?C\.?\s\d|KEAT/",
    "T": r"[-–]\d|(?:hird|enth)\sSchedule",
    "E": r"[-–]\d|CLI:|U:[A-Z]|ighth\sSchedule",
    "O": r"pinion\s\d|RS\s\d|\.?R\.?C\.?\s\d|rd(?:er|\.)?\s[\dIVXL]|\.\s?\d|\s\d{1,3}[A-Z]?,?\sr",
    "M": r"CLA?\s\d",
    "K": r"RS\s\d|\.S\.A\.\s\d",
    "J": r"T\s\d{4}",
    # Rules of a regulator's handbook: DISP 1.6.2R.
    "ABCDEFGILMPSU": r"[A-Z]{1,7}\s\d{1,2}[A-Z]?\.\d",
}
"""What stands behind the first letter of a citation, by that letter; letters of one key begin the same forms."""
# Years and amounts are most numbers: one behind a code of a state, or in front of a word in capitals, may be a section's or a volume's.
_NUMBER = r"[0-9](?:(?=\d{0,3}+(?:\s[A-Z]|-Ohio-\d|,\sUnited\s))|(?<=Code\s\d)|(?<=\sLaw\s\d))"


def _places() -> re.Pattern[str]:
    following = by_letter(_FOLLOWS)
    # Each branch opens with one letter, by which the engine passes over the others; words of none of them it passes over at once.
    branches = (f"{re.escape(letter)}(?={forms})" for letter, forms in following.items())
    return re.compile(f"{_BEHIND}(?=[{re.escape(''.join(following))}0-9])(?:{'|'.join(branches)}|{_NUMBER})")


PLACES = _places()
"""The character before each place, and the first one of what may be a citation."""

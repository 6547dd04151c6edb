"""Where a Russian citation can begin: the long forms are tried there alone."""

from __future__ import annotations

import re

from benchbar.law.places import by_letter

# Behind one of these every word begins: to look behind each letter takes half as long again. The commonest letters stand beside \w,
# to which they belong: whether a character is one of a few is seen at once, what kind of letter it is, only by asking.
_BEHIND = r"[^а-яёА-ЯЁ0-9\w.]"
_FOLLOWS = {
    "СсS": r"[тТ]",
    "ПпЧчАа": r"\.|\s?п\.|п?\s?\d|(?i:одп|ункт|аст|бз)|лен",
    "ПпВвТтЧч": r"(?:ерв|тор|рет|етв|ят)[а-яё]{1,5}\s(?:абз|час|пун)",
    "АAСCФF": r"\s?\d\d",
    # Decisions and what they are called.
    "Дд": r"(?i:ел)",
    "Пп": r"(?i:ост\.\sКС|остановл|ригов)|риказ\w{0,2}\s[А-ЯЁМФ]|исьм\w{1,2}\s[А-ЯЁ]|оложени\w{1,2}\s(?:Банка|ЦБ)",
    "Оо": r"(?i:пр(?:ед)?\.\sКС|предел)",
    "Рр": r"(?i:ешен)|аспоряжени\w\sПрав",
    "Сс": r"(?i:удебн)",
    "Жж": r"(?i:алоб)",
    "Мм": r"(?i:атериал)",
    "Уу": r"(?i:ИД)|каз\w{0,2}\sПрезидент|казани\w{1,2}\s(?:Банка|ЦБ)",
    "Ии": r"нструкци\w{1,2}\s(?:Банка|ЦБ)|нформационн\w{2}\sписьм",
    "з": r"акон[а-яё]{0,3}\sоб?\s",
    # Words in capitals that a law, decree or ruling may begin with; names of persons and places are most of the others.
    "К": r"АС|оАП|онституц|одекс|раев|онвенц",
    "З": r"[оО]?ЗПП|акон",
    "Ф": r"едеральн|К?З[\s–-](?:(?:(?:№|N)\s?)?\d|[«\"“]|от\s|[оО]б?\s)",
    "О": r"бластн|снов|бщ[а-я]{2,3}\s[Рр]егл",
    "В": r"водн|сеобщ",
    "Д": r"оговор|иректив",
    "У": r"став|казани",
    "М": r"еждународн",
    "Р": r"егламент",
    "П": r"ленум|равил|оложени|орядк|риказ|исьм|ротокол|ДД|П\s?(?:В|РФ)|КС\s",
    "С": r"овместн",
    "И": r"нструкц",
    "G": r"DPR",
    "§": r"§?\s?\d",
    "№N": r"\s?\d{1,4}-ФК?З",
}
"""What stands behind the first letter of a citation, by that letter; letters of one key begin the same forms."""
# Codes by initials, and names of laws that begin with an adjective. Nothing is given back (`{2,24}+`) where what follows could not take it.
_CAPITALS = (
    r"[А-Я][А-Яа-я]{0,2}К(?![а-яё])"
    r"|[А-ЯЁ][а-яё]{2,24}+(?:-[А-Яа-яё]{2,20}+)?+\s{1,3}(?i:кодекс|процессуальн|конвенц|гражданск|торгов|уголовн|закон)"
)
_CODE = r"[гутнсжзб]к|гпк|апк|упк|коап|кас"
# Numbers of articles that stand before their law or before the word for them: 159 УК РФ, 15-я статья, 1064 ГК.
_NUMBER = (
    r"\d(?:\d{0,2}+\.\d{1,2}+\s(?:[ГУТНСЖЗБ]К|ГПК|АПК|УПК|КоАП)"
    r"|(?<![№N]\s\d)\d{0,3}+(?:\.\d{1,2}+)?+(?:(?:(?:,|\sи)\s\d{1,4}(?:\.\d{1,2})?){1,6}\sстат|-[яйюеоуФ]|\s?ФЗ|\s?[чп]\.?\s?\d"
    rf"|(?:(?<=(?:по|за)\s\d\d\d)|(?<=про\s\d\d\d))\s(?i:{_CODE})(?![\wа-яё])|(?<=1[0-5]\d\d)\s(?i:гк)(?![\wа-яё])"
    rf"|\s(?i:стать[еиюёя]|(?:{_CODE}|грк|уик)\sрф)))"
)


def _places() -> re.Pattern[str]:
    following = by_letter(_FOLLOWS)
    # Each branch opens with one letter, by which the engine passes over the others; words of none of them it passes over at once.
    branches = (f"{letter}(?:{forms})" for letter, forms in following.items())
    return re.compile(rf"{_BEHIND}(?=[{''.join(following)}А-ЯЁ\d])(?={'|'.join(branches)}|{_CAPITALS}|{_NUMBER})")


PLACES = _places()
"""The character before each place; what may be a citation stands behind it."""

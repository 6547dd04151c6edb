"""Check digits of identity documents, tax numbers and accounts."""

from __future__ import annotations

from datetime import date

_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ID_CHECKS = "10X98765432"
_INN_11 = (7, 2, 4, 10, 3, 5, 9, 4, 6, 8)
_INN_12 = (3, *_INN_11)
_INN_10 = (2, 4, 10, 3, 5, 9, 4, 6, 8)
_SNILS_CONTROLLED = 1_001_998
"""Numbers up to this one were given out before the check digits."""


def is_resident_id(number: str) -> bool:
    """Whether 18 characters are a resident identity number of the PRC (GB 11643-1999, ISO 7064 MOD 11-2)."""
    if len(number) != 18 or not number[:17].isdecimal() or number[17].upper() not in _ID_CHECKS:
        return False
    total = sum(weight * int(digit) for weight, digit in zip(_ID_WEIGHTS, number, strict=False))
    return _is_date(number[6:14]) and _ID_CHECKS[total % 11] == number[17].upper()


def is_like_resident_id(number: str) -> bool:
    """Whether 18 characters have region and birthday of a resident number, whatever the check character says."""
    return len(number) == 18 and number[:17].isdecimal() and "11" <= number[:2] <= "82" and _is_date(number[6:14])


def is_old_resident_id(number: str) -> bool:
    """Whether 15 digits may be a resident identity number of the first generation, which has no check digit."""
    return len(number) == 15 and number.isdecimal() and "11" <= number[:2] <= "65" and _is_date("19" + number[6:12])


def is_inn(number: str) -> bool:
    """Whether 10 or 12 digits are a Russian taxpayer's number."""
    if not number.isdecimal():
        return False
    digits = [int(digit) for digit in number]
    if len(digits) == 10:
        return _inn_check(digits, _INN_10) == digits[9]
    return len(digits) == 12 and [_inn_check(digits, _INN_11), _inn_check(digits, _INN_12)] == digits[10:]


def _inn_check(digits: list[int], weights: tuple[int, ...]) -> int:
    return sum(weight * digit for weight, digit in zip(weights, digits, strict=False)) % 11 % 10


def is_snils(number: str) -> bool:
    """Whether 11 digits are a Russian insurance number."""
    if len(number) != 11 or not number.isdecimal():
        return False
    if int(number[:9]) <= _SNILS_CONTROLLED:
        return True
    check = sum((9 - place) * int(digit) for place, digit in enumerate(number[:9])) % 101 % 100
    return check == int(number[9:])


def is_card(number: str) -> bool:
    """Whether digits have the check digit of payment cards (Luhn) and are not all the same."""
    if not number.isdecimal() or len(set(number)) == 1:
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(number))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def is_iban(number: str) -> bool:
    """Whether letters and digits are an international account number (ISO 13616, MOD 97-10)."""
    moved = number[4:] + number[:4]
    return moved.isascii() and moved.isalnum() and int("".join(str(int(char, 36)) for char in moved)) % 97 == 1


def is_social_security(number: str) -> bool:
    """Whether 9 digits may be a number of the United States' Social Security Administration."""
    area, group, serial = number[:3], number[3:5], number[5:]
    return area not in {"000", "666"} and area < "900" and group != "00" and serial != "0000"


def _is_date(digits: str) -> bool:
    try:
        born = date(int(digits[:4]), int(digits[4:6]), int(digits[6:8]))
    except ValueError:
        return False
    return 1850 <= born.year <= 2100

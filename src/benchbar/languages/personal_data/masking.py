"""Puts stable pseudonyms in the place of personal data, without moving any other character."""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Iterable, Sequence

from benchbar.languages.personal_data.find import find_personal_data
from benchbar.languages.personal_data.kinds import PersonalDatum, PersonalKind
from benchbar.languages.personal_data.names_ru import stem_ru
from benchbar.languages.personal_data.names_zh import PSEUDONYM

# No letter names an option (A to H), no character is a numeral or a unit: a matcher reads nothing into a pseudonym.
_LETTERS = "JKLMNPRSTVWXYZ"
_RU_CONSONANTS, _RU_VOWELS = "бвгдзклмнпрст", "аеиоу"
_EN_CONSONANTS, _EN_VOWELS = "bdfgklmnprst", "aeio"  # no word begins with a Q and one of these
_PHONE_DIGITS = 10
_TURNS = 64
_RUN = re.compile(r"[\u4e00-\u9fff]+|[\u0400-\u04ff]+|[A-Za-z\u00c0-\u024f]+")
_KEPT = "号院楼栋幢座单元室弄层户路街"
_ADDRESS_RUN = re.compile(rf"(?:(?![{_KEPT}])[\u4e00-\u9fff])+|[А-ЯЁ][а-яё]*|[A-Z][a-z]*|\d+")


class Masker:
    """Replaces personal data by pseudonyms that depend on a secret alone.

    A pseudonym is as long as what it stands for, so that every other character, and the offsets of evidence, stay in their
    place; it is the same wherever the same name or number stands, in whatever spelling or case, and nobody without the secret
    can tell from it, or test, what it stood for. Chinese names become rare plants, Russian ones begin with Ы, English ones
    with a Q, numbers become letters.
    """

    def __init__(self, secret: str) -> None:
        """Keep the secret: with the same one, the same people get the same pseudonyms."""
        self._key = hashlib.blake2b(secret.encode(), digest_size=32).digest()
        self._taken: dict[str, str] = {}

    def mask(self, text: str, *, beside: Iterable[str] = ()) -> str:
        """The text with its personal data masked; names that stand in the texts ``beside`` it are known in it too."""
        return self.mask_all([text, *beside])[0]

    def mask_all(self, texts: Sequence[str]) -> tuple[str, ...]:
        """Texts that belong together, masked: a name that one of them gives away is masked in all."""
        found = [find_personal_data(text) for text in texts]
        known = frozenset(one.text for data in found for one in data if one.kind is PersonalKind.NAME)
        if len(texts) > 1 and known:
            found = [find_personal_data(text, known=known) for text in texts]
        return tuple(self._replaced(text, data) for text, data in zip(texts, found, strict=True))

    def pseudonym(self, value: str, kind: PersonalKind) -> str:
        """What stands for a value, as long as it is: word by word for names and addresses, else for all of it."""
        if kind is PersonalKind.NAME:
            return _RUN.sub(lambda run: self._word(run[0]), value)
        if kind is PersonalKind.ADDRESS:
            return _ADDRESS_RUN.sub(lambda run: self._word(run[0]), value)
        return self._number(value, kind)

    def _replaced(self, text: str, data: Iterable[PersonalDatum]) -> str:
        parts, at = [], 0
        for one in data:
            parts += [text[at : one.start], self.pseudonym(one.text, one.kind)]
            at = one.end
        return "".join([*parts, text[at:]])

    def _word(self, word: str) -> str:
        if "\u4e00" <= word[0] <= "\u9fff":
            return self._apart(word)
        if word[0].isdecimal():
            return "".join(_LETTERS[step % len(_LETTERS)] for step in self._stream("number", word, len(word)))
        russian = "\u0400" <= word[0] <= "\u04ff"
        form = (
            self._spoken(stem_ru(word), len(word), "Ы", _RU_CONSONANTS, _RU_VOWELS)
            if russian
            else self._spoken(word.lower(), len(word), "Q", _EN_CONSONANTS, _EN_VOWELS)
        )
        return form.upper() if word.isupper() else form

    def _apart(self, name: str) -> str:
        """Chinese names are too short to differ by chance alone: one that is taken moves on to the next."""
        for turn in range(_TURNS):
            steps = self._stream(f"zh{turn}", name, len(name))
            form = "".join(PSEUDONYM[step % len(PSEUDONYM)] for step in steps)
            if self._taken.setdefault(form, name) == name:
                break
        return form

    def _spoken(self, key: str, length: int, first: str, consonants: str, vowels: str) -> str:
        """Forms of one name begin alike however long they are."""
        steps = self._stream("word", key, length)
        letters = [
            (vowels if place % 2 else consonants)[step % len(vowels if place % 2 else consonants)]
            for place, step in enumerate(steps)
        ]
        return (first + "".join(letters[1:]))[:length]

    def _number(self, value: str, kind: PersonalKind) -> str:
        """Letters for digits and letters, told from the end, so that a country's code before a phone moves none."""
        plain = "".join(char for char in unicodedata.normalize("NFKC", value).upper() if char.isalnum())
        key = plain[-_PHONE_DIGITS:] if kind is PersonalKind.PHONE else plain
        steps = iter(self._stream("number", key, len(value)))
        reverse = (_LETTERS[next(steps) % len(_LETTERS)] if char.isalnum() else char for char in reversed(value))
        form = "".join(reversed(list(reverse)))
        return form.lower().replace("@", "~") if kind is PersonalKind.EMAIL else form

    def _stream(self, what: str, key: str, length: int) -> bytes:
        """As many bytes as asked for, fixed by secret and key; a longer stream begins with the shorter one."""
        size, message = 32, f"{what}:{unicodedata.normalize('NFKC', key)}".encode()
        blocks = (hmac.digest(self._key, message + block.to_bytes(4), "sha256") for block in range(length // size + 1))
        return b"".join(blocks)[:length]

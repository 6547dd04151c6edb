"""Reads a report as a browser would: elements with attributes and text."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Element:
    """One element; ``text`` is all text below it."""

    tag: str
    attributes: dict[str, str]
    text: str = ""
    parents: tuple[Element, ...] = field(default=(), repr=False)

    def inside(self, id_: str) -> bool:
        return any(parent.attributes.get("id") == id_ for parent in self.parents)


VOID = {"meta", "link", "img", "br", "hr", "input"}


class Page(HTMLParser):
    """All elements of a page, in the order in which they begin."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, parents=tuple(self._open))
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> ends nothing"
        assert self._open[-1].tag == tag, f"</{tag}> ends <{self._open[-1].tag}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data

    def all(self, tag: str, **attributes: str) -> list[Element]:
        wanted = {name.rstrip("_"): value for name, value in attributes.items()}
        return [
            one
            for one in self.elements
            if one.tag == tag and all(value in one.attributes.get(name, "").split() for name, value in wanted.items())
        ]

    def by_id(self, id_: str) -> Element:
        return next(one for one in self.elements if one.attributes.get("id") == id_)

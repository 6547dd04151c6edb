"""Numbers that are set above their line: Статья 31¹ is article 31.1, and read without the point it would be article 311."""

from __future__ import annotations

import re

RAISED = "\ue000"
"""Put by a reader before text that is set above its line; a character that no language uses."""
_BEHIND_A_NUMBER = re.compile(rf"(?<=\d){RAISED}([\d{RAISED}]{{1,8}}(?:[.-]\d{{1,3}})*)(?![^\W\d_])")


def lowered(text: str) -> str:
    """The text with a point before each raised number that stands behind a number, and without the marks.

    Raised numbers elsewhere (a note's, square metres) stay as they are.
    """
    return _BEHIND_A_NUMBER.sub(lambda match: "." + match[1].replace(RAISED, ""), text).replace(RAISED, "")

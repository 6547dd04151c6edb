"""Writes the charts' JavaScript that reports carry along; ``--check`` tells whether it is what the libraries now give.

It is kept in the repository, so that a report neither needs the 88 MB that bundle it nor waits two seconds for it. The version is
the one that charts are written for.
"""

from __future__ import annotations

import sys
from pathlib import Path

import vl_convert

from benchbar.reports.charts import VEGA_LITE

BUNDLE = Path(__file__).resolve().parents[1] / "src" / "benchbar" / "reporting" / "assets" / "vega.js"


def bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, with line ends made one: the browser hashes the text so."""
    version = VEGA_LITE.rpartition(".")[0]
    made: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=version)
    made = made.replace("\r\n", "\n").replace("\r", "\n")
    if "</script" in made.lower() or "<!--" in made:
        sys.exit("the chart library holds text that would end its script element; this version cannot be used")
    return made


def main() -> int:
    """Write it, or compare it."""
    made = bundle()
    if "--check" in sys.argv:
        return int(BUNDLE.read_text("utf-8") != made)
    BUNDLE.write_text(made, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

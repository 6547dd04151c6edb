"""False alarms of the audit on honest tables: `python benchmarks/audit_false_alarms.py [--tables N] [--seed
N]`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from benchbar.audit.auditing import TASK_NAMES, audit
from benchbar.audit.published import read_published

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from honest_tables import metric_file, rate_table


def main() -> None:
    """Print the share of tables with any finding, by check."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    generator = np.random.default_rng(options.seed)
    alarmed, checked, kinds = 0, 0, Counter()
    with tempfile.TemporaryDirectory() as folder:
        for place in range(options.tables):
            ending, text, n, ties = (
                (".json", metric_file(generator), None, False) if place % 5 == 0 else rate_table(generator)
            )
            path = Path(folder) / f"table{ending}"
            path.write_text(text)
            read = read_published(path)
            found = audit(
                read.tables,
                read.records,
                np.random.default_rng(0),
                n=n,
                ties_half=ties,
                task_names=TASK_NAMES,
            )
            alarmed += bool(found.findings)
            checked += found.checked
            kinds.update({finding.check for finding in found.findings})
            for finding in found.findings[:1]:
                print(f"  {finding.check} {finding.row} {finding.column}: {finding.evidence}"[:150])
    share = alarmed / options.tables
    print(f"{alarmed} of {options.tables} honest tables alarmed ({share:.1%}); {checked} numbers checked")
    print(dict(kinds))


if __name__ == "__main__":
    main()

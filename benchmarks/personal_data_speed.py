"""How the search for personal data grows with hostile texts: `python benchmarks/personal_data_speed.py`.

Each text repeats one piece that makes a pattern begin and fail; twice the length should take about twice the time.
"""

from __future__ import annotations

from time import perf_counter

from benchbar.languages.personal_data import find_personal_data

PIECES = (
    "1",
    "1 ",
    "А. ",
    "Иван ",
    "John ",
    "路",
    "路1号",
    "a@",
    "паспорт ",
    "card 1 ",
    "张",
    "王伟",
    "1 A St ",
    "8 ",
    "+7 (",
    "《",
)
LENGTHS = (50_000, 100_000, 200_000)


def main() -> None:
    """Print, for each piece, milliseconds at each length and the last ratio."""
    find_personal_data("原告张三")  # the segmenter loads its dictionary once
    for piece in PIECES:
        times = []
        for length in LENGTHS:
            text = (piece * length)[:length]
            begin = perf_counter()
            find_personal_data(text)
            times.append(perf_counter() - begin)
        shown = "  ".join(f"{1000 * one:8.1f} ms" for one in times)
        print(f"{piece!r:14} {shown}   x{times[-1] / times[-2]:.1f}")


if __name__ == "__main__":
    main()

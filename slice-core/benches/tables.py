#!/usr/bin/env python3
"""Prints the tables of measurements.md from the times written by the benchmarks with `--json`.

    python slice-core/benches/tables.py slice-core/benches/results/zen5.jsonl [REPETITION.jsonl ...]

The tables contain ratios to the time of the memcpy or, for the benchmark `writing`, to the time of `gather_into`. For
tiny slices, they contain times in nanoseconds.

The script then lists the rows in which slice-core takes more than 1.05 times as long as NumPy, because the verdicts of
the Rust benchmarks do not include NumPy. If the additional files contain more measurements of a row, the script lists
the row only if NumPy is faster by this factor in all of them.
"""

import json
import pathlib
import sys

TITLES = {
    "tiny": "Tiny arrays, in nanoseconds",
    "l2": "Arrays of 256 KiB, in the second-level cache",
    "l3": "Outputs of 4, 8 and 16 MiB, around the size of the last-level cache",
    "dram": "Arrays of 256 MiB",
    "gib": "Arrays of 1 GiB",
}
# For each benchmark, the columns with their headings. The times in all other columns are divided by the time in the
# first column.
COLUMNS = {
    "gather": {
        "memcpy": "`memcpy`, µs",
        "floor": "floor",
        "slice-core": "slice-core",
        "slice-core, planned before": "planned in advance",
        "slice-core AVX2": "with AVX2",
        "slice-core SSSE3": "with SSSE3",
        "slice-core baseline": "with SSE2",
        "slice-core, all threads": "all threads",
        "ndarray assign": "ndarray `assign`",
        "rten": "rten",
        "NumPy": "NumPy",
        "PyTorch": "PyTorch",
        "slice-core, new array": "new array: slice-core",
        "slice-core, new array, all threads": "new array: all threads",
        "ndarray to_owned": "new array: ndarray `to_owned`",
        "NumPy, new array": "new array: NumPy",
        "slice-core, first new array": "first new array: slice-core",
        "NumPy, first new array": "first new array: NumPy",
    },
    "writing": {
        "gather_into": "`gather_into`, µs",
        "floor of gather": "floor of `gather_into`",
        "scatter": "`scatter`",
        "floor of scatter": "floor of `scatter`",
        "x[..] = y": "`set`",
        "x[..] = number": "`fill_at`",
        "fill": "`fill`",
        "ndarray's assign": "ndarray `assign`",
        "gather AVX2": "`gather_into` with AVX2",
        "scatter AVX2": "`scatter` with AVX2",
        "gather SSSE3": "`gather_into` with SSSE3",
        "scatter SSSE3": "`scatter` with SSSE3",
        "gather baseline": "`gather_into` with SSE2",
        "scatter baseline": "`scatter` with SSE2",
    },
}
BOLD = {"slice-core", "slice-core, new array", "scatter"}
# For each class, the columns that its table omits. The tables of all other classes omit `slice-core, planned before`,
# because creating the plan in advance saves too little time for larger arrays.
OMITTED = {
    "tiny": {"memcpy", "floor", "slice-core AVX2", "slice-core SSSE3", "slice-core baseline"},
}
FIRST_NEW_ARRAYS = {"slice-core, first new array", "NumPy, first new array"}


def table(bench, class_name, rows):
    """Prints the table of one class."""
    columns = COLUMNS[bench]
    base = next(iter(columns))
    omitted = OMITTED.get(class_name, {"slice-core, planned before"})
    if class_name not in ("dram", "gib"):
        omitted = omitted | FIRST_NEW_ARRAYS
    printed_columns = [c for c in columns if c not in omitted and any(c in row["nanoseconds"] for row in rows)]
    print(f"\n### {TITLES[class_name]}{'' if bench == 'gather' else ' (writing)'}\n")
    headings = [columns[c].removesuffix(", µs") if class_name == "tiny" else columns[c] for c in printed_columns]
    print(f"| slice | {' | '.join(headings)} |")
    print(f"|---|{'--:|' * len(printed_columns)}")
    for row in rows:
        times = row["nanoseconds"]
        cells = []
        for column in printed_columns:
            if column not in times:
                cell = "–"
            elif class_name == "tiny":
                cell = f"{times[column]:.0f}"
            elif column == base:
                cell = f"{times[column] / 1e3:.3g}" if times[column] < 1e5 else f"{times[column] / 1e3:.0f}"
            else:
                cell = f"{times[column] / times[base]:.2f}"
            cells.append(f"**{cell}**" if column in BOLD else cell)
        print(f"| {row['slice']} | {' | '.join(cells)} |")


def slower_than_numpy(row):
    """Yields (our column, NumPy's column, ratio) if our column takes more than 1.05 times as long as NumPy's."""
    times = row["nanoseconds"]
    for ours, theirs in (("slice-core", "NumPy"), ("slice-core, new array", "NumPy, new array")):
        if ours in times and times[ours] > 1.05 * times.get(theirs, float("inf")):
            yield ours, theirs, times[ours] / times[theirs]


def main():
    files = [pathlib.Path(path).read_text(encoding="utf-8").splitlines() for path in sys.argv[1:]]
    rows, *repetitions = [[json.loads(line) for line in lines] for lines in files]
    for bench in COLUMNS:
        for class_name in TITLES:
            class_rows = [row for row in rows if (row["bench"], row["class"]) == (bench, class_name)]
            if class_rows:
                table(bench, class_name, class_rows)
    print("\nRows in which slice-core takes more than 1.05 times as long as NumPy:\n")
    for row in rows:
        other_rows = [other for others in repetitions for other in others if other["slice"] == row["slice"]]
        for ours, theirs, ratio in slower_than_numpy(row):
            ratios = [times[2] for other in other_rows for times in slower_than_numpy(other) if times[0] == ours]
            if len(ratios) == len(other_rows):
                print(f"* {row['slice']}: {ours} takes {min([ratio, *ratios]):.2f} times as long as {theirs}")


if __name__ == "__main__":
    main()

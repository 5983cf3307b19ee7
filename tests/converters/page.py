"""Writes the generated parts of README.md, and chart.svg, from the recorded results and found.jsonl. Needs only
Python."""

import json
from html import escape
from pathlib import Path

from models import CLASSES

HERE = Path(__file__).resolve().parent

VERDICTS = ["right", "refused", "crashed", "wrong"]
COLORS = {"right": "#4c9f70", "refused": "#c9ced6", "crashed": "#e0a030", "wrong": "#c8324a"}
LABELS = {"right": "right", "refused": "refused", "crashed": "crashed", "wrong": "silently wrong"}


def lines(path):
    return [json.loads(line) for line in (HERE / path).read_text().splitlines()]


def read_results():
    """Returns a dictionary with the header and the rows of each converter's results file."""
    results = {}
    for path in sorted((HERE / "results").glob("*.jsonl")):
        header, *rows = lines(path)
        results[header["converter"]] = (header, rows)
    return results


def count(rows, verdict, kind=None):
    return sum(row["verdict"] == verdict and kind in (None, row["class"]) for row in rows)


# ---- tables ----------------------------------------------------------------------------------------------------------


def by_converter(results):
    yield "| converter | version | models | right | refused | crashed | silently wrong |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for name, (_, rows) in results.items():
        numbers = " | ".join(str(count(rows, verdict)) for verdict in VERDICTS)
        yield f"| `{name}` | {rows[0]['version']} | {len(rows)} | {numbers} |"


def by_class(results):
    yield "| converter | " + " | ".join(CLASSES) + " |"
    yield "|---|" + "--:|" * len(CLASSES)
    for name, (_, rows) in results.items():
        cells = []
        for kind in CLASSES:
            wrong, stopped = count(rows, "wrong", kind), count(rows, "refused", kind) + count(rows, "crashed", kind)
            cells.append(f"**{wrong}**, {stopped}" if wrong else str(stopped or "–"))
        yield f"| `{name}` | {' | '.join(cells)} |"


def commands(results):
    for name, (header, _) in results.items():
        versions = ", ".join(f"{package} {release}" for package, release in header["versions"].items())
        yield f"* {name}: `{header['how']}`; {versions}."


def short(result):
    elements = ["?" if element is None else str(element) for element in result["elements"]]
    shown = elements if len(elements) <= 12 else [*elements[:12], "…"]
    return f"({', '.join(map(str, result['shape']))}) [{', '.join(shown)}]"


def bugs(results):
    """Yields lines of Markdown: a section for each converter with wrong results, with a paragraph for each of its
    bugs."""
    models = {model["model"]: model for model in lines("models.jsonl")}
    correct_results = {row["model"]: row["results"] for source in ("tf", "onnx", "torch") for row in lines(f"answers/{source}.jsonl")[1:]}
    number, last = 0, None
    for bug in sorted(lines("found.jsonl"), key=lambda bug: bug["converter"]):
        name = bug["converter"]
        if name != last:
            yield from ["", f"### {name}"]
            last = name
        number += 1
        rows = {row["model"]: row for row in results[name][1]}
        model, row = models[bug["smallest"]], rows[bug["smallest"]]
        right = " or ".join(short(result) for result in correct_results[model["model"]])
        given = ", ".join(f"`{n}` = {v}" for n, v in model.get("inputs", {}).items())
        yield ""
        yield f"**{number}. {bug['cause']}**"
        yield ""
        yield f"`{model['python']}` for x of shape {tuple(model['shape'])}{' and run-time ' + given if given else ''}: expected {right}, got {short(row)}."
        if bug.get("note"):
            yield bug["note"]
        if bug.get("upstream"):
            yield bug["upstream"]
        others = [n for n in bug["models"] if n != bug["smallest"]]
        texts = ", ".join(f"`{models[n]['python']}` ({n})" for n in others)
        if texts:
            yield f"Also: {texts}."
        shows = f"`tests/converters/{bug['shows']}`" if bug.get("shows") else None
        yield f"Shown by {shows + ', and by ' if shows else ''}`{command(name)} {bug['smallest']}`."


# The script and the arguments of each converter to which the rules in `command` do not apply.
COMMANDS = {
    "tensorflow-grappler": "with_tf.py grappler", "tensorflow-xla": "with_tf.py xla", "tflite": "with_tflite.py", "tflite-kernels": "with_tflite.py kernels",
    "tf2onnx": "with_tf2onnx.py", "onnx2tf": "with_onnx2tf.py", "onnx2tf-kernels": "with_onnx2tf.py kernels",
    "onnx2tf-2": "with_onnx2tf.py", "onnx2tf-2-kernels": "with_onnx2tf.py kernels", "litert-torch": "with_litert_torch.py",
    "litert-torch-kernels": "with_litert_torch.py kernels",
}  # fmt: skip


def command(name):
    """Returns the script and the arguments for running a converter with `python` in tests/converters."""
    if name in COMMANDS:
        return COMMANDS[name]
    if name in ("onnxsim", "onnxslim", "onnxruntime"):
        return f"with_onnx_optimizers.py {name}"
    if name in ("tract", "rten", "candle"):
        return f"with_rust.py {name}"
    if name == "burn":
        return "with_burn.py"
    tool, kind = name.split("-", 1)
    return f"with_{tool.replace('.', '_').replace('coremltools', 'coreml')}.py {kind}"


# ---- the chart -------------------------------------------------------------------------------------------------------


def chart(results):
    """Returns the chart as SVG: for each converter, a bar with the shares of right, refused, crashed and silently wrong
    models."""
    left, width, high, top = 190, 560, 18, 46
    height = top + len(results) * (high + 7) + 12
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 150} {height}" font-family="sans-serif" font-size="13">',
        "<title>Verdicts for each converter</title>",
        f'<rect width="{left + width + 150}" height="{height}" fill="#ffffff"/>',
    ]
    x = left
    for verdict in reversed(VERDICTS):
        parts.append(f'<rect x="{x}" y="14" width="13" height="13" fill="{COLORS[verdict]}"/>')
        parts.append(f'<text x="{x + 19}" y="25" fill="#222">{LABELS[verdict]}</text>')
        x += 120
    for i, (name, (_, rows)) in enumerate(results.items()):
        y = top + i * (high + 7)
        parts.append(f'<text x="{left - 8}" y="{y + 14}" text-anchor="end" fill="#222">{escape(name)}</text>')
        x = float(left)
        # Wrong results come first, so that their shares begin at the left edge of every bar and can be compared.
        for verdict in reversed(VERDICTS):
            part = width * count(rows, verdict) / len(rows)
            if part:
                parts.append(f'<rect x="{x:.1f}" y="{y}" width="{part:.1f}" height="{high}" fill="{COLORS[verdict]}"/>')
            x += part
        wrong = count(rows, "wrong")
        weight = ' font-weight="bold"' if wrong else ""
        label = f"{wrong} of {len(rows)} wrong" if wrong else f"none of {len(rows)} wrong"
        parts.append(f'<text x="{left + width + 8}" y="{y + 14}" fill="#222"{weight}>{label}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main():
    results = read_results()
    path = HERE / "README.md"
    text = path.read_text()
    for name, make in [("by converter", by_converter), ("by class", by_class), ("mistakes", bugs), ("ways", commands)]:
        start, end = f"<!-- {name}: written by page.py -->\n", f"<!-- end of {name} -->"
        before, rest = text.split(start)
        text = before + start + "\n".join(make(results)).strip("\n") + "\n" + end + rest.split(end)[1]
    path.write_text(text)
    (HERE / "chart.svg").write_text(chart(results))


if __name__ == "__main__":
    main()

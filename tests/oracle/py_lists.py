"""Writes `tests/py/orders.rs`: NumPy's answers to `x[...]`, `x[...] = value` and `x[...] += value` with lists and
masks.

The slices contain up to three items, in every order that `py!` accepts. These are the orders in which NumPy's brackets slice
each axis separately, as recorded by `numpy_lists_vectors.py`. Each statement is run by NumPy and written with NumPy's
answer; in the Rust code, `True` is `true`.

    python tests/oracle/py_lists.py
"""

from math import prod
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
ORDERS = ROOT / "slice-macro/src/py/lists.txt"
SHAPE = [3, 4, 5, 6]
ITEMS = {"l": "[2, -3, 1]", "i": "-2", "r": "1:3", "n": "None", "e": "..."}


def orders():
    for line in ORDERS.read_text().splitlines():
        order, meaning = line.split()[:2]
        if meaning == "same" and len(order) <= 3 and set("lm") & set(order):
            yield order


def indexed(order):
    """Returns the text of an index in this order, and the shape of its array. An ellipsis covers one axis."""
    items, axis = [], 0
    for kind in order:
        items.append(str([True, False, True] + [False] * (SHAPE[axis] - 3)) if kind == "m" else ITEMS[kind])
        axis += kind != "n"
    return ", ".join(items) + ("," if len(items) == 1 else ""), SHAPE[:axis]


def counted(shape):
    return (np.arange(prod(shape)) * 37 % 101).reshape(shape)


def rust(values):
    return str(values.ravel().tolist() if isinstance(values, np.ndarray) else values).replace("T", "t").replace("F", "f")


def made(shape):
    return f"n({rust(tuple(shape))})"


def read(order):
    text, shape = indexed(order)
    out = eval(f"x[{text}]", {"x": counted(shape)})  # noqa: S307, text of this file
    return [f"    let x = {made(shape)};", f"    agrees(&py!(x[{rust(text)}]), &{list(out.shape)}, &{rust(out)});"]


def written(order):
    text, shape = indexed(order)
    lines = []
    for operator in ["=", "+="]:
        x = counted(shape)
        names = {"x": x, "v": counted(eval(f"x[{text}]", {"x": x}).shape)}  # noqa: S307
        exec(f"x[{text}] {operator} v", names)  # noqa: S102
        lines += [
            f"    let (mut x, v) = ({made(shape)}, {made(names['v'].shape)});",
            f"    py!(x[{rust(text)}] {operator} v);",
            f"    agrees(&x, &{shape}, &{rust(x)});",
        ]
    return lines


def main():
    head = f"""//! Each order of up to three items with a list or a mask that `py!` takes, and the results of NumPy {np.__version__}: written by
//! `tests/oracle/py_lists.py`, not by hand.

use slice_core::py;

use super::words::{{agrees, n}};
"""
    lines, count = [head], 0
    for length, name, ask in [(1, "one", read), (2, "two", read), (3, "three", read), (1, "one", written), (2, "two", written)]:
        chosen = [order for order in orders() if len(order) == length]
        count += len(chosen)
        verb = "are_read" if ask is read else "are_written"
        lines.append(f"#[test]\nfn orders_of_{name}_{verb}() {{")
        for order in chosen:
            lines += ask(order)
        lines.append("}\n")
    (ROOT / "tests/py/orders.rs").write_text("\n".join(lines))
    print(f"{count} orders of items")


if __name__ == "__main__":
    main()

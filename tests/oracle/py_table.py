"""Writes `tests/vectors/py_table.txt`: NumPy's results for every kind of index in every context.

Each line contains the name of an index, the name of a context, NumPy's text, and the shape and the elements of the result.
`tests/py/table.rs` contains the same indices and contexts, under the same names, in Rust.

    python tests/oracle/py_table.py
"""

from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent

# The array of all cells, and the indices that are variables.
VARIABLES = """
x = ((np.arange(12) * 37 % 101) / 8 - 5).reshape(3, 4)
u, k, q = 1, -1, 0
rows, cols, vec, arr = np.array([2, 0]), np.array([1, 3]), np.array([0, 2]), np.array([1, 1])
table = np.array([[0, 1], [2, 0]])
half = np.array([0, 1])
lists = [np.array([0]), np.array([2, 1])]
m = x > 1.0
rm = np.array([True, False, True])
ix, TAIL, SHIFTED = np.s_[1:, 0], np.s_[1:], np.s_[::-1, 1:3]
pick = lambda: np.array([2, 1])
"""

KINDS = {
    "literal": "1",
    "negative_literal": "-1",
    "usize_variable": "u",
    "i64_variable": "k",
    "untyped_variable": "q",
    "arithmetic": "u + 1",
    "range": "1:",
    "range_with_variables": "u - 1:k",
    "step": "::-2",
    "list": "[2, 0]",
    "list_of_one": "[1]",
    "list_variable": "rows",
    "vec_variable": "vec",
    "array_variable": "arr",
    "reference_to_a_list": "vec",
    "list_with_two_axes": "table",
    "mask_variable": "m",
    "mask_of_rows": "rm",
    "mask_expression": "x > 1.0",
    "masks_combined": "(x > -2.0) & (x < 3.0)",
    "negated_mask": "~m",
    "slice_variable": "ix",
    "slice_constant": "TAIL",
    "slice_in_a_field": "SHIFTED",
    "list_in_a_field": "rows",
    "newaxis": "None, 1",
    "ellipsis": "..., 0",
    "pair": "1, 2",
    "pair_of_variables": "u, k",
    "row": "1, :",
    "column": ":, -1",
    "index_and_range": "u, 1:",
    "point_lists": "[0, 2], [1, 3]",
    "point_variables": "rows, cols",
    "list_and_index": "rows, 0",
    "mask_and_index": "rm, 0",
    "range_and_list": ":, cols",
    "mask_and_range": "rm, 1:",
    "call": "pick()",
    "product": "2 * half",
    "element_of_a_vec": "lists[1]",
    "element_of_a_list": "rows[1]",
    "slice_of_a_list": "vec[::-1]",
    "list_with_a_new_axis": "arr[:, None], cols",
}

# The contexts of elements and arrays, of elements only, and of arrays only. `{e}` is the indexed expression. After a
# statement, the result is the array.
ALL = {
    "value": "{e}",
    "assigned": "{e} = 9.0",
    "increased": "{e} += 2.0",
    "doubled": "{e} = 2.0 * {e}",
    "operand": "{e} * 2.0 - {e}",
    "compared": "{e} > 1.0",
    "borrowed": "np.sum({e})",
    "mutably_borrowed": "{e} = 0.0",
    "closure": "{e} * 0.5",
    "match": "np.sum({e})",
    "argument": "np.sum({e})",
    "let": "{e} * 1.0",
    "return": "{e} * 1.0",
}
ELEMENTS = {
    "abs": "abs({e})",
    "if": "1.0 if {e} > 1.0 else 0.0",
    "while": "next(t for t in np.arange(-9.0, 99.0) if not t < {e})",
}
ARRAYS = {
    "sum": "{e}.sum()",
    "before_brackets": "{e}[1:]",
    "before_an_index": "{e}[0]",
    "if_any": "1.0 if np.any({e} > 1.0) else 0.0",
    "for": "sum(np.sum(part) for part in {e})",
}


def variables():
    out = {"np": np}
    exec(VARIABLES, out)  # noqa: S102
    return out


def main():
    lines = []
    for kind, index in KINDS.items():
        expression = f"x[{index}]"
        is_array = isinstance(eval(expression, variables()), np.ndarray)  # noqa: S307
        for context, text in (ALL | (ARRAYS if is_array else ELEMENTS)).items():
            here, text = variables(), text.replace("{e}", expression)
            if " = " in text or " += " in text:
                exec(text, here)  # noqa: S102
                value = here["x"]
            else:
                value = eval(text, here)  # noqa: S307
            elements = np.ravel(value).astype(float).tolist()
            lines.append(f"{kind}\t{context}\t{text}\t{list(np.shape(value))}\t{elements}\n")
    (ROOT / "tests/vectors/py_table.txt").write_text("".join(lines))
    print(f"{len(lines)} results")


if __name__ == "__main__":
    main()

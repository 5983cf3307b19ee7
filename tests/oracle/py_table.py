"""Writes `tests/py/table.rs`: every kind of index, in every context, after every kind of container.

A *cell* is an index, a context and a container, such as `x[rows]` as the target of `+=`, where `x` is a `Box`. For arrays,
NumPy runs the cell, and the script writes it as Rust code with NumPy's result. For other containers, such as `Vec`, the
expected value is the same Rust expression outside `py!`. A cell that `py!` does not support has one of the reasons in
`REASONS`, each of which the guide `numpy_to_rust.md` contains.

    python tests/oracle/py_table.py
"""

from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent

# The array of all cells, and the indices that are variables, in Python and in Rust.
PYTHON = """
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
newaxis = None
"""
RUST = {
    "u": "let u = 1_usize;", "k": "let k = -1_i64;", "q": "let q = 0;", "rows": "let rows = [2, 0];", "cols": "let cols = [1, 3];",
    "vec": "let vec = vec![0_usize, 2];", "arr": "let arr = array![1, 1];", "table": "let table = array![[0, 1], [2, 0]];",
    "half": "let half = array![0, 1];", "lists": "let lists = vec![vec![0_i64], vec![2, 1]];",
    "m": "let m = f((3, 4)).mapv(|v| v > 1.0);", "rm": "let rm = array![true, false, true];", "ix": "let ix = s![1:, 0];",
    "held": "let held = Held { ix: s![::-1, 1:3], rows: vec![2, 0] };",
}

# The kinds of index: the text in Rust, the text in Python if it differs, and the variables. `{x}` is the container.
KINDS = {
    "literal": ("1", None, ""),
    "negative literal": ("-1", None, ""),
    "usize variable": ("u", None, "u"),
    "i64 variable": ("k", None, "k"),
    "untyped variable": ("q", None, "q"),
    "arithmetic": ("u + 1", None, "u"),
    "range": ("1:", None, ""),
    "range with variables": ("u - 1:k", None, "u k"),
    "step": ("::-2", None, ""),
    "list": ("[2, 0]", None, ""),
    "list of one": ("[1]", None, ""),
    "list variable": ("rows", None, "rows"),
    "Vec variable": ("vec", None, "vec"),
    "array variable": ("arr", None, "arr"),
    "reference to a list": ("&vec", "vec", "vec"),
    "list with two axes": ("table", None, "table"),
    "mask variable": ("m", None, "m"),
    "mask of rows": ("rm", None, "rm"),
    "mask expression": ("{x} > 1.0", None, ""),
    "masks combined": ("({x} > -2.0) & ({x} < 3.0)", None, ""),
    "negated mask": ("!m", "~m", "m"),
    "slice variable": ("ix", None, "ix"),
    "slice constant": ("TAIL", None, ""),
    "slice in a field": ("held.ix", "SHIFTED", "held"),
    "list in a field": ("held.rows", "rows", "held"),
    "newaxis": ("None, 1", None, ""),
    "ellipsis": ("..., 0", None, ""),
    "pair": ("1, 2", None, ""),
    "pair of variables": ("u, k", None, "u k"),
    "row": ("1, :", None, ""),
    "column": (":, -1", None, ""),
    "index and range": ("u, 1:", None, "u"),
    "point lists": ("[0, 2], [1, 3]", None, ""),
    "point variables": ("rows, cols", None, "rows cols"),
    "list and index": ("rows, 0", None, "rows"),
    "mask and index": ("rm, 0", None, "rm"),
    "range and list": (":, cols", None, "cols"),
    "mask and range": ("rm, 1:", None, "rm"),
    "call": ("pick()", None, ""),
    "product": ("2 * half", None, "half"),
    "element of a Vec": ("lists[1]", None, "lists"),
    "element of a list": ("rows[1]", None, "rows"),
    "slice of a list": ("vec[::-1]", None, "vec"),
    "list with a new axis": ("arr[:, None], cols", None, "arr cols"),
}

# The kinds of index for containers other than `Array`.
COMMON = [
    "literal", "i64 variable", "range", "list variable", "mask expression", "slice variable", "pair of variables",
    "index and range", "point variables",
]

# The containers: the lines that declare it, the expression, and whether it can be modified.
ARRAYS = {
    "Array": ("let mut x = f((3, 4));", "x", True),
    "ArrayD": ("let mut x = f((3, 4)).into_dyn();", "x", True),
    "ArrayView": ("let a = f((3, 4)); let x = a.view();", "x", False),
    "ArrayViewMut": ("let mut a = f((3, 4)); let mut x = a.view_mut();", "x", True),
    "&Array": ("let a = f((3, 4)); let x = &a;", "x", False),
    "&mut Array": ("let mut a = f((3, 4)); let x = &mut a;", "x", True),
    "Box": ("let mut x = Box::new(f((3, 4)));", "x", True),
    "Rc": ("let x = Rc::new(f((3, 4)));", "x", False),
    "RefMut": ("let a = RefCell::new(f((3, 4))); let mut x = a.borrow_mut();", "x", True),
    "MutexGuard": ("let a = Mutex::new(f((3, 4))); let mut x = a.lock().unwrap();", "x", True),
    "field": ("let mut h = Holder { x: f((3, 4)) };", "h.x", True),
    "element of a Vec": ("let mut v = vec![f((3, 4)), f((3, 4))];", "v[1]", True),
}

# The contexts: the Rust text, and the Python text of the value. `{e}` is the indexed expression. Where there are two pairs,
# the second is for single elements. A context with `{x}` as its value changes the container.
CONTEXTS = {
    "value": [("py!({e})", "{e}")],
    "assigned": [("py!({e} = 9.0)", "{e} = 9.0")],
    "increased": [("py!({e} += 2.0)", "{e} += 2.0")],
    "assigned its double": [("py!({e} = 2.0 * {e})", "{e} = 2.0 * {e}")],
    "operand": [("py!({e} * 2.0 - {e})", "{e} * 2.0 - {e}")],
    "compared": [("py!({e} > 1.0)", "{e} > 1.0")],
    "receiver": [("py!({e}.sum())", "{e}.sum()"), ("py!({e}.abs())", "abs({e})")],
    "borrowed": [("py!(total(&{e}))", "np.sum({e})")],
    "mutably borrowed": [("py!(clear(&mut {e}))", "{e} = 0.0")],
    "before brackets": [("py!({e}[1:])", "{e}[1:]")],
    "before an index": [("py!({e}[0])", "{e}[0]")],
    "if": [("py!(if ({e} > 1.0).iter().any(|&v| v) { 1.0 } else { 0.0 })", "1.0 if np.any({e} > 1.0) else 0.0"),
           ("py!(if {e} > 1.0 { 1.0 } else { 0.0 })", "1.0 if {e} > 1.0 else 0.0")],
    "for": [("py!({ let mut t = 0.0; for part in {e} { t += total(&part); } t })", "sum(np.sum(part) for part in {e})")],
    "while": [None, ("py!({ let mut t = -9.0; while t < {e} { t += 1.0; } t })",
                     "next(t for t in np.arange(-9.0, 99.0) if not t < {e})")],
    "closure": [("py!({ let g = || {e} * 0.5; g() })", "{e} * 0.5")],
    "match": [("py!(match {e} { part => total(&part) })", "np.sum({e})")],
    "argument": [("py!(total_of({e}))", "np.sum({e})")],
    "let": [("py!({ let part = {e}; part * 1.0 })", "{e} * 1.0")],
    "return": [("(|| { return py!({e} * 1.0); })()", "{e} * 1.0")],
}

# The reasons, each of which the guide contains.
REASONS = {
    "rank": "the type of the result cannot depend on the rank",
    "copy": "listed elements are copied, so a change would be lost",
    "outlives": "the row would outlive the array",
}


def is_element(value):
    return not isinstance(value, np.ndarray)


def reason(container, kind, context, value, x):
    """Returns the key of the reason why `py!` does not support a cell, or None."""
    is_copy = not is_element(value) and not np.shares_memory(value, x)
    if container == "ArrayD" and is_element(value) and context in ("if", "while"):
        return "rank"
    if is_copy and context == "mutably borrowed":
        return "copy"
    if is_copy and context == "before an index" and (value.ndim > 1 or container == "ArrayD"):
        return "outlives"
    return None


def names():
    out = {"np": np}
    exec(PYTHON, out)  # noqa: S102
    return out


def rust_list(value):
    flat = np.ravel(value).astype(float).tolist()
    return "[" + ", ".join(repr(v) for v in flat) + "]"


def cell(container, kind, context):
    """Returns the Rust lines of a cell, None if NumPy rejects it or it has no meaning, or the key of a reason."""
    declared, x, mutable = ARRAYS[container]
    rust, python, variables = KINDS[kind]
    python = python or rust
    if context in ("assigned", "increased", "assigned its double", "mutably borrowed") and not mutable:
        return None
    here = names()
    value = eval(f"x[{python.format(x='x')}]", here)  # noqa: S307
    forms = CONTEXTS[context]
    form = forms[-1] if is_element(value) else forms[0]
    if form is None or is_element(value) and context in ("for", "before brackets", "before an index"):
        return None
    if not is_element(value) and context == "while":
        return None
    if not is_element(value) and context == "before brackets" and value.ndim == 0:
        return None
    why = reason(container, kind, context, value, here["x"])
    if why:
        return why
    source = form[0].replace("{e}", f"{x}[{rust.format(x=x)}]")
    text = form[1].replace("{e}", f"x[{python.format(x='x')}]")
    lines = [declared, *(RUST[name] for name in variables.split())]
    if " = " in text or " += " in text:
        exec(text, here)  # noqa: S102
        lines.append(f"{source};")
        got, value = f"&{x}", here["x"]
    else:
        value = eval(text, here)  # noqa: S307
        lines.append(f"let out = {source};")
        got = "&out"
    shape = list(np.shape(value))
    lines.append(f"check({got}, &{shape}, &{rust_list(value)});")
    return lines


# Containers for which brackets are Rust's: the declaration, the type, and the indices with the contexts they are used in.
RUST_CELLS = {
    "Vec": ("let mut v = vec![3_i64, -1, 4, 1];", "v", ["0", "u", "u + 1", "1 + u"]),
    "Rust array": ("let mut v = [3_i64, -1, 4, 1];", "v", ["0", "u", "u + 1", "1 + u"]),
    "Rust slice": ("let mut a = [3_i64, -1, 4, 1]; let v = &mut a[..];", "v", ["0", "u", "u + 1", "1 + u"]),
    "Vec in a Vec": ("let mut v = vec![vec![3_i64, -1], vec![4, 1]];", "v", ["0][1", "u][0", "u][u"]),
    "array in an array": ("let mut v = [[3_i64, -1], [4, 1]];", "v", ["0][1", "u][0", "u][u"]),
    "Vec in a field": ("let mut h = List { v: vec![3_i64, -1, 4] };", "h.v", ["0", "u", "u + 1"]),
    "VecDeque": ("let mut v = VecDeque::from([3_i64, -1, 4, 1]);", "v", ["0", "u", "u + 1"]),
    "HashMap": ('let v = HashMap::from([("a", 3_i64), ("b", -1)]);', "v", ['"a"', "name"]),
    "BTreeMap": ('let v = BTreeMap::from([("a", 3_i64), ("b", -1)]);', "v", ['"a"', "name"]),
}
RUST_CONTEXTS = {
    "value": "{e}",
    "assigned": "{ {e} = 9; {v}.clone() }",
    "increased": "{ {e} += 2; {v}.clone() }",
    "assigned its double": "{ {e} = 2 * {e}; {v}.clone() }",
    "operand": "{e} * 2 - {e}",
    "compared": "{e} > 1",
    "equal": "{e} == 3",
    "receiver": "{e}.abs()",
    "borrowed": "*same(&{e})",
    "mutably borrowed": "{ zero(&mut {e}); {v}.clone() }",
    "if": "if {e} > 1 { 1 } else { 0 }",
    "while": "{ let mut t = -9; while t < {e} { t += 1; } t }",
    "closure": "{ let g = || {e} * 5; g() }",
    "match": "match {e} { 3 => 1, n if n < 0 => 2, _ => 0 }",
    "argument": "twice({e})",
    "let": "{ let part = {e}; part * 2 }",
    "total": "{ let mut t = 0; t += {e}; t -= 2 * {e}; t }",
    "macro": 'format!("{}", {e})',
}
RANGES = {
    "Vec": ("let mut v = vec![3_i64, -1, 4, 1];", "v", ["1..", "..u", "u..=2", ".."]),
    "Rust array": ("let mut v = [3_i64, -1, 4, 1];", "v", ["1..", "..u", "u..=2", ".."]),
    "String": ('let v = String::from("text");', "v", ["1..", "..u", "u..=2", ".."]),
    "str": ('let v = "text";', "v", ["1..", "..u", "u..=2", ".."]),
}
RANGE_CONTEXTS = {
    "borrowed": "{e}.to_owned()",
    "length": "{e}.len()",
    "reference": "same(&{e}).to_owned()",
    "equal": "&{e} == &{e}",
    "if": "if {e}.is_empty() { 1 } else { 0 }",
    "let": "{ let part = &{e}; part.len() }",
    "macro": 'format!("{:?}", &{e})',
}


def rust_cells():
    for table, contexts in [(RUST_CELLS, RUST_CONTEXTS), (RANGES, RANGE_CONTEXTS)]:
        for container, (declared, v, indices) in table.items():
            for index in indices:
                lines = []
                for context, form in contexts.items():
                    if container.endswith("Map") and ("= 9" in form or "+= 2" in form or "= 2 *" in form or "&mut" in form):
                        continue
                    cell = form.replace("{e}", f"{v}[{index}]").replace("{v}.clone()", f"{v}.to_owned()")
                    changes = "to_owned() }" in cell and form != "{e}.to_owned()"
                    lines.append("{")
                    for variable, value in [("u", "1_usize"), ("name", '"b"')]:
                        if variable in index.replace("v.len()", ""):
                            lines.append(f"    let {variable} = {value};")
                    plain = declared if changes else declared.replace("let mut v", "let v").replace("let mut h", "let h")
                    plain = plain.replace("let mut a", "let mut a")
                    lines += [f"    let ours = {{ {plain} py!({cell}) }};", f"    let rusts = {{ {plain} {cell} }};",
                              "    assert_eq!(ours, rusts);", "}"]
                yield f"{container} {index}", lines, lines.count("{")


def main():
    blocks, count, without = [], 0, []
    for container in ARRAYS:
        kinds = KINDS if container == "Array" else COMMON
        for kind in kinds:
            lines = []
            for context in CONTEXTS:
                out = cell(container, kind, context)
                if isinstance(out, str):
                    without.append((container, kind, context, REASONS[out]))
                elif out:
                    count += 1
                    changes = " = " in CONTEXTS[context][0][1] or " += " in CONTEXTS[context][0][1] if CONTEXTS[context][0] else False
                    if not changes:
                        out = [line.replace("let mut x", "let x").replace("let mut h", "let h").replace("let mut v", "let v")
                               .replace("let mut a = f((3, 4)); let mut x", "let mut a = f((3, 4)); let x") for line in out]
                    lines.append(f"    // {context}\n    {{\n" + "\n".join(f"        {line}" for line in out) + "\n    }")
            name = f"{container} {kind}".lower().replace("&", "ref ").replace(" ", "_").replace("__", "_")
            blocks.append(f"#[test]\nfn {name}() {{\n" + "\n".join(lines) + "\n}\n")
    for number, (name, lines, cells) in enumerate(rust_cells()):
        count += cells
        blocks.append(f"/// `{name.split(' ')[-1]}` after a container for which brackets are Rust's.\n#[test]\nfn rust_{number}() {{\n"
                      + "\n".join(f"    {line}" for line in lines) + "\n}\n")
    listed = "".join(f"\n//! | {' | '.join(row)} |" for row in without)
    head = f"""//! Checks {count} cells of the table of contexts, kinds of index and kinds of container against NumPy {np.__version__} and against
//! plain Rust. Generated by `tests/oracle/py_table.py`; do not edit.
//!
//! Cells that `py!` does not support:
//!
//! | container | index | context | reason |
//! |---|---|---|---|{listed}

use std::cell::RefCell;
use std::collections::{{BTreeMap, HashMap, VecDeque}};
use std::rc::Rc;
use std::sync::Mutex;

use ndarray::array;
use slice_core::{{named, py, s}};

use super::cells::{{Held, Holder, List, check, clear, pick, same, total, total_of, twice, zero}};
use super::functions::f;

/// The reasons in the table above.
pub const REASONS: [&str; {len(REASONS)}] = [{", ".join(f'"{text}"' for text in REASONS.values())}];

named! {{ const TAIL = s![1:]; }}

"""
    (ROOT / "tests/py/table.rs").write_text(head + "\n".join(blocks))
    print(f"{count} cells, {len(without)} without")


if __name__ == "__main__":
    main()

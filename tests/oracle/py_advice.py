"""Writes `tests/vectors/py_advice.txt`: NumPy's results of expressions for which `py!` suggests Rust code.

Each line has the text of the expression or of the assignment, the inputs as Rust code, `floats` or `integers`, the Rust code
that uses the suggested code instead of `{}`, the shape and the elements of NumPy's result. A
test of slice-macro finds the code that the messages of `py!` suggest for each text, and writes `tests/py/numpy_advice.rs`,
which compiles and runs this code. An expression without a suggestion must be listed in `WITHOUT`.

    python tests/oracle/py_advice.py
"""

from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent

X, M, K = "x=f(9)", "x=f(3,4)", "k=n(3,4)"
BOTH = "x=f(9) y=f(9)"
TABLE = [
    # (inputs, texts)
    (X, ["x[1:] ** 2", "x[1:] ** 3", "2.0 * x[1:] ** 2", "-x[1:] ** 2", "x[1:] / x[:-1] ** 2", "2.0 * -x[1:] ** 2", "2 ** x[1:]",
         "3.0 * 2 ** x[1:]", "x[1:-1] ** 2"]),
    (X, [f"np.{name}(x[1:])" for name in "exp exp2 floor ceil sin cos tan sinh cosh tanh trunc cbrt abs absolute fabs square negative sign rint".split()]),
    (X, [f"np.{name}(x[1:] * x[1:] + 1.0)" for name in "sqrt log log2 log10 log1p expm1 reciprocal arctan".split()]),
    (X, ["np.arcsin(x[1:] / 9.0)", "np.arccos(x[1:] / 9.0)", "np.round(x[1:])", "np.round(x[1:] * 3.3, 1)", "np.around(x[1:] * 3.3, 2)", "x[1:].round(1)",
         "np.isnan(x[1:])", "np.isinf(x[1:])", "np.isfinite(x[1:])", "np.logical_not(x[1:] > 0.0)", "np.logical_and(x[1:] > 0.0, x[:-1] > 0.0)",
         "np.logical_or(x[1:] > 0.0, x[:-1] > 0.0)"]),
    (BOTH, ["np.add(x[1:], y[:-1])", "np.subtract(x[1:], y[:-1])", "np.multiply(x[1:], y[:-1])", "np.divide(x[1:], y[:-1])",
            "np.power(x[1:] * x[1:], 1.5)", "np.power(x[1:], 2)", "np.maximum(x[1:], 0)", "np.maximum(x[1:], 0.5)", "np.minimum(x[1:], -1)",
            "np.maximum(x[1:], y[:-1])", "np.minimum(x[1:], y[:-1])", "np.clip(x[1:], 0, 1)", "np.clip(x[1:], -1.5, 2.5)", "x[1:].clip(0, 2)",
            "np.dot(x[1:], y[1:])", "np.outer(x[1:], y[:3])", "np.array_equal(x[1:], y[1:])", "np.array_equal(x[1:], y[:-1])"]),
    (M, [f"np.{name}(x[1:])" for name in "sum mean prod std var max min argmax argmin cumsum ravel copy transpose".split()]),
    (M, [f"np.{name}(x[1:], axis=0)" for name in "sum mean prod std var max min cumsum cumprod".split()]),
    (M, [f"np.{name}(x[1:], axis=-1)" for name in "sum mean prod std var max min cumsum cumprod".split()]),
    (M, [f"np.{name}(x[1:], 1)" for name in "sum mean max min".split()]),
    (M, [f"x[1:].{name}()" for name in "std var max min argmax argmin cumsum ravel copy transpose prod".split()]),
    (M, [f"x[1:].{name}(axis=1)" for name in "sum mean prod std var max min cumsum".split()]),
    (M, [f"x[1:].{name}(0)" for name in "sum mean prod std var max min cumsum".split()]),
    (K, ["k[1:].max(0)", "k[1:].min(1)", "k[1:].max()", "k[1:].min()", "k[1:].sum(0)", "k[1:].cumsum()", "np.max(k[1:], axis=0)", "k[1:].astype(float)"]),
    (M, ["x[1:].reshape(4, 2)", "np.reshape(x[1:], (2, 4))", "x[1:].transpose(1, 0)", "np.diff(x[1:])", "np.diff(x[1:, 0])", "x[:1, :1].item()", "x[0, 1:].tolist()",
         "np.zeros_like(x[1:])", "np.ones_like(x[1:])", "(x[1:] > 0.0).any()", "(x[1:] > 0.0).all()", "(x[1:] > 0.0).sum()", "np.any(x[1:] > 0.0)", "np.all(x[1:] > 0.0)",
         "np.hstack([x[1:], x[:2]])", "np.hstack((x[0, 1:], x[1, :2]))", "np.concatenate([x[1:], x[:1]])", "np.stack([x[0, :], x[1, :]])",
         "np.concatenate((x[0, :], x[1, :], x[2, :]))"]),
    (X, ["np.full((2, 3), 1.5)", "np.linspace(0, 1, 5)", "np.arange(2, 7)", "np.arange(0.0, 1.0, 0.25)", "np.power(x[1:], 3)"]),
    (X, ["x[1:] **= 2", "x[1:] **= 3.0", "x **= 2", "2.5 ** x[1:]", "x[1:].take([0, 1])", "np.take(x[1:], [2, 0])",
         "(x > 0.0).mean()", "(x > 0.0).std()", "(x > 0.0).var()", "np.mean(x[1:] > 0.0)", "np.count_nonzero(x[1:] > 0.0)", "np.nonzero(x[1:] > 0.0)"]),
    (M, ["(x > 0.0).sum(0)", "(x > 0.0).mean(axis=1)", "np.take(x[1:], [2, 0], axis=1)", "x[1:].nonzero()", "np.nonzero(x[1:])", "np.nonzero(x > 0.0)"]),
    (K, ["k[1:] ** 2", "k[1:] ** 3", "2 * k[1:] ** 2", "k[1:] **= 2", "k[1:].nonzero()", "(k > 50).sum(axis=1)"]),
    # The guide has the code for these.
    (X, ["np.argsort(x[1:])", "np.unique(x[1:])", "np.roll(x[1:], 1)", "np.sort(x[1:])", "np.searchsorted(x[1:], 0.5)", "np.median(x[1:])", "np.histogram(x[1:], 3)[0]",
         "x[1:].argsort()", "np.repeat(x[1:], 2)", "np.vstack([x[1:], x[:-1]])", "np.allclose(x[1:], x[1:])", "np.ix_(x[1:], x[1:])", "np.trace(x[1:])"]),
]
WITHOUT = {text for text in TABLE[-1][1]}
INPUTS = {
    "f": lambda shape: ((np.arange(np.prod(shape, dtype=int)) * 37 % 101) / 8 - 5).reshape(shape),
    "n": lambda shape: (np.arange(np.prod(shape, dtype=int)) * 37 % 101).reshape(shape),
}


def main():
    lines = []
    for inputs, texts in TABLE:
        for text in texts:
            names = {"np": np}
            for word in inputs.split():
                name, call = word.split("=")
                shape = tuple(map(int, call[2:-1].split(",")))
                names[name] = INPUTS[call[0]](shape)
            is_assignment = "**= " in text
            # The literals have no suffix, as in most programs, so their types are not known yet where the code uses the arrays.
            inputs_in_rust = "".join(f"let {'mut ' * is_assignment}{name} = array!{names[name].tolist()}; " for name in names if name != "np")
            inputs_in_rust += "let _ = (" + "".join(f"&{name}, " for name in names if name != "np") + ");"
            run = "py!({}); let out = x;".replace("= x", "= " + text[0]) if is_assignment else "let out = py!({});"
            if text in WITHOUT:
                value = []
            elif is_assignment:  # to a part of the first array
                exec(text, names)  # noqa: S102
                value = names[text[0]]
            else:
                value = eval(text, names)  # noqa: S307
            kind = "without" if text in WITHOUT else "integers" if "k=" in inputs else "floats"
            elements = np.ravel(value).astype(float).tolist()
            lines.append(f"{text}\t{inputs_in_rust}\t{kind}\t{run}\t{list(np.shape(value))}\t{elements}")
    (ROOT / "tests/vectors/py_advice.txt").write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} expressions")


if __name__ == "__main__":
    main()

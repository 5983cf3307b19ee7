"""Records how Python and NumPy read slices written as text.

Writes text.jsonl.gz. The script turns the `text` of each case into a Python expression, and evaluates it. `text` is the
content of the brackets, or includes the brackets, with or without a name before them. Brackets without a name are a
list if Python can parse them as one. `items` is the value of the index in Python, and `canonical` is the shortest
notation of these items. The script checks with NumPy that `text` and `canonical` select the same elements. In `items`
and `canonical`, bounds and steps that do not fit in 64 bits are replaced by the nearest 64-bit number. `out` or `error`
is the result of NumPy or Python.
"""

import ast
import random
import re
import warnings

import numpy as np

import numpy_vectors
from common import I64_MAX, I64_MIN, distinct, error, output, random_items, random_shape, write
from numpy_vectors import arange, with_many_new_axes

SEED = 20250711

KINDS = [
    *numpy_vectors.KINDS,
    (re.compile("number of dimensions must be"), "too_many_dims"),
    (re.compile("slice indices must be integers"), "bad_bound"),
    (re.compile("Python int too large|cannot fit 'int'"), "int_too_big"),
    (re.compile("only integers, slices"), "bad_item"),
    (re.compile("slice expected at|takes no keyword"), "bad_call"),
    (re.compile("boolean index did not match|indexing arrays could not be broadcast"), "mask_shape"),
    (
        re.compile("operand type|truth value of an array|is not callable|not subscriptable|can only concatenate|not supported between"),
        "bad_operand",
    ),
    (re.compile("is not defined|has no attribute"), "name"),
]

# Errors that NumPy reports when it applies the index to an array, after Python has evaluated the text.
NEEDS_AN_ARRAY = ["multiple_ellipsis", "too_many_indices", "too_many_dims", "index_oob", "zero_stride"]

EXCLUSIONS = {
    "rust_literal": "Python refuses an integer literal with a Rust suffix; the text may be pasted from Rust source, and has no "
    "other meaning",
    "module_name": "Python does not know the name before the brackets or before `.newaxis`; a text has no variables, so the "
    "name can have no other meaning",
    "empty_brackets": "Python refuses empty brackets; this library reads them as the slice without items, as the macro does",
    "computed": "Python evaluates an operator or a call, or slices twice; a text has only literals",
    "fancy_index": "NumPy reads a list or a tuple among the items as positions",
    "boolean_mask": "NumPy reads True and False as a mask",
}


class Namespace:
    """A stand-in for TensorFlow's module, whose `newaxis` is None, like NumPy's."""

    newaxis = None


NAMES = {"np": np, "numpy": np, "tf": Namespace, "newaxis": None, "slice": slice}


# ---- evaluation ------------------------------------------------------------------------------------------------------


def expression(text):
    """Returns the Python expression for `text`, in which x is an array.

    Brackets around the whole text are a list if Python can parse them as one, and otherwise the brackets of the slice.
    """
    inside = text.strip(" \t\n\r\f")
    if re.match(r"[^\W\d][\w.\s]*\[", inside):
        return inside
    code = f"x[{text if inside else '()'}]"
    return "x" + inside if inside.startswith("[") and not parses(code) and parses("x" + inside) else code


def parses(code):
    """Returns True if Python can parse the expression."""
    try:
        ast.parse(code, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True


class Recorder:
    """An object `recorder` for which `recorder[...]` returns the index."""

    def __getitem__(self, key):
        return key


def items_of(key):
    """Returns the items of a Python index, or None if the index contains anything else, such as a list or an integer
    that does not fit in 64 bits."""
    items = []
    for entry in key if isinstance(key, tuple) else (key,):
        if entry is None:
            items.append(["n"])
        elif entry is Ellipsis:
            items.append(["e"])
        elif type(entry) is int and I64_MIN <= entry <= I64_MAX:
            items.append(["i", entry])
        elif isinstance(entry, slice) and all(
            part is None or type(part) is int for part in (entry.start, entry.stop, entry.step)
        ):
            parts = [entry.start, entry.stop, entry.step]
            items.append(["r", *(None if part is None else min(max(part, I64_MIN), I64_MAX) for part in parts)])
        else:
            return None
    return items


def canonical(items):
    """Returns the shortest notation of the items."""
    parts = []
    for kind, *numbers in items:
        if kind == "i":
            parts.append(str(numbers[0]))
        elif kind == "r":
            begin, end, step = ("" if number is None else str(number) for number in numbers)
            parts.append(f"{begin}:{end}" + (f":{step}" if step not in ("", "1") else ""))
        else:
            parts.append("..." if kind == "e" else "None")
    return ", ".join(parts) or "()"


def evaluate(code, shape):
    """Returns NumPy's result for an expression with the array x, or Python's error."""
    x = arange(shape)
    try:
        value = eval(code, {}, {**NAMES, "x": x})
        if isinstance(value, tuple) or not isinstance(value, np.ndarray | np.generic):
            value = x[value]
        return output(np.asarray(value))
    except SyntaxError as failure:
        return {"error": {"kind": "syntax", "message": str(failure.msg)}}
    except (AttributeError, IndexError, NameError, OverflowError, TypeError, ValueError) as failure:
        return error(failure, KINDS)


def exclusion_rule(case):
    """Returns the rule that excludes a case, or None if there is no such rule."""
    text, code = case["text"], expression(case["text"])
    kind = case.get("error", {}).get("kind")
    if re.fullmatch(r"[^\W\d][\w.\s]*\[\s*\]", text.strip()):
        return "empty_brackets"
    if kind == "syntax":
        return "rust_literal" if any(map(has_rust_suffix, re.findall(r"(?<![\w.])\d\w*", text))) else None
    tree = ast.parse(code, mode="eval").body
    if not isinstance(tree, ast.Subscript) or not isinstance(tree.value, ast.Name | ast.Attribute):
        return "computed"
    if kind == "name":
        return "module_name" if re.search(r"[^\W\d]\w*\s*(\[|\.\s*newaxis)", text) else None
    if kind is not None and kind not in NEEDS_AN_ARRAY:
        return None
    entries = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
    if any(isinstance(entry, ast.List | ast.ListComp | ast.Tuple) for entry in entries):
        return "fancy_index"
    for node in ast.walk(tree.slice):
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            return "boolean_mask"
        known = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "slice"
        if isinstance(node, ast.Invert | ast.BinOp | ast.BoolOp | ast.Compare | ast.IfExp | ast.Subscript | ast.Not | ast.NamedExpr):
            return "computed"
        if isinstance(node, ast.Call) and not known:
            return "computed"
    return None


def has_rust_suffix(word):
    """Returns True if the word is a Python integer literal with a Rust suffix, such as `1usize`."""
    literal = re.fullmatch(r"(0[xX][0-9a-fA-F_]+?|0[oO][0-7_]+?|0[bB][01_]+?|[0-9][0-9_]*?)_?[iu](8|16|32|64|128|size)", word)
    if literal is None:
        return False
    try:
        ast.literal_eval(literal.group(1))
    except SyntaxError:
        return False
    return True


def with_result(case):
    text, shape = case["text"], case["shape"]
    code = expression(text)
    result = evaluate(code, shape)
    case = {**case, **result}
    if (excluded := exclusion_rule(case)) is not None:
        return {**case, "excluded": excluded}
    if "error" in case and case["error"]["kind"] not in NEEDS_AN_ARRAY:
        return case
    names = {**NAMES, "x": arange(shape), "recorder": Recorder()}
    items = items_of(eval(re.sub(r"^[^\[]*\[", "recorder[", code), {}, names))
    if items is None:
        return case
    notation = canonical(items)
    if evaluate(f"x[{notation}]", shape) != result:
        raise RuntimeError(f"{notation} and {text} have different results on an array of shape {shape}")
    return {**case, "items": items, "canonical": notation}


# ---- texts -----------------------------------------------------------------------------------------------------------


def spell_magnitude(rng, n):
    kind = rng.random()
    if kind < 0.6:
        return str(n)
    if kind < 0.68 and n > 999:
        return f"{n:_}"
    return rng.choice([hex(n), hex(n).upper().replace("0X", "0x"), oct(n), bin(n), f"0X{n:x}", f"0x_{n:x}", f"0B{n:b}", f"0O{n:o}"])


def spell_number(rng, n):
    magnitude = spell_magnitude(rng, abs(n))
    if n >= 0:
        text = rng.choice([magnitude] * 6 + ["+" + magnitude, "--" + magnitude, f"({magnitude})"])
    else:
        text = rng.choice(["-" + magnitude] * 6 + ["- " + magnitude, f"-({magnitude})", f"(-{magnitude})", "+-" + magnitude])
    return f"( {text} )" if rng.random() < 0.03 else text


def spell_part(rng, number, huge=False):
    if number is None:
        return rng.choice([""] * 6 + ["None", "None", "(None)", "newaxis"])
    if huge and abs(number) > 2**31:
        number *= rng.choice([1, 3, 10**30])
    return spell_number(rng, number)


def spell_item(rng, item, space):
    kind, *numbers = item
    if kind == "i":
        return spell_number(rng, numbers[0])
    if kind == "n":
        return rng.choice(["None", "newaxis", "np.newaxis", "tf.newaxis", "numpy.newaxis", "np . newaxis", "(None)"])
    if kind == "e":
        return rng.choice(["...", "...", "...", "Ellipsis", "(...)"])
    parts = [spell_part(rng, number, huge=True) for number in numbers]
    if rng.random() < 0.12:
        words = [part or "None" for part in parts]
        if numbers[2] is None and rng.random() < 0.5:
            words.pop()
            if numbers[0] is None and rng.random() < 0.5:
                words.pop(0)
        return f"slice{space()}({space()}" + f"{space()},{space()}".join(words) + rng.choice(["", "", ","]) + ")"
    if numbers[2] is None and parts[2] == "" and rng.random() < 0.7:
        parts.pop()
    return f"{space()}:{space()}".join(parts)


def spell(rng, items):
    """Returns the items as text, each item in one of its notations, with random whitespace."""
    blanks = rng.choice([[""], ["", " "], [" "], ["", " ", "  ", "\t", "\n", "\r\n "]])
    space = lambda: rng.choice(blanks)  # noqa: E731
    parts = [spell_item(rng, item, space) for item in items]
    text = f"{space()},{space()}".join(parts) + (space() + "," if parts and rng.random() < 0.15 else "")
    colons = any(":" in part for part in parts)
    kind = rng.random()
    if kind < 0.15:
        text = rng.choice(["", "x", "np.s_", "x ", "numpy . s_", "np.index_exp"]) + f"[{space()}{text or '()'}{space()}]"
    elif kind < 0.22 and not colons:
        text = f"({text})" if parts else rng.choice(["", " ", "()", "( )", "(())"])
    return space() + text + space()


def mutated(rng, text):
    """Returns the text with one to three pieces changed, added or removed."""
    pieces = [*" 0123456789-+:.,()[]_x", "None", "newaxis", "...", "np.", "slice(", "::", "0x", "1.5", "~", "&", "True"]
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        position = rng.randint(0, len(text))
        kind = rng.random()
        if kind < 0.5:
            text = text[:position] + rng.choice(pieces) + text[position:]
        elif kind < 0.8:
            text = text[:position] + text[position + rng.randint(1, 2) :]
        else:
            text = text[:position] + rng.choice(pieces) + text[position + 1 :]
    return text


HANDWRITTEN = """
||()|( )|(())|[]|[ ]|x[]|[()]|x[()]|np.s_[()]|(),|,|,,|, 1|1,,2|1,|1,,|:,|:|::|: :|:::|::::|1:2:3:4|1:2:3:|::0|::-0|0:1:0x0|::0_0
...|Ellipsis|..., ...|Ellipsis, ...|(..., ...)|(...)|... ,|..|....|. . .|.|1...|...1|... 1|...:|:...|...:2|1:...|::...|1..2|..2|1..|1..=3
None|newaxis|np.newaxis|tf.newaxis|numpy.newaxis|np .newaxis|np. newaxis|np.newaxi|np.NewAxis|NewAxis|new_axis|none|NONE|null|nil
None:None:-1|None:|:None|::None|None::|newaxis:2|np.newaxis:2:1|None None|None:None None|-None|+None|-...|-slice(1)|--None
1|-1|+1|- 1|-  1|--1|---1|-+-1|+-+1|~0|~1|!1|1-|-|+|-:|:-|::-|1:-:2|(-)|(1)|((1))|(((-1)))|-(1)|-(-(1))|( 1 )|(1|1)|(1))|((1)|[1|1]|[1]]|[[1]]|[1][0]
(1,)|(1,2)|(1, 2,)|((1, 2))|((1, 2),)|(1, 2),|(1, 2), 1|1, (1, 2)|((1,), 2)|(1,2):3|(1:2)|(:)|(1:2, 0)|1:(2)|(1):(2)|(None):2|(1,,2)|(,)|(,1)|[(1, 2)]|([1, 2])|[1, 2]|[1:2]|[[1, 2]]|[1:2], 0|0, [1:2]
[0]|[-1]|[+1]|[0x1]|[1_0]|[0, 2]|[0, 2,]|[ 0 , 1 ]|[None]|[newaxis]|[...]|[Ellipsis]|[1, None]|[1, ...]|[slice(1, 2)]|[slice(1), 0]|[True]|[True, False]|[[True], [False]]|[()]|[(0,)]|[[0], [1]]|[[]]|[[], []]
[:]|[1:]|[::-1]|[1:, 0]|[0, 1:]|[..., :]|[None, :2]|[1:,]|[1:, ..., newaxis, :-3:-1]| [ : , 0 ] |[:, [0]]|[[0], :]|[(1:)]|[[1:]]|[:][0]|[1:] + 1|[1:], :|[:]]|[0:1|0:1]
[0],|[0], 1|1, [0]|1, [0, 1], ...|([0],)|([0, 1], 0)|(0, [1])|[0], [1]|[0]:|[0]:1|:[0]|[0][0]|[0] * 2|x[[0]]|x[[0, 2], 1]|x[(0, 1)]|x[(0, 1),]|np.s_[[0, 2]]|np.s_[0, 2]|np.s_[(0, 1)]|np.s_[True]|np.array([0, 1])|range(2)|list((0, 1))|{0}|[i for i in (0, 1)]
True, 0|0, True|...,True|(True,)|(True, False)|False:|:True|::True|slice(True)|not 0|x[True]|x > 3|x[x > 3]|x[:, True]
+1|+1:|+0x10:|-0x1|+1_0:|slice(1, 2), 0|slice(+1, -1)|slice(0x1, 1_0)|slice(1, 2), [0]|Ellipsis, 0|0, Ellipsis|[Ellipsis, 0]|0x1|0b1|0o1
1 2|1:2 3|1 :2|1: 2|1 : 2 : 1|1:2:1 1|None 1|1 None|... ...|1 (2)|1 [2]|1(2)|x|x[1]|x[1:2, ...]|x [1]|x[1] |x[1]2|x[1],|x[1].T|x[1][2]|x.y[1]|y[1]|x[x]|x[y]|f(x)[1]|np.s_[1:, ...]|np.index_exp[1:]|s[1:2]|x [ 1 : ]
0x10:|0X1f:|0o17:|0O7:|0b101:|0B1:|0xfF:|0x_1:|1_000:|1_0:|0_0|00|000|007|01|1__0:|1_:|_1:|0x|0b|0o|0b2|0o8|0xg|0x1g|12abc|1a|0b12|1usize|1i64:|-1i8|300u8|1u128|2_usize:|0xffu8:|0xffu9:|1f32|0usize|5i128:
1.5|1.|.5|1e3|1E3:|1.5:|:1.5|::1.5|1e|1e+3|0.0|1.0:2.0|1j|2J|inf|nan|1.e3|.5:|-1.5|-.5
9223372036854775807|9223372036854775808|-9223372036854775808|-9223372036854775809|18446744073709551615|18446744073709551616|99999999999999999999999999999999999999999999999999
9223372036854775808:|:9223372036854775808|:-9223372036854775809|99999999999999999999:|:99999999999999999999999999999999999999999999999999999999|-99999999999999999999:|::99999999999999999999|::-99999999999999999999|::9223372036854775807|::-9223372036854775808|0xffffffffffffffff:|:0xffffffffffffffffffffffffffffffffffffffffffff|0x8000000000000000
slice(1)|slice(None)|slice(1, 2)|slice(1,2,3)|slice(None, None, -1)|slice(1,)|slice(1, 2, )|slice()|slice(1, 2, 3, 4)|slice(,)|slice(1,,2)|slice (1)|slice|slice:|slice(1):|slice(1):2|1:slice(2)|slice(slice(1))|slice(...)|slice(1.5)|slice(1, 2, 0)|slice(0, 0, 0), 9|slice(1|slice(1:2)|slice(1 2)|slice[1]|slice(-1, -3, -1)|slice(1, None), None|(slice(None, None, None), 1)|(slice(1, 2, None), Ellipsis, None, slice(None, -3, -1))|builtins.slice(1)|slice(stop=1)|slice((1, 2))|slice((1), (2))
True|False|true|True:|:True|(True)|True, 1|'a'|"1:2"|b'1'|{1}|{}|lambda: 1|1 if 1 else 2|1 or 2|not 1|1 + 1|1+1:|1 - 1|2*2|2**3|7//2|7%4|1<2|1==1|1=1|x:=1|*x|**x|1;2|1,;2|a|n|n:|len(x)|@|$|?|`1`|\\|1\\|#|&1|1&1|1|2^1|é|1:é|−1|…|1，2
:-3:-1|1:, ..., newaxis, :-3:-1|1, 2:4, None, ..., :-3:-1, :|..., 0|0, ...|..., ::-1|::2, ::-2|-1, ..., -1|::-1, ::-1
"""


# Python accepts only some of the whitespace characters in SPACES, and only some of the notations in NUMBERS.
SPACES = [
    *(f"1{space}:" for space in "\t\n\f\r\v\x00\x1c\x1f\x7f\x85\xa0\xad\u1680\u2003\u2009\u2028\u2029\u200b\u200e\u202f\u2060\u3000\ufeff"),
    *(f"{space}1:" for space in "\t\n\f\r\v\xa0\u3000\ufeff"),
    *(f"1,{space}" for space in "\t\n\f\r\v\xa0\u3000\ufeff"),
    *(f"np.{space}newaxis" for space in "\t\f\v\xa0"),
    *(f"slice{space}(1{space},{space}2)" for space in "\t\f\v\xa0"),
    "\xa0", "\f", "1\r\n:2", "x[1\xa0]", "x\xa0[1]", "(1\xa0)", "-\xa01",
]
NUMBERS = """
007|-007|0_7|0_0|00_0|000|09|0o07|0x07|0b01|0o0_7|1__000|1_000|1_|1_:|:1_|_1|1_0_0|1__0|1_0__0|0x_1|0x__1|0x1_|0x1__1|0b_1|0b1_|0o_7|0o7_|0_|0__0|00__0
007usize|0_7u8|1__0i64|1_usize|1__usize|0x_1u8|0x1_u8|00u8|0_0i8|1_000_i64|slice(007)|slice(1__0, 2)|(007)|[007]|1:007|::1__0|1, 007|007, 1|x[007]
1 if 1 else 2|1 if x else 2|1 if 1|1 else 2|1:2 if 1 else 3|1 if 1 else 2:3|None if 1 else 2|(1 if 1 else 2)|slice(1 if 1 else 2)|1 or 2|1 and 2|not 1|not 0:|1 is 2|1 is not 2|1 in (2,)|1 not in (2,)|1 ifs 2|ifs|1 or|or 1|1 if 0 else None, 2|1, 2 if 1 else 3|... if 1 else 0
"""


def texts(rng):
    for text in HANDWRITTEN.replace("\n", "|").split("|"):
        yield [2, 3, 4, 5], text.replace("\\\\", "\\")
    for text in [*SPACES, *NUMBERS.strip().replace("\n", "|").split("|")]:
        yield [2, 3, 4, 5], text
    for _ in range(2400):
        shape = random_shape(rng, max_elements=60)
        text = spell(rng, random_items(rng, shape, arbitrary=0.3))
        yield shape, mutated(rng, text) if rng.random() < 0.4 else text
    for count in [63, 64, 65, 70]:
        for word in ["None", "newaxis"]:
            yield [2], ", ".join(["0:1"] + [word] * (count - 1))
    for _ in range(6):
        yield [2, 3], spell(rng, with_many_new_axes(rng, [2, 3]))


def main():
    warnings.simplefilter("ignore")
    rng = random.Random(SEED)
    cases = distinct({"shape": shape, "text": text} for shape, text in texts(rng))
    write("text", __file__, ["numpy"], SEED, [with_result(case) for case in cases], EXCLUSIONS)


if __name__ == "__main__":
    main()

"""Writes `tests/py/numpy_statements.rs`: tests of statements that `py!` accepts in Python's notation, with NumPy's
results.

Each row of the table has a name, inputs, and Python text. NumPy runs the text, and the script writes a row of the Rust
tests with the text and NumPy's result. The script changes the text only by adding semicolons, and `let` or `let mut` before
declarations. A function that is called differently in NumPy and in ndarray (`exp`, `sum0`, ...) has one name in the
table, and is defined under this name in both languages.

    python tests/oracle/py_statements.py
"""

import pathlib
import re

import numpy as np

# For each letter, a function that creates an input of a given shape. Python and Rust represent the elements exactly.
INPUTS = {
    "f": lambda shape: ((np.arange(np.prod(shape, dtype=int)) * 37 % 101) / 8 - 5).reshape(shape),
    "n": lambda shape: (np.arange(np.prod(shape, dtype=int)) * 37 % 101).reshape(shape),
    "b": lambda shape: (np.arange(np.prod(shape, dtype=int)) * 37 % 101 % 3 == 0).reshape(shape),
    "z": lambda shape: np.zeros(shape),
    "i": lambda shape: np.zeros(shape, dtype=int),
    "p": lambda shape: (np.arange(np.prod(shape, dtype=int)) * 2 % 3).reshape(shape),
}

# The functions used by the statements. `tests/py/functions.rs` defines the same functions in Rust.
FUNCTIONS = {
    "exp": np.exp,
    "sqrt": np.sqrt,
    "sum0": lambda x: x.sum(axis=0),
    "sum1": lambda x: x.sum(axis=1),
    "max1": lambda x: x.max(axis=1),
    "total": lambda x: x.sum(),
    "dot": lambda x, y: x.dot(y),
    "transposed": lambda x: x.T,
    "relu": lambda x: np.maximum(x, 0),
    "game_of_life_step": lambda n, here: ((n == 3) | ((n == 2) & (here == 1))).astype(int),
    "nonzero": lambda x: (x != 0).astype(int),
    "newaxis": np.newaxis,
}

# Rows of (name, inputs, text). If the text is an expression, the tests compare its value. Otherwise, they compare the
# array to which the last statement assigns. A statement `name = ...` declares `name`.
TABLE = [
    # Differences.
    ("forward_difference", "x=f(9)", "x[1:] - x[:-1]"),
    ("central_difference", "x=f(9)", "(x[2:] - x[:-2]) / 2.0"),
    ("second_difference", "x=f(9)", "x[2:] - 2.0 * x[1:-1] + x[:-2]"),
    ("difference_of_rows", "x=f(4,5)", "x[1:] - x[:-1]"),
    ("difference_of_columns", "x=f(4,5)", "x[:, 1:] - x[:, :-1]"),
    ("gradient_with_edges", "x=f(7) g=z(7)",
     "g[1:-1] = (x[2:] - x[:-2]) / 2.0\ng[0, ...] = x[1, ...] - x[0, ...]\ng[-1, ...] = x[-1, ...] - x[-2, ...]"),
    ("mixed_derivative", "x=f(5,6)", "(x[2:, 2:] - x[2:, :-2] - x[:-2, 2:] + x[:-2, :-2]) * 0.25"),
    ("upwind", "u=f(8)", "u[1:] -= 0.5 * (u[1:] - u[:-1])"),
    # Stencils.
    ("laplacian_1d", "u=f(9)", "u[1:-1] += 0.25 * (u[:-2] - 2.0 * u[1:-1] + u[2:])"),
    ("laplacian_2d", "u=f(6,7) v=f(6,7)",
     "u[1:-1, 1:-1] += 0.25 * (v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:]) - v[1:-1, 1:-1]"),
    ("laplacian_3d", "u=f(4,5,6)",
     "u[:-2, 1:-1, 1:-1] + u[2:, 1:-1, 1:-1] + u[1:-1, :-2, 1:-1] + u[1:-1, 2:, 1:-1]"
     " + u[1:-1, 1:-1, :-2] + u[1:-1, 1:-1, 2:] - 6.0 * u[1:-1, 1:-1, 1:-1]"),
    ("jacobi", "u=f(6,6)", "u[1:-1, 1:-1] = (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]) * 0.25"),
    ("red_points_of_gauss_seidel", "u=f(8)", "u[1:-1:2] = (u[:-2:2] + u[2::2]) * 0.5"),
    ("box_blur", "x=f(10)", "(x[:-2] + x[1:-1] + x[2:]) / 3.0"),
    ("sharpen", "x=f(5,5) y=z(5,5)",
     "y[1:-1, 1:-1] = 5.0 * x[1:-1, 1:-1] - x[:-2, 1:-1] - x[2:, 1:-1] - x[1:-1, :-2] - x[1:-1, 2:]"),
    ("sobel", "x=f(5,6)",
     "x[:-2, 2:] + 2.0 * x[1:-1, 2:] + x[2:, 2:] - x[:-2, :-2] - 2.0 * x[1:-1, :-2] - x[2:, :-2]"),
    ("wave_equation", "u=f(9) v=f(9) w=z(9)",
     "w[1:-1] = 2.0 * v[1:-1] - u[1:-1] + 0.25 * (v[2:] - 2.0 * v[1:-1] + v[:-2])"),
    ("mirrored_edges", "u=f(5,6)",
     "u[0, :] = u[1, :]\nu[-1, :] = u[-2, :]\nu[:, 0] = u[:, 1]\nu[:, -1] = u[:, -2]"),
    ("periodic_edges", "u=f(5,6)",
     "u[0, :] = u[-2, :]\nu[-1, :] = u[1, :]\nu[:, 0] = u[:, -2]\nu[:, -1] = u[:, 1]"),
    # Cellular automata.
    ("life_neighbor_counts", "life=b(6,7) n=i(6,7)",
     "n[1:-1, 1:-1] = nonzero(life[:-2, :-2]) + nonzero(life[:-2, 1:-1]) + nonzero(life[:-2, 2:])"
     " + nonzero(life[1:-1, :-2]) + nonzero(life[1:-1, 2:])"
     " + nonzero(life[2:, :-2]) + nonzero(life[2:, 1:-1]) + nonzero(life[2:, 2:])"),
    ("life_step", "mask=b(7,8) life=i(7,8)",
     "life[...] = nonzero(mask[...])\n"
     "n = life[:-2, :-2] + life[:-2, 1:-1] + life[:-2, 2:] + life[1:-1, :-2] + life[1:-1, 2:]"
     " + life[2:, :-2] + life[2:, 1:-1] + life[2:, 2:]\n"
     "life[1:-1, 1:-1] = game_of_life_step(n[...], life[1:-1, 1:-1])"),
    ("rule_90", "row=b(12) next=b(12)", "next[1:-1] = row[:-2] ^ row[2:]"),
    ("majority_rule", "r=b(12)", "r[:-2] & r[1:-1] | r[1:-1] & r[2:] | r[:-2] & r[2:]"),
    # Images.
    ("upsampling", "x=f(2,3) y=z(4,6)",
     "y[::2, ::2] = x\ny[::2, 1::2] = x\ny[1::2, ::2] = x\ny[1::2, 1::2] = x[...]"),
    ("linear_upsampling", "x=f(5) y=z(9)", "y[::2] = x\ny[1::2] = (x[:-1] + x[1:]) * 0.5"),
    ("downsampling", "x=f(4,6)", "(x[::2, ::2] + x[::2, 1::2] + x[1::2, ::2] + x[1::2, 1::2]) / 4.0"),
    ("mosaic", "sprite=f(2,2) canvas=z(4,6)", "canvas[:2, :2] = sprite\ncanvas[2:, -2:] = sprite[::-1, ::-1]"),
    ("checkerboard", "x=i(5,6)", "x[::2, ::2] = 1\nx[1::2, 1::2] = 1"),
    ("chessboard_by_compound_assignment", "x=n(4,4)", "x[::2, 1::2] *= 0\nx[1::2, ::2] += 100"),
    ("sprite_with_alpha", "canvas=f(6,6,3) sprite=f(2,3,4)",
     "canvas[1:3, 2:5, :3] = sprite[..., :3] * sprite[..., 3:] + canvas[1:3, 2:5, :3] * (1.0 - sprite[..., 3:])"),
    ("channels_reversed", "canvas=z(4,5,3) sprite=f(2,2,4)", "canvas[1:3, 2:4, :3] = sprite[..., 2::-1]"),
    ("gray", "x=f(3,4,3)", "0.25 * x[..., 0] + 0.5 * x[..., 1] + 0.25 * x[..., 2]"),
    ("bayer_mosaic", "x=f(4,4,3) y=z(4,4)",
     "y[::2, ::2] = x[::2, ::2, 0]\ny[::2, 1::2] = x[::2, 1::2, 1]\ny[1::2, ::2] = x[1::2, ::2, 1]\n"
     "y[1::2, 1::2] = x[1::2, 1::2, 2]"),
    ("frame", "x=f(5,6)", "x[:, ::5] = 1.0\nx[::4, :] = 1.0"),
    ("crop_and_flip", "x=f(6,7)", "x[1:-1, 2:-2][::-1, ::-1] * 1.0"),
    ("vignette", "x=f(4,5) y=f(4) z=f(5)", "x[:, :] * y[:, None] * z[None, :]"),
    ("rolled", "x=f(7) y=z(7)", "y[2:] = x[:-2]\ny[:2] = x[-2:]"),
    ("split_in_two", "x=n(9)", "x[:4][::-1] + x[5:]"),
    # Tuples.
    ("element_at_a_tuple", "x=f(3,4)", "at = (-1, 2)\nx[at] += x[(0, -4)]"),
    ("row_at_a_tuple", "x=f(3,4,5) y=f(5)", "at = (2, -3)\nx[at] = y\nx[at] *= 2.0"),
    ("matrix_at_a_tuple", "x=f(3,4,5)", "at = (1,)\ny = x[at] + 1.0\ny[:, 0] = x[(0, 1)][:4]"),
    ("empty_tuple", "x=f(4)", "x[()] * 2.0"),
    # Padding.
    ("zero_padding", "x=f(3,4) y=z(5,6)", "y[1:-1, 1:-1] = x"),
    ("reflected_padding", "x=f(5) y=z(9)", "y[2:-2] = x\ny[:2] = x[2:0:-1]\ny[-2:] = x[-2:-4:-1]"),
    ("edge_padding", "x=f(4) y=z(8)", "y[2:-2] = x\ny[:2] = x[0]\ny[-2:] = x[3]"),
    ("constant_padding", "x=f(2,3) y=f(4,5)", "y[...] = -1.5\ny[1:3, 1:4] = x"),
    # Time series.
    ("lags", "x=f(8) m=z(6,3)", "m[:, 0] = x[2:]\nm[:, 1] = x[1:-1]\nm[:, 2] = x[:-2]"),
    ("returns", "x=f(8)", "x[1:] / (x[:-1] + 10.0) - 1.0"),
    ("moving_average", "x=f(10)", "(x[:-3] + x[1:-2] + x[2:-1] + x[3:]) * 0.25"),
    ("exponential_smoothing", "x=f(5) y=f(5)",
     "y[1, ...] = 0.5 * x[1, ...] + 0.5 * y[0, ...]\ny[2, ...] = 0.5 * x[2, ...] + 0.5 * y[1, ...]"),
    ("trapezoids", "x=f(9) y=f(9)", "total((x[1:] - x[:-1])[...] * (y[1:] + y[:-1])[...]) * 0.5 * y[:1]"),
    ("every_third_element", "x=f(12)", "x[::3] + x[1::3] * 10.0 - x[2::3]"),
    ("turning_points", "x=f(10)", "(x[1:-1] - x[:-2]) * (x[2:] - x[1:-1])"),
    # Windows and matrices.
    ("im2col", "x=f(5,6) c=z(4,4,5)",
     "c[0, ...] = x[:-1, :-1]\nc[1, ...] = x[:-1, 1:]\nc[2, ...] = x[1:, :-1]\nc[3, ...] = x[1:, 1:]"),
    ("convolution", "x=f(10) k=f(3)", "x[:-2] * k[0] + x[1:-1] * k[1] + x[2:] * k[2]"),
    ("correlation_with_a_sliced_kernel", "x=f(10) k=f(3)",
     "x[:-2] * k[-1, ...] + x[1:-1] * k[-2, ...] + x[2:] * k[-3, ...]"),
    ("outer_product", "x=f(3) y=f(4)", "x[:, newaxis] * y[None, :]"),
    ("outer_difference", "x=f(4)", "x[:, None] - x[None, :]"),
    ("distances", "p=f(4,3)", "p[:, None, :] - p[None, :, :]"),
    ("rank_one_update", "a=f(3,4) x=f(3) y=f(4)", "a[...] -= 0.5 * x[:, None] * y[None, :]"),
    ("elimination_step", "a=f(4,4)", "a[1:, :] -= a[1:, :1] / a[0, 0] * a[:1, :]"),
    ("swapped_rows", "a=f(4,3)", "row = a[0, :] * 1.0\na[0, :] = a[2, :]\na[2, :] = row"),
    ("upper_triangle_of_blocks", "a=f(6,6)", "a[2:, :2] = 0.0\na[4:, 2:4] = 0.0"),
    ("block_matrix", "a=f(2,2) b=f(2,3) m=z(4,5)", "m[:2, :2] = a\nm[:2, 2:] = b\nm[2:, 2:] = b[::-1]"),
    ("transposed_in_place", "a=f(3,3)", "a[...] = transposed(a[...])"),
    ("rows_by_matrix", "a=f(4,3) b=f(3,2)", "dot(a[1:3], b[:, ::-1]) + a[1:3, :2]"),
    ("centered_columns", "x=f(4,4)", "x - sum0(x[...])[None, :] / 4.0"),
    # Machine learning.
    ("softmax", "x=f(3,4)", "exp(x[...])[...] / sum1(exp(x[...])[...])[:, None]"),
    ("stable_softmax", "x=f(3,4)", "e = exp((x - max1(x[...])[:, None])[...])\np = e / sum1(e[...])[:, None]\np[...] *= 1.0"),
    ("normalized_rows", "x=f(3,4)", "x / sqrt(sum1((x[...] * x[...])[...])[...])[:, None]"),
    ("attention_mask", "mask=z(4,5)", "mask[2, ...] = -1000.0\nmask[..., 3:] = -1000.0\nmask[0, 1] = 1.0"),
    ("causal_mask", "scores=f(4,4)", "scores[0, 1:] = -99.0\nscores[1, 2:] = -99.0\nscores[2, 3:] = -99.0"),
    ("heads_split", "x=f(2,3,8)", "x[..., :4] * x[..., 4:]"),
    ("rotary_embedding", "x=f(3,4) c=f(3,2) s=f(3,2) y=z(3,4)",
     "y[:, ::2] = x[:, ::2] * c - x[:, 1::2] * s\ny[:, 1::2] = x[:, ::2] * s + x[:, 1::2] * c"),
    ("gate", "x=f(2,6)", "x[:, :3] * relu(x[:, 3:])"),
    ("gradient_of_a_slice", "g=f(4) dx=z(9)", "dx[::2][:4] += g\ndx[1::2] -= g * 0.5"),
    ("bias", "x=f(2,3,4) b=f(4)", "x[...] += b"),
    ("batch_of_one", "x=f(3,4) y=z(2,3,4)", "y[...] = x[None]\ny[1:] *= 2.0"),
    # Cumulative sums.
    ("running_sum_by_doubling", "x=f(8)", "x[1:] += x[:-1]\nx[2:] += x[:-2]\nx[4:] += x[:-4]"),
    ("differences_undone", "x=f(4)", "x[1, ...] += x[0, ...]\nx[2, ...] += x[1, ...]\nx[3, ...] += x[2, ...]"),
    ("summed_area", "s=f(5,6)", "s[2:, 2:] - s[:-2, 2:] - s[2:, :-2] + s[:-2, :-2]"),
    ("prefix_sum_of_columns", "x=f(2,8)", "x[:, 1:] += x[:, :-1]\nx[:, 2:] += x[:, :-2]\nx[:, 4:] += x[:, :-4]"),
    # In place, with overlap.
    ("shifted_right", "x=n(9)", "x[1:] = x[:-1]"),
    ("shifted_left", "x=n(9)", "x[:-1] = x[1:]"),
    ("reversed_in_place", "x=n(9)", "x[...] = x[::-1]"),
    ("rotated_in_place", "x=n(4,4)", "x[...] = transposed(x[::-1])"),
    ("spread_in_place", "x=n(9,2)", "x[::2] = x[:5]"),
    ("packed_in_place", "x=n(9)", "x[:5] = x[::2]"),
    ("rows_shifted", "x=n(4,3)", "x[1:, :] = x[:-1, :]"),
    ("block_shifted_diagonally", "x=n(5,5)", "x[1:, 1:] = x[:-1, :-1]"),
    ("reversed_half_added", "x=n(8)", "x[:4] += x[:3:-1]"),
    ("doubled_from_itself", "x=n(8)", "x[...] += x"),
    ("slices_of_slices", "x=n(12)", "x[2:][::2] = x[:5]"),
    # Broadcasting and values.
    ("row_to_rows", "x=f(3,4) r=f(4)", "x[...] = r"),
    ("column_to_columns", "x=f(3,4) c=f(3)", "x[...] = c[:, None]"),
    ("value_with_leading_axes_of_length_1", "x=f(3,4) v=f(1,1,4)", "x[1:] = v"),
    ("one_element", "x=f(3,4) v=f(1)", "x[:, 1:3] = v"),
    ("nested_literal", "x=f(3,4)", "x[:2, 1:3] = [[1.0, 2.0], [3.0, 4.0]]"),
    ("literal_row", "x=f(3,4)", "x[:, ::2] = [-1.0, 1.0]"),
    ("literal_added", "x=n(3,4)", "x[1:, :2] += [[10], [20]]"),
    ("number_on_the_left", "x=f(5)", "1.0 - x[1:] * 2.0"),
    ("negated", "x=f(5)", "-x[1:] - (-x[:-1])"),
    ("left_broadcasts", "x=f(4) y=f(3,4)", "x[::-1] - y[1:, :]"),
    ("right_broadcasts", "x=f(3,1) y=f(4)", "x[:, :] * y[::-1]"),
    ("both_broadcast", "x=f(3) y=f(2,1,4)", "x[:, None] + y[...]"),
    ("integers", "x=n(3,4)", "(x[1:] * 3 + x[:-1]) % 7"),
    ("bits", "x=n(8)", "(x[:4] & 12 | x[4:] << 1) ^ x[::2] >> 2"),
    ("bits_in_place", "x=n(8)", "x[::2] &= 14\nx[1::2] |= 64\nx[:4] ^= x[4:]\nx[5:] <<= 2\nx[:3] >>= 1\nx[...] %= 50"),
    ("one_element_assigned", "x=f(3,4)", "x[1, 2] = 7.5\nx[-1, -1] -= x[0, 0]"),
    ("empty_range", "x=f(5)", "x[3:1] = 9.0"),
    ("clamped_range", "x=f(5)", "x[2:100] *= 2.0\nx[-100:1] = 0.0"),
    # Elements and comparisons.
    ("element_times_slice", "x=f(3,4)", "x[1:, :] * x[0, 1] - x[2, 3]"),
    ("elements_accumulated", "x=f(3,4) t=z(2)", "t[0] += x[1, 2] * 2.0 - x[-1, 0]\nt[1] -= -x[0, 0]\nt[:] += x[1, 1] / x[0, 3]"),
    ("element_computed_from_elements", "x=f(3,4) t=z(2)", "t[1, ...] = x[0, 0] * x[1, 1] - 1.0\nt[0, ...] = x[2, 1]"),
    ("greater", "x=f(3,4)", "x[1:] > 0.0"),
    ("at_most_the_previous_element", "x=f(9)", "x[1:] <= x[:-1]"),
    ("compared_with_broadcasting", "x=f(3,4) y=f(4)", "x[:, 1:2] < y[None, ::-1]"),
    ("compared_with_an_element", "x=f(3,4)", "x[1:, :] >= x[0, 3]"),
    ("number_before_a_slice", "x=n(12)", "40 < x[::2]"),
    ("inside_an_interval", "x=f(10)", "(x[1:] > -1.0) & (x[1:] < 3.0)"),
    ("outside_an_interval", "x=f(3,4)", "(x[..., 1:] < -1.0) | (x[..., 1:] >= 3.0) ^ (x[..., :-1] == 2.125)"),
    ("equal_to_a_number", "x=n(12)", "x[2:] == 47"),
    ("not_equal_to_a_number", "x=n(12)", "x[::-2] != 57"),
    ("sums_compared", "x=f(9) y=f(9)", "x[1:] + y[:-1] > 2.0 * y[1:]"),
    # One index, and masks.
    ("rows", "x=f(3,4)", "x[1] - x[0]"),
    ("row_from_the_end", "x=f(3,4)", "x[-1] * 2.0 + x[0, :]"),
    ("row_broadcast", "x=f(3,4)", "x[1:] - x[0]"),
    ("planes", "x=f(2,3,4)", "(x[0] + x[-1]) / 2.0"),
    ("rows_assigned", "x=f(3,4) r=f(4)", "x[0] = 1.0\nx[-1] = r\nx[1] += x[-1] * 2.0"),
    ("row_to_row", "x=f(3,4)", "x[0] = x[1]\nx[-1] -= x[0]\nx[-2] = x[0, ::-1]"),
    ("first_and_last", "x=f(5) y=f(5)", "y[0] = x[-1] - x[1]\ny[-1] *= x[2]"),
    ("masked_elements_assigned", "x=f(3,4)", "x[x > 0.0] = 0.0"),
    ("masked_elements_assigned_twice", "x=f(3,4) y=n(3,4)", "x[(y > 20) & (x < 3.0)] *= 2.0\nx[x < -1.0] -= x[0, 0]"),
    ("masked_elements_assigned_from_a_list", "x=n(4)", "x[x > 9] = [1, 2, 3]"),
    ("new_axes_assigned", "x=f(3)", "x[None, :, None] = [[[1.0], [2.0], [3.0]]]"),
]


# Indices into an array of shape (3, 4), in the generated statements below. `i`, `rows` and `ok` are declared in the text.
PLACES = [
    "0", "-1", "i", "i + 1", "i - 2", "2 * i", "[0, 2]", "[-1, 0]", "[1]", "rows", "p", "p - 1", "2 - p", "2 * (p / 2)", "p[::-1]",
    "ok", "x > 0.0", "(x > -2.0) & (x < 3.0)", "x[:, 0] < x[:, 1]", "x == x", "rows, 1:", "ok, 1:", "i, 1:", "i, ::-1", "p[:, None], rows",
]
DECLARED = "i = 1\nrows = [2, 0]\nok = x[:, 0] > -3.0\n"


def declared(place, text):
    """Returns a text that begins with the declarations that `place` needs."""
    lines = DECLARED.splitlines()
    needed = [line for line in lines if re.search(rf"\b{line.split()[0]}\b", place)]
    return "\n".join([*needed, text])


def generated():
    """Yields rows for each kind of index in values and assignments, and for operators between whole arrays."""
    arrays = "x=f(3,4) y=f(3,4) p=p(2)"
    for place in PLACES:
        if place == "2 * (p / 2)":
            continue
        for form in ["{e} * 2.0 - {e}", "1.0 - {e}", "-{e}", "{e} + {e}"]:
            yield "read", arrays, declared(place, f"out = {form.format(e=f'x[{place}]')}")
        for form in ["{e} = 1.5", "{e} += 2.0", "{e} = -{e}", "{e} -= 0.5 * {e}"]:
            yield "written", arrays, declared(place, form.format(e=f"x[{place}]"))
    operands = "x=f(3,4) y=f(3,4) r=f(4) c=f(3)"
    for sign in ["<", "<=", ">", ">=", "==", "!="]:
        for left, right in [("x", "y"), ("x", "0.5"), ("0.5", "x"), ("x", "r"), ("x[0]", "x[1]"), ("x[[2, 0]]", "0.0"), ("x", "c[:, None]")]:
            yield "compared", operands, f"{left} {sign} {right}"
    for sign in "+-*":
        for left, right in [("x", "y"), ("x", "r"), ("r", "x"), ("x[0]", "x"), ("x", "c[:, None]"), ("x[[0, 2]]", "x[1]")]:
            yield "computed", operands, f"{left} {sign} {right}"
        for value in ["y", "r", "x[0]", "y[0]", "0.5 * y", "y * 2.0 - r", "x", "-x", "x[[0]]", "c[:, None]"]:
            yield "changed", operands, f"x {sign}= {value}"
    for sign in "&|^":
        for second in ["y > 0.0", "x != 0.25", "r > 0.0", "x[0] < r"]:
            yield "masked", operands, f"x[(x < 2.0) {sign} ({second})] = 9.0"
            yield "masked", operands, f"(x < 2.0) {sign} ({second})"
    for sign in ["+", "-", "*", "%", "&", "|", "^"]:
        for text in [f"m {sign} (k + 1)", f"m {sign}= k + 1", f"m[m > 40] {sign}= 3"]:
            yield "integers", "m=n(3,4) k=n(4)", text
    for text in [
        "x[0][1:] = 0.0", "x[1:][0] = 7.0", "x[-1][::2] += 1.0", "x[1][1] = 4.0", "x[1:][0][2] -= 4.0", "x[:, 1][0] = 4.0",
        "x[[0, 1]] = x[[1, 0]]", "x[[0, 1, 2]] = x[[2, 0, 1]]", "x[:, [0, 3]] = x[:, [3, 0]]",
        "x[[0, 2], [1, 3]] = x[[2, 0], [3, 1]]", "x[[0, 2], [1, 3]] = 0.0", "x[[0, 2], [1, 3]] += [1.0, 2.0]", "x[[1, 1]] += 1.0",
        "x[[2, 0], 0] = 1.0", "x[[2, 0], 0] *= 3.0", "x[0, [1, 3]] = [7.0, 8.0]", "x[None, 1] = 5.0", "x[..., 1] = c", "x[..., 1] -= c",
        "x[x > 0.0] = x[x > 0.0] * 2.0", "x[x < 0.0] = -x[x < 0.0]", "x[x > 3.0] = 3.0\nx[x < -1.0] = -1.0", "x[c > 0.0] = r",
        "x[c > 0.0] += r", "x[c > 0.0, 0] = 1.0", "x[c > 0.0, 1:] *= 2.0", "x[:, r > 0.0] = 0.0", "x[0] = x[-1]", "x[0] += x[-1] - x[1]",
        "x[1] = r", "x[1] -= r * 0.5", "x[-1] = [1.0, 2.0, 3.0, 4.0]", "x[0] = x[1:].sum()", "x[:] = r", "x[...] = -x", "x -= x[:, :1]",
    ]:
        yield "places", operands, text
    for text in [
        "x[0][1:] - x[1][:-1]", "x[1:][0] * 2.0", "x[[2, 0]][:, 1] * 1.0", "x[1:][[1, 0]] - 1.0", "x[x > 0.0][1:] * 1.0", "x[:, [1, 3]] - x[:, [0, 2]]",
        "x[0] * x[:, :1]", "x[None, 0] - x", "x[..., None][0] * 1.0", "x[[0, 2], [1, 3]] - x[[2, 0], [3, 1]]", "x[[0, 2], 0] * 2.0", "x[0, [1, 3]] * 2.0",
        "x[[[0, 1], [2, 0]]] * 1.0", "x[[0], :] + x[[1], :]", "x[c > 0.0] - r", "x[c > 0.0, 0] * 1.0", "x[:, r > 0.0] * 1.0", "x[x > x[0, 0]] * 1.0",
        "x[-1] - x[0]", "x[1] - x[1].sum()", "r[-1] * x", "x * r[0] + c[1]", "r[[3, 0, 0]] * 1.0", "c[c > 0.0] - c[0]", "-r[::-1] + r[0]", "x[:, None] - x[None]",
    ]:
        yield "values", operands, text


def all_rows():
    count = {}
    for group, declared, text in generated():
        count[group] = count.get(group, 0) + 1
        yield f"{group}_{count[group]}", declared, text
    yield from TABLE


def inputs(text):
    for word in text.split():
        name, kind, shape = re.fullmatch(r"(\w+)=(\w)\(([\d,]+)\)", word).groups()
        yield name, kind, tuple(map(int, shape.split(",")))


def run(declared, text):
    """Returns NumPy's result: None and the value of an expression, or the name and the value of the variable to which
    the last statement assigns."""
    names = dict(FUNCTIONS)
    for name, kind, shape in declared:
        names[name] = INPUTS[kind](shape)
    lines = text.split("\n")
    if not any(re.match(r"\w+(\[.*\])* (?:<<|>>|[-+*/%&|^])?= ", line) for line in lines):
        return None, eval(text, names)  # noqa: S307, the text is from the table
    for line in lines:
        exec(line, names)  # noqa: S102
    target = re.match(r"\w+", lines[-1]).group()
    return target, names[target]


def rust_list(array):
    flat = array.ravel().tolist()
    return "[" + ", ".join(("true" if v else "false") if isinstance(v, bool) else repr(v) for v in flat) + "]"


def row(name, declared, text):
    declared = [row for row in declared if re.search(rf"\b{row[0]}\b", text)]
    target, expected = run(declared, text)
    targets = re.findall(r"^(\w+)(?:\[.*\])?\S* (?:<<|>>|[-+*/%&|^])= |^(\w+)\[.*\] = ", text, flags=re.MULTILINE)
    targets = [name for pair in targets for name in pair]
    inputs = []
    for variable, kind, shape in declared:
        mutable = "mut " if variable in targets else ""
        shape = f"({shape[0]},)" if len(shape) == 1 else str(shape)
        inputs.append(f"let {mutable}{variable} = {kind}({shape});")
    code = f"({text}) out"
    if target is not None:
        statements = []
        for line in text.split("\n"):
            declares = re.match(r"\w+ = ", line)
            mutable = "mut " if declares and line.split()[0] in targets else ""
            statements.append(f"{'let ' + mutable if declares else ''}{line};")
        code = f"{{ {' '.join(statements)} }} {target}"
    return f"    {name} {{ {' '.join(inputs)} }} {code} {list(expected.shape)} {rust_list(expected)};\n"


def defect():
    """Prints a note if NumPy no longer has a defect that the table avoids: `x[::2] = x[:5]` overwrites elements before
    it reads them.

    The defect occurs if the array has one axis, and the steps differ but have the same sign. A test in
    `tests/py/writing.rs` covers this case.
    """
    x = INPUTS["n"]((9,))
    expected = x.copy()
    expected[::2] = x[:5].copy()
    x[::2] = x[:5]
    if (x == expected).all():
        print(f"NumPy {np.__version__} no longer overwrites elements before it reads them in `x[::2] = x[:5]` with one axis")


def main():
    defect()
    rows = list(all_rows())
    names = [name for name, _, _ in rows]
    assert len(set(names)) == len(names), "two rows have the same name"
    head = f"""//! Compares the results of statements in NumPy's notation with NumPy {np.__version__}'s results. Generated by
//! `tests/oracle/py_statements.py`; do not edit.

use super::functions::{{b, dot, exp, f, game_of_life_step, i, max1, n, nonzero, p, relu, sqrt, sum0, sum1, tests, total, transposed, z}};

tests! {{
"""
    tests = [row(name, list(inputs(declared)), text) for name, declared, text in rows]
    path = pathlib.Path(__file__).parent.parent / "py" / "numpy_statements.rs"
    path.write_text(head + "".join(tests) + "}\n")
    print(f"{len(rows)} statements")


main()

//! Writes each slice in three ways: as Python syntax in Rust, as begin, end, strides and five masks copied by hand from
//! the documentation of TensorFlow, OpenVINO, MindSpore or ONNX, and as plain loops. The program asserts that the three
//! select the same elements, and then prints the equivalent operation of each system.
//!
//! `cargo run --example mask_equivalences`

use ndarray::{ArrayD, IxDyn};
use slice_core::{DynSliceSpec, Masks, Selection, SliceError, StridedSliceExt, s};
use slice_examples::output::wrap;
use slice_examples::{println, systems};

/// The width of the output, in columns.
const LINE_WIDTH: usize = 120;

/// The column in which the text of a row begins.
const TEXT_COLUMN: usize = 17;

/// One slice: its expression, the numbers from a system's documentation, and the elements selected by plain loops.
struct Case {
    /// The expression, which is valid in Python and in `s![]`.
    text: String,
    /// The documentation that contains the numbers.
    source: &'static str,
    shape: &'static [usize],
    /// The spec that `s![]` created from the expression at compile time.
    spec: DynSliceSpec,
    /// The elements that are selected from an ndarray array with the macro.
    sliced: ArrayD<i64>,
    /// The values of `begin` in the documentation. In `begin`, `end` and `strides`, entries that a mask overrides can
    /// have any value.
    begin: &'static [i64],
    end: &'static [i64],
    strides: &'static [i64],
    masks: Masks,
    /// The elements visited by plain loops.
    loop_elements: Vec<i64>,
}

/// Returns an array with the elements 0, 1, 2 and so on, in C order.
fn counting_array(shape: &[usize]) -> ArrayD<i64> {
    let len: usize = shape.iter().product();
    ArrayD::from_shape_vec(IxDyn(shape), (0..len as i64).collect())
        .expect("the length should match the shape")
}

/// Creates a case. `masks` are the masks for begin, end, ellipsis, new axis and shrink axis, in this order.
macro_rules! case {
    (
        x[$($items:tt)*] of $shape:tt, $source:literal,
        begin $begin:tt, end $end:tt, strides $strides:tt,
        masks ($begin_mask:expr, $end_mask:expr, $ellipsis_mask:expr, $new_axis_mask:expr, $shrink_axis_mask:expr),
        |$x:ident, $out:ident| $loops:block
    ) => {{
        let $x = counting_array(&$shape);
        let mut $out = Vec::new();
        $loops
        Case {
            text: format!("x[{}]", stringify!($($items)*)),
            source: $source,
            shape: &$shape,
            spec: const { s![$($items)*] }.to_dyn(),
            sliced: $x.gather(s![$($items)*]),
            begin: &$begin,
            end: &$end,
            strides: &$strides,
            masks: Masks {
                begin: $begin_mask,
                end: $end_mask,
                ellipsis: $ellipsis_mask,
                new_axis: $new_axis_mask,
                shrink_axis: $shrink_axis_mask,
            },
            loop_elements: $out,
        }
    }};
}

fn cases() -> Vec<Case> {
    vec![
        case!(x[1, 2:4, None, ..., :-3:-1, :] of [2, 5, 3, 6, 2], "TensorFlow, documentation of StridedSlice",
        begin [1, 2, 0, 0, 0, 0], end [2, 4, 0, 0, -3, 0], strides [1, 1, 1, 1, -1, 1],
        masks (0b110000, 0b100000, 0b1000, 0b100, 0b1),
        |x, out| {
            for i in 2..4 {
                for j in 0..3 {
                    for k in [5, 4] {
                        for l in 0..2 {
                            out.push(x[[1, i, j, k, l]]);
                        }
                    }
                }
            }
        }),
        case!(x[-2::-1] of [4], "TensorFlow, documentation of StridedSlice",
        begin [-2], end [0], strides [-1], masks (0, 1, 0, 0, 0),
        |x, out| {
            for i in [2, 1, 0] {
                out.push(x[[i]]);
            }
        }),
        case!(x[newaxis, 0:2, 2, ...] of [6, 3, 4, 10], "first example of the article \"how TensorFlow's StridedSlice is computed\"",
        begin [0, 0, 2, 2], end [3, 2, 4, 8], strides [1, 1, 1, 1], masks (0, 0, 8, 0b1001, 4),
        |x, out| {
            for i in 0..2 {
                for k in 0..4 {
                    for l in 0..10 {
                        out.push(x[[i, 2, k, l]]);
                    }
                }
            }
        }),
        case!(x[newaxis, 0:2, ..., newaxis] of [6, 3, 4, 10], "second example of the article \"how TensorFlow's StridedSlice is computed\"",
        begin [0, 0, 2, 2], end [3, 2, 4, 8], strides [1, 1, 1, 1], masks (0, 0, 4, 0b1001, 4),
        |x, out| {
            for i in 0..2 {
                for j in 0..3 {
                    for k in 0..4 {
                        for l in 0..10 {
                            out.push(x[[i, j, k, l]]);
                        }
                    }
                }
            }
        }),
        case!(x[0:4, 1:4, 0:4:2, 1:4:2, 3:0:-1, 3:0:-2] of [4, 4, 4, 4, 4, 4], "OpenVINO, basic example",
        begin [0, 1, 0, 1, 3, 3], end [4, 4, 4, 4, 0, 0], strides [1, 1, 2, 2, -1, -2], masks (0, 0, 0, 0, 0),
        |x, out| {
            for i in 0..4 {
                for j in 1..4 {
                    for k in [0, 2] {
                        for l in [1, 3] {
                            for m in [3, 2, 1] {
                                for n in [3, 1] {
                                    out.push(x[[i, j, k, l, m, n]]);
                                }
                            }
                        }
                    }
                }
            }
        }),
        case!(x[0:2, 0:2, 0:-1] of [2, 3, 4], "OpenVINO, negative end",
        begin [0, 0, 0], end [2, 2, -1], strides [1, 1, 1], masks (0, 0, 0, 0, 0),
        |x, out| {
            for i in 0..2 {
                for j in 0..2 {
                    for k in 0..3 {
                        out.push(x[[i, j, k]]);
                    }
                }
            }
        }),
        case!(x[1:, :, ::-1] of [2, 3, 4], "OpenVINO, begin_mask and end_mask",
        begin [1, 1, 123], end [0, 0, 2], strides [1, 1, -1], masks (0b110, 0b111, 0, 0, 0),
        |x, out| {
            for j in 0..3 {
                for k in [3, 2, 1, 0] {
                    out.push(x[[1, j, k]]);
                }
            }
        }),
        case!(x[newaxis, 0:2, newaxis, 0:4] of [2, 4], "OpenVINO, new_axis_mask",
        begin [1234, 0, -1, 0], end [1234, 2, 9876, 4], strides [132, 1, 241, 1], masks (0, 0, 0, 0b101, 0),
        |x, out| {
            for i in 0..2 {
                for j in 0..4 {
                    out.push(x[[i, j]]);
                }
            }
        }),
        case!(x[0:1, 0, 0:3, 0:5, 0:2] of [1, 2, 3, 5, 2], "OpenVINO, shrink_axis_mask, with fewer elements than in the documentation",
        begin [0, 0, 0, 0, 0], end [1, 0, 3, 5, 2], strides [1, 1, 1, 1, 1], masks (0, 0, 0, 0, 0b10),
        |x, out| {
            for k in 0..3 {
                for l in 0..5 {
                    for m in 0..2 {
                        out.push(x[[0, 0, k, l, m]]);
                    }
                }
            }
        }),
        case!(x[2:, ..., newaxis, :5] of [4, 1, 2, 1, 1, 2, 1, 1, 1, 6], "OpenVINO, ellipsis_mask in 10 dimensions",
        begin [2, 1, 10, 10], end [123, 1, 10, 5], strides [1, -1, 1, 1], masks (0b1100, 0b0011, 0b10, 0b100, 0),
        |x, out| {
            for i in 2..4 {
                for j in 0..2 {
                    for k in 0..2 {
                        for l in 0..5 {
                            out.push(x[IxDyn(&[i, 0, j, 0, 0, k, 0, 0, 0, l])]);
                        }
                    }
                }
            }
        }),
        case!(x[1:3, 3:5, 2:6:2] of [5, 6, 7], "MindSpore, strided_slice",
        begin [1, 3, 2], end [3, 5, 6], strides [1, 1, 2], masks (0, 0, 0, 0, 0),
        |x, out| {
            for i in 1..3 {
                for j in 3..5 {
                    for k in [2, 4] {
                        out.push(x[[i, j, k]]);
                    }
                }
            }
        }),
        case!(x[:, 5, :] of [5, 6, 7], "MindSpore, shrink_axis_mask",
        begin [0, 5, 0], end [5, 6, 7], strides [1, 1, 1], masks (0b101, 0b101, 0, 0, 0b10),
        |x, out| {
            for i in 0..5 {
                for k in 0..7 {
                    out.push(x[[i, 5, k]]);
                }
            }
        }),
        case!(x[1:2, 0:3:2] of [2, 4], "ONNX Slice, example 1",
        begin [1, 0], end [2, 3], strides [1, 2], masks (0, 0, 0, 0, 0),
        |x, out| {
            for j in [0, 2] {
                out.push(x[[1, j]]);
            }
        }),
    ]
}

/// Formats the first ten elements, with `...` if there are more.
fn preview(elements: &[i64]) -> String {
    let first_elements: Vec<String> = elements.iter().take(10).map(i64::to_string).collect();
    let suffix = if elements.len() > first_elements.len() {
        ", ..."
    } else {
        ""
    };
    format!("{}{suffix}", first_elements.join(", "))
}

/// Prints a row of a block: the label, and in the next column the text, wrapped at the width of the output.
fn print_row(label: &str, text: &str) {
    let wrapped = wrap(text, LINE_WIDTH - TEXT_COLUMN).join(&format!("\n{:TEXT_COLUMN$}", ""));
    println!("    {label:<0$}{wrapped}", TEXT_COLUMN - 4);
}

fn print(number: usize, case: &Case, selection: &Selection) {
    let Case {
        text,
        source,
        shape,
        spec,
        sliced,
        loop_elements,
        ..
    } = case;
    println!("{number:>2}. {text}   ({source})");
    let (output, len) = (sliced.shape(), loop_elements.len());
    print_row("shape", &format!("{shape:?} -> {output:?}, {len} elements"));
    print_row("begin", &format!("{:?}", spec.begin()));
    print_row("end", &format!("{:?}", spec.end()));
    print_row("strides", &format!("{:?}", spec.strides()));
    let masks = [
        ("begin", spec.begin_mask()),
        ("end", spec.end_mask()),
        ("ellipsis", spec.ellipsis_mask()),
        ("new_axis", spec.new_axis_mask()),
        ("shrink_axis", spec.shrink_axis_mask()),
    ];
    let masks = masks.map(|(name, mask)| format!("{name} {mask}"));
    print_row("masks", &masks.join(", "));
    print_row("elements", &preview(loop_elements));
    for (system, translation) in systems::for_one_shape(selection) {
        match translation {
            Ok((op, defects)) => {
                print_row(system, &op);
                for defect in defects {
                    print_row("", &format!("note: {defect}"));
                }
            }
            Err(reason) => print_row(system, &format!("none: {reason}")),
        }
    }
    println!();
}

/// An explanation of the rows of a block.
const LEGEND: &str = "\
Each block shows one slice of an array x with the elements 0, 1, 2, ... The program writes the
slice in three ways that select the same elements: as Python syntax in Rust, as begin, end, strides
and masks copied from a system's documentation, and as plain loops. The rows of a block are:

    shape        the shapes of x and of the slice
    begin ...    the constants that the macro computes from the syntax, with TensorFlow's five masks
                 (bit i belongs to item i)
    elements     the selected elements, in the order of the slice
    TensorFlow   and the rows below it: the equivalent operation of each system, or \"none\" with
                 the reason; a line that begins with \"note\" states a defect of the named
                 version of the system
";

fn main() -> Result<(), SliceError> {
    println!("{LEGEND}");
    let cases = cases();
    for (index, case) in cases.iter().enumerate() {
        let mask_selection = DynSliceSpec::new(case.begin, case.end, case.strides, case.masks)?
            .resolve(case.shape)?;
        let flat: Vec<i64> = counting_array(case.shape).into_iter().collect();
        assert_eq!(
            case.sliced.shape(),
            mask_selection.output_shape(),
            "{}: the shapes differ",
            case.text
        );
        assert_eq!(
            mask_selection.gather(&flat)?,
            case.loop_elements,
            "{}: the masks and the loops select different elements",
            case.text
        );
        assert!(
            case.sliced.iter().eq(&case.loop_elements),
            "{}: the macro and the loops select different elements",
            case.text
        );
        print(index + 1, case, &mask_selection);
    }
    println!(
        "Each of the {} slices selects the same elements with the macro, with masks and with loops.",
        cases.len()
    );
    Ok(())
}

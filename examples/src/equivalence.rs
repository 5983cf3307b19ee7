//! Prints operations of TensorFlow, OpenVINO, MindSpore and ONNX, with the items of the equivalent Python slice aligned
//! below the entries of each operation.

use std::error::Error;
use std::fmt::{Debug, Display};

use slice_core::{DynSliceSpec, Item, Selection};
use slice_systems::translate::TranslateError;
use slice_systems::{OperationError, mindspore, onnx, openvino, tensorflow};

use crate::{print, println};

/// The maximum number of input elements for which [`print_all`] prints the selected elements.
const MAX_PRINTED_INPUT_LEN: usize = 1_000_000;

/// A field of an operation: its name, and the text of each entry.
type Row = (String, Vec<String>);

/// An operation of TensorFlow, OpenVINO, MindSpore or ONNX.
pub trait Operation: Debug {
    /// Returns the selection for an array of shape `shape`.
    ///
    /// # Errors
    ///
    /// Returns an error if the system rejects the operation.
    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError>;

    /// Returns the spec that selects the same elements in arrays of rank `rank`.
    ///
    /// # Errors
    ///
    /// Returns an error if no Python slice has the same meaning.
    fn to_spec(&self, rank: usize) -> Result<DynSliceSpec, TranslateError>;

    /// Returns the fields of the operation, each with the text of its entries.
    fn rows(&self) -> Vec<Row>;
}

fn number_row(name: &str, numbers: &[i64]) -> Row {
    (
        name.to_owned(),
        numbers.iter().map(i64::to_string).collect(),
    )
}

/// Returns the bits of a mask as a row, or `None` if the mask is 0.
fn bit_row(name: &str, mask: i64, entries: usize) -> Option<Row> {
    let bit = |i| if mask >> i & 1 == 1 { "1" } else { "." };
    let bits = (0..entries).map(|i| bit(i).to_owned());
    (mask != 0).then(|| (format!("{name} = {mask}"), bits.collect()))
}

/// Returns a list of mask entries as a row, or `None` if all entries are 0.
fn list_row(name: &str, mask: &[i64]) -> Option<Row> {
    let mark = |&entry| {
        if entry == 0 {
            ".".to_owned()
        } else {
            format!("{entry}")
        }
    };
    let list = || (name.to_owned(), mask.iter().map(mark).collect());
    mask.iter().any(|&entry| entry != 0).then(list)
}

/// Implements [`Operation`] for TensorFlow and MindSpore, whose operations have the same fields.
macro_rules! impl_with_bit_masks {
    ($($op:ty)*) => { $(
        impl Operation for $op {
            fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
                self.resolve(shape)
            }

            fn to_spec(&self, _: usize) -> Result<DynSliceSpec, TranslateError> {
                slice_systems::Operation::to_spec(self)
            }

            fn rows(&self) -> Vec<Row> {
                let masks = [
                    ("begin_mask", self.begin_mask),
                    ("end_mask", self.end_mask),
                    ("ellipsis_mask", self.ellipsis_mask),
                    ("new_axis_mask", self.new_axis_mask),
                    ("shrink_axis_mask", self.shrink_axis_mask),
                ];
                let masks = masks.into_iter().filter_map(|(name, mask)| bit_row(name, mask, self.begin.len()));
                let vectors = [("begin", &self.begin), ("end", &self.end), ("strides", &self.strides)];
                vectors.map(|(name, vector)| number_row(name, vector)).into_iter().chain(masks).collect()
            }
        }
    )* };
}

impl_with_bit_masks! { tensorflow::StridedSlice mindspore::StridedSlice }

impl Operation for openvino::StridedSlice {
    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        self.resolve(shape)
    }

    fn to_spec(&self, _: usize) -> Result<DynSliceSpec, TranslateError> {
        slice_systems::Operation::to_spec(self)
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = vec![
            number_row("begin", &self.begin),
            number_row("end", &self.end),
        ];
        rows.extend(
            self.strides
                .as_ref()
                .map(|strides| number_row("strides", strides)),
        );
        let masks = [
            ("begin_mask", &self.begin_mask),
            ("end_mask", &self.end_mask),
            ("new_axis_mask", &self.new_axis_mask),
            ("shrink_axis_mask", &self.shrink_axis_mask),
            ("ellipsis_mask", &self.ellipsis_mask),
        ];
        rows.extend(
            masks
                .into_iter()
                .filter_map(|(name, mask)| list_row(name, mask)),
        );
        rows
    }
}

impl Operation for onnx::Slice {
    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        self.resolve(shape)
    }

    fn to_spec(&self, rank: usize) -> Result<DynSliceSpec, TranslateError> {
        self.to_spec_for_rank(rank)
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = vec![
            number_row("starts", &self.starts),
            number_row("ends", &self.ends),
        ];
        rows.extend(self.axes.as_ref().map(|axes| number_row("axes", axes)));
        rows.extend(self.steps.as_ref().map(|steps| number_row("steps", steps)));
        rows
    }
}

/// An example from a system's documentation.
pub struct Example<Op> {
    /// The title that is printed above the operation.
    pub title: &'static str,
    /// The operation, with the numbers given in the documentation.
    pub op: Op,
    /// The equivalent Python slice.
    pub python: DynSliceSpec,
    /// The shape of the operation's input.
    pub shape: Vec<usize>,
    /// A remark that is printed below the operation. It can be empty.
    pub note: &'static str,
}

/// Prints the examples, and asserts that each operation and its Python slice select the same elements.
///
/// # Errors
///
/// Returns an error if an operation is invalid for its shape, or if no Python slice has the same meaning.
pub fn print_all<Op: Operation>(examples: &[Example<Op>]) -> Result<(), Box<dyn Error>> {
    for (number, example) in (1..).zip(examples) {
        let Example {
            title,
            op,
            python,
            shape,
            note,
        } = example;
        println!("{number}. {title}\n");
        let selection = op.resolve(shape)?;
        assert_eq!(
            selection,
            python.resolve(shape)?,
            "{title}: the operation and the Python slice differ"
        );
        let translated_spec = op.to_spec(shape.len())?;
        assert_eq!(
            selection,
            translated_spec.resolve(shape)?,
            "{title}: the operation and its translation to Python differ"
        );
        print_columns(op.rows(), &translated_spec);
        let output = selection.output_shape();
        print!(
            "\n   x[{python}] for x of shape {} has shape {}",
            Tuple(shape),
            Tuple(output)
        );
        if selection.input_len() <= MAX_PRINTED_INPUT_LEN {
            let counting: Vec<usize> = (0..selection.input_len()).collect();
            println!(",\n   {}", preview(&selection.gather(&counting)?));
        } else {
            println!();
        }
        for line in note.lines() {
            println!("   {line}");
        }
        println!();
    }
    println!(
        "All {} operations select the same elements as the Python slices.",
        examples.len()
    );
    Ok(())
}

/// A shape in Python's notation.
struct Tuple<'a>(&'a [usize]);

impl Display for Tuple<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            [size] => write!(f, "({size},)"),
            sizes => {
                let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
                write!(f, "({})", sizes.join(", "))
            }
        }
    }
}

/// Formats up to eight elements. If there are more, also formats their total number.
fn preview(elements: &[usize]) -> String {
    const MAX_SHOWN_ELEMENTS: usize = 8;
    let first_elements: Vec<String> = elements
        .iter()
        .take(MAX_SHOWN_ELEMENTS)
        .map(usize::to_string)
        .collect();
    match elements.len() {
        0 => "no elements".to_owned(),
        len if len <= MAX_SHOWN_ELEMENTS => format!("elements {}", first_elements.join(", ")),
        len => format!(
            "elements {}, ... ({len} in total)",
            first_elements.join(", ")
        ),
    }
}

/// Prints the rows, with the slice below them. If the slice has an item for each entry, each item is in the column of
/// its entry.
fn print_columns(mut rows: Vec<Row>, python: &DynSliceSpec) {
    let items: Vec<String> = python.items().map(|item: Item| item.to_string()).collect();
    let entries = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
    let has_item_for_each_entry = items.len() == entries;
    if has_item_for_each_entry {
        rows.push(("Python".to_owned(), items));
    }
    let label_width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let cell = |row: &[String], i: usize| row.get(i).cloned().unwrap_or_default();
    let width = |i: usize| {
        rows.iter()
            .map(|(_, row)| cell(row, i).len())
            .max()
            .unwrap_or(0)
    };
    for (name, row) in &rows {
        let columns = (0..entries).map(|i| format!("  {:>1$}", cell(row, i), width(i)));
        let line = format!("   {name:label_width$}{}", columns.collect::<String>());
        println!("{}", line.trim_end());
    }
    if !has_item_for_each_entry {
        println!("   {:label_width$}  {python}", "Python");
    }
}

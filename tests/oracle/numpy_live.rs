//! Computes each slice sent by numpy_live.py with several functions of slice-core, and stops if their results differ.
//!
//! A line of the input is `shape<tab>items<tab>text`. The elements of the array are 0, 1, 2, ... in C order. The
//! response to a line is one of the following, in which all numbers are little-endian:
//!
//! - The byte 0, the rank (32 bits), the shape (64 bits for each length) and the elements (32 bits each).
//! - The byte 1, the length of a string in bytes (32 bits), and the string `kind<tab>message`.

use std::io::{self, BufRead, BufWriter, Write};

use ndarray::{ArrayD, IxDyn};
use slice_core::{DynSliceSpec, Item, ParseErrorKind, SliceError, StridedSliceExt};
use slice_tests::kind;

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut fields = line.split('\t');
        let mut field = || fields.next().expect("the line should have three fields");
        let shape: Vec<usize> = numbers(field());
        let items: Vec<Item> = field().split_whitespace().map(item).collect();
        write_result(&shape, &items, field(), &mut out)?;
        // Without the flush, the last response to a batch would stay in the buffer while numpy_live.py waits for it.
        out.flush()?;
    }
    Ok(())
}

fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> Vec<T> {
    let parts = text.split(',').filter(|part| !part.is_empty());
    parts
        .map(|part| part.parse().expect("the text should be a number"))
        .collect()
}

/// Parses an item such as `i,2`, `r,1,,-1`, `n` or `e`.
fn item(word: &str) -> Item {
    let mut parts = word.split(',');
    let kind = parts.next();
    let mut number = || parts.next().and_then(|part| part.parse().ok());
    match kind {
        Some("i") => Item::Index(number().expect("the item should contain an index")),
        Some("r") => Item::Range {
            begin: number(),
            end: number(),
            step: number().unwrap_or(1),
        },
        Some("n") => Item::NewAxis,
        Some("e") => Item::Ellipsis,
        _ => panic!("unknown item: {word}"),
    }
}

fn write_result(
    shape: &[usize],
    items: &[Item],
    text: &str,
    out: &mut impl Write,
) -> Result<(), io::Error> {
    let spec = DynSliceSpec::from_items(items.iter().cloned());
    check_text(&spec, text);
    match spec.and_then(|spec| take(&spec, shape)) {
        Ok(array) => {
            out.write_all(&[0])?;
            out.write_all(&(array.ndim() as u32).to_le_bytes())?;
            for &size in array.shape() {
                out.write_all(&(size as u64).to_le_bytes())?;
            }
            for element in &array {
                out.write_all(&element.to_le_bytes())?;
            }
        }
        Err(error) => {
            let words = format!("{}\t{error}", kind(&error));
            out.write_all(&[1])?;
            out.write_all(&(words.len() as u32).to_le_bytes())?;
            out.write_all(words.as_bytes())?;
        }
    }
    Ok(())
}

/// Checks that `text` parses to `spec`. If `text` does not parse, checks that it has a second ellipsis or a step of 0.
/// `spec` may contain a step of 0, because the steps of a spec created from items are checked only when the spec is
/// resolved.
fn check_text(spec: &Result<DynSliceSpec, SliceError>, text: &str) {
    match (text.parse::<DynSliceSpec>(), spec) {
        (Ok(parsed), Ok(spec)) => assert_eq!(parsed, *spec, "{text}"),
        (Err(error), Ok(spec)) => {
            assert_eq!(error.kind(), ParseErrorKind::ZeroStep, "{text}: {error}");
            assert!(spec.strides().contains(&0), "{text}: {error}");
        }
        (Err(error), Err(_)) => assert!(
            matches!(
                error.kind(),
                ParseErrorKind::MultipleEllipses | ParseErrorKind::ZeroStep
            ),
            "{text}: {error}"
        ),
        (Ok(parsed), Err(error)) => {
            panic!("{text} parses to {parsed:?}, but its items are invalid: {error}")
        }
    }
}

/// Applies the slice with several functions of slice-core, and panics if their results differ.
fn take(spec: &DynSliceSpec, shape: &[usize]) -> Result<ArrayD<u32>, SliceError> {
    let selection = spec.resolve(shape);
    let len: usize = shape.iter().product();
    let data: Vec<u32> = (0..len as u32).collect();
    let array = ArrayD::from_shape_vec(IxDyn(shape), data.clone())
        .expect("the length should match the shape");
    let view = array.try_at(spec);
    assert_eq!(
        view.as_ref().err(),
        selection.as_ref().err(),
        "{spec} of {shape:?}"
    );
    let (selection, view) = (selection?, view?);

    assert_eq!(
        selection.output_shape(),
        view.shape(),
        "{spec} of {shape:?}"
    );
    let elements: Vec<u32> = selection.indices().map(|index| index as u32).collect();
    assert!(view.iter().eq(&elements), "{spec} of {shape:?}");
    assert_eq!(selection.gather(&data).as_ref(), Ok(&elements));
    let copy = array.gather(spec);
    assert_eq!(copy.as_slice(), Some(&elements[..]), "{spec} of {shape:?}");
    assert_eq!(copy.shape(), view.shape(), "{spec} of {shape:?}");
    Ok(copy)
}

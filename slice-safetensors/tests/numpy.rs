//! Compares slices of stored tensors with the recorded results of NumPy, and counts the bytes that are read.

#![allow(
    clippy::single_range_in_vec_init,
    reason = "a list with one range contains the only read"
)]

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::Write;

use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorInfo, TensorView, serialize};
use slice_core::{Select, SelectError, Selection, SliceError, s};
use slice_safetensors::{Error, FileTensor, TensorSource, read_slice};
use slice_tests::lists::list_spec;
use slice_tests::tensors::{Case, cases};
use slice_tests::{RecordedResult, kind};

/// A tensor that records which bytes are read.
struct Counted<'a> {
    view: TensorView<'a>,
    reads: RefCell<Vec<std::ops::Range<usize>>>,
}

impl TensorSource for Counted<'_> {
    fn dtype(&self) -> Dtype {
        self.view.dtype()
    }

    fn shape(&self) -> &[usize] {
        self.view.shape()
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> std::io::Result<()> {
        self.reads.borrow_mut().push(offset..offset + bytes.len());
        self.view.read(offset, bytes)
    }
}

/// The types of the stored elements, one for each size.
#[derive(Clone, Copy)]
enum Stored {
    U8,
    I16,
    I32,
    I64,
}

impl Stored {
    fn dtype(self) -> (Dtype, usize) {
        match self {
            Stored::U8 => (Dtype::U8, 1),
            Stored::I16 => (Dtype::I16, 2),
            Stored::I32 => (Dtype::I32, 4),
            Stored::I64 => (Dtype::I64, 8),
        }
    }
}

/// Returns the bytes of the elements in the type `stored`.
fn bytes(stored: Stored, elements: impl Iterator<Item = i64>) -> Vec<u8> {
    let (_, size) = stored.dtype();
    elements
        .flat_map(|x| x.to_le_bytes().into_iter().take(size))
        .collect()
}

/// Returns the difference from NumPy's result, if there is one.
fn check(case: &Case, stored: Stored) -> Result<(), String> {
    let len: usize = case.shape.iter().product();
    let data = bytes(stored, 0..len as i64);
    let (dtype, size) = stored.dtype();
    let view = TensorView::new(dtype, case.shape.clone(), &data).expect("the data should fit");
    let reads = RefCell::default();
    let tensor = Counted { view, reads };
    let ours = match list_spec(&case.items) {
        Ok(spec) => read_slice(&tensor, spec),
        Err(error) => Err(error.into()),
    };
    match (&case.recorded, ours) {
        (RecordedResult::Out(numpy), Ok(ours)) => {
            if ours.shape() != numpy.shape
                || ours.data() != bytes(stored, numpy.elements.iter().copied())
            {
                return Err(format!("the result is {ours:?}, but NumPy's is {numpy:?}"));
            }
            let distinct: BTreeSet<i64> = numpy.elements.iter().copied().collect();
            let reads = tensor.reads.into_inner();
            let read: usize = reads.iter().map(ExactSizeIterator::len).sum();
            if read != distinct.len() * size {
                return Err(format!(
                    "{read} bytes are read for {} elements",
                    distinct.len()
                ));
            }
            match reads.is_sorted_by(|a, b| a.end < b.start) {
                true => Ok(()),
                false => Err("reads overlap, or are not in the order of the file".to_owned()),
            }
        }
        (RecordedResult::Error(numpy), Err(Error::Select(SelectError::Slice(ours)))) => {
            match kind(&ours) == numpy.kind && ours.to_string().starts_with(&numpy.message) {
                true => Ok(()),
                false => Err(format!("the error is {ours}, but NumPy's is {numpy:?}")),
            }
        }
        (recorded, ours) => Err(format!(
            "the result is {ours:?}, but NumPy's is {recorded:?}"
        )),
    }
}

/// Checks all cases in a file that are not excluded, and returns their number.
fn check_all(name: &str) -> usize {
    let cases = cases(name);
    for case in &cases {
        for stored in [Stored::U8, Stored::I16, Stored::I32, Stored::I64] {
            if let Err(difference) = check(case, stored) {
                panic!("{:?}{:?}: {difference}", case.shape, case.items);
            }
        }
    }
    cases.len()
}

#[test]
fn slices_agree_with_numpy_and_read_only_the_selected_bytes() {
    assert_eq!(check_all("numpy"), 4_910);
}

#[test]
fn slices_with_lists_and_masks_agree_with_numpy_and_read_only_the_selected_bytes() {
    assert_eq!(check_all("numpy_lists"), 3_656);
}

#[test]
fn whole_rows_are_read_at_once() {
    let data = vec![0; 600];
    let view = TensorView::new(Dtype::U8, vec![10, 6, 10], &data).expect("the data should fit");
    let reads = |tensor: &Counted<'_>| tensor.reads.take();
    let tensor = Counted {
        view,
        reads: RefCell::default(),
    };
    read_slice(&tensor, s![2:5]).expect("the slice should fit");
    assert_eq!(reads(&tensor), [120..300]);
    read_slice(&tensor, s![4:1:-1]).expect("the slice should fit");
    assert_eq!(reads(&tensor), [120..300]);
    read_slice(&tensor, s![[7, 2, 7], 1:3]).expect("the slice should fit");
    assert_eq!(reads(&tensor), [130..150, 430..450]);
    read_slice(&tensor, s![0:0:2]).expect("the slice should fit");
    assert_eq!(reads(&tensor), []);
}

#[test]
fn a_file_is_read_without_mapping_it() -> Result<(), Box<dyn std::error::Error>> {
    let data: Vec<u8> = (0..24).collect();
    let others = [9; 5];
    let tensors = [
        ("others", TensorView::new(Dtype::U8, vec![5], &others)?),
        ("weights", TensorView::new(Dtype::U8, vec![4, 6], &data)?),
    ];
    let serialized = serialize(tensors, None)?;
    let path = std::env::temp_dir().join(format!("slice-safetensors-{}", std::process::id()));
    std::fs::File::create(&path)?.write_all(&serialized)?;
    let file = std::fs::File::open(&path)?;
    let (header, metadata) = SafeTensors::read_metadata(&serialized)?;
    let info = metadata.info("weights").ok_or("the tensor should exist")?;
    let tensor = FileTensor::new(&file, 8 + header as u64, info);
    let slice = read_slice(&tensor, "::-2, [5, 0]");
    std::fs::remove_file(&path)?;
    assert_eq!(slice?.data(), [23, 18, 11, 6]);
    Ok(())
}

#[test]
fn elements_below_one_byte_are_rejected_by_name() {
    let view = TensorView::new(Dtype::F4, vec![2, 2], &[1, 2]).expect("the data should fit");
    let error = read_slice(&view, s![0]).expect_err("the slice should be rejected");
    let expected =
        "elements of type F4 cannot be sliced, because they do not consist of whole bytes";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn strings_and_files_that_cannot_be_read_are_refused_by_name() -> std::io::Result<()> {
    let view = TensorView::new(Dtype::U8, vec![6], &[0; 6]).expect("the data should fit");
    let error = read_slice(&view, "0 1").expect_err("it is not a slice");
    assert!(
        matches!(error, Error::Select(SelectError::ParseSlice(_))),
        "{error}"
    );
    let info = TensorInfo {
        dtype: Dtype::U8,
        shape: vec![6],
        data_offsets: (0, 6),
    };
    let path = std::env::temp_dir().join(format!("slice-safetensors-{}-cut", std::process::id()));
    std::fs::write(&path, [0; 10])?;
    let file = std::fs::File::open(&path)?;
    let slices = ["::-1", ":4"].map(|text| read_slice(&FileTensor::new(&file, 5, &info), text));
    std::fs::remove_file(&path)?;
    let [cut, complete] = slices;
    let error = cut.expect_err("the file should be too short");
    assert!(
        matches!(&error, Error::Io(error) if error.kind() == std::io::ErrorKind::UnexpectedEof),
        "{error}"
    );
    assert_eq!(complete.expect("the bytes should exist").data(), [0; 4]);
    Ok(())
}

/// Any type can implement `Select`, so the selection may be one for another shape.
#[test]
fn a_selection_for_another_shape_is_rejected() -> std::io::Result<()> {
    struct OfLargerShape;
    impl Select for OfLargerShape {
        type Error = SelectError;
        fn select(&self, _: &[usize]) -> Result<Selection, SelectError> {
            Ok(s![3:].resolve(&[6])?)
        }
    }
    let info = TensorInfo {
        dtype: Dtype::U8,
        shape: vec![3],
        data_offsets: (0, 3),
    };
    let path = std::env::temp_dir().join(format!("slice-safetensors-{}-two", std::process::id()));
    // The last three bytes belong to another tensor.
    std::fs::write(&path, [1, 2, 3, 4, 5, 6])?;
    let file = std::fs::File::open(&path)?;
    let slice = read_slice(&FileTensor::new(&file, 0, &info), OfLargerShape);
    std::fs::remove_file(&path)?;
    assert_eq!(
        slice.expect_err("the shapes differ").to_string(),
        "shapes differ: expected (6,), but got (3,)"
    );
    Ok(())
}

#[test]
fn a_result_that_does_not_fit_in_memory_is_an_error() {
    let view = TensorView::new(Dtype::I64, vec![1, 1 << 20, 0], &[]).expect("the data should fit");
    let list = vec![0; 1 << 20];
    let slice = read_slice(&view, s![&list, &list]).expect("an empty slice should fit");
    assert_eq!(slice.shape(), [1 << 20, 1 << 20, 0]);
    // Results of 2^62 elements, and of 2^63, which no array can have.
    let slice = |size: usize| {
        let data = vec![0; size];
        let view = TensorView::new(Dtype::U8, vec![1, 1, 1, size], &data);
        let slice = read_slice(&view.expect("the data should fit"), s![&list, &list, &list]);
        slice.expect_err("the result is too large")
    };
    let error = slice(4);
    let expected = "cannot allocate memory for 4611686018427387904 elements";
    assert_eq!(error.to_string(), expected);
    let error = slice(8);
    let too_large = matches!(
        error,
        Error::Select(SelectError::Slice(SliceError::TooLarge { .. }))
    );
    assert!(too_large, "{error}");
    for (dtype, slice) in [(Dtype::U8, s![1:]), (Dtype::F64, s![0:])] {
        let error = read_slice(&Huge(dtype), slice).expect_err("the result is too large");
        assert!(matches!(error, Error::TooLarge), "{error}");
        let expected = "the selected elements do not fit in memory";
        assert_eq!(error.to_string(), expected);
    }
}

/// A tensor that is larger than the memory of any machine.
struct Huge(Dtype);

impl TensorSource for Huge {
    fn dtype(&self) -> Dtype {
        self.0
    }

    fn shape(&self) -> &[usize] {
        &[1 << 61]
    }

    fn read(&self, _: usize, _: &mut [u8]) -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
}

#[test]
fn an_empty_slice_is_returned_at_once_if_another_axis_is_long() {
    let view = TensorView::new(Dtype::U8, vec![1 << 40, 0], &[]).expect("the data should fit");
    for (text, len) in [("::2", 1 << 39), ("::-2", 1 << 39), ("::-1", 1 << 40)] {
        let slice = read_slice(&view, text).expect("the slice should fit");
        assert_eq!((slice.shape(), slice.data()), (&[len, 0][..], &[][..]));
    }
}

/// The README and the crate's README say that safetensors returns the whole tensor for an empty range with a step.
#[test]
fn safetensors_returns_the_whole_tensor_for_an_empty_range_with_a_step() {
    use std::num::NonZeroUsize;
    use std::ops::Bound;

    use safetensors::slice::TensorIndexer;

    let data: Vec<u8> = (0..6).collect();
    let view = TensorView::new(Dtype::U8, vec![6], &data).expect("the data should fit");
    let step = NonZeroUsize::new(2).expect("2 is not 0");
    let range = TensorIndexer::Narrow(Bound::Included(0), Bound::Excluded(0), step);
    let theirs = view.sliced_data(&[range]).expect("the range should fit");
    let bytes: Vec<u8> = theirs.flatten().copied().collect();
    assert_eq!(bytes, data);
    let ours = read_slice(&view, s![0:0:2]).expect("the slice should fit");
    assert_eq!((ours.shape(), ours.data().len()), (&[0][..], 0));
}

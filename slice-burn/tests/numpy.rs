//! Compares slices of burn's tensors with the recorded results of NumPy, on burn's CPU backend.

use burn_tensor::{Int, Tensor, TensorData};
use slice_burn::{Error, TensorSliceExt};
use slice_core::DynSliceSpec;
use slice_tests::lists::list_spec;
use slice_tests::tensors::{Case, cases, check_all, compare_errors};
use slice_tests::{Output, RecordedResult};

/// A slice in one of its forms.
#[derive(Clone, Copy)]
enum Form<'a> {
    Spec(&'a DynSliceSpec),
    Text(&'a str),
}

/// Returns a tensor with the elements `first`, `first + 1`, and so on.
fn counting<const D: usize>(shape: &[usize], first: i32) -> Tensor<D, Int> {
    let len: usize = shape.iter().product();
    let elements: Vec<i32> = (first..).take(len).collect();
    Tensor::from_data(TensorData::new(elements, shape), &Default::default())
}

fn output<const R: usize>(tensor: &Tensor<R, Int>) -> Output {
    let elements = tensor.to_data().try_to_vec::<i32>();
    let elements = elements.expect("the elements should be integers");
    Output {
        shape: tensor.shape().to_vec(),
        elements: elements.into_iter().map(i64::from).collect(),
    }
}

/// Evaluates an expression in which a rank is a constant.
macro_rules! with_rank {
    ([$($known:literal)*] $rank:expr, $RANK:ident => $result:expr) => {
        match $rank {
            $( $known => {
                const $RANK: usize = $known;
                $result
            } )*
            rank => panic!("no case should have rank {rank}"),
        }
    };
}

fn read_rank<const D: usize, const R: usize>(case: &Case, form: Form<'_>) -> Result<Output, Error> {
    let tensor = counting::<D>(&case.shape, 0);
    Ok(output(&match form {
        Form::Spec(spec) => tensor.try_at::<R>(spec)?,
        Form::Text(text) => tensor.try_at::<R>(text)?,
    }))
}

fn write_rank<const D: usize, const V: usize>(
    case: &Case,
    form: Form<'_>,
) -> Result<Output, Error> {
    let tensor = counting::<D>(&case.shape, 0);
    let value = counting::<V>(case.value_shape.as_deref().unwrap_or_default(), 1000);
    Ok(output(&match form {
        Form::Spec(spec) => tensor.try_set(spec, value)?,
        Form::Text(text) => tensor.try_set(text, value)?,
    }))
}

fn apply<const D: usize>(case: &Case, form: Form<'_>) -> Result<Output, Error> {
    match (&case.value_shape, &case.recorded) {
        (Some(value), _) => {
            with_rank!([1 2 3 4 5 6 7 8 9 10 11 12] value.len(), V => write_rank::<D, V>(case, form))
        }
        (None, RecordedResult::Out(numpy)) if !numpy.shape.is_empty() => {
            with_rank!(
                [1 2 3 4 5 6 7 8 9 10 11 54 56 57 58 59 60 61 62 63 64] numpy.shape.len(),
                R => read_rank::<D, R>(case, form)
            )
        }
        // A case whose result has no axes is refused for every rank.
        (None, _) => read_rank::<D, 1>(case, form),
    }
}

fn apply_form(case: &Case, form: Form<'_>) -> Result<Output, Error> {
    with_rank!([1 2 3 4 5 6] case.shape.len(), D => apply::<D>(case, form))
}

/// Returns the difference from NumPy's result, if there is one.
fn check(case: &Case) -> Result<(), String> {
    let ours = match list_spec(&case.items) {
        Ok(spec) => apply_form(case, Form::Spec(&spec)),
        Err(error) => Err(error.into()),
    };
    compare(case, ours)?;
    match &case.text {
        Some(text) => compare(case, apply_form(case, Form::Text(text))),
        None => Ok(()),
    }
}

fn compare(case: &Case, ours: Result<Output, Error>) -> Result<(), String> {
    match (&case.recorded, ours) {
        (RecordedResult::Out(numpy), Err(Error::NoAxes)) if numpy.shape.is_empty() => Ok(()),
        (RecordedResult::Out(numpy), Ok(ours)) if ours == *numpy => Ok(()),
        (RecordedResult::Error(numpy), Err(Error::Select(ours))) => compare_errors(&ours, numpy),
        (recorded, ours) => Err(format!(
            "the result is {ours:?}, but NumPy's is {recorded:?}"
        )),
    }
}

/// Checks the cases in a file, and returns their number.
fn check_file(name: &str) -> usize {
    let mut cases = cases(name);
    let recorded = cases.len();
    // burn has no tensors without axes. A value without axes is broadcast as a value with one axis of length 1 is.
    cases.retain(|case| !case.shape.is_empty());
    for case in &mut cases {
        case.value_shape = case.value_shape.take().map(|shape| match shape[..] {
            [] => vec![1],
            _ => shape,
        });
    }
    let without_axes = recorded - cases.len();
    println!("{name}: {without_axes} of {recorded} cases have no axes");
    check_all(&cases, check);
    cases.len()
}

#[test]
fn slices_agree_with_numpy() {
    assert_eq!(check_file("numpy"), 4_786);
}

#[test]
fn slices_with_lists_and_masks_agree_with_numpy() {
    assert_eq!(check_file("numpy_lists"), 3_570);
}

#[test]
fn assignments_agree_with_numpy() {
    assert_eq!(check_file("numpy_assign"), 1_615);
}

#[test]
fn assignments_to_lists_and_masks_agree_with_numpy() {
    assert_eq!(check_file("numpy_lists_assign"), 711);
}

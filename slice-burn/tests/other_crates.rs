//! Checks the statements about burn in slice-core/docs/other_crates.md, and the limits of ranks.

use std::cell::Cell;
use std::panic::{UnwindSafe, catch_unwind, set_hook, take_hook};

use burn_tensor::{Int, Slice, Tensor, s as burn_s};
use slice_burn::{Error, TensorSliceExt};
use slice_core::{SelectError, s};

fn counting<const D: usize>(shape: [usize; D]) -> Tensor<D, Int> {
    let len = shape.iter().product::<usize>() as i64;
    Tensor::arange(0..len, &Default::default()).reshape(shape)
}

fn elements<const D: usize>(tensor: Tensor<D, Int>) -> Vec<i32> {
    tensor
        .into_data()
        .try_to_vec()
        .expect("the elements should be integers")
}

fn panics<T>(slice: impl FnOnce() -> T + UnwindSafe) -> bool {
    catch_unwind(slice).is_err()
}

#[test]
fn slices_of_burn_have_the_documented_meaning() {
    let x = || counting([5]);
    assert_eq!(
        elements(x().slice(burn_s![-2..])),
        [3, 4],
        "a bound counted from the end"
    );
    assert_eq!(
        elements(x().slice(burn_s![1..4;-1])),
        [3, 2, 1],
        "a negative step reverses the range"
    );
    assert_eq!(
        elements(x().slice(burn_s![3..9])),
        [3, 4],
        "a range past the end is clamped"
    );
    assert_eq!(
        x().slice([Slice::index(9)]).dims(),
        [0],
        "an index past the end selects an empty axis"
    );
    assert!(panics(|| burn_s![0..5;0]), "a step of zero causes a panic");

    let x = || counting([4, 5]);
    assert_eq!(
        x().slice(burn_s![1, ..]).dims(),
        [1, 5],
        "an index keeps an axis of length 1"
    );
    assert_eq!(
        x().slice(burn_s![1..]).dims(),
        [3, 5],
        "the remaining axes are selected in full"
    );
    assert!(
        panics(|| x().slice(burn_s![1.., .., ..])),
        "too many items cause a panic"
    );
    let ranges: Vec<Slice> = vec![(1..3).into(), Slice::new(0, None, 2)];
    assert_eq!(
        x().slice(&ranges[..]).dims(),
        [2, 3],
        "ranges can be built at run time"
    );
    let parsed: Slice = "1..3;-1".parse().expect("a range should be parsed");
    assert_eq!(
        elements(counting([5]).slice([parsed])),
        [2, 1],
        "one range can be parsed"
    );
}

#[test]
fn tensors_with_more_than_six_axes_need_a_stated_rank() {
    let x = counting([2, 1, 2, 1, 2, 1]);
    let y: Tensor<7, Int> = x.at(s![newaxis, ..., ::-1]);
    assert_eq!(y.dims(), [1, 2, 1, 2, 1, 2, 1]);
    let z: Tensor<8, Int> = y.at(s![..., newaxis].to_dyn());
    assert_eq!(z.dims(), [1, 2, 1, 2, 1, 2, 1, 1]);
    let row: Tensor<7, Int> = z.at(s![..., 0]);
    assert_eq!(elements(row), elements(x.clone()));
    let error = y.try_at::<3>(s![0]).expect_err("the rank should be wrong");
    assert_eq!(
        error,
        Error::Rank {
            stated: 3,
            actual: 6
        }
    );
    let nine = counting([1; 9]);
    let error = nine
        .try_at::<8>("0, 1")
        .expect_err("the index should be out of bounds");
    let expected = "index 1 is out of bounds for axis 1 with size 1 (item 2 of the slice)";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn tensors_without_axes_are_refused_by_name() {
    let error = counting([2])
        .try_at::<1>("0")
        .expect_err("the result has no axes");
    let expected = "burn has no tensors without axes: keep one with `newaxis` after the last index";
    assert_eq!(error.to_string(), expected);
    assert_eq!(elements(counting([2]).at(s![1, newaxis])), [1]);
}

#[test]
fn a_repeated_new_axis_is_refused_by_name() {
    let new_axis = s![newaxis].resolve(&[2, 3]);
    let repeated = s![[0, 0]].resolve(&[1, 2, 3]);
    let selection = { new_axis.expect("the slice should fit") }
        .compose(&repeated.expect("the slice should fit"))
        .expect("the slices should be composed");
    let error = counting([2, 3])
        .try_at::<3>(&selection)
        .expect_err("the tensor has two axes");
    assert_eq!(error, Error::RepeatedNewAxis);
    let expected = "a list that repeats the position of a new axis is not supported";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn strings_values_and_indices_that_do_not_fit_are_refused_by_name() {
    let x = || counting([2, 3]);
    let error = x().try_at::<2>("0 1").expect_err("it is not a slice");
    assert!(
        matches!(error, Error::Select(SelectError::ParseSlice(_))),
        "{error}"
    );
    let error = x()
        .try_set(s![:, 0], x())
        .expect_err("the value should not fit");
    let expected = "could not broadcast input array from shape (2,3) into shape (2,)";
    assert!(error.to_string().starts_with(expected), "{error}");
    let error = x()
        .try_fill_at(s![[0, 2]], 7)
        .expect_err("the index should be out of bounds");
    let expected = "index 2 is out of bounds for axis 0 with size 2";
    assert!(error.to_string().starts_with(expected), "{error}");
    let error = x().try_at::<1>("::0").expect_err("the step is zero");
    assert!(
        error.to_string().starts_with("slice step cannot be zero"),
        "{error}"
    );
}

#[test]
fn all_kinds_of_tensors_are_sliced_and_assigned() {
    let x = counting([2, 3]).equal_elem(4);
    assert_eq!(
        x.at(s![1, ::-1]).to_data().try_to_vec::<bool>(),
        Ok(vec![false, true, false])
    );
    let x = x.fill_at(s![[0, 0], 1:], true);
    let expected = vec![false, true, true, false, true, false];
    assert_eq!(x.to_data().try_to_vec::<bool>(), Ok(expected));
    let x = counting([2, 3]).float().fill_at(s![:, 1], 0.5);
    assert_eq!(
        x.to_data().try_to_vec::<f32>(),
        Ok(vec![0., 0.5, 2., 3., 0.5, 5.])
    );
}

#[test]
fn panics_name_the_file_of_the_caller() {
    thread_local!(static IS_HERE: Cell<bool> = const { Cell::new(false) });
    let hook = take_hook();
    set_hook(Box::new(move |info| {
        IS_HERE.set(
            info.location()
                .is_some_and(|location| location.file() == file!()),
        );
        hook(info);
    }));
    let x = || counting([2, 3]);
    let slices: [fn(Tensor<2, Int>); 3] = [
        |x| drop(x.at(s![5])),
        |x| drop(x.fill_at(s![5], 1)),
        |x| drop(x.clone().set(s![5], x)),
    ];
    for slice in slices {
        IS_HERE.set(false);
        assert!(panics(|| slice(x())) && IS_HERE.get());
    }
}

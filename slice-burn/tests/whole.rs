//! Slices that select all positions, which are performed without burn's `slice`.

use burn_tensor::{Int, Tensor};
use slice_burn::{Error, TensorSliceExt};
use slice_core::s;

/// Compares a slice with the same slice as text, which is performed with burn's `slice`.
macro_rules! same_as_text {
    ($x:ident, $rank:literal: $([$($slice:tt)*] $text:literal;)*) => { $(
        let as_text: Tensor<$rank, Int> = $x.at($text);
        $x.at(s![$($slice)*]).to_data().assert_eq(&as_text.to_data(), true);
    )* };
}

#[test]
fn reversed_and_new_axes_are_those_of_the_slice() {
    let x: Tensor<4, Int> = Tensor::arange(0..360, &Default::default()).reshape([3, 4, 5, 6]);
    same_as_text! { x, 4:
        [:] ":";
        [...] "...";
        [::-1] "::-1";
        [..., ::-1] "..., ::-1";
        [::-1, ..., ::-1] "::-1, ..., ::-1";
        [:, ::-1, ::-1] ":, ::-1, ::-1";
        [::-1, ::-1, ..., ::-1] "::-1, ::-1, ..., ::-1";
        [::-1, ::-1, ::-1, ::-1] "::-1, ::-1, ::-1, ::-1";
        [::-1, ::2] "::-1, ::2";
        [2::-1] "2::-1";
        [:1:-1] ":1:-1";
    }
    same_as_text! { x, 5:
        [newaxis] "newaxis";
        [..., newaxis] "..., newaxis";
        [:, newaxis, ::-1] ":, newaxis, ::-1";
    }
    let empty = x.at(s![5:]);
    assert_eq!(empty.at(s![::-1, newaxis]).dims(), [0, 1, 4, 5, 6]);
    assert_eq!(empty.at(s![..., ::-1]).dims(), [0, 4, 5, 6]);
}

#[test]
fn too_many_reversed_axes_are_an_error() {
    let x: Tensor<2> = Tensor::zeros([2, 3], &Default::default());
    let result: Result<Tensor<2>, Error> = x.try_at(s![::-1, ::-1, ::-1].erase());
    let error = result.expect_err("there are too many ranges");
    let expected = "too many indices for array: array is 2-dimensional, but 3 were indexed";
    assert!(error.to_string().starts_with(expected), "{error}");
}

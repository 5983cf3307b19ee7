//! Checks that a trait defined by the caller does not affect the expansion, even if every type implements the trait and
//! its methods take `self` by value and share the names of methods that the expansion calls.

use ndarray::array;
use slice_core::{py, s};

macro_rules! every_name {
    ($($name:ident)*) => {
        #[expect(dead_code, reason = "the expansion must not call its methods")]
        trait Every: Sized {
            $(fn $name(self) -> i32 {
                unreachable!(stringify!($name))
            })*
        }

        impl<T> Every for T {}
    };
}

every_name! {
    add assign assigned at at_mut compared counted_from_end dimension eq ge gt item le lt ne operand
    or_omitted owned position receiver row side stride to_owned value values_to_assign view_mut wrapped
    written
}

pub fn main() {
    let (mut x, n, end) = (array![1, 2, 3], 2, Some(1));
    assert_eq!(py!(x[1:] * n), array![4, 6]);
    assert_eq!(py!(n * x[1:] + x[:-1]), array![5, 8]);
    py! { x[1:] = n; x[:1] += n; x[1:] = x[:-1]; }
    assert_eq!(x, array![3, 3, 2]);
    let spec = s![-n:end:n];
    assert_eq!((spec.begin()[0], spec.end()[0]), (-2, 1));
    assert_eq!(py!(x[end:].sum()), 5);
    assert_eq!(py!(x[0] + x[-1] * n), 7);
    assert_eq!(py!(x[1:] < n), array![false, false]);
    assert_eq!(py!(x[1:] == n), array![false, true]);
    py! { x[-1] = 9; x[x > n] = n; let part = &mut x[1:]; part[0] = 8; }
    assert_eq!(x, array![2, 8, 2]);
    let mut v = vec![1, 2, 3];
    py! { v[1:] = 0; v[0] += v[1] + n; }
    assert_eq!(v, [3, 0, 0]);
}

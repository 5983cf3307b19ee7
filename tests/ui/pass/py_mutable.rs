//! Checks that mutable slices can be arguments and receivers of methods, and that loops can iterate over them.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::{ArrayViewMut1, array};
use slice_core::py;

trait Sort {
    fn sort(&mut self);
}

impl Sort for ArrayViewMut1<'_, i32> {
    fn sort(&mut self) {
        self.as_slice_mut()
            .expect("the elements should be contiguous")
            .sort_unstable();
    }
}

fn double(x: &mut ArrayViewMut1<'_, i32>) {
    *x *= 2;
}

pub fn main() {
    let mut x = array![[1, 2, 3], [4, 5, 6]];
    double(py!(&mut x[1, ...]));
    {
        let view = py!(&mut x[:, ::2]);
        view.swap((0, 0), (1, 1));
    }
    py! {
        for v in &mut x[..., 1] {
            *v = -*v;
        }
        (&mut x[0, ...]).sort();
    }
    assert_eq!(x, array![[-2, 3, 12], [8, -10, 1]]);
}

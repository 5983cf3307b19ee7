//! The compiler must report each of Python's floor divisions among the items of a slice, because Rust treats `//` and
//! the divisor as a comment.

use ndarray::{Array2, ArrayView1, ArrayView2};
use slice_core::{StridedSliceExt, s};

macro_rules! whole {
    ($($slice:tt)*) => {
        s![$($slice)*]
    };
}

fn main() {
    let a = Array2::<f32>::zeros((4, 5));
    let (n, rows) = (3, 2);
    let _: ArrayView2<f32> = a.at(s![n//2:,
        :]);
    let _: ArrayView2<f32> = a.at(s![:n//2,
        0:]);
    let _: ArrayView1<f32> = a.at(s![n//rows,
        :]);
    let _: ArrayView2<f32> = a.at(s![:n // 2,
        0:]);
    let _: ArrayView1<f32> = a.at(s![n // 2
    ]);
    let _: ArrayView2<f32> = a.at(s![1::a.len() //2
    ]);
    let _: ArrayView1<f32> = a.at(s![(n//2
        ), :]);
    let _: ArrayView1<f32> = a.at(s![..., 7 // 2
        // a comment inside the brackets
    ]);
    let _ = whole!(-n//(rows + 1),
        :);
}

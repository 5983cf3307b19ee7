//! Checks that `named!` can be used wherever a constant can be declared.

use ndarray::{Array3, ArrayView2, ArrayView4};
use slice_core::kind::Erased;
use slice_core::{SliceSpec, StridedSliceExt, named, s};

named! {
    /// A slice with attributes, a visibility, and constants as bounds.
    #[allow(dead_code)]
    pub(crate) const CROP = s![BORDER:-BORDER, ..., newaxis];
    static FLIP = s![::-1, 0];
    const NOTHING = slice_core::s![];
}

const BORDER: i64 = 1;

struct Codec<const STEP: u32>;

impl<const STEP: u32> Codec<STEP> {
    named! {
        /// A slice in an `impl`, whose generic parameter is the step.
        pub const THIN = s![..., ::STEP];
    }
}

named! {}

const ANY: [SliceSpec<2, Erased>; 2] = [FLIP_ANY, s![..., 0].erase()];
named! { const FLIP_ONCE = s![::-1, 0]; }
const FLIP_ANY: SliceSpec<2, Erased> = FLIP_ONCE.erase();

pub fn main() {
    named! { const LOCAL = s![1:]; }
    let a = Array3::<u8>::zeros((4, 5, 6));
    let v: ArrayView4<u8> = a.at(CROP);
    assert_eq!(v.shape(), [2, 5, 6, 1]);
    let v: ArrayView2<u8> = a.at(&FLIP);
    assert_eq!(v.shape(), [4, 6]);
    assert_eq!(a.at(NOTHING).shape(), [4, 5, 6]);
    assert_eq!(a.at(LOCAL).shape(), [3, 5, 6]);
    assert_eq!(a.at(Codec::<4>::THIN).shape(), [4, 5, 2]);
    let shapes = ANY.map(|spec| a.at(spec).shape().to_vec());
    assert_eq!(shapes, [[4, 6], [4, 5]]);
}

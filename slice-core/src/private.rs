//! What the expansion of `s![]` calls. Not part of the API.

pub use crate::__bound as bound;
#[cfg(feature = "ndarray")]
pub use crate::ndarray::py;
pub use slice_macro::{__named_in, __py_in, __s_in};

/// An expression in a macro of its own, so that a syntax error in it stays there.
#[doc(hidden)]
#[macro_export]
macro_rules! __bound {
    ($bound:expr) => {
        $bound
    };
}

/// The integer types that a bound may have; `Itself` is always the same type.
///
/// What [`integer`] returns is a parameter and not `Self`, so that for any other type it stays unknown, and the
/// compiler has nothing to say about its conversion.
#[diagnostic::on_unimplemented(
    message = "slice bounds must be integers, but this one is `{Self}`",
    label = "not an integer",
    note = "a bound may have any primitive integer type but u128; convert other values first"
)]
pub trait Integer<Itself>: Is<Type = Itself> {}

/// Type equality.
pub trait Is {
    /// The implementing type.
    type Type;
}

impl<T> Is for T {
    type Type = T;
}

macro_rules! integers {
    ($($int:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Integer<$int> for $int {}
    )* };
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize);

/// The bound itself, checked to be an integer.
#[inline(always)]
pub const fn integer<T: Integer<Itself>, Itself>(bound: T) -> Itself {
    const fn same<T>(bound: T) -> <T as Is>::Type {
        bound
    }
    same(bound)
}

/// The nearest `i64` of every bound of a slice that is not a literal.
#[inline(always)]
pub const fn saturate_all<const N: usize>(bounds: [i128; N]) -> [i64; N] {
    let mut saturated = [0; N];
    let mut i = 0;
    while i < N {
        saturated[i] = crate::spec::item::saturate(bounds[i]);
        i += 1;
    }
    saturated
}

/// A stride that is known to the compiler, which stops where it is zero.
#[track_caller]
pub const fn assert_stride(stride: i128) -> i128 {
    assert!(stride != 0, "slice step cannot be zero");
    stride
}

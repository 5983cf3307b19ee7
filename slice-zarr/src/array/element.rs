//! Rust types for the elements of an array.

use std::borrow::Cow;

use half::{bf16, f16};
use num_complex::{Complex32, Complex64};

/// A Rust type for the elements of an array.
///
/// The types correspond to Zarr's fixed-size data types: `bool`, integers, floats (including the floats of `half`),
/// complex numbers, and `[u8; N]` for raw bits. zarrs' [`Element`](zarrs::array::Element) defines which Rust types
/// match the data type of an array.
///
/// # Example
///
/// ```
/// use ndarray::ArrayD;
/// use slice_core::s;
/// use slice_zarr::{Element, Error, ReadSlice};
/// # use std::sync::Arc;
/// # use zarrs::array::{Array, ArrayBuilder, data_type};
/// # use zarrs::storage::store::MemoryStore;
/// # let array = ArrayBuilder::new(vec![4], vec![2], data_type::uint8(), 7_u8).build(Arc::new(MemoryStore::new()), "/")?;
///
/// fn last<T: Element>(array: &Array<MemoryStore>) -> Result<ArrayD<T>, Error> {
///     array.read_slice(s![-1])
/// }
/// assert_eq!(last::<u8>(&array)?, ndarray::arr0(7).into_dyn());
/// assert!(last::<f32>(&array).is_err()); // the data type is `uint8`
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Element: zarrs::array::Element + Unit {}

impl<T: zarrs::array::Element + Unit> Element for T {}

/// The type of the values that are copied between decoded bytes and arrays in memory: elements or, if the element size
/// is known only at run time, parts of elements.
pub trait Unit: Copy + Send + Sync + 'static {
    /// The initial value of each element of an output.
    #[doc(hidden)]
    const ZERO: Self;

    /// Converts decoded bytes to elements. Returns `None` if the bytes are not valid elements.
    #[doc(hidden)]
    fn from_bytes(bytes: &[u8]) -> Option<Cow<'_, [Self]>>;

    /// Returns the bytes of `elements`.
    #[doc(hidden)]
    fn to_bytes(elements: &[Self]) -> &[u8];
}

macro_rules! plain {
    ($($type:ty = $zero:expr),* $(,)?) => { $(
        impl Unit for $type {
            const ZERO: Self = $zero;

            fn from_bytes(bytes: &[u8]) -> Option<Cow<'_, [Self]>> {
                match bytemuck::try_cast_slice(bytes) {
                    Ok(elements) => Some(Cow::Borrowed(elements)),
                    // The bytes are not aligned for elements.
                    Err(bytemuck::PodCastError::TargetAlignmentGreaterAndInputNotAligned) => {
                        Some(Cow::Owned(bytemuck::pod_collect_to_vec(bytes)))
                    }
                    Err(_) => None,
                }
            }

            fn to_bytes(elements: &[Self]) -> &[u8] {
                bytemuck::cast_slice(elements)
            }
        }
    )* };
}

plain! {
    u8 = 0, u16 = 0, u32 = 0, u64 = 0, i8 = 0, i16 = 0, i32 = 0, i64 = 0,
    f16 = f16::ZERO, bf16 = bf16::ZERO, f32 = 0.0, f64 = 0.0,
    Complex32 = Complex32::ZERO, Complex64 = Complex64::ZERO,
}

impl<const N: usize> Unit for [u8; N] {
    const ZERO: Self = [0; N];

    fn from_bytes(bytes: &[u8]) -> Option<Cow<'_, [Self]>> {
        bytemuck::try_cast_slice(bytes).ok().map(Cow::Borrowed)
    }

    fn to_bytes(elements: &[Self]) -> &[u8] {
        bytemuck::cast_slice(elements)
    }
}

impl Unit for bool {
    const ZERO: Self = false;

    fn from_bytes(bytes: &[u8]) -> Option<Cow<'_, [Self]>> {
        bytemuck::checked::try_cast_slice(bytes)
            .ok()
            .map(Cow::Borrowed)
    }

    fn to_bytes(elements: &[Self]) -> &[u8] {
        bytemuck::cast_slice(elements)
    }
}

/// Elements that are used as bytes without a copy.
pub(crate) struct OwnedElements<U>(pub(crate) Vec<U>);

impl<U: Unit> AsRef<[u8]> for OwnedElements<U> {
    fn as_ref(&self) -> &[u8] {
        U::to_bytes(&self.0)
    }
}

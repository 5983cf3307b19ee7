//! Rust types for the elements of an array.

use std::borrow::Cow;

use bytemuck::checked::{self, CheckedBitPattern, CheckedCastError};
use bytemuck::{NoUninit, PodCastError, Zeroable};

use crate::array::error::ChunkError;

/// A Rust type for the elements of an array.
///
/// The types correspond to Zarr's fixed-size data types: `bool`, integers, floats (including the floats of the crate `half`),
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
pub trait Unit: NoUninit + CheckedBitPattern + Zeroable + Send + Sync {}

impl<T: NoUninit + CheckedBitPattern + Zeroable + Send + Sync> Unit for T {}

/// Converts decoded bytes to elements. Returns an error if the bytes are not valid elements.
pub(crate) fn as_units<U: Unit>(bytes: &[u8]) -> Result<Cow<'_, [U]>, ChunkError> {
    let invalid = || {
        let message = "the bytes are not valid elements of the data type";
        ChunkError::Broken(message.into())
    };
    match checked::try_cast_slice(bytes) {
        Ok(elements) => Ok(Cow::Borrowed(elements)),
        Err(CheckedCastError::PodCastError(
            PodCastError::TargetAlignmentGreaterAndInputNotAligned,
        )) if bytes.len().is_multiple_of(size_of::<U>()) => {
            let mut elements = bytemuck::zeroed_vec(bytes.len() / size_of::<U>());
            for (element, bytes) in elements.iter_mut().zip(bytes.chunks_exact(size_of::<U>())) {
                *element = checked::try_pod_read_unaligned(bytes).map_err(|_| invalid())?;
            }
            Ok(Cow::Owned(elements))
        }
        Err(_) => Err(invalid()),
    }
}

/// Elements that are used as bytes without a copy.
pub(crate) struct OwnedElements<U>(pub(crate) Vec<U>);

impl<U: Unit> AsRef<[u8]> for OwnedElements<U> {
    fn as_ref(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }
}

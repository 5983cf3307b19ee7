//! Reads single elements of uncompressed chunks without a plan, because planning takes longer than reading the element.

use std::borrow::Cow;
use std::sync::atomic::Ordering;

use ndarray::{ArrayViewMut, IxDyn};
use slice_core::Selection;
use zarrs::array::Array;
use zarrs::storage::ReadableStorageTraits;

use crate::array::codecs::Content;
use crate::array::element::{Unit, as_units};
use crate::array::error::{ChunkError, Error};
use crate::array::options::AccessOptions;
use crate::array::read::piece::fill_view;
use crate::array::read::reader::Reader;
use crate::array::stats::Stats;
use crate::array::stored::StoredArray;

/// Reads the element that a selection consists of into `output`. Returns `None`, and reads nothing, if the read needs a
/// plan: if there are several elements, if their chunk is encoded, or if there are limits.
pub(crate) fn read_element<U: Unit, S: ?Sized + ReadableStorageTraits + 'static>(
    array: &Array<S>,
    stored: &StoredArray,
    selection: &Selection,
    output: &mut ArrayViewMut<'_, U, IxDyn>,
    options: &AccessOptions<'_>,
) -> Result<Option<Stats>, Error> {
    let bytes = stored.codecs.decoded_bytes();
    let (Content::Raw, 1, Ok(ranges)) = (stored.content(), selection.len(), selection.axes())
    else {
        return Ok(None);
    };
    if options.limits.is_any_set() || options.progress.is_some() || bytes > isize::MAX as u64 {
        return Ok(None);
    }
    options.check_cancel()?;
    options.check_chunk(1, bytes)?;
    let (mut indices, mut place) = (Vec::with_capacity(ranges.len()), 0);
    for (range, &len) in ranges.iter().zip(&stored.chunk_shape) {
        indices.push((range.start() / len) as u64);
        place = place * len + range.start() % len;
    }
    let begin = (place * stored.item_size) as u64;
    let range = begin..begin + stored.item_size as u64;
    let reader = Reader::new(array, stored, options)?;
    // The fetched bytes and the output.
    reader.tally.hold(2 * stored.item_size as u64);
    let chunk = reader.chunk(indices)?;
    let mut read = || -> Result<(), ChunkError> {
        reader.check_size(&chunk, bytes..=bytes)?;
        let fetched = reader.fetch_some_ranges(&chunk, vec![range.clone()])?;
        let element = match &fetched {
            None => Cow::Borrowed(stored.fill_value.as_ne_bytes()),
            Some(fetched) => {
                reader.tally.chunks.fetch_add(1, Ordering::Relaxed);
                let bytes = Cow::Borrowed(fetched.run(&range)?);
                stored.codecs.decode_part(bytes, &vec![1; ranges.len()])?
            }
        };
        fill_view(output, &as_units(&element)?);
        Ok(())
    };
    read().map_err(|error| options.timed_out_if_late(chunk.failed(error)))?;
    Ok(Some(reader.tally.stats()))
}

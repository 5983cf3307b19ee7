//! Defines a simple model of slices. The fuzz targets compare the results of the library with the results of the model.
//!
//! Apart from the type [`Item`], the model shares no code with the library. It has no optimizations: bounds are 128-bit
//! integers, and positions are computed one by one. Unlike the golden vectors, which are results of NumPy recorded for
//! particular inputs, the model works for any input.

use slice_core::Item;

/// The selected elements of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selected {
    /// The shape of the result.
    pub shape: Vec<usize>,
    /// The offset in the array of each element of the result. The result and the array are both in C order.
    pub offsets: Vec<usize>,
}

/// Returns the elements selected by `items` in an array of shape `shape`.
///
/// # Errors
///
/// Returns the name of the first error, in the order of NumPy's checks.
pub fn select(items: &[Item], shape: &[usize]) -> Result<Selected, &'static str> {
    if items.len() > 64 {
        return Err("length_mismatch");
    }
    if items.iter().filter(|item| **item == Item::Ellipsis).count() > 1 {
        return Err("multiple_ellipsis");
    }
    let consuming = items
        .iter()
        .filter(|item| matches!(item, Item::Index(_) | Item::Range { .. }));
    let ellipsis_axes = shape
        .len()
        .checked_sub(consuming.count())
        .ok_or("too_many_indices")?;

    let mut all = items.to_vec();
    if !all.contains(&Item::Ellipsis) {
        all.push(Item::Ellipsis);
    }
    let mut selected = Selected {
        shape: Vec::new(),
        offsets: vec![0],
    };
    let mut sizes = shape.iter().copied();
    let mut next = || {
        sizes
            .next()
            .expect("the items should not consume more axes than the shape has")
    };
    for item in all {
        match item {
            Item::NewAxis => selected.shape.push(1),
            Item::Index(index) => {
                let size = next();
                selected.take(size, &[position(index, size).ok_or("index_oob")?]);
            }
            Item::Range { step: 0, .. } => return Err("zero_stride"),
            Item::Range { begin, end, step } => {
                let size = next();
                selected.keep(size, &positions(begin, end, step, size));
            }
            Item::Ellipsis => {
                for _ in 0..ellipsis_axes {
                    let size = next();
                    selected.keep(size, &(0..size).collect::<Vec<_>>());
                }
            }
            _ => unreachable!("the slice has no lists"),
        }
    }
    Ok(selected)
}

impl Selected {
    /// Keeps the next axis of the array, which has length `size`, and selects `positions` on this axis.
    fn keep(&mut self, size: usize, positions: &[usize]) {
        self.shape.push(positions.len());
        self.take(size, positions);
    }

    /// Selects `positions` on the next axis of the array, which has length `size`, for each element selected so far.
    fn take(&mut self, size: usize, positions: &[usize]) {
        let inner = |&outer: &usize| {
            positions
                .iter()
                .map(move |position| outer * size + position)
        };
        self.offsets = self.offsets.iter().flat_map(inner).collect();
    }
}

/// Returns the position selected by an index, or `None` if the index is out of bounds.
fn position(index: i64, size: usize) -> Option<usize> {
    let (index, size) = (i128::from(index), size as i128);
    let position = if index < 0 { index + size } else { index };
    (0 <= position && position < size).then_some(position as usize)
}

/// Returns the positions selected by a range, computed one by one.
fn positions(begin: Option<i64>, end: Option<i64>, step: i64, size: usize) -> Vec<usize> {
    let size = size as i128;
    let (before, after) = if step > 0 { (0, size) } else { (-1, size - 1) };
    let clamp = |bound: i64| {
        let bound = i128::from(bound);
        (if bound < 0 { bound + size } else { bound })
            .max(before)
            .min(after)
    };
    let (first, last) = if step > 0 {
        (before, after)
    } else {
        (after, before)
    };
    let (mut current, end) = (begin.map_or(first, clamp), end.map_or(last, clamp));
    let mut selected = Vec::new();
    while if step > 0 {
        current < end
    } else {
        current > end
    } {
        selected.push(current as usize);
        current += i128::from(step);
    }
    selected
}

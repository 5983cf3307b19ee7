//! `Brackets`: slices with the meaning of NumPy's own `x[...]`.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Debug, Display};
use core::ops::Range;
use core::str::FromStr;

use crate::error::SliceError;
use crate::resolve::list::{ItemAt, axes_of_items, check_mask, next_axes};
use crate::resolve::selection::Selection;
use crate::resolve::shape::element_count;
use crate::resolve::walk::index_at;
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::Item;
use crate::spec::nd_list::NdList;
use crate::spec::nonzero::append_positions;
use crate::spec::text::error::ParseSliceError;

/// A slice with the meaning of NumPy's own `x[...]`, in which several lists are combined.
///
/// Without lists and masks, or with a single one and no index, the meaning is that of the spec. Otherwise, the indices and
/// the lists are broadcast to each other, and elements of the lists at the same place together select an element, as in
/// [points](crate::s!#masks-and-lists-with-several-axes-and-points). A mask counts as the lists of the positions at which it
/// is true. The axes of the broadcast lists stand where the lists stand if these are next to each other, and otherwise come
/// first.
///
/// # Example
///
/// ```
/// use slice_core::Brackets;
/// use slice_core::s;
///
/// let x: Vec<i32> = (0..24).collect();
/// let pairs: Brackets = "[0, 1], [2, 0]".parse()?;
/// assert_eq!(pairs.resolve(&[2, 3, 4])?, s![zip([0, 1], [2, 0])].resolve(&[2, 3, 4])?);
///
/// // The index and the list are separated, so the axis of the list comes first.
/// let separated = Brackets::new(s![0, :, [3, 1]].to_dyn());
/// assert_eq!(separated.resolve(&[2, 3, 4])?.output_shape(), [2, 3]);
/// assert_eq!(separated.resolve(&[2, 3, 4])?.gather(&x)?, [3, 7, 11, 1, 5, 9]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use = "a slice does nothing until it is applied to an array"]
pub struct Brackets {
    spec: DynSliceSpec,
}

/// An item of the slice, and the axes to which it applies.
struct ItemOnAxes {
    number: usize,
    item: Item,
    axes: Range<usize>,
}

impl Brackets {
    /// Gives the items of a spec the meaning that they have in NumPy's own brackets.
    pub fn new(spec: impl Into<DynSliceSpec>) -> Self {
        Brackets { spec: spec.into() }
    }

    /// Returns the items.
    ///
    /// ```
    /// use slice_core::Brackets;
    ///
    /// let brackets: Brackets = "[0, 1], ::2".parse()?;
    /// assert_eq!(brackets.items().len(), 2);
    /// # Ok::<(), slice_core::ParseSliceError>(())
    /// ```
    #[must_use]
    pub fn items(&self) -> Vec<Item> {
        self.spec.items().collect()
    }

    /// Determines the elements that the brackets select from an array with the shape `shape`.
    ///
    /// Python equivalent: `x[...]` for an array `x` with `x.shape == shape`.
    ///
    /// If the axes of the lists come first, the positions of all axes up to the last list are listed, so the selection uses
    /// memory for each of their combinations.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`ListSpec::resolve`](crate::ListSpec::resolve), and [`SliceError::BroadcastPoints`] if the
    /// lists cannot be broadcast. A mask without axes cannot be combined with other lists or indices; this is
    /// [`SliceError::JoinedAxes`].
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, SliceError> {
        let items = self.items();
        let lists = items.iter().filter(|item| is_list(item)).count();
        let indices = items.iter().filter(|item| is_index(item)).count();
        if lists == 0 || lists == 1 && indices == 0 {
            return self.spec.resolve(shape);
        }
        // All items are assigned to axes, which also checks their number.
        let on_axes = assign_axes(&self.spec, shape.len())?;
        // The functions below rely on valid lengths.
        element_count(shape)?;
        let advanced = |on_axes: &ItemOnAxes| is_list(&on_axes.item) || is_index(&on_axes.item);
        let mut points = Vec::new();
        for on_axes in on_axes.iter().filter(|on_axes| advanced(on_axes)) {
            points.extend(lists_of(on_axes, shape)?);
        }
        // NumPy checks the indices before it broadcasts the lists.
        for on_axes in &on_axes {
            if let Item::Index(index) = on_axes.item {
                let axis = on_axes.axes.start;
                index_at(on_axes.number, axis, index, shape[axis])?;
            }
        }
        let positions = on_axes
            .iter()
            .enumerate()
            .filter(|(_, item)| advanced(item));
        let positions: Vec<usize> = positions.map(|(at, _)| at).collect();
        let (Some(&first), Some(&last)) = (positions.first(), positions.last()) else {
            return self.spec.resolve(shape);
        };
        let points = Item::Points(points);
        if last - first + 1 == positions.len() {
            let before = items[..first].iter().cloned();
            let after = items[last + 1..].iter().cloned();
            let spec = DynSliceSpec::from_items(before.chain([points]).chain(after))?;
            let selection = spec.resolve(shape);
            return selection.map_err(|error| located(error, &on_axes, |axis| axis));
        }
        let prefix = on_axes[last].axes.end;
        let advanced_axes: Vec<usize> = on_axes
            .iter()
            .filter(|item| advanced(item))
            .flat_map(|item| item.axes.clone())
            .collect();
        // The lists are resolved by themselves, for an array that has only their axes.
        let sizes: Vec<usize> = advanced_axes.iter().map(|&axis| shape[axis]).collect();
        let selected = DynSliceSpec::from_items([points])?.resolve(&sizes);
        let selected =
            selected.map_err(|error| located(error, &on_axes, |axis| advanced_axes[axis]))?;
        // The other items are resolved with `0:1` in place of each list.
        let single = Item::Range {
            begin: Some(0),
            end: Some(1),
            step: 1,
        };
        let mut others = Vec::new();
        for on_axes in &on_axes[..=last] {
            match advanced(on_axes) {
                true => others.extend(on_axes.axes.clone().map(|_| single.clone())),
                false => others.push(on_axes.item.clone()),
            }
        }
        let others = DynSliceSpec::from_items(others)?.resolve(&shape[..prefix]);
        let others = others.map_err(|error| located(error, &on_axes, |axis| axis))?;
        let rest = items[last + 1..].iter().cloned();
        let rest = DynSliceSpec::from_items(rest)?.resolve(&shape[prefix..]);
        let rest = rest.map_err(|error| located(error, &on_axes, |axis| prefix + axis))?;
        Selection::moved_to_front(shape, &selected, &advanced_axes, &others, &rest)
    }
}

fn is_list(item: &Item) -> bool {
    item.role().is_none()
}

fn is_index(item: &Item) -> bool {
    matches!(item, Item::Index(_))
}

fn assign_axes(spec: &DynSliceSpec, rank: usize) -> Result<Vec<ItemOnAxes>, SliceError> {
    let mut axes = axes_of_items(spec.borrowed_items(), rank)?;
    let items = spec.items().zip(spec.borrowed_items()).enumerate();
    let on_axes = items.map(|(number, (item, part))| ItemOnAxes {
        number,
        item,
        axes: next_axes(&mut axes, &part),
    });
    Ok(on_axes.collect())
}

/// Returns the list of positions for each axis of an index or a list.
fn lists_of(on_axes: &ItemOnAxes, shape: &[usize]) -> Result<Vec<NdList<i64>>, SliceError> {
    let sizes = &shape[on_axes.axes.clone()];
    Ok(match &on_axes.item {
        Item::Index(index) => Vec::from([NdList::scalar(*index)]),
        Item::List(list) => Vec::from([list.clone()]),
        Item::Points(lists) => lists.clone(),
        Item::Mask(mask) if mask.rank() > 0 => columns(on_axes, mask, sizes)?,
        item => {
            let (axis, axes) = (on_axes.axes.start, on_axes.axes.len());
            let rank = item.output_axes().unwrap_or(axes);
            return Err(SliceError::JoinedAxes { axis, axes, rank });
        }
    })
}

/// Returns the positions at which a mask is true, for each of its axes.
fn columns(
    on_axes: &ItemOnAxes,
    mask: &NdList<bool>,
    sizes: &[usize],
) -> Result<Vec<NdList<i64>>, SliceError> {
    let (item, axis) = (on_axes.number, on_axes.axes.start);
    check_mask(ItemAt { item, axis }, mask.shape(), sizes)?;
    let mut columns = vec![Vec::new(); mask.rank()];
    append_positions(mask.elements(), mask.shape(), &mut columns);
    let list = |positions: Vec<usize>| positions.into_iter().map(|position| position as i64);
    let lists = columns.into_iter().map(list);
    Ok(lists
        .map(|list| NdList::from(list.collect::<Vec<i64>>()))
        .collect())
}

/// Returns the error of items that were resolved without the others, with the axis and the item as in the whole slice.
/// `axis_of` returns the axis of the array for an axis in the error. Lists that cannot be broadcast are named by the first.
fn located(
    mut error: SliceError,
    on_axes: &[ItemOnAxes],
    axis_of: impl Fn(usize) -> usize,
) -> SliceError {
    let (item, found) = match &mut error {
        SliceError::ListIndexOutOfBounds { item, axis, .. }
        | SliceError::IndexOutOfBounds { item, axis, .. }
        | SliceError::ZeroStep { item, axis, .. } => {
            *axis = axis_of(*axis);
            (item, on_axes.iter().find(|on| on.axes.contains(axis)))
        }
        SliceError::BroadcastPoints { item, .. } => {
            (item, on_axes.iter().find(|on| is_list(&on.item)))
        }
        _ => return error,
    };
    *item = found.map_or(*item, |on| on.number);
    error
}

/// Parses the text between NumPy's brackets, with the grammar of [`DynSliceSpec`].
///
/// # Errors
///
/// Returns a [`ParseSliceError`] for the first mistake.
impl FromStr for Brackets {
    type Err = ParseSliceError;

    fn from_str(text: &str) -> Result<Self, ParseSliceError> {
        text.parse().map(|spec: DynSliceSpec| Brackets { spec })
    }
}

impl Display for Brackets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.spec, f)
    }
}

impl Debug for Brackets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x[{}]", self.spec)
    }
}

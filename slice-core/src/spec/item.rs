//! One item of a slice, and the five masks with which TensorFlow encodes the role of each item and marks omitted
//! bounds.

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::spec::list::{ListArray, OwnedList};
use crate::spec::nd_list::NdList;

/// One item of a slice, as in Python.
///
/// # Example
///
/// ```
/// use slice_core::{DynSliceSpec, Item, s};
///
/// let items: Vec<Item> = s![1:, ..., None, -2].to_dyn().items().collect();
/// assert_eq!(
///     items,
///     [
///         Item::Range { begin: Some(1), end: None, step: 1 },
///         Item::Ellipsis,
///         Item::NewAxis,
///         Item::Index(-2),
///     ]
/// );
///
/// let items = [Item::Index(-1), Item::List(vec![2, 0].into()), Item::Mask(vec![true, false].into())];
/// assert_eq!(DynSliceSpec::from_items(items)?.to_string(), "-1, [2, 0], [True, False]");
///
/// let points = Item::Points(vec![vec![0, 2].into(), vec![1, 1].into()]);
/// let spec = DynSliceSpec::from_items([points])?;
/// assert_eq!(spec.to_string(), "zip([0, 2], [1, 1])");
/// assert_eq!(spec.resolve(&[3, 2])?.gather(&[1, 2, 3, 4, 5, 6])?, [2, 6]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Item {
    /// `begin:end:step`. An omitted bound is `None`, and an omitted step is 1.
    Range {
        /// The first position. A negative `begin` counts from the end of the axis.
        begin: Option<i64>,
        /// The end, which is excluded. A negative `end` counts from the end of the axis.
        end: Option<i64>,
        /// The step. A negative step selects positions in reverse order, and a step of zero is an error when the spec
        /// is resolved.
        step: i64,
    },
    /// An integer: selects one element and drops the axis.
    Index(i64),
    /// `newaxis` (or `None`): inserts an axis of length 1.
    NewAxis,
    /// `...`: keeps all axes to which no other item applies.
    Ellipsis,
    /// A list of positions on one axis. A negative position counts from the end. The axes of the list take the place of
    /// the axis.
    List(NdList<i64>),
    /// A mask with one element for each position of as many axes as the mask has. These axes become one axis, with the
    /// positions at which the mask is true.
    Mask(NdList<bool>),
    /// Points: lists of positions, one for each of several axes. They are broadcast, and elements of the lists at the
    /// same place together select an element. The axes of the broadcast lists take the place of these axes.
    Points(Vec<NdList<i64>>),
}

impl Item {
    /// Returns the role of the item, or `None` for a list, a mask or points.
    ///
    /// ```
    /// use slice_core::{Item, ItemRole};
    ///
    /// assert_eq!(Item::Ellipsis.role(), Some(ItemRole::Ellipsis));
    /// ```
    #[inline]
    #[must_use]
    pub const fn role(&self) -> Option<ItemRole> {
        match self {
            Item::Range { .. } => Some(ItemRole::Range),
            Item::Index(_) => Some(ItemRole::Index),
            Item::NewAxis => Some(ItemRole::NewAxis),
            Item::Ellipsis => Some(ItemRole::Ellipsis),
            Item::List(_) | Item::Mask(_) | Item::Points(_) => None,
        }
    }

    /// Returns the number of axes to which the item applies, or `None` for `...`.
    #[must_use]
    pub fn input_axes(&self) -> Option<usize> {
        match self {
            Item::Range { .. } | Item::Index(_) | Item::List(_) => Some(1),
            Item::NewAxis => Some(0),
            Item::Ellipsis => None,
            Item::Mask(mask) => Some(mask.rank()),
            Item::Points(lists) => Some(lists.len()),
        }
    }

    /// Returns the number of axes that take their place in the result, or `None` for `...`.
    ///
    /// ```
    /// use slice_core::{Item, NdList};
    ///
    /// let mask = Item::Mask(NdList::new([2, 2], [true, false, true, true])?);
    /// assert_eq!((mask.input_axes(), mask.output_axes()), (Some(2), Some(1)));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub fn output_axes(&self) -> Option<usize> {
        match self {
            Item::Range { .. } | Item::NewAxis | Item::Mask(_) => Some(1),
            Item::Index(_) => Some(0),
            Item::Ellipsis => None,
            Item::List(list) => Some(list.rank()),
            Item::Points(lists) => lists.iter().map(NdList::rank).max().or(Some(0)),
        }
    }

    /// Returns the item in its simplest form: points with one list that has axes are this list, and a list without axes
    /// is an index.
    pub(crate) fn simplified(self) -> Self {
        match self {
            Item::Points(mut lists) if lists.len() == 1 && lists[0].rank() > 0 => {
                Item::List(lists.remove(0))
            }
            Item::List(list) if list.rank() == 0 => Item::Index(list.elements()[0]),
            item => item,
        }
    }

    /// Returns the `begin`, the `end`, the stride and the mask bits of the item, in TensorFlow's encoding, or `None` for
    /// a list, a mask or points, which it cannot express. An unused `begin` or `end` is 0, and an unused stride is 1. The
    /// `end` of an index is the index plus 1, or `i64::MAX` if the sum overflows.
    ///
    /// ```
    /// use slice_core::Item;
    ///
    /// let (numbers, masks) = Item::Index(-2).encode().expect("an index should have an encoding");
    /// assert_eq!((numbers, masks.shrink_axis), ((-2, -1, 1), true));
    /// assert_eq!(Item::List(vec![0, 2].into()).encode(), None);
    /// ```
    #[inline]
    #[must_use]
    pub fn encode(&self) -> Option<((i64, i64, i64), ItemMasks)> {
        let mut item_masks = ItemMasks::default();
        let numbers = match *self {
            Item::Range { begin, end, step } => {
                item_masks.begin = begin.is_none();
                item_masks.end = end.is_none();
                (begin.unwrap_or(0), end.unwrap_or(0), step)
            }
            Item::Index(index) => {
                item_masks.shrink_axis = true;
                (index, index.saturating_add(1), 1)
            }
            Item::NewAxis => {
                item_masks.new_axis = true;
                (0, 0, 1)
            }
            Item::Ellipsis => {
                item_masks.ellipsis = true;
                (0, 0, 1)
            }
            Item::List(_) | Item::Mask(_) | Item::Points(_) => return None,
        };
        Some((numbers, item_masks))
    }
}

/// An item that borrows its lists.
#[derive(Clone)]
pub(crate) enum ItemRef<'a> {
    /// An item without lists.
    Item(Item),
    /// A list or a mask.
    List(ListArray<'a>),
    /// Points: one list for each axis.
    Points(SmallVec<[ListArray<'a>; 2]>),
}

impl<'a> ItemRef<'a> {
    /// Borrows the lists of an item.
    pub(crate) fn of(item: &'a Item) -> Self {
        match item {
            Item::List(list) => ItemRef::List(list.borrowed()),
            Item::Mask(mask) => ItemRef::List(mask.borrowed()),
            Item::Points(lists) => ItemRef::Points(lists.iter().map(NdList::borrowed).collect()),
            item => ItemRef::Item(item.clone()),
        }
    }

    /// Returns the item with copies of its lists.
    pub(crate) fn into_item(self) -> Item {
        match self {
            ItemRef::Item(item) => item,
            ItemRef::List(list) => match list.elements().to_owned() {
                OwnedList::Positions(positions) => Item::List(of_shape(list, positions)),
                OwnedList::Mask(mask) => Item::Mask(of_shape(list, mask)),
            },
            ItemRef::Points(lists) => {
                let lists = lists
                    .into_iter()
                    .map(|list| match list.elements().to_owned() {
                        OwnedList::Positions(positions) => of_shape(list, positions),
                        OwnedList::Mask(_) => unreachable!("`zip` accepts only positions"),
                    });
                Item::Points(lists.collect())
            }
        }
    }

    /// Returns the number of axes to which the item applies, or `None` for `...`.
    pub(crate) fn input_axes(&self) -> Option<usize> {
        match self {
            ItemRef::Item(item) => item.input_axes(),
            ItemRef::List(list) => Some(list.input_axes()),
            ItemRef::Points(lists) => Some(lists.len()),
        }
    }
}

/// Returns a list with the given elements, which are those of `list`.
fn of_shape<T>(list: ListArray<'_>, elements: Vec<T>) -> NdList<T> {
    let shape = list.shape_of(elements.len()).into_vec();
    NdList::new(shape, elements)
        .expect("a list should have one element for each position in its shape")
}

/// Returns the `i64` nearest to a bound. No axis is longer than `i64::MAX`, so the nearest `i64` selects the same
/// positions.
#[inline(always)]
pub(crate) const fn saturate(bound: i128) -> i64 {
    if bound > i64::MAX as i128 {
        i64::MAX
    } else if bound < i64::MIN as i128 {
        i64::MIN
    } else {
        bound as i64
    }
}

/// The role of an item without lists: range, index, new axis or ellipsis.
///
/// # Example
///
/// ```
/// use slice_core::{Item, ItemRole};
///
/// assert_eq!(Item::Index(-2).role(), Some(ItemRole::Index));
/// assert!(ItemRole::Index.consumes() && !ItemRole::NewAxis.consumes());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ItemRole {
    /// `begin:end:step`: keeps its axis.
    Range,
    /// An integer: drops its axis.
    Index,
    /// `newaxis`: inserts an axis of length 1.
    NewAxis,
    /// `...`: keeps all axes to which no other item applies.
    Ellipsis,
}

/// The five bit masks of a strided slice, as in TensorFlow: bit `i` belongs to item `i`.
///
/// If several of the bits `ellipsis`, `new_axis` and `shrink_axis` are set for an item, `ellipsis` takes precedence
/// over `new_axis`, and `new_axis` over `shrink_axis`.
///
/// # Example
///
/// ```
/// use slice_core::{ItemRole, s};
///
/// let masks = s![1, 2:, newaxis].masks();
/// assert_eq!((masks.begin, masks.end, masks.new_axis, masks.shrink_axis), (0, 0b010, 0b100, 0b001));
/// assert_eq!(masks.item_masks(2).role(), ItemRole::NewAxis);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Masks {
    /// If bit `i` is set, `begin[i]` is ignored: the range starts at the first element, or, if its stride is negative,
    /// at the last element.
    pub begin: u64,
    /// If bit `i` is set, `end[i]` is ignored: the range continues to the end of the axis, or, if its stride is
    /// negative, to the beginning.
    pub end: u64,
    /// If bit `i` is set, item `i` is `...`.
    pub ellipsis: u64,
    /// If bit `i` is set, item `i` is `newaxis`.
    pub new_axis: u64,
    /// If bit `i` is set, item `i` is an index: only `begin[i]` is used, and the axis is dropped.
    pub shrink_axis: u64,
}

/// The bits of the five masks for one item.
///
/// # Example
///
/// ```
/// use slice_core::{ItemMasks, ItemRole, s};
///
/// let masks: ItemMasks = s![1:, ..., None].masks().item_masks(2);
/// assert_eq!((masks.new_axis, masks.role()), (true, ItemRole::NewAxis));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ItemMasks {
    /// Whether `begin` is ignored.
    pub begin: bool,
    /// Whether `end` is ignored.
    pub end: bool,
    /// Whether the item is `...`.
    pub ellipsis: bool,
    /// Whether the item is `newaxis`.
    pub new_axis: bool,
    /// Whether the item is an index.
    pub shrink_axis: bool,
}

impl ItemRole {
    /// Returns `true` if an item with this role applies to exactly one axis of the array, as a range and an index do.
    #[must_use]
    pub const fn consumes(self) -> bool {
        matches!(self, ItemRole::Index | ItemRole::Range)
    }
}

impl ItemMasks {
    /// Returns the role of an item with these bits. `ellipsis` takes precedence over `new_axis`, and `new_axis` over
    /// `shrink_axis`.
    #[inline]
    #[must_use]
    pub const fn role(self) -> ItemRole {
        if self.ellipsis {
            ItemRole::Ellipsis
        } else if self.new_axis {
            ItemRole::NewAxis
        } else if self.shrink_axis {
            ItemRole::Index
        } else {
            ItemRole::Range
        }
    }
}

impl Masks {
    /// Returns the bits of item `i`. No bits are set if `i` is 64 or greater.
    #[inline(always)]
    #[must_use]
    pub const fn item_masks(&self, i: usize) -> ItemMasks {
        let bit = if i < 64 { 1u64 << i } else { 0 };
        ItemMasks {
            begin: self.begin & bit != 0,
            end: self.end & bit != 0,
            ellipsis: self.ellipsis & bit != 0,
            new_axis: self.new_axis & bit != 0,
            shrink_axis: self.shrink_axis & bit != 0,
        }
    }

    /// Sets the given bits for item `i`. `i` must be below 64.
    pub(crate) fn mark(&mut self, i: usize, item_masks: ItemMasks) {
        self.begin |= u64::from(item_masks.begin) << i;
        self.end |= u64::from(item_masks.end) << i;
        self.ellipsis |= u64::from(item_masks.ellipsis) << i;
        self.new_axis |= u64::from(item_masks.new_axis) << i;
        self.shrink_axis |= u64::from(item_masks.shrink_axis) << i;
    }
}

/// The borrowed fields of a `SliceSpec` or a `DynSliceSpec`, so that both types can share functions.
///
/// INVARIANT: `begin`, `end` and `strides` have the same length, which is at most 64. At most one ellipsis bit is set.
/// No mask has a bit set for an item that does not exist.
#[derive(Clone, Copy, Debug)]
pub struct Encoded<'a> {
    pub(crate) begin: &'a [i64],
    pub(crate) end: &'a [i64],
    pub(crate) strides: &'a [i64],
    pub(crate) masks: Masks,
}

impl Encoded<'_> {
    /// Returns the number of items.
    #[inline]
    pub(crate) const fn len(&self) -> usize {
        self.begin.len()
    }

    /// Returns the number of items that consume an axis: the indices and ranges.
    #[inline]
    pub(crate) const fn consuming_items(&self) -> usize {
        self.len() - (self.masks.ellipsis | self.masks.new_axis).count_ones() as usize
    }

    /// Returns the rank of the result for an array with `rank` axes. The array must have an axis for each item that
    /// consumes one.
    #[inline]
    pub(crate) const fn output_rank(&self, rank: usize) -> usize {
        let Masks {
            ellipsis,
            new_axis,
            shrink_axis,
            ..
        } = self.masks;
        let inserted = (new_axis & !ellipsis).count_ones() as usize;
        let dropped = (shrink_axis & !ellipsis & !new_axis).count_ones() as usize;
        rank - dropped + inserted
    }

    /// Returns item `i`. Panics if there is no such item.
    #[inline]
    pub(crate) const fn item(&self, i: usize) -> Item {
        match self.masks.item_masks(i).role() {
            ItemRole::Ellipsis => Item::Ellipsis,
            ItemRole::NewAxis => Item::NewAxis,
            ItemRole::Index => Item::Index(self.begin[i]),
            ItemRole::Range => {
                let (begin, end, step) = self.bounds(i);
                Item::Range { begin, end, step }
            }
        }
    }

    /// Returns the `begin`, the `end` and the step of item `i`, which must be a range. Panics if there is no such item.
    #[inline(always)]
    pub(crate) const fn bounds(&self, i: usize) -> (Option<i64>, Option<i64>, i64) {
        let bit = 1u64 << i;
        let begin = if self.masks.begin & bit != 0 {
            None
        } else {
            Some(self.begin[i])
        };
        let end = if self.masks.end & bit != 0 {
            None
        } else {
            Some(self.end[i])
        };
        (begin, end, self.strides[i])
    }
}

/// Implements the methods of a spec that return its masks.
macro_rules! masks {
    ([$($generics:tt)*] $Spec:ty) => {
        impl<$($generics)*> $Spec {
            /// Returns all five masks. Each mask is also returned by a method with TensorFlow's name for it.
            ///
            /// # Example
            ///
            /// ```
            /// use slice_core::s;
            ///
            /// // Bit `i` stands for item `i`.
            /// let spec = s![1:, ..., newaxis, 0].to_dyn();
            /// assert_eq!((spec.begin_mask(), spec.end_mask(), spec.ellipsis_mask()), (0b0000, 0b0001, 0b0010));
            /// assert_eq!((spec.new_axis_mask(), spec.shrink_axis_mask()), (0b0100, 0b1000));
            /// assert_eq!(spec.masks().ellipsis, spec.ellipsis_mask());
            /// ```
            #[must_use]
            pub const fn masks(&self) -> $crate::Masks {
                self.masks
            }

            /// Returns the begin mask. Bit `i` is set if item `i` is a range without a `begin`.
            #[must_use]
            pub const fn begin_mask(&self) -> u64 {
                self.masks.begin
            }

            /// Returns the end mask. Bit `i` is set if item `i` is a range without an `end`.
            #[must_use]
            pub const fn end_mask(&self) -> u64 {
                self.masks.end
            }

            /// Returns the ellipsis mask. Bit `i` is set if item `i` is `...`.
            #[must_use]
            pub const fn ellipsis_mask(&self) -> u64 {
                self.masks.ellipsis
            }

            /// Returns the new-axis mask. Bit `i` is set if item `i` is `newaxis`.
            #[must_use]
            pub const fn new_axis_mask(&self) -> u64 {
                self.masks.new_axis
            }

            /// Returns the shrink-axis mask. Bit `i` is set if item `i` is an index.
            #[must_use]
            pub const fn shrink_axis_mask(&self) -> u64 {
                self.masks.shrink_axis
            }
        }
    };
}
pub(crate) use masks;

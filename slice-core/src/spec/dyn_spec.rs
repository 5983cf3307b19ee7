//! `DynSliceSpec`: a spec whose items are known only at run time.

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::error::SliceError;
use crate::spec::item::{Encoded, Item, ItemMasks, ItemRef, Masks, masks};

/// The maximum number of items in a spec. Each item has one bit in a 64-bit mask.
pub(crate) const MAX_ITEMS: usize = 64;

/// The numbers and the mask bits of an item, as [`Item::encode`] returns them.
type EncodedItem = ((i64, i64, i64), ItemMasks);

/// A slice whose items are known only at run time.
///
/// Python equivalent: the tuple inside `x[...]`, built at run time.
///
/// A spec can also be parsed from text: `"1:, ..., ::-1".parse()`. Every array accepts a `DynSliceSpec`, and the result
/// has a dynamic rank. The numbers and masks are stored in canonical form: unused numbers and mask bits are 0, and
/// unused strides are 1. Two specs with the same items are therefore equal.
///
/// A spec may contain lists, masks and points, each of which is independent of the other items, as in NEP 21's
/// `x.oindex[...]`. The numbers and masks cannot express them, and contain `:` in their place. Code that reads the numbers
/// must therefore first check that the spec [has no lists](Self::has_lists).
///
/// # Example
///
/// ```
/// use slice_core::{DynSliceSpec, Item, s};
///
/// let last = Item::Index(-1);
/// let reversed = Item::Range { begin: None, end: None, step: -1 };
/// let spec = DynSliceSpec::from_items([Item::Ellipsis, last, reversed])?;
/// assert_eq!(spec, s![..., -1, ::-1].to_dyn());
///
/// let lists: DynSliceSpec = "[0, 2], ::-1".parse()?;
/// assert_eq!(lists, s![[0, 2], ::-1].to_dyn());
/// assert_eq!(lists.resolve(&[3, 2])?.gather(&[1, 2, 3, 4, 5, 6])?, [2, 1, 6, 5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
#[must_use = "a spec does nothing until it is applied to an array"]
pub struct DynSliceSpec {
    begin: SmallVec<[i64; 6]>,
    end: SmallVec<[i64; 6]>,
    strides: SmallVec<[i64; 6]>,
    masks: Masks,
    /// The lists, masks and points, each with the number of its item, in order. INVARIANT: the other fields contain `:`
    /// for these items.
    lists: Vec<(usize, Item)>,
}

masks!([] DynSliceSpec);

impl DynSliceSpec {
    /// The maximum number of items in a spec. Each item has one bit in a 64-bit mask.
    pub const MAX_ITEMS: usize = MAX_ITEMS;

    /// Creates a spec from `items`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::TooManyItems`] if there are more than 64 items, [`SliceError::MultipleEllipses`] if there is
    /// a second `...`, and [`SliceError::EmptyPoints`] for points without lists. A step of zero is reported only when the spec is applied to a shape, as in Python.
    pub fn from_items(items: impl IntoIterator<Item = Item>) -> Result<Self, SliceError> {
        let mut spec = DynSliceSpec::default();
        let mut items = items.into_iter();
        while let Some(item) = items.next() {
            spec.push(item).map_err(|error| match error {
                // The remaining items are not counted, because the iterator may be infinite.
                SliceError::TooManyItems {
                    items: count,
                    limit,
                } => SliceError::TooManyItems {
                    items: count.saturating_add(items.size_hint().0),
                    limit,
                },
                error => error,
            })?;
        }
        Ok(spec)
    }

    /// Creates a spec from the numbers and masks of TensorFlow's encoding (see [`SliceSpec`](crate::SliceSpec)).
    ///
    /// If several of the bits `ellipsis`, `new_axis` and `shrink_axis` are set for an item, `ellipsis` takes precedence
    /// over `new_axis`, and `new_axis` over `shrink_axis`. Unused numbers and bits are discarded.
    ///
    /// # Errors
    ///
    /// * [`SliceError::LengthMismatch`] if `begin`, `end` and `strides` have different lengths.
    /// * [`SliceError::TooManyItems`] if there are more than 64 items.
    /// * [`SliceError::MaskRange`] if a mask has a bit set for an item that does not exist.
    /// * [`SliceError::MultipleEllipses`] if more than one bit of the ellipsis mask is set.
    /// * [`SliceError::IndexStride`] if an index has a stride below 1.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{DynSliceSpec, Masks, s};
    ///
    /// let masks = Masks { begin: 48, end: 32, ellipsis: 8, new_axis: 4, shrink_axis: 1 };
    /// let spec = DynSliceSpec::new(&[1, 2, 0, 0, 0, 0], &[2, 4, 0, 0, -3, 0], &[1, 1, 1, 1, -1, 1], masks)?;
    /// assert_eq!(spec, s![1, 2:4, None, ..., :-3:-1, :].to_dyn());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn new(
        begin: &[i64],
        end: &[i64],
        strides: &[i64],
        masks: Masks,
    ) -> Result<Self, SliceError> {
        let items = begin.len();
        if end.len() != items || strides.len() != items {
            return Err(SliceError::LengthMismatch {
                begin: items,
                end: end.len(),
                strides: strides.len(),
            });
        }
        if items > MAX_ITEMS {
            return Err(SliceError::TooManyItems {
                items,
                limit: MAX_ITEMS,
            });
        }
        let bits = masks.begin | masks.end | masks.ellipsis | masks.new_axis | masks.shrink_axis;
        let excess = bits.checked_shr(items as u32).unwrap_or(0);
        if excess != 0 {
            return Err(SliceError::MaskRange {
                bit: items as u32 + excess.trailing_zeros(),
                items,
            });
        }
        if masks.ellipsis.count_ones() > 1 {
            let first = masks.ellipsis.trailing_zeros() as usize;
            let second = (masks.ellipsis & (masks.ellipsis - 1)).trailing_zeros() as usize;
            return Err(SliceError::MultipleEllipses { first, second });
        }
        let encoded = Encoded {
            begin,
            end,
            strides,
            masks,
        };
        for (item, &stride) in strides.iter().enumerate() {
            if stride < 1 && matches!(encoded.item(item), Item::Index(_)) {
                return Err(SliceError::IndexStride {
                    item,
                    axis: None,
                    stride,
                });
            }
        }
        let items = (0..items).map(|i| encoded.item(i));
        Ok(DynSliceSpec::of_valid_items(items))
    }

    /// Returns a spec with the given items, which are valid.
    pub(crate) fn of_valid_items(items: impl Iterator<Item = Item>) -> Self {
        let mut spec = DynSliceSpec::default();
        items.for_each(|item| spec.write(item));
        spec
    }

    /// Appends an item. Points with one list are stored as this list, and a list without axes as an index.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::TooManyItems`] if there are already 64 items, [`SliceError::MultipleEllipses`] if `item` is a
    /// second `...`, and [`SliceError::EmptyPoints`] for points without lists.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{DynSliceSpec, Item};
    ///
    /// let mut spec: DynSliceSpec = "1:, ...".parse().unwrap();
    /// spec.push(Item::Index(-1))?;
    /// assert_eq!(spec.to_string(), "1:, ..., -1");
    /// assert!(spec.items().eq([Item::Range { begin: Some(1), end: None, step: 1 }, Item::Ellipsis, Item::Index(-1)]));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn push(&mut self, item: Item) -> Result<(), SliceError> {
        let items = self.len();
        if items == MAX_ITEMS {
            return Err(SliceError::TooManyItems {
                items: items + 1,
                limit: MAX_ITEMS,
            });
        }
        if matches!(&item, Item::Points(lists) if lists.is_empty()) {
            return Err(SliceError::EmptyPoints { item: items });
        }
        if matches!(item, Item::Ellipsis) && self.masks.ellipsis != 0 {
            let first = self.masks.ellipsis.trailing_zeros() as usize;
            return Err(SliceError::MultipleEllipses {
                first,
                second: items,
            });
        }
        self.write(item);
        Ok(())
    }

    /// Appends an item without the checks of [`push`](Self::push).
    #[inline]
    fn write(&mut self, item: Item) {
        match item.encode() {
            Some(encoded) => self.write_encoded(encoded),
            None => self.write_list(item),
        }
    }

    #[cold]
    fn write_list(&mut self, item: Item) {
        let item = item.simplified();
        if item.encode().is_some() {
            return self.write(item);
        }
        self.lists.push((self.len(), item));
        self.write(Item::Range {
            begin: None,
            end: None,
            step: 1,
        });
    }

    #[inline]
    fn write_encoded(&mut self, (numbers, item_masks): EncodedItem) {
        self.masks.mark(self.len(), item_masks);
        self.begin.push(numbers.0);
        self.end.push(numbers.1);
        self.strides.push(numbers.2);
    }

    /// Returns the number of items.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert_eq!(s![1:, ..., -1].to_dyn().len(), 3);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.begin.len()
    }

    /// Returns `true` if the spec has no items, like `s![]`.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert!(s![].to_dyn().is_empty());
    /// assert!(!s![...].to_dyn().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.begin.is_empty()
    }

    /// Returns `true` if the spec has a list, a mask or points. Otherwise, the elements that it selects can be viewed.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert!(s![1:, [0, 2]].to_dyn().has_lists());
    /// assert!(!s![1:, ::2].to_dyn().has_lists());
    /// ```
    #[inline]
    #[must_use]
    pub fn has_lists(&self) -> bool {
        !self.lists.is_empty()
    }

    /// Returns the items, in order. Copies of the items share the elements of their lists.
    ///
    /// ```
    /// use slice_core::{Item, s};
    ///
    /// let spec = s![[0, 2], ..., -1].to_dyn();
    /// assert!(spec.items().eq([Item::List(vec![0, 2].into()), Item::Ellipsis, Item::Index(-1)]));
    /// ```
    pub fn items(&self) -> impl ExactSizeIterator<Item = Item> + Clone + '_ {
        (0..self.len()).map(move |i| match self.list(i) {
            Some(list) => list.clone(),
            None => self.numbers().item(i),
        })
    }

    /// Returns item `i` if it is a list, a mask or points.
    #[inline]
    fn list(&self, i: usize) -> Option<&Item> {
        if !self.has_lists() {
            return None;
        }
        let found = self.lists.binary_search_by_key(&i, |&(number, _)| number);
        found.ok().map(|found| &self.lists[found].1)
    }

    /// Returns the items, and borrows their lists.
    pub(crate) fn borrowed_items(&self) -> impl Iterator<Item = ItemRef<'_>> + Clone {
        (0..self.len()).map(move |i| match self.list(i) {
            Some(list) => ItemRef::of(list),
            None => ItemRef::Item(self.numbers().item(i)),
        })
    }

    /// Returns one number for each item: `begin` of a range (0 if omitted), the value of an index, or 0 for any other
    /// item. Lists are omitted, as explained [above](Self).
    #[must_use]
    pub fn begin(&self) -> &[i64] {
        &self.begin
    }

    /// Returns one number for each item: `end` of a range (0 if omitted), 1 plus the value of an index, or 0 for any
    /// other item. Lists are omitted, as explained [above](Self).
    #[must_use]
    pub fn end(&self) -> &[i64] {
        &self.end
    }

    /// Returns one number for each item: the step of a range, or 1 for any other item. Lists are
    /// omitted, as explained [above](Self).
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let spec = s![1:8:2, 3].to_dyn();
    /// assert_eq!((spec.begin(), spec.end(), spec.strides()), (&[1, 3][..], &[8, 4][..], &[2, 1][..]));
    /// ```
    #[must_use]
    pub fn strides(&self) -> &[i64] {
        &self.strides
    }

    /// Returns the numbers and masks, with `:` in place of each list.
    #[inline]
    fn numbers(&self) -> Encoded<'_> {
        Encoded {
            begin: &self.begin,
            end: &self.end,
            strides: &self.strides,
            masks: self.masks,
        }
    }

    /// Returns the numbers and masks.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::NotStrided`] if the spec has a list, a mask or points.
    #[inline]
    pub(crate) fn encoded(&self) -> Result<Encoded<'_>, SliceError> {
        match self.has_lists() {
            true => Err(SliceError::NotStrided),
            false => Ok(self.numbers()),
        }
    }
}

//! `DynSliceSpec`: a spec whose items are known only at run time.

use smallvec::SmallVec;

use crate::error::SliceError;
use crate::spec::item::{Encoded, Item, Masks, masks};

/// The maximum number of items in a spec. Each item has one bit in a 64-bit mask.
pub(crate) const MAX_ITEMS: usize = 64;

/// A slice whose items are known only at run time.
///
/// Python equivalent: the tuple inside `x[...]`, built at run time.
///
/// A spec can also be parsed from text: `"1:, ..., ::-1".parse()`. Every array accepts a `DynSliceSpec`, and the result
/// has a dynamic rank. The numbers and masks are stored in canonical form: unused numbers and mask bits are 0, and
/// unused strides are 1. Two specs with the same items are therefore equal.
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
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
#[must_use = "a spec does nothing until it is applied to an array"]
pub struct DynSliceSpec {
    begin: SmallVec<[i64; 6]>,
    end: SmallVec<[i64; 6]>,
    strides: SmallVec<[i64; 6]>,
    masks: Masks,
}

masks!([] DynSliceSpec);

impl DynSliceSpec {
    /// The maximum number of items in a spec. Each item has one bit in a 64-bit mask.
    pub const MAX_ITEMS: usize = MAX_ITEMS;

    /// Creates a spec from `items`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::TooManyItems`] if there are more than 64 items, and [`SliceError::MultipleEllipses`] if
    /// there is a second `...`. A step of zero is reported only when the spec is applied to a shape, as in Python.
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
        Ok(DynSliceSpec::from_encoded(encoded))
    }

    /// Returns the canonical form of a spec.
    pub(crate) fn from_encoded(encoded: Encoded<'_>) -> Self {
        let mut spec = DynSliceSpec::default();
        for i in 0..encoded.len() {
            spec.write(encoded.item(i));
        }
        spec
    }

    /// Appends an item.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::TooManyItems`] if there are already 64 items, and [`SliceError::MultipleEllipses`] if
    /// `item` is a second `...`.
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
        if item == Item::Ellipsis && self.masks.ellipsis != 0 {
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
    fn write(&mut self, item: Item) {
        let ((begin, end, stride), item_masks) = item.encode();
        self.masks.mark(self.len(), item_masks);
        self.begin.push(begin);
        self.end.push(end);
        self.strides.push(stride);
    }

    /// Returns the number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.begin.len()
    }

    /// Returns `true` if the spec has no items, like `s![]`.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.begin.is_empty()
    }

    /// Returns the items, in order.
    pub fn items(&self) -> impl ExactSizeIterator<Item = Item> + '_ {
        let encoded = self.encoded();
        (0..self.len()).map(move |i| encoded.item(i))
    }

    /// Returns one number for each item: `begin` of a range (0 if omitted), the value of an index, or 0 for any other
    /// item.
    #[must_use]
    pub fn begin(&self) -> &[i64] {
        &self.begin
    }

    /// Returns one number for each item: `end` of a range (0 if omitted), 1 plus the value of an index, or 0 for any
    /// other item.
    #[must_use]
    pub fn end(&self) -> &[i64] {
        &self.end
    }

    /// Returns one number for each item: the step of a range, or 1 for any other item.
    #[must_use]
    pub fn strides(&self) -> &[i64] {
        &self.strides
    }

    pub(crate) fn encoded(&self) -> Encoded<'_> {
        Encoded {
            begin: &self.begin,
            end: &self.end,
            strides: &self.strides,
            masks: self.masks,
        }
    }
}

/// # Panics
///
/// Panics if [`from_items`](DynSliceSpec::from_items) returns an error.
///
/// # Example
///
/// ```
/// use slice_core::{DynSliceSpec, Item, s};
///
/// let reversed = Item::Range { begin: None, end: None, step: -1 };
/// let all: DynSliceSpec = (0..3).map(|_| reversed).collect();
/// assert_eq!(all, s![::-1, ::-1, ::-1].to_dyn());
/// ```
impl FromIterator<Item> for DynSliceSpec {
    #[track_caller]
    fn from_iter<T: IntoIterator<Item = Item>>(items: T) -> Self {
        match DynSliceSpec::from_items(items) {
            Ok(spec) => spec,
            Err(error) => error.panic(),
        }
    }
}

/// # Panics
///
/// Panics if [`push`](DynSliceSpec::push) returns an error.
///
/// # Example
///
/// ```
/// use slice_core::{DynSliceSpec, s};
///
/// let mut spec: DynSliceSpec = s![0].into();
/// spec.extend(s![..., ::2].items());
/// assert_eq!(spec, s![0, ..., ::2].to_dyn());
/// ```
impl Extend<Item> for DynSliceSpec {
    #[track_caller]
    fn extend<T: IntoIterator<Item = Item>>(&mut self, items: T) {
        for item in items {
            if let Err(error) = self.push(item) {
                error.panic()
            }
        }
    }
}

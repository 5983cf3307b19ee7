//! `ListSpec`: the value of `s![]` with lists.

use core::fmt;

use crate::spec::borrowed_item::{BorrowedItem, ItemsOfParts, Part};
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::ItemRef;
use crate::spec::kind::Erased;

/// A slice with lists, masks or points, written with [`s!`](crate::s!). It borrows its lists. The kinds of its items are
/// listed in the type `K`. `M` is the number of items, where points count as one item for each of their lists.
///
/// Python equivalent: `np.ix_`, or NEP 21's `x.oindex[...]`. Each item selects independently of the other items, as
/// explained in [`s!`](crate::s!#lists-and-masks).
///
/// # Example
///
/// ```
/// use slice_core::s;
///
/// let rows = [2_usize, 0];
/// let selection = s![&rows, [-1, 0, 0]].resolve(&[3, 4])?;
/// assert_eq!(selection.output_shape(), [2, 3]);
/// assert_eq!(selection.indices().collect::<Vec<_>>(), [11, 8, 8, 3, 0, 0]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[doc(alias = "boolean mask")]
#[doc(alias = "fancy indexing")]
#[must_use = "a spec does nothing until it is applied to an array"]
pub struct ListSpec<'a, const M: usize, K = Erased> {
    // The field is public only because `s![]` expands to a struct literal, as explained in `Part`.
    #[doc(hidden)]
    pub __parts: [Part<'a, K>; M],
}

impl<'a, const M: usize, K> ListSpec<'a, M, K> {
    /// Returns the number of items.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let spec = s![[2, 0], ..., 1];
    /// assert_eq!((spec.len(), spec.is_empty()), (3, false));
    /// ```
    #[must_use]
    pub const fn len(&self) -> usize {
        let (mut items, mut part) = (0, 0);
        while part < M {
            items += !matches!(self.__parts[part].__item, BorrowedItem::Point(_)) as usize;
            part += 1;
        }
        items
    }

    /// Returns `true` if the spec has no items.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        M == 0
    }

    /// Converts the spec to a type that states the number of items, but not their kinds.
    ///
    /// ```
    /// use slice_core::{ListSpec, s};
    ///
    /// let rows = [2, 0];
    /// let specs: [ListSpec<2>; 2] = [s![&rows, 0].erase(), s![..., &rows].erase()];
    /// assert_eq!(specs[1].resolve(&[3, 4])?.output_shape(), [3, 2]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub const fn erase(self) -> ListSpec<'a, M, Erased> {
        let (mut parts, mut part) = ([Part::PLACEHOLDER; M], 0);
        while part < M {
            parts[part] = Part::new(self.__parts[part].__item);
            part += 1;
        }
        ListSpec { __parts: parts }
    }

    /// Returns the spec as a [`DynSliceSpec`], which owns copies of the lists, and whose items are known only at run
    /// time.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let keep = vec![true, false, true];
    /// assert_eq!(s![&keep, ..., [2, -1]].to_dyn().to_string(), "[True, False, True], ..., [2, -1]");
    /// ```
    pub fn to_dyn(&self) -> DynSliceSpec {
        DynSliceSpec::of_valid_items(self.parts().map(ItemRef::into_item))
    }

    /// Returns the items, with the lists of points grouped together.
    pub(crate) fn parts(&self) -> ItemsOfParts<impl Iterator<Item = BorrowedItem<'a>> + Clone> {
        ItemsOfParts::new(self.__parts.iter().map(|part| part.__item))
    }
}

// A derive would require the list of kinds, `K`, to implement the traits too.
impl<const M: usize, K> Clone for ListSpec<'_, M, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<const M: usize, K> Copy for ListSpec<'_, M, K> {}

impl<const M: usize, K> PartialEq for ListSpec<'_, M, K> {
    fn eq(&self, other: &Self) -> bool {
        self.to_dyn() == other.to_dyn()
    }
}

impl<const M: usize, K> Eq for ListSpec<'_, M, K> {}

impl<const M: usize, K> core::hash::Hash for ListSpec<'_, M, K> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.to_dyn().hash(state);
    }
}

impl<const M: usize, K> fmt::Display for ListSpec<'_, M, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_dyn(), f)
    }
}

impl<const M: usize, K> fmt::Debug for ListSpec<'_, M, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_dyn(), f)
    }
}

impl<const M: usize, K> From<ListSpec<'_, M, K>> for DynSliceSpec {
    fn from(spec: ListSpec<'_, M, K>) -> Self {
        spec.to_dyn()
    }
}

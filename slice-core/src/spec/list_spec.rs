//! `ListSpec`: the value of `s![]` with lists.

use core::fmt;
use core::marker::PhantomData;

use crate::spec::borrowed_item::BorrowedItem;
use crate::spec::dyn_outer_spec::DynOuterSpec;
use crate::spec::kind::AnyKinds;

/// A slice with lists or masks, written with [`s!`](crate::s!). It has `M` items, whose kinds are listed in the type
/// `K`, and it borrows its lists.
///
/// Python equivalent: `np.ix_`, or NEP 21's `x.oindex[...]`. The positions on each axis are selected independently of
/// the other axes, as explained in [`s!`](crate::s!#lists-and-masks).
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
pub struct ListSpec<'a, const M: usize, K = AnyKinds> {
    // The fields are public only because `s![]` expands to a struct literal: in `let spec = s![[0, 2]]`, temporaries
    // borrowed in a struct literal live as long as the variable, but temporaries borrowed in the arguments of a
    // function do not. No unsafe code relies on the fields.
    #[doc(hidden)]
    pub __parts: [BorrowedItem<'a>; M],
    #[doc(hidden)]
    pub __kinds: PhantomData<fn() -> K>,
}

impl<'a, const M: usize, K> ListSpec<'a, M, K> {
    /// Returns the number of items.
    #[must_use]
    pub const fn len(&self) -> usize {
        M
    }

    /// Returns `true` if the spec has no items.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        M == 0
    }

    /// Converts the spec to a type that states the number of items, but not their kinds.
    pub const fn erase(self) -> ListSpec<'a, M, AnyKinds> {
        ListSpec {
            __parts: self.__parts,
            __kinds: PhantomData,
        }
    }

    /// Returns the spec as a [`DynOuterSpec`], which owns copies of the lists, and whose items are known only at run
    /// time.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let keep = vec![true, false, true];
    /// assert_eq!(s![&keep, ..., [2, -1]].to_dyn().to_string(), "[True, False, True], ..., [2, -1]");
    /// ```
    pub fn to_dyn(&self) -> DynOuterSpec {
        DynOuterSpec::of_parts(&self.__parts)
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

impl<const M: usize, K> From<ListSpec<'_, M, K>> for DynOuterSpec {
    fn from(spec: ListSpec<'_, M, K>) -> Self {
        spec.to_dyn()
    }
}

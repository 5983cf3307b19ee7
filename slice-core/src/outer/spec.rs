//! `OuterSpec`: what `s![]` makes where an item is a list.

use core::fmt;
use core::marker::PhantomData;

use crate::outer::dyn_spec::DynOuterSpec;
use crate::outer::list::ListRef;
use crate::spec::item::Item;
use crate::spec::kind::AnyKinds;
use crate::spec::slice_spec::SliceSpec;

/// A slice with lists or masks among its items, written with [`s!`](crate::s!): `M` items, whose kinds are listed in the
/// type `K`. It borrows its lists.
///
/// Python equivalent: `np.ix_`, or NEP 21's `x.oindex[...]`: each axis by itself, as [`s!`](crate::s!#lists-and-masks) shows.
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
#[must_use = "a spec does nothing until it is applied to an array"]
pub struct OuterSpec<'a, const M: usize, K = AnyKinds> {
    // Public for the expansion of `s![]` alone: only the fields of a literal keep what they borrow alive as long as the
    // variable to which the literal is given. Nothing unsafe relies on them.
    #[doc(hidden)]
    pub __parts: [OuterPart<'a>; M],
    #[doc(hidden)]
    pub __kinds: PhantomData<fn() -> K>,
}

/// One item of an [`OuterSpec`]. Not part of the API.
#[derive(Clone, Copy)]
pub enum OuterPart<'a> {
    /// Anything but a list.
    Item(Item),
    /// A list that is written out.
    Literal(&'a [i64]),
    /// A mask that is written out.
    LiteralMask(&'a [bool]),
    /// A list of any type.
    List(ListRef<'a>),
}

impl OuterPart<'_> {
    /// The only item of a slice.
    #[must_use]
    pub const fn of<K>(spec: SliceSpec<1, K>) -> Self {
        OuterPart::Item(spec.encoded().item(0))
    }

    /// The item, if it is no list.
    pub(crate) const fn item(&self) -> Option<Item> {
        match *self {
            OuterPart::Item(item) => Some(item),
            _ => None,
        }
    }
}

impl<'a> OuterPart<'a> {
    /// The item, or the list.
    pub(crate) fn item_or_list(self) -> Result<Item, ListRef<'a>> {
        match self {
            OuterPart::Item(item) => Ok(item),
            OuterPart::Literal(positions) => Err(ListRef::I64(positions)),
            OuterPart::LiteralMask(mask) => Err(ListRef::Mask(mask)),
            OuterPart::List(list) => Err(list),
        }
    }
}

impl<'a, const M: usize, K> OuterSpec<'a, M, K> {
    /// The number of items.
    #[must_use]
    pub const fn len(&self) -> usize {
        M
    }

    /// Whether there is no item at all.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        M == 0
    }

    /// The same spec with a type that contains only the number of its items, not their kinds.
    pub const fn erase(self) -> OuterSpec<'a, M, AnyKinds> {
        OuterSpec {
            __parts: self.__parts,
            __kinds: PhantomData,
        }
    }

    /// The same spec, with copies of its lists, of a length that is known only at run time.
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

// By hand, because deriving would ask the kind list for the same traits.
impl<const M: usize, K> Clone for OuterSpec<'_, M, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<const M: usize, K> Copy for OuterSpec<'_, M, K> {}

impl<const M: usize, K> PartialEq for OuterSpec<'_, M, K> {
    fn eq(&self, other: &Self) -> bool {
        self.to_dyn() == other.to_dyn()
    }
}

impl<const M: usize, K> Eq for OuterSpec<'_, M, K> {}

impl<const M: usize, K> fmt::Display for OuterSpec<'_, M, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_dyn(), f)
    }
}

impl<const M: usize, K> fmt::Debug for OuterSpec<'_, M, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_dyn(), f)
    }
}

impl<const M: usize, K> From<OuterSpec<'_, M, K>> for DynOuterSpec {
    fn from(spec: OuterSpec<'_, M, K>) -> Self {
        spec.to_dyn()
    }
}

//! Implements [`List`], the trait of lists in slices, for ndarray arrays and views.

use core::panic::RefUnwindSafe;

use ndarray::{ArrayBase, Data, Dim, Dimension, Ix, IxDyn};

use crate::spec::kind::Erased;
use crate::spec::list::{
    List, ListArray, ListElement, ListRef, NotPositions, OwnedList, Scattered,
};

#[diagnostic::do_not_recommend]
impl<T: ListElement, S: Data<Elem = T> + Sync + RefUnwindSafe, const N: usize> List
    for ArrayBase<S, Dim<[Ix; N]>>
where
    Dim<[Ix; N]>: Dimension,
{
    type Kind = T::Kind<N>;
    type Rank = T::Rank<N>;

    #[inline]
    fn borrowed(&self) -> ListArray<'_> {
        borrowed(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: ListElement, S: Data<Elem = T> + Sync + RefUnwindSafe> List for ArrayBase<S, IxDyn> {
    type Kind = Erased;
    type Rank = NotPositions;

    #[inline]
    fn borrowed(&self) -> ListArray<'_> {
        borrowed(self)
    }
}

#[inline]
fn borrowed<T, S, D>(list: &ArrayBase<S, D>) -> ListArray<'_>
where
    T: ListElement,
    S: Data<Elem = T> + Sync + RefUnwindSafe,
    D: Dimension + RefUnwindSafe,
{
    ListArray {
        __elements: match list.as_slice() {
            Some(elements) => T::list(elements),
            None => ListRef::Scattered(list),
        },
        __shape: Some(list.shape()),
    }
}

impl<T: ListElement, S: Data<Elem = T> + Sync + RefUnwindSafe, D: Dimension + RefUnwindSafe>
    Scattered for ArrayBase<S, D>
{
    fn is_mask(&self) -> bool {
        T::IS_MASK
    }

    fn to_owned(&self) -> OwnedList {
        T::owned(self.iter().copied())
    }
}

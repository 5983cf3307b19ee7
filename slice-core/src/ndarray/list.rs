//! Implements [`List`], the trait of lists in slices, for ndarray arrays and views.

use core::panic::RefUnwindSafe;

use ndarray::{ArrayBase, Data, Dim, Dimension, Ix};

use crate::spec::list::{List, ListArray, ListElement, ListRef, OwnedList, Scattered};

macro_rules! ranks {
    ($($rank:literal)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: ListElement, S: Data<Elem = T> + Sync + RefUnwindSafe> List for ArrayBase<S, Dim<[Ix; $rank]>> {
            type Kind = T::Kind<$rank>;
            type Rank = T::Rank<$rank>;

            #[inline]
            fn borrowed(&self) -> ListArray<'_> {
                ListArray {
                    __elements: match self.as_slice() {
                        Some(elements) => T::list(elements),
                        None => ListRef::Scattered(self),
                    },
                    __shape: Some(self.shape()),
                }
            }
        }
    )* };
}

ranks! { 0 1 2 3 4 5 6 }

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

//! Implements [`List`], the trait of lists in slices, for ndarray arrays and views with one axis.

use core::panic::RefUnwindSafe;

use ndarray::{ArrayBase, Data, Ix1};

use crate::spec::list::{List, ListElement, ListRef, OwnedList, Scattered};

impl<T: ListElement, S: Data<Elem = T> + Sync + RefUnwindSafe> List for ArrayBase<S, Ix1> {
    #[inline]
    fn borrowed(&self) -> ListRef<'_> {
        match self.as_slice() {
            Some(elements) => T::list(elements),
            None => ListRef::Scattered(self),
        }
    }
}

impl<T: ListElement, S: Data<Elem = T> + Sync + RefUnwindSafe> Scattered for ArrayBase<S, Ix1> {
    fn to_owned(&self) -> OwnedList {
        T::owned(self.iter().copied())
    }
}

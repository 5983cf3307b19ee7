//! Implements the expression `x[i]` inside `py!`, with a single index. If `x` is an array with several axes, the result
//! is a part of `x`, such as a row, as in NumPy. If `x` is not an array, the index has its usual meaning in Rust.
//!
//! The expansion passes Rust's own index expression to the methods below, as a closure. For an array, the closure is
//! never called, but it must compile. Its parameter is therefore the position of a single element, with which every
//! array can be indexed.

use alloc::vec::Vec;

use ndarray::{
    Array, ArrayRef, ArrayView, Dimension, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, NdIndex, aview0,
};

use super::element::{Indexed, element};
use super::indexable::{Indexable, IndexableArray};
use super::operand::place;
use super::place::{AnyPlace, OtherPlace, PlaceOperand};
use super::taken_once::taken_once;
use crate::bound::{IndexBound, number};
use crate::ndarray::ext::StridedSliceExt;
use crate::ndarray::rank::SliceFor;
use crate::ndarray::select::SelectFor;
use crate::ndarray::values::ValuesFor;
use crate::s;
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::saturate;
use crate::spec::kind::Index;
use crate::spec::slice_spec::SliceSpec;

/// An index in the brackets after an array of dimension `D`.
#[diagnostic::on_unimplemented(
    message = "an array of dimension `{D}` cannot be indexed by `{Self}`",
    label = "cannot index this array",
    note = "use an integer for each axis (`x[i, j]`), a slice (`x[1:]`), or a slice created by `slice_core::s![]`"
)]
pub trait ItemIndex<D: Dimension> {
    /// The dimension type of the result.
    #[doc(hidden)]
    type Dim: Dimension;

    /// Returns the selected view.
    #[doc(hidden)]
    fn view<A>(self, array: &ArrayRef<A, D>) -> ArrayView<'_, A, Self::Dim>;
}

/// A slice that consists of one index.
pub(super) type OneIndex = SliceSpec<1, (Index, ())>;

/// The view selected by one index.
type OneIndexView<'x, T> = Indexed<
    ArrayView<'x, <T as Indexable>::Elem, <OneIndex as SelectFor<<T as Indexable>::Dim>>::OutDim>,
>;

/// Returns the slice that consists of `index`.
#[inline]
pub(super) fn one_index<I: IndexBound>(index: I) -> OneIndex {
    let index = saturate(number(index));
    SliceSpec::__encoded([index], [index.saturating_add(1)], [1], 0, 0)
}

taken_once! {
    /// An index whose type the macro does not know.
    IndexOperand =>
    /// An index that is not a number, before it is wrapped as [`NonNumberIndex`].
    OtherIndex
}

/// Wraps an index, so that method resolution in the expansion can depend on its type.
#[inline]
pub const fn index<I>(index: I) -> IndexOperand<I> {
    IndexOperand::new(index)
}

/// An index that is a number, whose type the compiler may not have inferred yet.
#[derive(Clone, Copy, Debug)]
pub struct NumberIndex<I>(I);

/// An index that is not a number, such as a slice or a tuple.
#[derive(Clone, Copy, Debug)]
pub struct NonNumberIndex<I>(I);

impl<I: IndexBound> IndexOperand<I> {
    /// Wraps the index as a number.
    #[inline]
    pub fn wrapped_in_py(mut self) -> NumberIndex<I> {
        NumberIndex(self.take())
    }
}

impl<I> OtherIndex<I> {
    /// Wraps the index as an index that is not a number.
    #[inline]
    pub fn wrapped_in_py(&mut self) -> NonNumberIndex<I> {
        NonNumberIndex(self.take())
    }
}

/// An index wrapped as a number ([`NumberIndex`]) or as an index of any other type ([`NonNumberIndex`]).
pub trait WrappedIndex {
    /// The type of the index.
    type Index;

    /// Returns the index.
    fn index(self) -> Self::Index;
}

impl<I> WrappedIndex for NumberIndex<I> {
    type Index = I;

    #[inline]
    fn index(self) -> I {
        self.0
    }
}

impl<I> WrappedIndex for NonNumberIndex<I> {
    type Index = I;

    #[inline]
    fn index(self) -> I {
        self.0
    }
}

impl<D: Dimension, I: IndexBound> ItemIndex<D> for NumberIndex<I>
where
    OneIndex: SliceFor<D>,
{
    type Dim = <OneIndex as SelectFor<D>>::OutDim;

    #[inline]
    #[track_caller]
    fn view<A>(self, array: &ArrayRef<A, D>) -> ArrayView<'_, A, Self::Dim> {
        array.at(one_index(self.0))
    }
}

impl<D: Dimension, I: ItemIndex<D>> ItemIndex<D> for NonNumberIndex<I> {
    type Dim = I::Dim;

    #[inline]
    #[track_caller]
    fn view<A>(self, array: &ArrayRef<A, D>) -> ArrayView<'_, A, Self::Dim> {
        self.0.view(array)
    }
}

macro_rules! slices {
    ($([$($generics:tt)*] $slice:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)* D: Dimension> ItemIndex<D> for $slice
        where
            $slice: SliceFor<D>,
        {
            type Dim = <$slice as SelectFor<D>>::OutDim;

            #[inline]
            #[track_caller]
            fn view<A>(self, array: &ArrayRef<A, D>) -> ArrayView<'_, A, Self::Dim> {
                array.at(self)
            }
        }
    )* };
}

slices! {
    [const M: usize, K,] SliceSpec<M, K>;
    ['i, const M: usize, K,] &'i SliceSpec<M, K>;
    [] DynSliceSpec;
    ['i,] &'i DynSliceSpec;
}

macro_rules! positions {
    ($([$($generics:tt)*] $position:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)* D: Dimension> ItemIndex<D> for $position
        where
            $position: NdIndex<D>,
        {
            type Dim = ndarray::Ix0;

            #[inline]
            #[track_caller]
            fn view<A>(self, array: &ArrayRef<A, D>) -> ArrayView<'_, A, ndarray::Ix0> {
                aview0(&array[self])
            }
        }
    )* };
}

positions! {
    [const N: usize,] [usize; N];
    [] ();
    [] (usize,);
    [] (usize, usize);
    [] (usize, usize, usize);
    [] (usize, usize, usize, usize);
    [] (usize, usize, usize, usize, usize);
    [] (usize, usize, usize, usize, usize, usize);
    [I: 'static,] ndarray::Dim<I>;
    ['i,] &'i [usize];
    ['i, I: 'static,] &'i ndarray::Dim<I>;
}

impl<'x, T: IndexableArray + ?Sized> PlaceOperand<&'x T> {
    /// Returns a part of an array, or an element.
    #[inline]
    #[track_caller]
    pub fn item_in_py<I: ItemIndex<T::Dim>>(
        self,
        index: I,
        _: impl FnOnce(T::Dim) -> &'x T::Elem,
    ) -> Indexed<ArrayView<'x, T::Elem, I::Dim>> {
        element(index.view(self.get().array()))
    }
}

#[doc(hidden)]
impl<'x, T: ?Sized> OtherPlace<&'x T> {
    /// Returns the result of Rust's own indexing.
    #[inline]
    pub fn item_in_py<I: WrappedIndex, R: ?Sized>(
        &self,
        index: I,
        rust: impl FnOnce(I::Index) -> &'x R,
    ) -> PlaceOperand<&'x R> {
        place(rust(index.index()))
    }
}

impl<'x, T: IndexableArray + ?Sized> PlaceOperand<&'x T> {
    /// Returns a part of an array, or an element. The index is a literal, which can have any integer type.
    #[inline]
    #[track_caller]
    pub fn row_in_py<I: IndexBound>(
        self,
        index: I,
        _: impl FnOnce(T::Dim) -> &'x T::Elem,
    ) -> OneIndexView<'x, T>
    where
        OneIndex: SliceFor<T::Dim>,
    {
        element(self.get().pick(one_index(index)))
    }
}

#[doc(hidden)]
impl<'x, T: ?Sized> OtherPlace<&'x T> {
    /// Returns the result of Rust's own indexing.
    #[inline]
    pub fn row_in_py<I, R: ?Sized>(
        &self,
        index: I,
        rust: impl FnOnce(I) -> &'x R,
    ) -> PlaceOperand<&'x R> {
        place(rust(index))
    }
}

impl<'x, T: Indexable + ?Sized> PlaceOperand<&'x T> {
    /// Returns a part of an array, or an element. The index counts from the end.
    #[inline]
    #[track_caller]
    pub fn counted_from_end_in_py<I: IndexBound>(
        self,
        index: I,
        _: impl FnOnce(T::Position) -> &'x T::Elem,
    ) -> OneIndexView<'x, T>
    where
        OneIndex: SliceFor<T::Dim>,
    {
        element(self.get().pick(one_index(index)))
    }
}

#[doc(hidden)]
impl<'x, T: ?Sized> OtherPlace<&'x T> {
    /// Returns the result of Rust's own indexing.
    #[inline]
    pub fn counted_from_end_in_py<I, R: ?Sized>(
        &self,
        index: I,
        rust: impl FnOnce(I) -> &'x R,
    ) -> PlaceOperand<&'x R> {
        place(rust(index))
    }
}

impl<T: IndexableArray<Elem: Clone> + ?Sized> PlaceOperand<&T> {
    /// Returns a copy of the array.
    pub fn owned_in_py(self) -> Array<T::Elem, T::Dim> {
        self.get().array().to_owned()
    }
}

/// An index of an array of dimension `D`, on the left of an assignment.
#[diagnostic::on_unimplemented(
    message = "cannot assign to `x[index]`: an array of dimension `{D}` cannot be indexed by `{Self}`",
    label = "cannot index this array",
    note = "use an integer for each axis (`x[i, j]`), a slice (`x[1:]`), or a mask with the shape of the array \
            (`x[x > 0.0]`)"
)]
pub trait WrittenIndex<D: Dimension> {
    /// The dimension type of the part that is assigned to.
    #[doc(hidden)]
    type Dim: Dimension;

    /// Returns the shape of the part that is assigned to, and the flat positions of its elements, in C order. A flat
    /// position is the number of an element of the array in C order, counted from 0.
    #[doc(hidden)]
    fn positions_in_py(self, shape: &[usize]) -> (Self::Dim, Vec<usize>);
}

macro_rules! written {
    ($($integer:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<D: Dimension> WrittenIndex<D> for $integer
        where
            OneIndex: SliceFor<D>,
        {
            type Dim = <OneIndex as SelectFor<D>>::OutDim;

            #[track_caller]
            fn positions_in_py(self, shape: &[usize]) -> (Self::Dim, Vec<usize>) {
                match one_index(self).resolve(shape) {
                    Ok(selection) => {
                        (dimension(selection.output_shape()), selection.indices().collect())
                    }
                    Err(error) => error.panic(),
                }
            }
        }
    )* };
}

written! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize }

#[diagnostic::do_not_recommend]
impl<D: Dimension> WrittenIndex<D> for Array<bool, D> {
    type Dim = Ix1;

    #[track_caller]
    fn positions_in_py(self, shape: &[usize]) -> (Ix1, Vec<usize>) {
        select_by_mask(&self.view(), shape)
    }
}

macro_rules! rows {
    ($($dim:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl WrittenIndex<$dim> for Array<bool, Ix1> {
            type Dim = $dim;

            #[track_caller]
            fn positions_in_py(self, shape: &[usize]) -> ($dim, Vec<usize>) {
                select_by_mask(&self.view(), shape)
            }
        }
    )* };
}

rows! { Ix2 Ix3 Ix4 Ix5 Ix6 }

/// Returns the shape of the part selected by a mask, and the flat positions of the selected elements, as in
/// [`WrittenIndex::positions_in_py`].
///
/// # Panics
///
/// Panics with NumPy's message if the shape of the mask differs from the lengths of the array's first axes.
#[track_caller]
pub(super) fn select_by_mask<E: Dimension, O: Dimension>(
    mask: &ArrayView<'_, bool, E>,
    shape: &[usize],
) -> (O, Vec<usize>) {
    let (lengths, positions) = lengths_and_positions(mask.shape(), true_positions(mask), shape);
    (dimension(&lengths), positions)
}

/// Returns the flat positions of the `true` elements of a mask, in C order.
fn true_positions<E: Dimension>(mask: &ArrayView<'_, bool, E>) -> Vec<usize> {
    let elements = mask.iter().enumerate().filter(|(_, is_true)| **is_true);
    elements.map(|(position, _)| position).collect()
}

/// Returns the result of [`select_by_mask`], given the shape of the mask and the flat positions of its `true` elements.
/// This function is separate so that it is compiled only once, not for each rank.
#[track_caller]
fn lengths_and_positions(
    mask_shape: &[usize],
    mask_positions: Vec<usize>,
    shape: &[usize],
) -> (Vec<usize>, Vec<usize>) {
    for ((axis, &size), &given) in shape.iter().enumerate().zip(mask_shape) {
        assert!(
            size == given,
            "boolean index did not match indexed array along axis {axis}; size of axis is {size} but size of \
             corresponding boolean axis is {given}"
        );
    }
    let inside = &shape[mask_shape.len()..];
    let size: usize = inside.iter().product();
    let positions = mask_positions
        .iter()
        .flat_map(|position| position * size..(position + 1) * size);
    let lengths = core::iter::once(mask_positions.len()).chain(inside.iter().copied());
    (lengths.collect(), positions.collect())
}

/// Returns the dimension with these lengths.
pub(super) fn dimension<D: Dimension>(lengths: &[usize]) -> D {
    let mut dimension = D::zeros(lengths.len());
    dimension.slice_mut().copy_from_slice(lengths);
    dimension
}

/// Elements of an array that are assigned to one by one.
#[derive(Debug)]
pub struct Items<A, D, O: Dimension> {
    values: Array<A, O>,
    positions: Vec<usize>,
    shape: D,
}

/// The index in the target of an assignment, with its usual meaning in Rust.
#[derive(Debug)]
pub struct RustTarget<I>(I);

impl<T: IndexableArray<Elem: Clone> + ?Sized> PlaceOperand<&T> {
    /// Returns a part of an array as the target of an assignment.
    #[track_caller]
    pub fn written_in_py<I: WrittenIndex<T::Dim>>(
        self,
        index: I,
    ) -> Items<T::Elem, T::Dim, I::Dim> {
        let array = self.get().array();
        let (lengths, positions) = index.positions_in_py(array.shape());
        Items::new(array, lengths, positions)
    }
}

#[doc(hidden)]
impl<A: Clone, D: Dimension, O: Dimension> Items<A, D, O> {
    /// Copies the elements at the flat positions `positions` to a buffer, which an assignment overwrites and then
    /// writes back to the array.
    pub(super) fn new(array: &ArrayRef<A, D>, lengths: O, positions: Vec<usize>) -> Self {
        let elements = positions.iter().map(|&number| {
            let position: D = unravelled(number, array.shape());
            array[position].clone()
        });
        let Ok(values) = Array::from_shape_vec(lengths, elements.collect()) else {
            unreachable!("the number of positions matches the shape")
        };
        Items {
            values,
            positions,
            shape: array.raw_dim(),
        }
    }
}

impl<I> RustTarget<I> {
    /// Wraps an index.
    pub(super) const fn new(index: I) -> Self {
        RustTarget(index)
    }
}

// The methods of `OtherPlace` below apply to vectors, Rust arrays and Rust slices. For all other places that are not
// arrays, the compiler finds the methods of `AnyPlace`.

#[doc(hidden)]
impl<T: ListPlace + ?Sized> OtherPlace<&T> {
    /// Returns the position of an element of a vector, Rust array or Rust slice, as the target of an assignment.
    #[inline]
    #[track_caller]
    pub fn written_in_py<I: IndexBound>(&self, index: I) -> RustTarget<usize> {
        RustTarget(self.position_in_py(index))
    }

    /// Returns the position of an element. A negative index counts from the end.
    #[inline]
    #[track_caller]
    pub fn position_in_py<I: IndexBound>(&self, index: I) -> usize {
        position(index, self.get().count())
    }
}

impl<T> AnyPlace<T> {
    /// Wraps the index of an assignment `x[index] = value` that uses Rust's own indexing.
    #[inline]
    pub fn written_in_py<I>(&self, index: I) -> RustTarget<I> {
        RustTarget(index)
    }

    /// Returns the index unchanged.
    #[inline]
    pub fn position_in_py<I>(&self, index: I) -> I {
        index
    }
}

impl<T: IndexableArray<Dim: OneAxis> + ?Sized> PlaceOperand<&T> {
    /// Returns the position of an element. A negative index counts from the end.
    #[inline]
    #[track_caller]
    pub fn position_in_py<I: IndexBound>(self, index: I) -> usize {
        position(index, self.get().array().len())
    }
}

/// A `Vec`, a Rust array or slice, or a reference to one of these types. The number of elements is needed for an index
/// that counts from the end.
pub trait ListPlace {
    /// Returns the number of elements.
    fn count(&self) -> usize;
}

macro_rules! lists {
    ($([$($generics:tt)*] $list:ty, $self:ident => $len:expr;)*) => { $(
        impl<$($generics)*> ListPlace for $list {
            #[inline]
            fn count(&$self) -> usize {
                $len
            }
        }
    )* };
}

lists! {
    [A] Vec<A>, self => self.as_slice().len();
    [A] [A], self => <[A]>::len(self);
    [A, const N: usize] [A; N], self => N;
    [T: ListPlace + ?Sized] &T, self => T::count(self);
    [T: ListPlace + ?Sized] &mut T, self => T::count(self);
}

/// Dimensions of arrays in which one index selects an element.
#[diagnostic::on_unimplemented(
    message = "a single index of an array of dimension `{Self}` does not select an element",
    label = "selects a row",
    note = "for a row, write `x[-1, ...]`; for an element, write an index for each axis (`x[-1, 0]`)"
)]
pub trait OneAxis {}

impl OneAxis for Ix1 {}

/// Returns the position that an index selects on an axis of `len` elements. A negative index counts from the end.
///
/// # Panics
///
/// Panics if the index is out of bounds.
#[inline]
#[track_caller]
pub(super) fn position<I: IndexBound>(index: I, len: usize) -> usize {
    match one_index(index).resolve(&[len]) {
        Ok(selection) => selection.indices().next().unwrap_or_default(),
        Err(error) => error.panic(),
    }
}

/// Converts the flat position `number` of an element to its position on each axis of an array with shape `shape`.
fn unravelled<D: Dimension>(mut number: usize, shape: &[usize]) -> D {
    let mut position: D = dimension(shape);
    for len in position.slice_mut().iter_mut().rev() {
        let size = *len;
        (*len, number) = (number % size, number / size);
    }
    position
}

#[doc(hidden)]
impl<A: Clone, D: Dimension, O: Dimension> Items<A, D, O> {
    /// Calls `write` with the position and the new value of each element.
    #[track_caller]
    pub fn assign_in_py<V: ValuesFor<A>>(mut self, value: V, mut write: impl FnMut(D, A)) {
        if let Err(error) = value.write(&mut self.values, &s![...]) {
            error.panic()
        }
        for (position, value) in self.positions.into_iter().zip(self.values) {
            write(unravelled(position, self.shape.slice()), value);
        }
    }
}

impl<I> RustTarget<I> {
    /// Calls `write` with the index and the value.
    #[inline]
    pub fn assign_in_py<V>(self, value: V, write: impl FnOnce(I, V)) {
        write(self.0, value);
    }
}

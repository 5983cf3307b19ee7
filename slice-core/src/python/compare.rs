//! Comparisons of values and of the elements of arrays. As in NumPy, if a side is an array, the result is an array of
//! `bool`.

use ndarray::{Array, ArrayView, DimMax, Dimension, Zip};

use super::refused::ComparableWith;
use super::shapes::common_shape;
use super::target::Value;
use crate::choice::{FirstChoice, Is, SecondChoice};

/// One side of a comparison.
pub trait Comparand {
    /// The type of an array's elements, or of the single value.
    type Elem: ?Sized;
}

impl<T: ?Sized> Comparand for Value<&T> {
    type Elem = T;
}

impl<A, D> Comparand for ArrayView<'_, A, D> {
    type Elem = A;
}

/// Wraps an operator and the two sides of the comparison.
#[inline]
pub const fn compared<O, L, R>(operator: O, left: L, right: R) -> FirstChoice<(O, L, R)> {
    FirstChoice::new((operator, left, right))
}

/// A comparison operator, applied to two values.
pub trait Compare<A: ?Sized, B: ?Sized> {
    /// Returns the result.
    fn compare(left: &A, right: &B) -> bool;
}

/// The operator and the two sides of a comparison.
pub trait Comparison {
    /// A single `bool`, or an array of `bool`.
    type Output;

    /// Returns the result.
    fn result(self) -> Self::Output;

    /// Returns a function that writes the results for the `k`-th 64 elements in C order, or for the last 64 elements. Returns
    /// `None` unless there are arrays, which all have this shape, are contiguous in C order and have at least 64 elements.
    fn writer(&self, _shape: &[usize]) -> Option<impl Fn(usize, &mut [bool; 64])> {
        None::<fn(usize, &mut [bool; 64])>
    }
}

/// Results of comparisons that can be conditions.
#[diagnostic::on_unimplemented(
    message = "the truth value of an array with more than one element is ambiguous",
    label = "this comparison returns an array of `bool`",
    note = "write `(x[0] > 1).iter().all(|&value| value)`, or `any` instead of `all`"
)]
pub trait Condition {
    /// `bool`. Arrays have no such type, so that the compiler reports no further errors.
    type Bool;

    /// Returns the condition itself.
    fn condition(self) -> Self::Bool;
}

#[diagnostic::do_not_recommend]
impl<T: Is<bool>> Condition for T {
    type Bool = bool;

    #[inline]
    fn condition(self) -> bool {
        self.itself()
    }
}

/// Returns a function that returns the `k`-th 64 elements in C order, or the last 64 elements. Returns `None` unless the array
/// has this shape, is contiguous in C order and has at least 64 elements.
fn parts<'x, A, D: Dimension>(
    array: &'x ArrayView<'_, A, D>,
    shape: &[usize],
) -> Option<impl Fn(usize) -> &'x [A; 64]> {
    let elements = array.as_slice().filter(|_| array.shape() == shape)?;
    let (parts, last) = (elements.as_chunks().0, elements.last_chunk()?);
    Some(|k| parts.get(k).unwrap_or(last))
}

impl<O: Compare<A, B>, A: ?Sized, B: ?Sized> Comparison for (O, Value<&A>, Value<&B>) {
    type Output = bool;

    #[inline]
    fn result(self) -> bool {
        O::compare(self.1.0, self.2.0)
    }
}

impl<O: Compare<A, B>, A, B: ?Sized, D: Dimension> Comparison
    for (O, ArrayView<'_, A, D>, Value<&B>)
{
    type Output = Array<bool, D>;

    #[inline]
    fn result(self) -> Array<bool, D> {
        self.1.map(|left| O::compare(left, self.2.0))
    }

    fn writer(&self, shape: &[usize]) -> Option<impl Fn(usize, &mut [bool; 64])> {
        let (lefts, right) = (parts(&self.1, shape)?, self.2.0);
        Some(move |k, to: &mut [bool; 64]| {
            for (to, left) in to.iter_mut().zip(lefts(k)) {
                *to = O::compare(left, right);
            }
        })
    }
}

impl<O: Compare<A, B>, A: ?Sized, B, D: Dimension> Comparison
    for (O, Value<&A>, ArrayView<'_, B, D>)
{
    type Output = Array<bool, D>;

    #[inline]
    fn result(self) -> Array<bool, D> {
        self.2.map(|right| O::compare(self.1.0, right))
    }

    fn writer(&self, shape: &[usize]) -> Option<impl Fn(usize, &mut [bool; 64])> {
        let (left, rights) = (self.1.0, parts(&self.2, shape)?);
        Some(move |k, to: &mut [bool; 64]| {
            for (to, right) in to.iter_mut().zip(rights(k)) {
                *to = O::compare(left, right);
            }
        })
    }
}

impl<O, A, B, D, E> Comparison for (O, ArrayView<'_, A, D>, ArrayView<'_, B, E>)
where
    O: Compare<A, B>,
    D: Dimension + DimMax<E>,
    E: Dimension,
{
    type Output = Array<bool, <D as DimMax<E>>::Output>;

    #[inline]
    #[track_caller]
    fn result(self) -> Array<bool, <D as DimMax<E>>::Output> {
        let shape: <D as DimMax<E>>::Output = common_shape(self.1.shape(), self.2.shape());
        let (Some(left), Some(right)) = (self.1.broadcast(shape.clone()), self.2.broadcast(shape))
        else {
            unreachable!("both sides broadcast to their common shape")
        };
        Zip::from(left).and(right).map_collect(O::compare)
    }

    fn writer(&self, shape: &[usize]) -> Option<impl Fn(usize, &mut [bool; 64])> {
        let (lefts, rights) = (parts(&self.1, shape)?, parts(&self.2, shape)?);
        Some(move |k, to: &mut [bool; 64]| {
            for (to, (left, right)) in to.iter_mut().zip(lefts(k).iter().zip(rights(k))) {
                *to = O::compare(left, right);
            }
        })
    }
}

/// A comparison as an index, which is computed when the indexed array is known.
#[derive(Debug)]
pub struct ComparedIndex<C>(pub(super) C);

impl<O, L, R> FirstChoice<(O, L, R)>
where
    (O, L, R): Comparison,
{
    /// Returns the result.
    #[inline]
    #[track_caller]
    pub fn result_in_py(self) -> <(O, L, R) as Comparison>::Output {
        self.into_inside().result()
    }

    /// Returns the result as the condition of an `if`.
    #[inline]
    #[track_caller]
    pub fn condition_in_py<C: Condition>(self) -> C::Bool
    where
        (O, L, R): Comparison<Output: Is<C>>,
    {
        self.into_inside().result().itself().condition()
    }

    /// Returns the comparison as an index.
    #[inline]
    pub fn index_in_py(self) -> ComparedIndex<(O, L, R)> {
        ComparedIndex(self.into_inside())
    }
}

macro_rules! not_comparable {
    ($($method:ident)*) => {
        impl<O, L: Comparand, R: Comparand> SecondChoice<(O, L, R)> { $(
            /// Never called, because the comparison causes a compile error.
            pub fn $method<'x, A, Out>(&'x self) -> A::Output
            where
                A: ComparableWith<R::Elem, Out> + ?Sized + 'x,
                &'x L::Elem: Is<&'x A>,
            {
                unreachable!("no types implement this trait")
            }
        )* }
    };
}

not_comparable! { result_in_py condition_in_py index_in_py }

macro_rules! comparisons {
    ($($name:ident $bound:ident $function:ident $sign:literal;)*) => { $(
        #[doc = concat!("The operator `", $sign, "`.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl<A: $bound<B> + ?Sized, B: ?Sized> Compare<A, B> for $name {
            #[inline]
            fn compare(left: &A, right: &B) -> bool {
                left.$function(right)
            }
        }
    )* };
}

comparisons! {
    Lt PartialOrd lt "<";
    Le PartialOrd le "<=";
    Gt PartialOrd gt ">";
    Ge PartialOrd ge ">=";
    Eq PartialEq eq "==";
    Ne PartialEq ne "!=";
}

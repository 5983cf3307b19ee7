//! Nested literals: `[1, 2]`, `[[1, 2], [3, 4]]`, and so on.

use alloc::vec::Vec;
use core::marker::PhantomData;

use ndarray::{ArrayD, IxDyn};

/// An array of arrays of ... of `A`; `Depth` tells the implementations apart.
pub trait Nested<A, Depth>: Sized {
    /// Appends the lengths, from the outermost to the innermost.
    fn shape(into: &mut Vec<usize>);

    /// Appends the elements in C order.
    fn append(self, into: &mut Vec<A>);

    /// The same as an array.
    fn into_array(self) -> ArrayD<A> {
        let (mut shape, mut elements) = (Vec::new(), Vec::new());
        Self::shape(&mut shape);
        self.append(&mut elements);
        ArrayD::from_shape_vec(IxDyn(&shape), elements).expect("as many elements as the types say")
    }
}

/// No array, but an element.
#[derive(Debug)]
pub struct Leaf;

/// One array more around `Depth`.
#[derive(Debug)]
pub struct Deeper<Depth>(PhantomData<Depth>);

impl<A> Nested<A, Leaf> for A {
    fn shape(_: &mut Vec<usize>) {}

    fn append(self, into: &mut Vec<A>) {
        into.push(self);
    }
}

impl<A, V: Nested<A, Depth>, Depth, const N: usize> Nested<A, Deeper<Depth>> for [V; N] {
    fn shape(into: &mut Vec<usize>) {
        into.push(N);
        V::shape(into);
    }

    fn append(self, into: &mut Vec<A>) {
        self.into_iter().for_each(|inner| inner.append(into));
    }
}

//! Copies elements whose size is known only at run time, as one or more integers for each element.

use crate::array::element::Unit;

/// A buffer of elements, stored as integers (*units*) and aligned for them.
#[derive(Clone, Debug)]
pub(crate) enum UnitBuffer {
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
    Eight(Vec<u64>),
}

impl UnitBuffer {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            UnitBuffer::One(units) => Unit::to_bytes(units),
            UnitBuffer::Two(units) => Unit::to_bytes(units),
            UnitBuffer::Four(units) => Unit::to_bytes(units),
            UnitBuffer::Eight(units) => Unit::to_bytes(units),
        }
    }
}

/// An integer type that holds an element, or a part of an element.
pub(crate) trait PlainUnit: Unit {
    fn buffer(units: Vec<Self>) -> UnitBuffer;
}

macro_rules! plain {
    ($($type:ty: $size:ident),*) => { $(
        impl PlainUnit for $type {
            fn buffer(units: Vec<Self>) -> UnitBuffer {
                UnitBuffer::$size(units)
            }
        }
    )* };
}

plain! { u8: One, u16: Two, u32: Four, u64: Eight }

/// Work that is compiled separately for each unit type.
pub(crate) trait UnitWork {
    type Output;

    /// Performs the work with `units_per_element` units per element.
    fn run<U: PlainUnit>(self, units_per_element: usize) -> Self::Output;
}

/// Performs the work with units of 2, 4 or 8 bytes if an element has 2, 4, 8 or 16 bytes, and with single bytes
/// otherwise.
pub(crate) fn run_in_units<W: UnitWork>(item_size: usize, work: W) -> W::Output {
    match item_size {
        2 => work.run::<u16>(1),
        4 => work.run::<u32>(1),
        8 => work.run::<u64>(1),
        16 => work.run::<u64>(2),
        size => work.run::<u8>(size),
    }
}

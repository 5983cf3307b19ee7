//! Elements whose size is known only at run time, copied as integers of the same size.

use crate::array::element::Unit;

/// A buffer for the bytes of elements, aligned for their unit.
#[derive(Clone, Debug)]
pub(crate) enum Units {
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
    Eight(Vec<u64>),
}

impl Units {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Units::One(units) => Unit::to_bytes(units),
            Units::Two(units) => Unit::to_bytes(units),
            Units::Four(units) => Unit::to_bytes(units),
            Units::Eight(units) => Unit::to_bytes(units),
        }
    }
}

/// An integer that holds the bytes of an element, or of a part of an element.
pub(crate) trait PlainUnit: Unit {
    fn units(all: Vec<Self>) -> Units;
}

macro_rules! plain {
    ($($type:ty: $size:ident),*) => { $(
        impl PlainUnit for $type {
            fn units(all: Vec<Self>) -> Units {
                Units::$size(all)
            }
        }
    )* };
}

plain! { u8: One, u16: Two, u32: Four, u64: Eight }

/// Work that is compiled for each type of unit.
pub(crate) trait InUnits {
    type Output;

    /// Performs the work with `per_item` units per element.
    fn run<U: PlainUnit>(self, per_item: usize) -> Self::Output;
}

/// Performs the work with the largest unit that divides the size of an element.
pub(crate) fn in_units<W: InUnits>(item_size: usize, work: W) -> W::Output {
    match item_size {
        2 => work.run::<u16>(1),
        4 => work.run::<u32>(1),
        8 => work.run::<u64>(1),
        16 => work.run::<u64>(2),
        size => work.run::<u8>(size),
    }
}

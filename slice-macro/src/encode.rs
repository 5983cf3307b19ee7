//! Encodes items as begin, end, strides and masks, as TensorFlow's `Tensor.__getitem__` does. An index `i` becomes
//! begin `i`, end `i + 1` and stride 1. An omitted `begin` or `end` becomes 0, and
//! sets its bit in the begin mask or the end mask. An omitted step becomes 1. `...` and `newaxis` become begin 0, end 0
//! and stride 1. The kind of each item determines its bits in the other three masks.

use crate::bound::{Expression, WrittenBound};
use crate::check::Item;
use crate::split::BoundRole;

/// The masks of omitted bounds; bit `i` belongs to item `i`.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Masks {
    pub begin: u64,
    pub end: u64,
}

/// The kind of an item, which becomes a type in the expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    Range,
    Index,
    NewAxis,
    Ellipsis,
    List,
}

impl ItemKind {
    pub fn of(item: &Item) -> Self {
        match item {
            Item::Index(_) => Self::Index,
            Item::Range { .. } => Self::Range,
            Item::NewAxis => Self::NewAxis,
            Item::Ellipsis => Self::Ellipsis,
            Item::List(_) => Self::List,
        }
    }
}

/// One number of the encoding, known at compile time or computed by the caller's code.
#[derive(Clone, Copy, Debug)]
pub enum EncodedNumber {
    Literal(i64),
    /// The value of the expression at this index in [`Encoded::expressions`].
    Value(usize),
    /// The end of an index item: the saturating sum of 1 and the value of the expression at this index in
    /// [`Encoded::expressions`].
    IndexEnd(usize),
}

/// The caller's expression for one bound, with the role of the bound and the mask bit of the item that contains it.
pub struct Computed {
    pub expression: Expression,
    pub role: BoundRole,
    pub bit: u64,
}

/// A spec in TensorFlow's encoding.
#[derive(Default)]
pub struct Encoded {
    pub begin: Vec<EncodedNumber>,
    pub end: Vec<EncodedNumber>,
    pub strides: Vec<EncodedNumber>,
    pub masks: Masks,
    pub kinds: Vec<ItemKind>,
    /// The bounds that are not literals, in source order, which is also their order of evaluation.
    pub expressions: Vec<Computed>,
}

/// Encodes the items of a slice, of which there must be at most 64. `check` reports and removes additional items.
pub fn encode(items: Vec<Item>) -> Encoded {
    let mut encoded = Encoded::default();
    for (position, item) in items.into_iter().enumerate() {
        encoded.push(1 << position, item);
    }
    encoded
}

impl Encoded {
    fn push(&mut self, bit: u64, item: Item) {
        let (zero, one) = (EncodedNumber::Literal(0), EncodedNumber::Literal(1));
        let (kind, begin, end, step) = match item {
            // The expansion does not encode lists: `emit` writes them separately. Only the tests encode a list, as a
            // whole axis.
            Item::List(_) => {
                self.masks.begin |= bit;
                self.masks.end |= bit;
                (ItemKind::List, zero, zero, one)
            }
            Item::NewAxis => (ItemKind::NewAxis, zero, zero, one),
            Item::Ellipsis => (ItemKind::Ellipsis, zero, zero, one),
            Item::Index(bound) => {
                let begin = self.number(bound, BoundRole::Index, bit);
                let end = match begin {
                    EncodedNumber::Literal(index) => {
                        EncodedNumber::Literal(index.saturating_add(1))
                    }
                    EncodedNumber::Value(value) | EncodedNumber::IndexEnd(value) => {
                        EncodedNumber::IndexEnd(value)
                    }
                };
                (ItemKind::Index, begin, end, one)
            }
            Item::Range { begin, end, step } => {
                self.masks.begin |= if begin.is_none() { bit } else { 0 };
                self.masks.end |= if end.is_none() { bit } else { 0 };
                let begin = begin.map_or(zero, |bound| self.number(bound, BoundRole::Begin, bit));
                let end = end.map_or(zero, |bound| self.number(bound, BoundRole::End, bit));
                let step = step.map_or(one, |bound| self.number(bound, BoundRole::Step, bit));
                (ItemKind::Range, begin, end, step)
            }
        };
        self.kinds.push(kind);
        self.begin.push(begin);
        self.end.push(end);
        self.strides.push(step);
    }

    fn number(&mut self, bound: WrittenBound, role: BoundRole, bit: u64) -> EncodedNumber {
        match bound {
            WrittenBound::Literal(value) => EncodedNumber::Literal(value),
            WrittenBound::Expression(expression) => {
                self.expressions.push(Computed {
                    expression,
                    role,
                    bit,
                });
                EncodedNumber::Value(self.expressions.len() - 1)
            }
        }
    }
}

//! A shape without an allocation, so that errors which name shapes stay small and `Copy`.

use core::fmt::{self, Debug, Display};

use crate::error::message::Message;

/// The bytes that a shape may take.
const ROOM: usize = 22;

/// A shape, or a position in an array, as an error carries it.
///
/// `Display` writes a tuple as Python does: `()`, `(3,)`, `(2,3)`.
///
/// Every shape of an array that has elements is held whole up to 13 axes, longer ones as long as their axes are short;
/// of a shape that is too large the last axes are held, which are those that broadcasting looks at first.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CompactShape {
    /// INVARIANT: `bytes[..used]` holds whole numbers, the last axis first, each in groups of 7 bits from the lowest
    /// on; the top bit of a byte says that the number goes on. The bytes behind are 0.
    bytes: [u8; ROOM],
    used: u8,
    whole: bool,
}

impl CompactShape {
    pub(crate) const fn new(shape: &[usize]) -> Self {
        let mut compact = CompactShape {
            bytes: [0; ROOM],
            used: 0,
            whole: true,
        };
        let mut axis = shape.len();
        while axis > 0 && compact.whole {
            axis -= 1;
            compact.whole = compact.push(shape[axis]);
        }
        compact
    }

    /// Appends a number, if there is room for all of it.
    const fn push(&mut self, mut number: usize) -> bool {
        let bits = usize::BITS - number.leading_zeros();
        let needed = if bits == 0 { 1 } else { bits.div_ceil(7) };
        if self.used as usize + needed as usize > ROOM {
            return false;
        }
        let last = self.used + needed as u8 - 1;
        while self.used <= last {
            let more = if self.used < last { 0x80 } else { 0 };
            self.bytes[self.used as usize] = (number & 0x7f) as u8 | more;
            number >>= 7;
            self.used += 1;
        }
        true
    }

    /// Whether no axis had to be left out.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.whole
    }

    /// The lengths of the axes that are held, the last axis first.
    pub fn from_last(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rank()).map(|axis| self.size(axis))
    }

    /// The number of axes that are held.
    pub(crate) const fn rank(&self) -> usize {
        let (mut rank, mut at) = (0, 0);
        while at < self.used as usize {
            rank += (self.bytes[at] & 0x80 == 0) as usize;
            at += 1;
        }
        rank
    }

    /// The length of an axis that is held, counted from the last one.
    pub(crate) const fn size(&self, mut from_last: usize) -> usize {
        let mut at = 0;
        while from_last > 0 {
            from_last -= (self.bytes[at] & 0x80 == 0) as usize;
            at += 1;
        }
        let (mut size, mut shift) = (0, 0);
        loop {
            size |= ((self.bytes[at] & 0x7f) as usize) << shift;
            shift += 7;
            if self.bytes[at] & 0x80 == 0 {
                return size;
            }
            at += 1;
        }
    }
}

impl Display for CompactShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut message = Message::new();
        message.shape(self);
        f.write_str(message.as_str())
    }
}

impl Debug for CompactShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::vec::Vec;

    #[test]
    fn tuples_as_python_writes_them() {
        let show = |shape: &[usize]| format!("{}", CompactShape::new(shape));
        assert_eq!(show(&[]), "()");
        assert_eq!(show(&[0]), "(0,)");
        assert_eq!(show(&[127, 128, 1_000_000]), "(127,128,1000000)");
    }

    #[test]
    fn thirteen_axes_of_any_array_with_elements_are_held() {
        let mut shape = [1; 13];
        shape[4] = 1 << 31;
        shape[12] = 1 << 31;
        let compact = CompactShape::new(&shape);
        assert!(compact.is_whole());
        let mut back: Vec<usize> = compact.from_last().collect();
        back.reverse();
        assert_eq!(back, shape);
    }

    #[test]
    fn what_does_not_fit_is_left_out_at_the_front() {
        let compact =
            CompactShape::new(&[7, 100_000_000, 0, 5, 4, 300_000_000, 3, 2, 1 << 30, 1 << 30]);
        assert!(!compact.is_whole());
        assert_eq!(
            format!("{compact}"),
            "(...,0,5,4,300000000,3,2,1073741824,1073741824)"
        );
    }
}

//! Every sentence of the core that a person can meet, built by the compiler or at run time from the same parts.
//!
//! A panic in a constant takes one `&str` and no formatting, so the text is put together here, in a `const fn`; thus
//! an error says the same, numbers included, wherever it is found.

use core::fmt::{self, Display};

use super::SliceError;
use crate::error::compact_shape::CompactShape;

/// Room for the longest sentence with the longest numbers.
const CAPACITY: usize = 384;

/// A sentence.
pub(crate) struct Message {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl Message {
    pub(crate) const fn new() -> Self {
        Message {
            bytes: [0; CAPACITY],
            len: 0,
        }
    }

    /// Appends text; what goes beyond the capacity is lost.
    pub(crate) const fn text(&mut self, text: &str) {
        let text = text.as_bytes();
        let mut i = 0;
        while i < text.len() && self.len < CAPACITY {
            self.bytes[self.len] = text[i];
            self.len += 1;
            i += 1;
        }
    }

    /// Appends a number in decimal.
    pub(crate) const fn number(&mut self, number: i128) {
        if number < 0 {
            self.text("-");
        }
        self.digits(number.unsigned_abs());
    }

    const fn digits(&mut self, number: u128) {
        if number >= 10 {
            self.digits(number / 10);
        }
        let digit = (number % 10) as usize;
        self.text("0123456789".split_at(digit).1.split_at(1).0);
    }

    /// Appends a shape as NumPy's messages write it.
    pub(crate) const fn shape(&mut self, shape: &CompactShape) {
        self.text(if shape.is_whole() { "(" } else { "(...," });
        let rank = shape.rank();
        let mut from_last = rank;
        while from_last > 0 {
            from_last -= 1;
            self.number(shape.size(from_last) as i128);
            self.text(if from_last > 0 { "," } else { "" });
        }
        self.text(if rank == 1 && shape.is_whole() {
            ",)"
        } else {
            ")"
        });
    }

    pub(crate) const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "the message is cut off",
        }
    }

    /// Stops where the caller stands; in a constant, the compiler does, and says this.
    #[cold]
    #[track_caller]
    pub(crate) const fn panic(&self) -> ! {
        panic!("{}", self.as_str())
    }
}

/// Appends literals, `{numbers}`, `[text]` and `(shapes)` to a message.
macro_rules! say {
    ($message:ident: $($part:tt)*) => {{ $( say!(@ $message $part); )* }};
    (@ $message:ident $text:literal) => { $message.text($text) };
    (@ $message:ident { $number:expr }) => { $message.number($number as i128) };
    (@ $message:ident [ $text:expr ]) => { $message.text($text) };
    (@ $message:ident ( $shape:expr )) => { $message.shape(&$shape) };
}

impl Message {
    /// Appends where a value does not fit the slice, if the shapes show it.
    const fn misfit(&mut self, value: &CompactShape, slice: &CompactShape) {
        let (rank, value_rank) = (slice.rank(), value.rank());
        if rank == 0 {
            // What NumPy says if integers alone, without an ellipsis, name the element.
            say!(self: "; the slice is one element, so give one value: setting an array element with a sequence.");
            return;
        }
        let mut from_last = 0;
        while from_last < rank && from_last < value_rank {
            let (size, given) = (slice.size(from_last), value.size(from_last));
            if given != 1 && given != size {
                if slice.is_whole() {
                    let or = if size == 1 { "" } else { "1 or " };
                    say!(self: "; " {given} " meets axis " {rank - 1 - from_last} " of the slice, where only " [or] {size}
                        " fits");
                }
                return;
            }
            from_last += 1;
        }
        if slice.is_whole() && value.is_whole() {
            say!(self: "; the value has " {value_rank} " axes, the slice only " {rank});
        }
    }
}

impl SliceError {
    /// What the error says.
    pub(crate) const fn message(&self) -> Message {
        let mut m = Message::new();
        self.say(&mut m);
        m
    }

    /// Stops where the caller stands, with the words of the error.
    #[cold]
    #[track_caller]
    pub(crate) const fn panic(&self) -> ! {
        self.message().panic()
    }

    const fn say(&self, m: &mut Message) {
        match *self {
            SliceError::TooManyIndices { rank, indexed } => say!(m:
                "too many indices for array: array is " {rank} "-dimensional, but " {indexed} " were indexed; remove "
                {indexed.saturating_sub(rank)}
            ),
            SliceError::IndexOutOfBounds {
                item,
                axis,
                index,
                size,
            } => say!(m:
                "index " {index} " is out of bounds for axis " {axis} " with size " {size}
                " (item " {item as i128 + 1} " of the slice)"
            ),
            SliceError::ZeroStride {
                item,
                axis,
                begin,
                end,
            } => {
                say!(m: "slice step cannot be zero (item " {item as i128 + 1} " of the slice, `");
                if let Some(begin) = begin {
                    say!(m: {begin});
                }
                say!(m: ":");
                if let Some(end) = end {
                    say!(m: {end});
                }
                say!(m: ":0`, on axis " {axis} "); 1 takes every element");
            }
            SliceError::MultipleEllipses { first, second } => say!(m:
                "an index can only have a single ellipsis ('...'): items " {first as i128 + 1} " and "
                {second as i128 + 1} " both are; use `:` for one whole axis"
            ),
            SliceError::IndexStride { item, axis, stride } => {
                say!(m:
                    "only stride 1 allowed on non-range indexing: item " {item as i128 + 1} " is an index"
                );
                if let Some(axis) = axis {
                    say!(m: " on axis " {axis});
                }
                say!(m: " with stride " {stride} "; 1 will do");
            }
            SliceError::LengthMismatch {
                begin,
                end,
                strides,
            } => say!(m:
                "begin, end and strides must have the same length, but have " {begin} ", " {end} " and " {strides}
                " entries"
            ),
            SliceError::TooManyItems { items, limit } => say!(m:
                "too many items: the slice has " {items} ", and at most " {limit} " are possible"
            ),
            SliceError::MaskRange { bit, items } => say!(m:
                "mask bit " {bit} " names item " {bit as i128 + 1} ", but the slice has " {items} " items"
            ),
            SliceError::MaskOverflow { mask, value } => say!(m:
                "attr " [mask] " has value " {value} " out of range for an int32"
            ),
            SliceError::NegativeMask { mask, value } => say!(m:
                [mask] " must not be negative, but is " {value}
            ),
            SliceError::MaskElement { mask, item, value } => say!(m:
                "all elements of " [mask] " must be 0 or 1, but element " {item as i128 + 1} " is " {value}
            ),
            SliceError::ZeroInStrides { item } => say!(m:
                "strides must be non-zero, but that of item " {item as i128 + 1} " is 0; 1 takes every element"
            ),
            SliceError::MoreItemsThanAxes { items, rank } => say!(m:
                "begin, end and strides must not be longer than the array has axes: array is " {rank}
                "-dimensional, but there are " {items} " entries, new axes and ellipsis included"
            ),
            SliceError::ScalarInput => say!(m: "cannot slice scalars: array is 0-dimensional"),
            SliceError::VectorLength {
                vector,
                expected,
                actual,
            } => say!(m:
                "starts and " [vector] " must have the same length, but have " {expected} " and " {actual} " entries"
            ),
            SliceError::AxisOutOfRange { item, axis, rank } => say!(m:
                "axis " {axis} " is out of bounds for array of dimension " {rank} " (entry " {item as i128 + 1}
                " of the slice)"
            ),
            SliceError::RepeatedAxis {
                first,
                second,
                axis,
            } => say!(m:
                "axes has duplicates: entries " {first as i128 + 1} " and " {second as i128 + 1} " both name axis "
                {axis}
            ),
            SliceError::Opset { opset, attribute } => match attribute {
                Some(attribute) => say!(m:
                    "operator Slice has no attribute " [attribute] " in opset " {opset} "; it came with opset 10"
                ),
                None => say!(m: "operator Slice is not in opset " {opset} "; it came with opset 1"),
            },
            SliceError::TooLarge { axis, size } => say!(m:
                "array is too big: with axis " {axis} " of size " {size} " it has more than " {isize::MAX} " elements"
            ),
            SliceError::BufferLength { expected, actual } => say!(m:
                "buffer has " {actual} " elements, but the selection needs exactly " {expected}
            ),
            SliceError::RankMismatch { expected, actual } => say!(m:
                "array is " {expected} "-dimensional, but " {actual} " entries were given; give one for each axis"
            ),
            SliceError::EmptyChunk { axis } => say!(m:
                "chunk length cannot be zero: that of axis " {axis} " is; give at least 1"
            ),
            SliceError::InvalidRange {
                axis,
                start,
                step,
                len,
                size,
            } => say!(m:
                {len} " positions from " {start as i128} " in steps of " {step} " are not all in axis " {axis}
                " with size " {size}
            ),
            SliceError::InvalidOutputAxis { axis } => say!(m:
                "axes of the result must name the axes of the input in ascending order, and all that have more than one "
                "position; axis " {axis} " does not"
            ),
            SliceError::ShapeMismatch {
                axis,
                expected,
                actual,
            } => say!(m:
                "shapes differ at axis " {axis} ": size " {actual} " was given where " {expected} " is needed"
            ),
            SliceError::Broadcast { value, slice } => {
                say!(m: "could not broadcast input array from shape " (value) " into shape " (slice));
                m.misfit(&value, &slice);
            }
            SliceError::Overlap {
                first,
                second,
                position,
            } => say!(m:
                "slices " {first as i128 + 1} " and " {second as i128 + 1} " overlap: both select element " (position)
                "; slices that are mutable at once must be disjoint"
            ),
            SliceError::OutputShape { expected, actual } => say!(m:
                "the slice has shape " (expected) ", but the array to copy it into has shape " (actual)
            ),
            SliceError::NotOneElement { elements } => say!(m:
                "can only convert an array of size 1 to a scalar, but the slice selects " {elements} " elements"
            ),
            SliceError::GradientShape { expected, actual } => say!(m:
                "shape of dy was " (actual) " instead of " (expected)
            ),
            SliceError::Allocation { elements } => say!(m:
                "cannot allocate memory for " {elements} " elements"
            ),
            SliceError::StrideOverflow { axis, stride } => say!(m:
                "stride " {stride} " of axis " {axis} " reaches further than memory does"
            ),
        }
    }
}

/// The array for the shape has another number of entries than the result has axes.
pub(crate) const fn rank_does_not_fit(result: usize, array: usize) -> Message {
    let mut m = Message::new();
    say!(m: "the result is " {result} "-dimensional, but the array for its shape has length " {array});
    m
}

/// The array for the elements has another length than there are.
pub(crate) const fn length_does_not_fit(result: usize, array: usize) -> Message {
    let mut m = Message::new();
    say!(m: "the result has " {result} " elements, but the array for them has length " {array});
    m
}

/// The array of arrays has more axes than there can be.
pub(crate) const fn nested_too_deep(array: usize, limit: usize) -> Message {
    let mut m = Message::new();
    say!(m: "arrays of arrays have at most " {limit} " axes, but this one has " {array});
    m
}

/// The array of arrays has another rank than the result.
pub(crate) const fn nesting_does_not_fit(result: usize, array: usize) -> Message {
    let mut m = Message::new();
    say!(m: "the result is " {result} "-dimensional, but the array for it is " {array} "-dimensional");
    m
}

/// The array of arrays has another shape than the result.
pub(crate) const fn shape_does_not_fit(result: &[usize], array: &[usize]) -> Message {
    let (result, array) = (CompactShape::new(result), CompactShape::new(array));
    let mut m = Message::new();
    say!(m: "the result has shape " (result) ", but the array for it has shape " (array));
    m
}

impl Display for SliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message().as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: usize = usize::MAX;
    const LEAST: i64 = i64::MIN;

    /// The sentences with the most parts, with the longest numbers.
    #[test]
    fn the_longest_sentences_are_not_cut_off() {
        let longest = [
            SliceError::IndexOutOfBounds {
                item: MOST,
                axis: MOST,
                index: LEAST,
                size: MOST,
            }
            .message(),
            SliceError::ZeroStride {
                item: MOST,
                axis: MOST,
                begin: Some(LEAST),
                end: Some(LEAST),
            }
            .message(),
            SliceError::MoreItemsThanAxes {
                items: MOST,
                rank: MOST,
            }
            .message(),
            shape_does_not_fit(&[MOST; 6], &[MOST; 6]),
            SliceError::Broadcast {
                value: CompactShape::new(&[127; 22]),
                slice: CompactShape::new(&[126; 22]),
            }
            .message(),
        ];
        for message in longest {
            assert!(message.len < CAPACITY, "{}", message.as_str());
        }
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        for number in [0, 9, 10, -1, 1234567890, i128::MIN, i128::MAX] {
            let mut message = Message::new();
            message.number(number);
            assert_eq!(message.as_str(), alloc::format!("{number}"));
        }
    }
}

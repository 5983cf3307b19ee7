//! Error messages that can be built during constant evaluation. In a constant, `panic!` cannot format numbers, so
//! `const fn`s build the text of a message, including its numbers.

/// The size of the buffer for a message, in bytes. The longest message fits, even with the longest numbers.
const MAX_MESSAGE_BYTES: usize = 384;

/// The text of a message.
pub(crate) struct Message {
    bytes: [u8; MAX_MESSAGE_BYTES],
    len: usize,
}

impl Message {
    pub(crate) const fn new() -> Self {
        Message {
            bytes: [0; MAX_MESSAGE_BYTES],
            len: 0,
        }
    }

    /// Appends text. Text beyond the capacity of the buffer is discarded.
    pub(crate) const fn text(&mut self, text: &str) {
        let text = text.as_bytes();
        let mut i = 0;
        while i < text.len() && self.len < MAX_MESSAGE_BYTES {
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

    /// Appends a shape in the form used by NumPy's messages.
    pub(crate) const fn shape(&mut self, shape: &[usize]) {
        self.text("(");
        let mut axis = 0;
        while axis < shape.len() {
            self.number(shape[axis] as i128);
            self.text(if axis + 1 < shape.len() { "," } else { "" });
            axis += 1;
        }
        self.text(if shape.len() == 1 { ",)" } else { ")" });
    }

    pub(crate) const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "the message is truncated",
        }
    }

    /// Panics with this message, at the location of the caller. In a constant, the compiler shows the message.
    #[cold]
    #[track_caller]
    pub(crate) const fn panic(&self) -> ! {
        panic!("{}", self.as_str())
    }
}

/// Appends literals, `{numbers}`, `[text]` and `(shapes)` to a message.
macro_rules! append {
    ($message:ident: $($part:tt)*) => {{ $( append!(@ $message $part); )* }};
    (@ $message:ident $text:literal) => { $message.text($text) };
    (@ $message:ident { $number:expr }) => { $message.number($number as i128) };
    (@ $message:ident [ $text:expr ]) => { $message.text($text) };
    (@ $message:ident ( $shape:expr )) => { $message.shape($shape) };
}

pub(crate) use append;

/// Returns the message for an array that should hold the shape of a result, but whose length is not the rank of the
/// result.
pub(crate) const fn rank_does_not_fit(result: usize, array: usize) -> Message {
    let mut m = Message::new();
    append!(m: "the result is " {result} "-dimensional, but the array for its shape has length " {array});
    m
}

/// Returns the message for an array that should hold the elements of a result, but whose length is not the number of
/// elements.
pub(crate) const fn length_does_not_fit(result: usize, array: usize) -> Message {
    let mut m = Message::new();
    append!(m: "the result has " {result} " elements, but the array to be filled has length " {array});
    m
}

/// Returns the message for a nested array with too many axes.
pub(crate) const fn nested_too_deeply(array: usize, limit: usize) -> Message {
    let mut m = Message::new();
    append!(m: "nested arrays can have at most " {limit} " axes, but this one has " {array});
    m
}

/// Returns the message for a nested array whose rank is not the rank of the result.
pub(crate) const fn nesting_does_not_fit(result: usize, array: usize) -> Message {
    let mut m = Message::new();
    append!(m: "the result is " {result} "-dimensional, but the array to be filled is " {array} "-dimensional");
    m
}

/// Returns the message for a nested array whose shape is not the shape of the result.
pub(crate) const fn shape_does_not_fit(result: &[usize], array: &[usize]) -> Message {
    let mut m = Message::new();
    append!(m: "the result has shape " (result) ", but the array to be filled has shape " (array));
    m
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::SliceError;

    const MAX_SIZE: usize = usize::MAX;
    const MIN_BOUND: i64 = i64::MIN;

    /// Checks the messages with the most parts, filled with the longest numbers.
    #[test]
    fn the_longest_messages_are_not_truncated() {
        let longest = [
            SliceError::IndexOutOfBounds {
                item: MAX_SIZE,
                axis: MAX_SIZE,
                index: MIN_BOUND,
                size: MAX_SIZE,
            }
            .const_message(),
            SliceError::ZeroStep {
                item: MAX_SIZE,
                axis: MAX_SIZE,
                begin: Some(MIN_BOUND),
                end: Some(MIN_BOUND),
            }
            .const_message(),
            shape_does_not_fit(&[MAX_SIZE; 6], &[MAX_SIZE; 6]),
        ];
        for message in longest {
            assert!(message.len < MAX_MESSAGE_BYTES, "{}", message.as_str());
        }
    }

    #[test]
    fn numbers_are_formatted_as_by_the_standard_library() {
        for number in [0, 9, 10, -1, 1234567890, i128::MIN, i128::MAX] {
            let mut message = Message::new();
            message.number(number);
            assert_eq!(message.as_str(), alloc::format!("{number}"));
        }
    }
}

//! Reads and writes the Protocol Buffers wire format. Messages are read without copying. Each field has a number and a
//! value; callers ignore the fields that they do not need. Every length is checked against the number of remaining
//! bytes.

use std::fmt;
use std::ops::Range;

/// The reason why a message is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireError {
    /// The expected contents of the file, such as `an ONNX model`.
    pub model: &'static str,
    /// The offset of the invalid bytes in the file.
    at: usize,
    problem: &'static str,
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.problem, self.at)
    }
}

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// An integer.
    Varint(u64),
    /// A number of four or eight bytes, in little-endian order.
    Fixed(&'a [u8]),
    /// A message, a string, bytes, or packed numbers.
    Bytes(Message<'a>),
}

impl<'a> Value<'a> {
    /// Returns the value as an `int64`, or 0 if it has another type.
    pub fn int(self) -> i64 {
        match self {
            Value::Varint(value) => value.cast_signed(),
            _ => 0,
        }
    }

    /// Returns the value as a message, or an empty message if it has another type.
    pub fn message(self) -> Message<'a> {
        match self {
            Value::Bytes(message) => message,
            _ => Message::default(),
        }
    }

    /// Returns the value as a name, or an empty name if it has another type. Returns an error if the name is not UTF-8.
    pub fn name(self) -> Result<&'a str, WireError> {
        let message = self.message();
        str::from_utf8(message.bytes).map_err(|_| message.error("a name that is not UTF-8"))
    }

    /// Returns the value as a string, or an empty string if it has another type or is not UTF-8.
    pub fn text(self) -> &'a str {
        str::from_utf8(self.message().bytes).unwrap_or_default()
    }
}

/// The bytes of a message, and their offset in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Message<'a> {
    pub bytes: &'a [u8],
    pub at: usize,
    model: &'static str,
}

impl<'a> Message<'a> {
    /// Returns the message in a whole file. `model` states for errors what the file should be, such as `an ONNX model`.
    pub fn file(bytes: &'a [u8], model: &'static str) -> Self {
        let at = 0;
        Message { bytes, at, model }
    }

    /// Returns the fields in the order in which they are stored.
    pub fn fields(self) -> impl Iterator<Item = Result<Field<'a>, WireError>> {
        self.items(Self::field)
    }

    /// Returns the items that `read` takes from the message, up to its end or to the first error.
    fn items<T>(
        self,
        read: impl Fn(&mut Self) -> Result<T, WireError>,
    ) -> impl Iterator<Item = Result<T, WireError>> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let has_more = !rest.bytes.is_empty();
            has_more.then(|| {
                let item = read(&mut rest);
                if item.is_err() {
                    rest.bytes = &[];
                }
                item
            })
        })
    }

    /// Returns the values of the fields with a number, in the order in which they are stored.
    pub fn values(self, number: u32) -> impl Iterator<Item = Result<Value<'a>, WireError>> {
        let fields = self.fields();
        let fields = fields.filter(move |field| !matches!(field, Ok(one) if one.number != number));
        fields.map(|field| Ok(field?.value))
    }

    /// Returns the last value of the fields with a number, or 0 if there is none.
    pub fn last(self, number: u32) -> Result<Value<'a>, WireError> {
        let mut values = self.values(number);
        values.try_fold(Value::Varint(0), |_, value| value)
    }

    /// Returns the string in field 1 and the message in field 2. Named values and map entries consist of these fields.
    pub fn named(self) -> Result<(&'a str, Self), WireError> {
        Ok((self.last(1)?.name()?, self.last(2)?.message()))
    }

    /// Returns the integers of a packed field.
    pub fn packed(self) -> impl Iterator<Item = Result<i64, WireError>> {
        self.items(|rest| Ok(rest.varint()?.cast_signed()))
    }

    fn error(self, problem: &'static str) -> WireError {
        let Message { model, at, .. } = self;
        WireError { model, at, problem }
    }

    fn take(&mut self, len: usize) -> Option<Self> {
        let (bytes, rest) = self.bytes.split_at_checked(len)?;
        let taken = Message { bytes, ..*self };
        self.bytes = rest;
        self.at += len;
        Some(taken)
    }

    fn varint(&mut self) -> Result<u64, WireError> {
        let start = *self;
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self
                .take(1)
                .ok_or_else(|| start.error("a truncated integer"))?;
            let byte = u64::from(byte.bytes[0]);
            if shift == 63 && byte > 1 {
                break;
            }
            value |= (byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(start.error("an integer of more than 64 bits"))
    }

    fn field(&mut self) -> Result<Field<'a>, WireError> {
        let start = *self;
        let tag = self.varint()?;
        let value = match tag & 7 {
            0 => Value::Varint(self.varint()?),
            1 | 5 => {
                let len = if tag & 7 == 1 { 8 } else { 4 };
                let number = self.take(len);
                let number = number.ok_or_else(|| start.error("a truncated number"))?;
                Value::Fixed(number.bytes)
            }
            2 => {
                let len = usize::try_from(self.varint()?).unwrap_or(usize::MAX);
                let bytes = self.take(len);
                Value::Bytes(bytes.ok_or_else(|| {
                    start.error("a field that extends past the end of its message")
                })?)
            }
            _ => return Err(start.error("a field of unknown type")),
        };
        let number = u32::try_from(tag >> 3).unwrap_or(0);
        if number == 0 {
            return Err(start.error("a field with an invalid number"));
        }
        let range = start.at..self.at;
        Ok(Field {
            number,
            value,
            range,
        })
    }
}

/// A field of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Field<'a> {
    pub number: u32,
    pub value: Value<'a>,
    /// The range of the field in the file, including its number.
    pub range: Range<usize>,
}

/// A message under construction.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    pub bytes: Vec<u8>,
}

impl Writer {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            // Each byte except the last has its highest bit set, to indicate that more bytes follow.
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// Writes the field `number` with an integer as its value.
    pub fn int(&mut self, number: u32, value: i64) {
        self.varint(u64::from(number) << 3);
        self.varint(value.cast_unsigned());
    }

    /// Writes the field `number` with a string, a message or bytes as its value.
    pub fn put(&mut self, number: u32, bytes: &[u8]) {
        self.varint(u64::from(number) << 3 | 2);
        self.varint(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(bytes: &[u8]) -> Result<Vec<Field<'_>>, WireError> {
        let file = Message::file(bytes, "a message");
        Message { at: 100, ..file }.fields().collect()
    }

    #[test]
    fn written_fields_are_read_back() {
        let mut writer = Writer::default();
        for value in [0, 1, 127, 128, i64::MAX, -1, i64::MIN] {
            writer.int(3, value);
        }
        writer.put(200, b"text");
        let read_fields = fields(&writer.bytes).expect("the bytes should be a message");
        let values: Vec<i64> = read_fields[..7]
            .iter()
            .map(|field| field.value.int())
            .collect();
        assert_eq!(values, [0, 1, 127, 128, i64::MAX, -1, i64::MIN]);
        assert_eq!(
            (read_fields[7].number, read_fields[7].value.text()),
            (200, "text")
        );
        assert_eq!(read_fields[7].range.end, 100 + writer.bytes.len());
    }

    #[test]
    fn malformed_messages_are_rejected() {
        for (bytes, error) in [
            (
                &[0x0a, 0xff, 0xff, 0xff, 0xff, 0x07, 1][..],
                "a field that extends past the end of its message at byte 100",
            ),
            (
                &[
                    0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01,
                ],
                "a field that extends past the end of its message at byte 100",
            ),
            (
                &[
                    0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02,
                ],
                "an integer of more than 64 bits at byte 101",
            ),
            (&[0x08, 0x80], "a truncated integer at byte 101"),
            (
                &[0x08, 0x01, 0x09, 1, 2, 3],
                "a truncated number at byte 102",
            ),
            (&[0x0b], "a field of unknown type at byte 100"),
            (&[0x00, 0x00], "a field with an invalid number at byte 100"),
        ] {
            assert_eq!(
                fields(bytes)
                    .expect_err("the bytes are not a message")
                    .to_string(),
                error
            );
        }
        assert_eq!(fields(&[]), Ok(Vec::new()));
    }
}

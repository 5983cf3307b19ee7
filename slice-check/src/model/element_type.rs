//! The types of the elements of constants, and the conversions between them.

use std::fmt;

use super::Format;
use super::number::{MAX_ELEMENTS, Number};
use super::wire::{Value as Field, WireError};

/// The type of the elements of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementType {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    /// A Python integer, which has no maximum.
    Python,
}

use ElementType::{Bool, F32, F64, I8, I16, I32, I64, Python, U8, U16, U32, U64};

/// The properties of a type: its name in NumPy, its names in OpenVINO and StableHLO, the size of an element in bytes,
/// and its codes in ONNX, TensorFlow and LiteRT, where -1 stands for a type whose elements are not kept.
type Properties = (
    ElementType,
    &'static str,
    [&'static str; 2],
    usize,
    [i64; 3],
);

/// All types with a fixed size.
const TYPES: [Properties; 11] = [
    (Bool, "bool", ["i1", "boolean"], 1, [9, 10, 6]),
    (I8, "int8", ["i8"; 2], 1, [3, 6, 9]),
    (I16, "int16", ["i16"; 2], 2, [5, 5, 7]),
    (I32, "int32", ["i32"; 2], 4, [6, 3, 2]),
    (I64, "int64", ["i64"; 2], 8, [7, 9, 4]),
    (U8, "uint8", ["u8", "ui8"], 1, [2, 4, -1]),
    (U16, "uint16", ["u16", "ui16"], 2, [4, 17, -1]),
    (U32, "uint32", ["u32", "ui32"], 4, [12, 22, 15]),
    (U64, "uint64", ["u64", "ui64"], 8, [13, 23, 12]),
    (F32, "float32", ["f32"; 2], 4, [1, 1, 0]),
    (F64, "float64", ["f64"; 2], 8, [11, 2, 10]),
];

impl ElementType {
    /// Returns the type with a name such as `i32`, `u8`, `f64` or `boolean`, as in OpenVINO and StableHLO.
    pub fn named(name: &str) -> Option<Self> {
        let entry = TYPES.iter().find(|entry| entry.2.contains(&name));
        entry.map(|entry| entry.0)
    }

    /// Returns the type with a code in a format. Returns `None` if elements of the type are not kept.
    pub fn with_code(format: Format, code: i64) -> Option<Self> {
        let mut entries = TYPES.iter().filter(|_| code >= 0);
        let entry = entries.find(|entry| entry.4.get(format as usize) == Some(&code));
        entry.map(|entry| entry.0)
    }

    /// Returns whether the elements are floating-point numbers.
    pub fn is_float(self) -> bool {
        matches!(self, F32 | F64)
    }

    /// Returns the size of an element in bytes.
    pub fn size(self) -> usize {
        let entry = TYPES.iter().find(|entry| entry.0 == self);
        entry.map_or(8, |entry| entry.3)
    }

    /// Returns the least and the greatest integer of the type.
    pub fn range(self) -> (i128, i128) {
        match self {
            Bool => (0, 1),
            U8 | U16 | U32 | U64 => (0, (1 << (8 * self.size())) - 1),
            Python => (i128::MIN, i128::MAX),
            _ => (
                -(1 << (8 * self.size() - 1)),
                (1 << (8 * self.size() - 1)) - 1,
            ),
        }
    }

    /// Converts an integer to the type. Integers wrap around, floating-point numbers are rounded, and every integer
    /// other than 0 is true. An integer that does not fit in an `i64` is treated as unknown.
    pub fn integer(self, number: i128) -> Number {
        let number = match self {
            Bool => i128::from(number != 0),
            F32 => return Number::Float((number as f32).into()),
            F64 => return Number::Float(number as f64),
            Python => number,
            _ => {
                let (min, max) = self.range();
                (number - min).rem_euclid(max - min + 1) + min
            }
        };
        i64::try_from(number).ok().into()
    }

    /// Converts a floating-point number to the type. A number that the type cannot hold is treated as unknown, because
    /// its conversion differs between processors. So is a number that is not finite: some systems limit infinite results
    /// to the greatest finite number.
    pub fn float(self, number: f64) -> Number {
        let (min, max) = self.range();
        match self {
            F32 if (number as f32).is_finite() => Number::Float((number as f32).into()),
            F64 if number.is_finite() => Number::Float(number),
            F32 | F64 => Number::Unknown,
            Bool if !number.is_nan() => Number::Known(i64::from(number != 0.0)),
            _ if number.is_finite() && (min..=max).contains(&(number as i128)) => {
                i64::try_from(number as i128).ok().into()
            }
            _ => Number::Unknown,
        }
    }

    /// Converts an element of another type. A named length keeps its name in types that can hold every length.
    pub fn convert(self, number: &Number) -> Number {
        match number {
            Number::Known(number) => self.integer((*number).into()),
            Number::Float(number) => self.float(*number),
            Number::Length(_) if matches!(self, I32 | I64 | Python) => number.clone(),
            _ => Number::Unknown,
        }
    }

    /// Decodes elements that are stored in little-endian order. Returns `None` if the last one is incomplete.
    pub fn decode(self, bytes: &[u8]) -> Option<Vec<Number>> {
        let element = |bytes: &[u8]| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            let word = u64::from_le_bytes(word);
            match self {
                F32 => self.float(f32::from_bits(word as u32).into()),
                F64 => self.float(f64::from_bits(word)),
                _ => self.integer(word.cast_signed().into()),
            }
        };
        let is_complete = bytes.len().is_multiple_of(self.size());
        is_complete.then(|| bytes.chunks(self.size()).map(element).collect())
    }

    /// Decodes the elements in the typed fields of a protobuf message. Returns `None` if there are too many, or if one
    /// is incomplete.
    pub fn decode_fields(self, fields: &[Field<'_>]) -> Result<Option<Vec<Number>>, WireError> {
        let mut elements = Vec::new();
        for field in fields {
            match *field {
                Field::Bytes(bytes) if self.is_float() => match self.decode(bytes.bytes) {
                    Some(floats) => elements.extend(floats),
                    None => return Ok(None),
                },
                Field::Fixed(bytes) => elements.extend(self.decode(bytes).into_iter().flatten()),
                Field::Bytes(packed) => {
                    for integer in packed.packed().take(MAX_ELEMENTS + 1) {
                        elements.push(self.integer(integer?.into()));
                    }
                }
                integer => elements.push(self.integer(integer.int().into())),
            }
            if elements.len() > MAX_ELEMENTS {
                return Ok(None);
            }
        }
        Ok(Some(elements))
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entry = TYPES.iter().find(|entry| entry.0 == *self);
        f.write_str(entry.map_or("int", |entry| entry.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_wrap_around() {
        for (kind, number, expected) in [
            (I8, 128, Some(-128)),
            (I32, (1 << 32) + 2, Some(2)),
            (I32, -(1 << 31) - 1, Some(i64::from(i32::MAX))),
            (I64, 1 << 63, Some(i64::MIN)),
            (U8, -1, Some(255)),
            (U64, -1, None),
            (U64, i128::from(i64::MAX), Some(i64::MAX)),
            (Bool, 256, Some(1)),
            (Python, 1 << 63, None),
        ] {
            assert_eq!(kind.integer(number).known(), expected, "{kind:?} {number}");
        }
    }

    #[test]
    fn bytes_are_decoded() {
        assert_eq!(
            I16.decode(&[0xff, 0xff, 1, 0]),
            Some(vec![Number::Known(-1), Number::Known(1)])
        );
        assert_eq!(U8.decode(&[0xff]), Some(vec![Number::Known(255)]));
        assert_eq!(
            F32.decode(&1.5_f32.to_le_bytes()),
            Some(vec![Number::Float(1.5)])
        );
        assert_eq!(U64.decode(&[0xff; 8]), Some(vec![Number::Unknown]));
        assert_eq!(I32.decode(&[0; 5]), None);
    }
}

//! Reads FlatBuffers in place: a table is represented by its offset in the file, and every offset is checked against
//! the file's length before it is followed.

use super::ModelError;

/// Creates an error for missing or incomplete data: the data at offset `at`, the data to which an offset stored there
/// refers, or a vector at `at` that lacks the requested element.
fn invalid_offset(at: usize) -> ModelError {
    ModelError::invalid(format!(
        "not a LiteRT model: the data at byte {at}, or the data to which it refers, is missing or incomplete"
    ))
}

/// Returns the `N` bytes at offset `at`.
fn bytes<const N: usize>(file: &[u8], at: usize) -> Result<[u8; N], ModelError> {
    let array = file.get(at..).and_then(|rest| rest.first_chunk::<N>());
    array.copied().ok_or_else(|| invalid_offset(at))
}

fn length(file: &[u8], at: usize) -> Result<usize, ModelError> {
    Ok(u32::from_le_bytes(bytes(file, at)?) as usize)
}

/// Returns the target of the relative offset stored at `at`.
fn follow(file: &[u8], at: usize) -> Result<usize, ModelError> {
    let target = at.checked_add(length(file, at)?);
    target
        .filter(|&target| target < file.len())
        .ok_or_else(|| invalid_offset(at))
}

/// A table in a file.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    file: &'a [u8],
    /// The offset of the table in the file.
    pub at: usize,
}

/// A vector in a file.
#[derive(Clone, Copy, Debug)]
pub struct Vector<'a> {
    file: &'a [u8],
    /// The offset of the vector's first element in the file.
    at: usize,
    /// The number of elements.
    pub len: usize,
    /// The size of an element in bytes. All elements are inside the file.
    size: usize,
}

impl<'a> Table<'a> {
    /// Returns the root table of a file.
    pub fn root(file: &'a [u8]) -> Result<Self, ModelError> {
        let at = follow(file, 0)?;
        Ok(Table { file, at })
    }

    /// Returns the offset of a field, if the table contains the field.
    fn field(self, number: usize) -> Result<Option<usize>, ModelError> {
        let vtable_distance = i32::from_le_bytes(bytes(self.file, self.at)?);
        let vtable = i64::try_from(self.at)
            .ok()
            .and_then(|at| at.checked_sub(i64::from(vtable_distance)));
        let vtable = vtable.and_then(|vtable| usize::try_from(vtable).ok());
        let vtable = vtable.ok_or_else(|| invalid_offset(self.at))?;
        let size = usize::from(u16::from_le_bytes(bytes(self.file, vtable)?));
        let entry = 4 + 2 * number;
        if entry + 2 > size {
            return Ok(None);
        }
        let offset = u16::from_le_bytes(bytes(self.file, vtable + entry)?);
        Ok((offset != 0).then(|| self.at + usize::from(offset)))
    }

    /// Returns the one-byte integer in a field, or 0 if the field is missing.
    pub fn byte(self, number: usize) -> Result<i64, ModelError> {
        match self.field(number)? {
            Some(at) => Ok(i64::from(bytes::<1>(self.file, at)?[0])),
            None => Ok(0),
        }
    }

    /// Returns the four-byte integer in a field, or 0 if the field is missing.
    pub fn int(self, number: usize) -> Result<i64, ModelError> {
        match self.field(number)? {
            Some(at) => Ok(i32::from_le_bytes(bytes(self.file, at)?).into()),
            None => Ok(0),
        }
    }

    /// Returns the nested table in a field, if there is one.
    pub fn table(self, number: usize) -> Result<Option<Table<'a>>, ModelError> {
        let Some(at) = self.field(number)? else {
            return Ok(None);
        };
        let at = follow(self.file, at)?;
        let file = self.file;
        Ok(Some(Table { file, at }))
    }

    /// Returns the vector in a field, or an empty vector if the field is missing. Each element has `size` bytes.
    pub fn vector(self, number: usize, size: usize) -> Result<Vector<'a>, ModelError> {
        let (file, field) = (self.file, self.field(number)?);
        let (mut at, mut len) = (0, 0);
        if let Some(field) = field {
            at = follow(file, field)?;
            len = length(file, at)?;
            at += 4;
            let end = len.checked_mul(size).and_then(|len| len.checked_add(at));
            end.filter(|&end| end <= file.len())
                .ok_or_else(|| invalid_offset(field))?;
        }
        Ok(Vector {
            file,
            at,
            len,
            size,
        })
    }

    /// Returns whether the table contains a field, even if the field is an empty vector.
    pub fn has_field(self, number: usize) -> Result<bool, ModelError> {
        Ok(self.field(number)?.is_some())
    }

    /// Returns the whole characters in the first `max_len` bytes of the string in a field. Returns an empty string if
    /// the field is missing or if these bytes are not UTF-8.
    pub fn text(self, number: usize, max_len: usize) -> Result<&'a str, ModelError> {
        let bytes = self.vector(number, 1)?.bytes();
        let start = &bytes[..bytes.len().min(max_len)];
        let whole_characters = match str::from_utf8(start) {
            // The last character is incomplete.
            Err(error) if error.error_len().is_none() && start.len() < bytes.len() => {
                &start[..error.valid_up_to()]
            }
            _ => start,
        };
        Ok(str::from_utf8(whole_characters).unwrap_or_default())
    }

    /// Returns at most the first `max_len` four-byte integers of the vector in a field.
    pub fn ints(self, number: usize, max_len: usize) -> Result<Vec<i64>, ModelError> {
        let vector = self.vector(number, 4)?;
        let numbers = vector.bytes().as_chunks::<4>().0.iter().take(max_len);
        Ok(numbers
            .map(|bytes| i32::from_le_bytes(*bytes).into())
            .collect())
    }
}

impl<'a> Vector<'a> {
    /// Returns the bytes of all elements.
    pub fn bytes(self) -> &'a [u8] {
        &self.file[self.at..self.at + self.len * self.size]
    }

    /// Returns the table to which an element refers.
    pub fn table(self, element: usize) -> Result<Table<'a>, ModelError> {
        let Vector { file, at, len, .. } = self;
        if element >= len {
            return Err(invalid_offset(at));
        }
        let at = follow(file, at + 4 * element)?;
        Ok(Table { file, at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shortened_at_a_character_boundary() {
        // A table with one field, a string.
        let text = |text: &[u8], max_len: usize| {
            let mut file = vec![12, 0, 0, 0, 6, 0, 8, 0, 4, 0, 0, 0, 8, 0, 0, 0, 4, 0, 0, 0];
            file.extend(u32::to_le_bytes(text.len() as u32));
            file.extend(text);
            let table = Table::root(&file).expect("the table should be valid");
            table
                .text(0, max_len)
                .expect("the field should be valid")
                .to_owned()
        };
        assert_eq!(text(b"x", 3), "x");
        assert_eq!(text(b"xyz", 3), "xyz");
        assert_eq!(text(b"wxyz", 3), "wxy");
        // A character of three bytes begins one byte before the limit.
        assert_eq!(text("xy\u{2026}".as_bytes(), 3), "xy");
        for invalid in [&b"\xffxyz"[..], b"xy\xe2"] {
            assert_eq!(text(invalid, 3), "");
        }
    }
}

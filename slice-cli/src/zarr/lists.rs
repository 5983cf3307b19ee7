//! Parses slices such as `@rows.npy, ::2`, whose lists and masks are read from NumPy files.

use std::fs;

use slice_core::{DynOuterSpec, OuterItem};

/// Parses a slice in which an item may also be `@` followed by the path to a NumPy file that contains a list or a mask.
pub fn parse(text: &str) -> Result<DynOuterSpec, Box<dyn std::error::Error>> {
    let items = split_items(text);
    let files = items.iter().enumerate();
    let files: Vec<(usize, &str)> = files
        .filter_map(|(item, text)| Some((item, text.trim().strip_prefix('@')?)))
        .collect();
    if files.is_empty() {
        return Ok(text.parse()?);
    }
    // The text is first parsed with `:` in place of each file.
    let items_without_files = items.iter().map(|text| match text.trim().starts_with('@') {
        true => ":",
        false => text,
    });
    let spec: DynOuterSpec = items_without_files.collect::<Vec<_>>().join(",").parse()?;
    let mut items = spec.items().to_vec();
    for (item, path) in files {
        let bytes = fs::read(path).map_err(|error| format!("cannot read {path:?}: {error}"))?;
        items[item] = read_list(&bytes)
            .map_err(|error| format!("cannot read a list from {path:?}: {error}"))?;
    }
    Ok(DynOuterSpec::from_items(items)?)
}

/// Splits `text` at the commas outside brackets.
fn split_items(text: &str) -> Vec<&str> {
    let (mut items, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, character) in text.char_indices() {
        match character {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                items.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    // A trailing comma is allowed.
    if items.is_empty() || !text[start..].trim().is_empty() {
        items.push(&text[start..]);
    }
    items
}

/// Reads the list or the mask in a NumPy file:
/// <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.
fn read_list(file: &[u8]) -> Result<OuterItem, String> {
    let rest = file
        .strip_prefix(b"\x93NUMPY")
        .ok_or("the file was not written by numpy.save")?;
    let (version, rest) = rest
        .split_first_chunk::<2>()
        .ok_or("the file is truncated")?;
    let (len, rest) = match version[0] {
        1 => {
            let (len, rest) = rest
                .split_first_chunk::<2>()
                .ok_or("the file is truncated")?;
            (usize::from(u16::from_le_bytes(*len)), rest)
        }
        2 | 3 => {
            let (len, rest) = rest
                .split_first_chunk::<4>()
                .ok_or("the file is truncated")?;
            (u32::from_le_bytes(*len) as usize, rest)
        }
        other => return Err(format!("unsupported format version {other}")),
    };
    let (header, data) = rest.split_at_checked(len).ok_or("the file is truncated")?;
    let header = std::str::from_utf8(header).map_err(|_| "the header is not valid UTF-8")?;
    let descr = text_after(header, "'descr':").ok_or("the header has no data type")?;
    let descr = descr
        .trim_start()
        .strip_prefix('\'')
        .and_then(|text| text.split('\'').next());
    let descr = descr.ok_or("structured data types are not supported")?;
    let shape = text_after(header, "'shape':").and_then(|text| text.trim_start().strip_prefix('('));
    let shape = shape.and_then(|text| text.split(')').next());
    let shape = shape.ok_or("the header has no shape")?;
    let lens: Vec<&str> = shape
        .split(',')
        .map(str::trim)
        .filter(|len| !len.is_empty())
        .collect();
    let [len] = lens[..] else {
        return Err(format!(
            "the array has {} axes, but a list must have exactly one",
            lens.len()
        ));
    };
    let len: usize = len
        .parse()
        .map_err(|_| format!("invalid shape ({shape})"))?;
    let (order, kind) = descr.split_at_checked(1).ok_or("the data type is empty")?;
    let size = match kind {
        "b1" | "i1" | "u1" => 1,
        "i2" | "u2" => 2,
        "i4" | "u4" => 4,
        "i8" | "u8" => 8,
        _ => {
            return Err(format!(
                "the elements have type {descr:?}, but a list must contain integers or booleans"
            ));
        }
    };
    if len.checked_mul(size) != Some(data.len()) {
        let bytes = data.len();
        return Err(format!(
            "the file contains {bytes} bytes of data, but {len} elements of {size} bytes were expected"
        ));
    }
    if kind == "b1" {
        return Ok(data
            .iter()
            .map(|&byte| byte != 0)
            .collect::<Vec<_>>()
            .into());
    }
    let is_big_endian = match order {
        "<" | "|" => false,
        ">" => true,
        "=" => cfg!(target_endian = "big"),
        other => return Err(format!("unknown byte order {other:?}")),
    };
    let is_signed = kind.starts_with('i');
    let numbers = data.chunks_exact(size).map(|bytes| {
        let bytes = bytes.iter().copied();
        let big_endian: Vec<u8> = match is_big_endian {
            true => bytes.collect(),
            false => bytes.rev().collect(),
        };
        let number = big_endian
            .iter()
            .fold(0_u64, |sum, &byte| sum << 8 | u64::from(byte));
        let unused_bits = 64 - 8 * size as u32;
        match is_signed {
            true => (number << unused_bits).cast_signed() >> unused_bits,
            // The clamped number is still out of bounds, because no axis has a position outside the range of `i64`.
            false => i64::try_from(number).unwrap_or(i64::MAX),
        }
    });
    Ok(numbers.collect::<Vec<i64>>().into())
}

/// Returns the text after the name of a field in the header.
fn text_after<'h>(header: &'h str, name: &str) -> Option<&'h str> {
    header.split_once(name).map(|(_, rest)| rest)
}

//! Parses slices such as `@rows.npy, ::2` and `zip(@rows.npy, @columns.npy)`, whose lists and masks are read from NumPy
//! files.

use std::fs;
use std::ops::Range;

use slice_core::{DynSliceSpec, Item, NdList};

/// Parses a slice in which an item, or a list of points, may also be `@` followed by the path to a NumPy file that contains
/// a list or a mask.
///
/// The path extends to the next comma or to the bracket that closes the brackets around the item. A path in quotes may
/// contain any character but the quote.
pub fn parse(text: &str) -> Result<DynSliceSpec, Box<dyn std::error::Error>> {
    let files = files_in(text);
    // The parser of slices sees `[0]` in place of each file, or `[1]` in place of one of them.
    let parse_with = |changed: Option<usize>| {
        let (mut replaced, mut end) = (String::new(), 0);
        for (number, (range, _)) in files.iter().enumerate() {
            replaced += &text[end..range.start];
            replaced += if changed == Some(number) {
                "[1]"
            } else {
                "[0]"
            };
            end = range.end;
        }
        (replaced + &text[end..]).parse::<DynSliceSpec>()
    };
    let mut lists = Vec::new();
    for (range, path) in &files {
        let file = fs::read(path).map_err(|error| {
            let advice = match text[range.end..].trim_start().starts_with(',') {
                true => "; if the path contains a comma, write the path in quotes",
                false => "",
            };
            format!("cannot read {path:?}: {error}{advice}")
        })?;
        let list = read_list(&file);
        lists.push(list.map_err(|error| format!("cannot read a list from {path:?}: {error}"))?);
    }
    let written: Vec<Item> = parse_with(None)?.items().collect();
    let mut items = written.clone();
    for (number, list) in lists.into_iter().enumerate() {
        // The item of this file is the item that changes if `[1]` replaces the file.
        let path = files[number].1;
        let in_brackets = || format!("{path:?} contains a whole list; write it without brackets");
        let other: Vec<Item> = parse_with(Some(number))?.items().collect();
        let mut pairs = written.iter().zip(&other);
        let place = pairs.position(|(one, other)| one != other);
        let place = place.expect("a list should be an item");
        match (&mut items[place], &written[place], &other[place]) {
            (Item::Points(lists), Item::Points(one), Item::Points(other)) => {
                let place = one.iter().zip(other).position(|(one, other)| one != other);
                let place = place.expect("a list should be one of the points");
                lists[place] = match list {
                    Item::List(list) if other[place].rank() == 1 => list,
                    Item::List(_) => return Err(in_brackets().into()),
                    _ => {
                        let advice = "write the mask as an item";
                        return Err(
                            format!("{path:?} contains a mask, not positions; {advice}").into()
                        );
                    }
                };
            }
            (item, ..) if other[place] == Item::List(vec![1].into()) => *item = list,
            _ => return Err(in_brackets().into()),
        }
    }
    Ok(DynSliceSpec::from_items(items)?)
}

/// Returns the files in the text of a slice: the range of each in the text, and its path.
fn files_in(text: &str) -> Vec<(Range<usize>, &str)> {
    let (mut files, mut at) = (Vec::new(), 0);
    while let Some(found) = text[at..].find('@') {
        let start = at + found;
        at = start + 1;
        let path = &text[at..];
        // Elsewhere, the parser of slices reports the character.
        if !text[..start].trim_end().is_empty()
            && !text[..start].trim_end().ends_with([',', '(', '['])
        {
            continue;
        }
        let quoted = path
            .strip_prefix(['"', '\''])
            .and_then(|rest| rest.split_once(&path[..1]));
        let (path, len) = match quoted {
            Some((inside, _)) => (inside, inside.len() + 2),
            None => {
                let path = path[..end_of_item(path)].trim_end();
                (path, path.len())
            }
        };
        at += len;
        files.push((start..at, path));
    }
    files
}

/// Returns the position of the comma or the closing bracket that ends the item at the start of `text`.
fn end_of_item(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '[' | '(' => depth += 1,
            ']' | ')' | ',' if depth == 0 => return at,
            ']' | ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

/// Reads the list or the mask in a NumPy file:
/// <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.
fn read_list(file: &[u8]) -> Result<Item, String> {
    let rest = file
        .strip_prefix(b"\x93NUMPY")
        .ok_or("the file was not written by numpy.save")?;
    let (version, rest) = rest
        .split_first_chunk::<2>()
        .ok_or("the file is truncated")?;
    let len_and_rest = match version[0] {
        1 => {
            let split = rest.split_first_chunk::<2>();
            split.map(|(len, rest)| (usize::from(u16::from_le_bytes(*len)), rest))
        }
        2 | 3 => {
            let split = rest.split_first_chunk::<4>();
            split.map(|(len, rest)| (u32::from_le_bytes(*len) as usize, rest))
        }
        other => return Err(format!("unsupported format version {other}")),
    };
    let (len, rest) = len_and_rest.ok_or("the file is truncated")?;
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
    let lens = shape.split(',').map(str::trim);
    let lens = lens.filter(|len| !len.is_empty()).map(str::parse);
    let lens: Result<Vec<usize>, _> = lens.collect();
    let lens = lens.map_err(|_| format!("invalid shape ({shape})"))?;
    let order =
        text_after(header, "'fortran_order':").ok_or("the header has no order of the elements")?;
    let is_fortran = order.trim_start().starts_with("True");
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
    let len = lens
        .iter()
        .fold(1, |all: usize, &len| all.saturating_mul(len));
    if len.checked_mul(size) != Some(data.len()) {
        let bytes = data.len();
        return Err(format!(
            "the file contains {bytes} bytes of data, but {len} elements of {size} bytes were expected"
        ));
    }
    if kind == "b1" {
        let mask = data.iter().map(|&byte| byte != 0).collect();
        return Ok(Item::Mask(nd_list(lens, mask, is_fortran)?));
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
    Ok(Item::List(nd_list(lens, numbers.collect(), is_fortran)?))
}

/// Creates a list of shape `shape`. If `is_fortran` is true, the first axis of `elements` varies fastest.
fn nd_list<T: Copy>(
    shape: Vec<usize>,
    mut elements: Vec<T>,
    is_fortran: bool,
) -> Result<NdList<T>, String> {
    if is_fortran {
        let places = (0..elements.len()).map(|place| {
            let (mut rest, mut stride, mut from) = (place, elements.len(), 0);
            for &len in shape.iter().rev() {
                stride /= len;
                from += rest % len * stride;
                rest /= len;
            }
            from
        });
        elements = places.map(|from| elements[from]).collect();
    }
    NdList::new(shape, elements).map_err(|error| error.to_string())
}

/// Returns the text after the name of a field in the header.
fn text_after<'h>(header: &'h str, name: &str) -> Option<&'h str> {
    header.split_once(name).map(|(_, rest)| rest)
}

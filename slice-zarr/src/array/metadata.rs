//! Checks the metadata of an array, and corrects the values that zarrs does not accept.

use serde_json::{Map, Value, json};

/// The maximum size of an element, in bytes. Metadata may claim any size, and zarrs would allocate a fill value of that
/// size.
const MAX_ELEMENT_BYTES: u64 = 16 << 20;

/// Checks the metadata of an array, and corrects the values that zarrs does not accept. The error is a message.
pub(super) fn correct_metadata(metadata: &mut Value) -> Result<(), String> {
    if metadata["zarr_format"] == 2 {
        return correct_version_2(metadata);
    }
    check_element_sizes(metadata)?;
    let grid = &metadata["chunk_grid"];
    match grid["name"].as_str().or(grid.as_str()) {
        // Other grids may repeat a chunk length any number of times, so the list of all lengths may not fit in memory.
        Some(name) if name != "regular" => Err(format!("the chunk grid {name:?} is not supported")),
        _ => correct_codecs(metadata.get_mut("codecs")),
    }
}

/// Checks and corrects metadata of format 2.
fn correct_version_2(metadata: &mut Value) -> Result<(), String> {
    if let Value::Array(fields) = &metadata["dtype"] {
        return Err(format!(
            "a structured data type, here with {} fields, is not supported; store each field in an array of its own",
            fields.len()
        ));
    }
    let dtype = metadata["dtype"].as_str().unwrap_or_default();
    let kind = dtype.trim_start_matches(['<', '>', '|', '=']);
    let characters = kind
        .strip_prefix('U')
        .and_then(|digits| digits.parse().ok());
    check_element_size(characters.map_or(0, |count: u64| count.saturating_mul(4)))?;
    let bytes = kind.strip_prefix('V').and_then(|bytes| bytes.parse().ok());
    check_element_size(bytes.unwrap_or(0))?;
    let corrected = match (metadata.get("fill_value"), kind.as_bytes()) {
        (Some(Value::Null), b"c8" | b"c16") => Some(json!([0.0, 0.0])),
        (Some(Value::Null), _) if characters.is_some() => Some(json!("")),
        (Some(Value::Null), _) => bytes.map(|bytes| zeros_in_base64(bytes as usize).into()),
        (Some(value), [b'i' | b'u', ..]) => integer(value),
        (Some(value), [b'f', ..]) => float(value),
        _ => None,
    };
    if let Some(corrected) = corrected {
        metadata["fill_value"] = corrected;
    }
    // An array without axes has a single element, so both orders are equivalent.
    if metadata["order"] == "F" && metadata["shape"] == json!([]) {
        metadata["order"] = "C".into();
    }
    Ok(())
}

/// Converts a fill value to an integer if zarr-python does, and JSON does not already represent it as an integer.
fn integer(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(value) => Some(u8::from(*value).into()),
        Value::String(text) => {
            let number: i128 = without_separators(text)?.parse().ok()?;
            let signed = i64::try_from(number).map(Value::from);
            signed
                .or_else(|_| u64::try_from(number).map(Value::from))
                .ok()
        }
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().filter(|number| number.fract() == 0.0)?;
            // A number beyond these bounds is an integer of no data type.
            (number.abs() < 1e19).then(|| match number < 0.0 {
                true => (number as i64).into(),
                false => (number as u64).into(),
            })
        }
        _ => None,
    }
}

/// Converts a fill value to a float if zarr-python does, and JSON does not already represent it as a float.
fn float(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(value) => Some(f64::from(u8::from(*value)).into()),
        Value::String(text) => {
            let number: f64 = without_separators(text)?.parse().ok()?;
            Some(match number {
                number if number.is_nan() => "NaN".into(),
                f64::INFINITY => "Infinity".into(),
                f64::NEG_INFINITY => "-Infinity".into(),
                number => number.into(),
            })
        }
        _ => None,
    }
}

/// Returns the text of a number without the whitespace around it and without the underscores between digits, both of
/// which Python allows. Returns `None` if there is any other underscore.
fn without_separators(text: &str) -> Option<String> {
    let text = text.trim();
    let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let separators = text.match_indices('_').map(|(at, _)| at);
    for at in separators {
        if !(at > 0 && is_digit(at - 1) && is_digit(at + 1)) {
            return None;
        }
    }
    Some(text.replace('_', ""))
}

/// Renames the codecs of numcodecs for which zarrs has an equivalent codec, and adds the settings that numcodecs omits
/// because they have their default value. Also does so in shards.
fn correct_codecs(codecs: Option<&mut Value>) -> Result<(), String> {
    for codec in codecs.and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(corrected) = corrected_codec(codec)? {
            *codec = corrected;
        }
        for name in ["codecs", "index_codecs"] {
            let inner = codec.get_mut("configuration");
            correct_codecs(inner.and_then(|inner| inner.get_mut(name)))?;
        }
    }
    Ok(())
}

/// Returns the equivalent of a codec of numcodecs, or `None` if the codec needs no correction.
fn corrected_codec(codec: &Value) -> Result<Option<Value>, String> {
    let Some(name) = codec["name"].as_str().or(codec.as_str()) else {
        return Ok(None);
    };
    let settings = codec["configuration"].as_object();
    let setting = |name: &str, default: Value| match settings.and_then(|map| map.get(name)) {
        None | Some(Value::Null) => default,
        Some(value) => value.clone(),
    };
    let (name, corrected) = match name {
        "numcodecs.zstd" => (
            "zstd",
            json!({"level": setting("level", 0.into()), "checksum": setting("checksum", false.into())}),
        ),
        "numcodecs.gzip" => ("gzip", json!({"level": setting("level", 1.into())})),
        "numcodecs.zlib" => (name, json!({"level": setting("level", 1.into())})),
        "numcodecs.crc32c" => {
            let location = setting("location", "end".into());
            if location != "end" {
                return Err(format!(
                    "the codec numcodecs.crc32c with a checksum at the {location} is not supported; only \"end\" is"
                ));
            }
            ("crc32c", json!({}))
        }
        "numcodecs.blosc" => {
            // In format 3, the codec encodes bytes, not elements.
            let typesize = setting("typesize", 1.into());
            let shuffle = setting("shuffle", 1.into());
            let shuffle = match shuffle.as_i64() {
                Some(0) => "noshuffle".into(),
                Some(1) => "shuffle".into(),
                Some(2) => "bitshuffle".into(),
                Some(-1) if typesize == 1 => "bitshuffle".into(),
                Some(-1) => "shuffle".into(),
                _ => shuffle,
            };
            (
                "blosc",
                json!({
                    "cname": setting("cname", "lz4".into()), "clevel": setting("clevel", 5.into()), "shuffle": shuffle,
                    "blocksize": setting("blocksize", 0.into()), "typesize": typesize,
                }),
            )
        }
        _ => return Ok(None),
    };
    let mut fields = codec.as_object().cloned().unwrap_or_else(Map::new);
    fields.insert("name".into(), name.into());
    fields.insert("configuration".into(), corrected);
    Ok(Some(fields.into()))
}

/// Returns `bytes` zero bytes in base64, the encoding of raw fill values in format 2.
fn zeros_in_base64(bytes: usize) -> String {
    let unused = bytes.next_multiple_of(3) - bytes;
    let letters = bytes.div_ceil(3) * 4 - unused;
    "A".repeat(letters) + &"=".repeat(unused)
}

/// Checks the element size of each fixed-length string data type in the metadata, including data types in the
/// configurations of codecs.
fn check_element_sizes(value: &Value) -> Result<(), String> {
    match value {
        Value::Object(fields) => {
            let length = &value["configuration"]["length_bytes"];
            if value["name"] == "fixed_length_utf32" {
                check_element_size(length.as_u64().unwrap_or(0))?;
            }
            fields.values().try_for_each(check_element_sizes)
        }
        Value::Array(values) => values.iter().try_for_each(check_element_sizes),
        _ => Ok(()),
    }
}

fn check_element_size(bytes: u64) -> Result<(), String> {
    match bytes <= MAX_ELEMENT_BYTES {
        true => Ok(()),
        false => Err(format!(
            "an element has {bytes} bytes, but at most {MAX_ELEMENT_BYTES} are supported"
        )),
    }
}

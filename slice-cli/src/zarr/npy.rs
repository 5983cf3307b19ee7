//! Writes NumPy's file format: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.

use std::io::{self, Write};

use serde_json::Value;
use zarrs::array::Array;

/// The maximum rank of a NumPy array.
const MAX_RANK: usize = 64;
/// The maximum size of an element in bytes, and the maximum multiple of a time unit. NumPy stores both as signed 32-bit
/// integers.
const NUMPY_INT_MAX: usize = i32::MAX as usize;

/// A data type in NumPy's notation.
pub struct Dtype {
    descr: String,
    /// NumPy's name of the data type, or Zarr's name if NumPy lacks the type.
    pub name: String,
    /// The size of an element in bytes.
    pub size: usize,
    is_known: bool,
}

impl Dtype {
    /// Returns the data type of an array's elements, in the byte order of this machine.
    pub fn of<S: ?Sized>(array: &Array<S>) -> Result<Self, Box<dyn std::error::Error>> {
        let metadata = serde_json::to_value(array.metadata())?;
        let size = array.data_type().fixed_size();
        let size = size.ok_or("only arrays whose elements have a fixed size can be sliced")?;
        // The metadata of Zarr version 2 contains NumPy's own names of data types.
        let dtype = metadata["dtype"].as_str();
        let dtype = dtype.map(|dtype| dtype.trim_start_matches(['<', '>', '|', '=']).to_owned());
        let kind = match dtype {
            Some(kind) => kind,
            None => {
                let data_type = &metadata["data_type"];
                let name = data_type.as_str().or_else(|| data_type["name"].as_str());
                let name = name.unwrap_or_default();
                match numpy_kind(name, &data_type["configuration"], size)? {
                    Some(kind) => kind,
                    // NumPy lacks the data type, but can read the elements as raw bytes.
                    None => {
                        let bits = name.strip_prefix('r');
                        let is_known = bits.is_some_and(|bits| bits.parse() == Ok(8 * size));
                        let dtype = Dtype::new(format!("|V{size}"), name.into(), size)?;
                        return Ok(Dtype { is_known, ..dtype });
                    }
                }
            }
        };
        let order = match cfg!(target_endian = "little") {
            _ if size == 1 || kind.starts_with('V') => '|',
            true => '<',
            false => '>',
        };
        let unit = kind.find('[').map_or("", |unit| &kind[unit..]);
        let name = match kind.get(..1).unwrap_or_default() {
            "b" => "bool".into(),
            "i" => format!("int{}", 8 * size),
            "u" => format!("uint{}", 8 * size),
            "f" => format!("float{}", 8 * size),
            "c" => format!("complex{}", 8 * size),
            "M" => format!("datetime64{unit}"),
            "m" => format!("timedelta64{unit}"),
            "U" => format!("str{}", 8 * size),
            _ => format!("void{}", 8 * size),
        };
        Dtype::new(format!("{order}{kind}"), name, size)
    }

    /// Creates a data type, or returns an error if its elements are too large for NumPy.
    fn new(descr: String, name: String, size: usize) -> Result<Self, Box<dyn std::error::Error>> {
        if size > NUMPY_INT_MAX {
            return Err(format!(
                "data type {descr:?} not understood: NumPy's elements have at most {NUMPY_INT_MAX} bytes"
            )
            .into());
        }
        Ok(Dtype {
            descr,
            name,
            size,
            is_known: true,
        })
    }

    /// Returns a warning if NumPy lacks the data type, so that the elements are written as raw bytes.
    pub fn warning(&self) -> Option<String> {
        let Dtype { descr, name, .. } = self;
        (!self.is_known).then(|| {
            format!("NumPy has no data type {name}: the elements are written as raw bytes, with the data type {descr}")
        })
    }
}

/// Returns NumPy's name, without the byte order, of a data type of Zarr version 3, or `None` if NumPy lacks the type.
fn numpy_kind(name: &str, configuration: &Value, size: usize) -> Result<Option<String>, String> {
    let factor = configuration["scale_factor"].as_u64();
    if let Some(factor) = factor.filter(|&factor| factor > NUMPY_INT_MAX as u64) {
        return Err(format!(
            "data type {name} with a multiple of {factor} not understood: NumPy limits the multiple of a time unit to {NUMPY_INT_MAX}"
        ));
    }
    // NumPy rejects the Greek letter mu in the unit of microseconds.
    let unit = configuration["unit"].as_str().unwrap_or("generic");
    let unit = match (if unit == "\u{3bc}s" { "us" } else { unit }, factor) {
        ("generic", _) => String::new(),
        (unit, None | Some(1)) => format!("[{unit}]"),
        (unit, Some(factor)) => format!("[{factor}{unit}]"),
    };
    Ok(Some(match name {
        "bool" => "b1".into(),
        "int8" | "int16" | "int32" | "int64" => format!("i{size}"),
        "uint8" | "uint16" | "uint32" | "uint64" => format!("u{size}"),
        "float16" | "float32" | "float64" => format!("f{size}"),
        "complex64" | "complex128" => format!("c{size}"),
        "numpy.datetime64" => format!("M8{unit}"),
        "numpy.timedelta64" => format!("m8{unit}"),
        "fixed_length_utf32" => format!("U{}", size / 4),
        _ => return Ok(None),
    }))
}

/// Checks that NumPy supports arrays of shape `shape` with elements of `size` bytes. An error begins with NumPy's own
/// wording.
pub fn check_shape(shape: &[usize], size: usize) -> Result<(), String> {
    let rank = shape.len();
    if rank > MAX_RANK {
        return Err(format!(
            "number of dimensions must be within [0, {MAX_RANK}], indexing result would have {rank}; drop axes with an \
             index"
        ));
    }
    // For this limit, NumPy treats an axis of length 0 as if its length were 1.
    let lengths = shape.iter().map(|&len| len.max(1));
    let bytes = lengths.fold(size.max(1) as u128, |bytes, len| {
        bytes.saturating_mul(len as u128)
    });
    if bytes > isize::MAX as u128 {
        return Err(format!(
            "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size: shape {shape:?} with \
             elements of {size} bytes"
        ));
    }
    Ok(())
}

/// Writes an array in NumPy's file format: the header, and then `bytes`.
pub fn write(out: &mut dyn Write, dtype: &Dtype, shape: &[usize], bytes: &[u8]) -> io::Result<()> {
    let lengths: Vec<String> = shape.iter().map(|len| format!("{len},")).collect();
    let descr = Value::from(dtype.descr.as_str())
        .to_string()
        .replace('"', "'");
    let mut header = format!(
        "{{'descr': {descr}, 'fortran_order': False, 'shape': ({}), }}",
        lengths.join(" ")
    );
    // The magic string, the version, the header length and the header, including the padding and the newline, occupy a
    // multiple of 64 bytes.
    let padding = (64 - (10 + header.len() + 1) % 64) % 64;
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    let len = u16::try_from(header.len()).map_err(|_| io::ErrorKind::InvalidData)?;
    out.write_all(b"\x93NUMPY\x01\x00")?;
    out.write_all(&len.to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    out.write_all(bytes)
}

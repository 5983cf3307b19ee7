//! NumPy's file format: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use serde_json::Value;
use zarrs::array::Array;

/// A data type as NumPy writes it.
pub struct Dtype {
    descr: String,
    name: String,
}

impl Dtype {
    /// The data type of the elements as they are read: those of the array, in the byte order of this machine.
    pub fn of<S: ?Sized>(array: &Array<S>) -> Result<Self, Box<dyn std::error::Error>> {
        let metadata = serde_json::to_value(array.metadata())?;
        let size = array.data_type().fixed_size();
        let size = size.ok_or("only arrays of elements of a fixed size can be sliced")?;
        let order = if cfg!(target_endian = "little") {
            '<'
        } else {
            '>'
        };
        if let Some(dtype) = metadata["dtype"].as_str() {
            // The metadata of version 2 uses NumPy's own names.
            let kind = dtype.trim_start_matches(['<', '>', '|', '=']);
            let order = if size == 1 || kind.starts_with(['S', 'V']) {
                '|'
            } else {
                order
            };
            let name = match (&kind[..1], kind.find('[')) {
                ("b", _) => "bool".into(),
                ("i", _) => format!("int{}", 8 * size),
                ("u", _) => format!("uint{}", 8 * size),
                ("f", _) => format!("float{}", 8 * size),
                ("c", _) => format!("complex{}", 8 * size),
                ("M", Some(unit)) => format!("datetime64{}", &kind[unit..]),
                ("m", Some(unit)) => format!("timedelta64{}", &kind[unit..]),
                ("S", _) => format!("bytes{}", 8 * size),
                ("U", _) => format!("str{}", 8 * size),
                _ => format!("void{}", 8 * size),
            };
            return Ok(Dtype {
                descr: format!("{order}{kind}"),
                name,
            });
        }
        let data_type = &metadata["data_type"];
        let name = data_type
            .as_str()
            .or_else(|| data_type["name"].as_str())
            .unwrap_or_default();
        let configuration = &data_type["configuration"];
        let unit = || {
            let unit = configuration["unit"].as_str().unwrap_or("generic");
            match configuration["scale_factor"].as_u64() {
                _ if unit == "generic" => String::new(),
                Some(factor) if factor != 1 => format!("[{factor}{unit}]"),
                _ => format!("[{unit}]"),
            }
        };
        let kind = |letter: char| format!("{}{letter}{size}", if size == 1 { '|' } else { order });
        let (descr, name) = match name {
            "bool" => (kind('b'), name.into()),
            "int8" | "int16" | "int32" | "int64" => (kind('i'), name.into()),
            "uint8" | "uint16" | "uint32" | "uint64" => (kind('u'), name.into()),
            "float16" | "float32" | "float64" => (kind('f'), name.into()),
            "complex64" | "complex128" => (kind('c'), name.into()),
            "numpy.datetime64" => (
                format!("{order}M8{}", unit()),
                format!("datetime64{}", unit()),
            ),
            "numpy.timedelta64" => (
                format!("{order}m8{}", unit()),
                format!("timedelta64{}", unit()),
            ),
            "fixed_length_utf32" => (format!("{order}U{}", size / 4), format!("str{}", 8 * size)),
            "null_terminated_bytes" => (format!("|S{size}"), format!("bytes{}", 8 * size)),
            // NumPy does not have such numbers; the bytes are right.
            _ => (format!("|V{size}"), name.into()),
        };
        Ok(Dtype { descr, name })
    }

    /// NumPy's name, or Zarr's for what NumPy does not have.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Writes a file that either exists as a whole or does not exist.
pub fn write(path: &Path, dtype: &Dtype, shape: &[usize], bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    let partial = path.with_file_name(format!(
        ".{}.{}",
        name.to_string_lossy(),
        std::process::id()
    ));
    let written =
        write_new(&partial, dtype, shape, bytes).and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        // Removes the unfinished file, if there is one.
        let _ = fs::remove_file(&partial);
    }
    written
}

fn write_new(path: &Path, dtype: &Dtype, shape: &[usize], bytes: &[u8]) -> io::Result<()> {
    let lengths: Vec<String> = shape.iter().map(|len| format!("{len},")).collect();
    let descr = Value::from(dtype.descr.as_str())
        .to_string()
        .replace('"', "'");
    let mut header = format!(
        "{{'descr': {descr}, 'fortran_order': False, 'shape': ({}), }}",
        lengths.join(" ")
    );
    // Magic, version and length before it, and a newline at the end, to a multiple of 64 bytes.
    let padding = (64 - (10 + header.len() + 1) % 64) % 64;
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    let len = u16::try_from(header.len()).map_err(|_| io::ErrorKind::InvalidData)?;
    let mut file = File::create(path)?;
    file.write_all(b"\x93NUMPY\x01\x00")?;
    file.write_all(&len.to_le_bytes())?;
    file.write_all(header.as_bytes())?;
    file.write_all(bytes)?;
    file.sync_all()
}

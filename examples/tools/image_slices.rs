//! Crops, flips, mirrors, recolors and shrinks a photograph, using only `s![]`.
//!
//! `cargo run --example image_slices [PICTURE.png [SHEET.png]]` writes a contact sheet with the expression under each
//! tile.

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ndarray::{Array3, ArrayView3};
use slice_core::{SliceError, StridedSliceExt, s};
use slice_examples::output::exit_code;
use slice_examples::println;

use slice_tools::pictures::{draw_label, write_png};

/// The distance between tiles. `LABEL_HEIGHT_PX` is the height of the line of text under each tile.
const GAP_PX: usize = 12;
const LABEL_HEIGHT_PX: usize = 22;
const SHEET_COLUMNS: usize = 4;
const BACKGROUND: u8 = 250;
const TEXT_COLOR: [u8; 3] = [40, 40, 48];

/// A tile of the sheet: the Python expression, and the resulting view.
type Tile<'a> = (&'static str, ArrayView3<'a, u8>);

/// Creates the tile for an expression, which is valid in both Python and Rust.
macro_rules! tile {
    ($photo:ident[$($items:tt)*]) => {
        (concat!(stringify!($photo), "[", stringify!($($items)*), "]"), $photo.try_at(s![$($items)*])?)
    };
}

fn tiles(photo: &Array3<u8>) -> Result<[Tile<'_>; 8], SliceError> {
    Ok([
        tile!(photo[...]),
        tile!(photo[::-1]),
        tile!(photo[:, ::-1]),
        tile!(photo[::-1, ::-1]),
        tile!(photo[..., ::-1]),
        tile!(photo[..., :1]),
        tile!(photo[30:-37, 56:-45]),
        tile!(photo[::4, ::4]),
    ])
}

/// Arranges the tiles in rows. Each tile is in the middle of a cell that is as large as the photograph.
fn contact_sheet(tiles: &[Tile<'_>], cell: (usize, usize)) -> Result<Array3<u8>, Box<dyn Error>> {
    let (cell_height, cell_width) = cell;
    let rows = tiles.len().div_ceil(SHEET_COLUMNS);
    let (row, column) = (cell_height + LABEL_HEIGHT_PX + GAP_PX, cell_width + GAP_PX);
    let mut sheet = Array3::from_elem(
        (rows * row + GAP_PX, SHEET_COLUMNS * column + GAP_PX, 3),
        BACKGROUND,
    );
    for (index, (text, tile)) in tiles.iter().enumerate() {
        let (top, left) = (
            GAP_PX + index / SHEET_COLUMNS * row,
            GAP_PX + index % SHEET_COLUMNS * column,
        );
        let (height, width, _) = tile.dim();
        let (y, x) = (
            top + (cell_height - height) / 2,
            left + (cell_width - width) / 2,
        );
        let mut tile_area = sheet.try_at_mut(s![y:y + height, x:x + width])?;
        // A tile with one channel is broadcast to three channels, which produces a gray picture.
        tile_area.assign(tile);
        let label_area = sheet.try_at_mut(
            s![top + cell_height:top + cell_height + LABEL_HEIGHT_PX, left:left + cell_width],
        )?;
        draw_label(label_area, text, 0, 15, TEXT_COLOR);
    }
    Ok(sheet)
}

fn run(picture: &Path, sheet: &Path) -> Result<(), Box<dyn Error>> {
    // Halves the width and the height, so that eight tiles fit on a page.
    let photo = read_png(picture)?.gather(s![::2, ::2]);
    let (height, width, _) = photo.dim();
    let tiles = tiles(&photo)?;
    for (text, tile) in &tiles {
        println!("{text:24} {:?} strides {:?}", tile.shape(), tile.strides());
    }
    write_png(sheet, &contact_sheet(&tiles, (height, width))?)?;
    println!(
        "\nThe tiles are views of the photograph. They are copied only into the sheet: {}",
        sheet.display()
    );
    Ok(())
}

/// Reads the colors of an RGB or RGBA picture, with 8 bits per channel.
fn read_png(path: &Path) -> Result<Array3<u8>, Box<dyn Error>> {
    let with_path = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(|error| with_path(&error))?;
    let mut decoder = png::Decoder::new(BufReader::new(file));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|error| with_path(&error))?;
    let size = reader
        .output_buffer_size()
        .ok_or_else(|| with_path(&"the picture is too large"))?;
    let mut bytes = vec![0; size];
    let info = reader
        .next_frame(&mut bytes)
        .map_err(|error| with_path(&error))?;
    let samples = info.color_type.samples();
    if samples < 3 {
        return Err(with_path(&"the picture is grayscale: use an RGB or RGBA picture").into());
    }
    bytes.truncate(info.buffer_size());
    let picture =
        Array3::from_shape_vec((info.height as usize, info.width as usize, samples), bytes)?;
    Ok(picture.gather(s![..., :3]))
}

fn main() -> ExitCode {
    let examples_folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let picture = arguments
        .next()
        .unwrap_or_else(|| examples_folder.join("chelsea.png"));
    let sheet = arguments
        .next()
        .unwrap_or_else(|| examples_folder.join("image_slices.png"));
    let outcome = match arguments.next() {
        None => run(&picture, &sheet),
        Some(text) => Err(format!(
            "unexpected argument {text:?}; usage: cargo run --example image_slices [PICTURE.png [SHEET.png]]"
        )
        .into()),
    };
    exit_code(outcome)
}

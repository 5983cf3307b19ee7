//! Simulates heat that spreads through a plate. The two-dimensional heat equation is written in `py!` with only slices
//! and assignments, next to the NumPy functions from which it was ported.
//!
//! `cargo run --example stencil [STEPS [PICTURE.png]]` draws the plate at six moments. Rods in the shape of `[::]` heat
//! the plate for the first third of the time. No heat leaves the plate, so the total heat is constant afterwards.

use std::error::Error;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ndarray::{Array2, Array3};
use slice_core::{StridedSliceExt, py, s};
use slice_examples::output::exit_code;
use slice_examples::println;

use slice_tools::pictures::{draw_label, write_png};

/// The number of rows and the number of columns of the plate.
const PLATE_SIZE: (usize, usize) = (84, 132);
/// The fraction of a temperature difference that flows to a neighbor in each step. The simulation is stable if the
/// fraction is below 1/4.
const FLOW: f32 = 0.2;
const DEFAULT_STEPS: usize = 900;
const MAX_STEPS: usize = 1_000_000;

/// The number of moments at which the plate is drawn.
const MOMENTS: usize = 6;
const SHEET_COLUMNS: usize = 3;
/// The distance between drawings. `LABEL_HEIGHT_PX` is the height of the line of text under each drawing.
const GAP_PX: usize = 12;
const LABEL_HEIGHT_PX: usize = 22;
const BACKGROUND: u8 = 250;
const TEXT_COLOR: [u8; 3] = [40, 40, 48];

/// Heats the rods: `[`, four dots, `]`.
///
/// ```python
/// def heat(plate):
///     plate[16:-16, 16:20] = 1.0
///     plate[16:-16, -20:-16] = 1.0
///     plate[16:20, 20:30] = 1.0
///     plate[-20:-16, 20:30] = 1.0
///     plate[16:20, -30:-20] = 1.0
///     plate[-20:-16, -30:-20] = 1.0
///     for y, x in [(28, 46), (28, 78), (48, 46), (48, 78)]:
///         plate[y:y + 8, x:x + 8] = 1.0
/// ```
fn heat(plate: &mut Array2<f32>) {
    py! {
        plate[16:-16, 16:20] = 1.0;
        plate[16:-16, -20:-16] = 1.0;
        plate[16:20, 20:30] = 1.0;
        plate[-20:-16, 20:30] = 1.0;
        plate[16:20, -30:-20] = 1.0;
        plate[-20:-16, -30:-20] = 1.0;
        for (y, x) in [(28, 46), (28, 78), (48, 46), (48, 78)] {
            plate[y:y + 8, x:x + 8] = 1.0;
        }
    }
}

/// Computes one step, in which every element approaches the mean of its four neighbors.
///
/// ```python
/// def step(plate):
///     plate[0, :] = plate[1, :]
///     plate[-1, :] = plate[-2, :]
///     plate[:, 0] = plate[:, 1]
///     plate[:, -1] = plate[:, -2]
///     plate[1:-1, 1:-1] += FLOW * (plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]
///                                  - 4.0 * plate[1:-1, 1:-1])
/// ```
fn step(plate: &mut Array2<f32>) {
    py! {
        plate[0, :] = plate[1, :];
        plate[-1, :] = plate[-2, :];
        plate[:, 0] = plate[:, 1];
        plate[:, -1] = plate[:, -2];
        plate[1:-1, 1:-1] += FLOW * (plate[:-2, 1:-1] + plate[2:, 1:-1] + plate[1:-1, :-2] + plate[1:-1, 2:]
                                     - 4.0 * plate[1:-1, 1:-1]);
    }
}

/// Returns the total heat. Excludes the edge elements, which are only copies of the elements next to them.
fn total_heat(plate: &Array2<f32>) -> f32 {
    py!(plate[1:-1, 1:-1].sum())
}

/// Draws the plate in the colors of glowing iron, with four pixels for each element.
fn glow(plate: &Array2<f32>) -> Array3<u8> {
    let (height, width) = plate.dim();
    let mut picture = Array3::zeros((2 * height, 2 * width, 3));
    for (channel, threshold) in [0.0, 0.33, 0.67].into_iter().enumerate() {
        let light = plate.mapv(|heat| ((heat - threshold) * 3.0 * 255.0) as u8);
        py! {
            picture[::2, ::2, channel] = light;
            picture[::2, 1::2, channel] = light;
            picture[1::2, ::2, channel] = light;
            picture[1::2, 1::2, channel] = light;
        }
    }
    picture
}

/// Heats the plate, lets the heat spread, and draws the plate at six moments.
fn run(steps: usize, path: &Path) -> Result<(), Box<dyn Error>> {
    let (cell_height, cell_width) = (
        2 * PLATE_SIZE.0 + LABEL_HEIGHT_PX,
        2 * PLATE_SIZE.1 + GAP_PX,
    );
    let rows = MOMENTS / SHEET_COLUMNS;
    let mut sheet = Array3::from_elem(
        (
            rows * cell_height + GAP_PX,
            SHEET_COLUMNS * cell_width + GAP_PX,
            3,
        ),
        BACKGROUND,
    );
    let mut plate = Array2::zeros(PLATE_SIZE);
    let heating_steps = steps / 3;
    let shows_progress = std::io::stderr().is_terminal();
    let mut moment = 0;
    for current_step in 0..=steps {
        if current_step <= heating_steps {
            heat(&mut plate);
        }
        while moment < MOMENTS && current_step == steps * moment / (MOMENTS - 1) {
            let (top, left) = (
                GAP_PX + moment / SHEET_COLUMNS * cell_height,
                GAP_PX + moment % SHEET_COLUMNS * cell_width,
            );
            sheet.try_set(
                s![top:top + 2 * PLATE_SIZE.0, left:left + 2 * PLATE_SIZE.1],
                &glow(&plate),
            )?;
            let text = format!("step {current_step}, heat {:.0}", total_heat(&plate));
            let label_area = sheet.try_at_mut(s![top + 2 * PLATE_SIZE.0:, left:])?;
            draw_label(label_area, &text, 0, 15, TEXT_COLOR);
            if shows_progress {
                eprint!("\r");
            }
            println!("{text:24}");
            moment += 1;
        }
        if shows_progress && current_step % 50 == 0 {
            eprint!("\r{:3} %", 100 * current_step / steps.max(1));
            std::io::stderr().flush()?;
        }
        if current_step < steps {
            step(&mut plate);
        }
    }
    write_png(path, &sheet)?;
    println!(
        "\nComputed with slices and assignments, without a loop over elements: {}",
        path.display()
    );
    Ok(())
}

fn arguments() -> Result<(usize, PathBuf), String> {
    let mut arguments = std::env::args_os().skip(1);
    let steps = match arguments.next() {
        None => DEFAULT_STEPS,
        Some(text) => text
            .to_str()
            .and_then(|text| text.parse().ok())
            .filter(|steps| (1..=MAX_STEPS).contains(steps))
            .ok_or_else(|| {
                format!("STEPS must be a whole number from 1 to {MAX_STEPS}, but is {text:?}")
            })?,
    };
    let path = arguments.next().map_or_else(
        || Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("stencil.png"),
        PathBuf::from,
    );
    match arguments.next() {
        None => Ok((steps, path)),
        Some(text) => Err(format!("unexpected argument {text:?}")),
    }
}

fn main() -> ExitCode {
    let outcome = match arguments() {
        Ok((steps, path)) => run(steps, &path),
        Err(message) => Err(format!(
            "{message}; usage: cargo run --example stencil [STEPS [PICTURE.png]]"
        )
        .into()),
    };
    exit_code(outcome)
}

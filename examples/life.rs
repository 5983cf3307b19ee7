//! Draws Conway's Game of Life in the terminal. The code in `py!` stands next to the NumPy program from which it was
//! ported.
//!
//! `cargo run --example life [GENERATIONS]` runs a glider gun. If the output is a terminal, the example draws an
//! animation. Otherwise, it prints only the last generation.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use ndarray::{Array2, ArrayView2};
use slice_core::py;

/// The number of rows and the number of columns, including the border of dead cells.
const SIZE: (usize, usize) = (42, 76);
const DEFAULT_GENERATIONS: usize = 240;
const FRAME_DURATION: Duration = Duration::from_millis(40);

/// A gun that emits a glider every 30 generations.
const GUN: [&str; 9] = [
    "........................#...........",
    "......................#.#...........",
    "............##......##............##",
    "...........#...#....##............##",
    "##........#.....#...##..............",
    "##........#...#.##....#.#...........",
    "..........#.....#.......#...........",
    "...........#...#....................",
    "............##......................",
];

/// Computes the next generation.
///
/// ```python
/// def step(life):
///     n = (life[:-2, :-2] + life[:-2, 1:-1] + life[:-2, 2:]
///          + life[1:-1, :-2] + life[1:-1, 2:]
///          + life[2:, :-2] + life[2:, 1:-1] + life[2:, 2:])
///     life[1:-1, 1:-1] = rule(n, life[1:-1, 1:-1])
/// ```
fn step(life: &mut Array2<u8>) {
    py! {
        let n = life[:-2, :-2] + life[:-2, 1:-1] + life[:-2, 2:]
            + life[1:-1, :-2] + life[1:-1, 2:]
            + life[2:, :-2] + life[2:, 1:-1] + life[2:, 2:];
        life[1:-1, 1:-1] = rule(n, life[1:-1, 1:-1]);
    }
}

/// Returns the next state of each cell, from the number `n` of its living neighbors and its state `here`.
///
/// ```python
/// def rule(n, here):
///     return (n == 3) | (n == 2) & here
/// ```
fn rule(mut n: Array2<u8>, here: ArrayView2<'_, u8>) -> Array2<u8> {
    n.zip_mut_with(&here, |n, &here| {
        *n = u8::from(*n == 3 || *n == 2 && here == 1)
    });
    n
}

/// Returns the first generation, with the gun in the upper left corner.
///
/// ```python
/// life = np.zeros(SIZE, np.uint8)
/// life[3:3 + h, 2:2 + w] = gun
/// ```
fn start() -> Array2<u8> {
    let (h, w) = (GUN.len(), GUN[0].len());
    let gun = Array2::from_shape_fn((h, w), |(y, x)| u8::from(GUN[y].as_bytes()[x] == b'#'));
    let mut life = Array2::zeros(SIZE);
    py!(life[3:3 + h, 2:2 + w] = gun);
    life
}

/// Returns the cells as text, with two rows of cells in each line. The border is omitted, because its cells are always
/// dead.
fn cells_to_text(life: &Array2<u8>) -> String {
    let mut text = String::new();
    py! {
        let (upper, lower) = (life[1:-1:2, 1:-1], life[2:-1:2, 1:-1]);
        for (upper, lower) in upper.rows().into_iter().zip(lower.rows()) {
            let line = upper.iter().zip(lower).map(|cells| match cells {
                (0, 0) => ' ',
                (_, 0) => '▀',
                (0, _) => '▄',
                _ => '█',
            });
            text.extend(line);
            text.push('\n');
        }
    }
    text
}

fn run(generations: usize) -> std::io::Result<()> {
    let (mut life, mut out) = (start(), std::io::stdout());
    if out.is_terminal() {
        // Clears the screen once, then draws each frame over the previous one.
        write!(out, "\x1b[2J")?;
        for generation in 0..generations {
            writeln!(out, "\x1b[H{}generation {generation}", cells_to_text(&life))?;
            out.flush()?;
            sleep(FRAME_DURATION);
            step(&mut life);
        }
        write!(out, "\x1b[H")?;
    } else {
        (0..generations).for_each(|_| step(&mut life));
    }
    let living_cells = life.iter().filter(|&&cell| cell == 1).count();
    writeln!(
        out,
        "{}generation {generations}, {living_cells} alive",
        cells_to_text(&life)
    )
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let generations = arguments
        .next()
        .map_or(Ok(DEFAULT_GENERATIONS), |text| text.parse());
    match (generations, arguments.next()) {
        (Ok(generations), None) => match run(generations) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("usage: cargo run --example life [GENERATIONS]");
            ExitCode::from(2)
        }
    }
}

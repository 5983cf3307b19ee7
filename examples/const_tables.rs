//! Slices tables at compile time, for a small instrument with a display. The sliced tables are in the binary's
//! read-only data, and a slice that is invalid for its table does not compile. On a microcontroller, such tables occupy
//! flash instead of RAM, and need no work at start-up.
//!
//! `cargo run --example const_tables`

use slice_core::{AxisRange, StaticPlan, named, s};
use slice_examples::println;

named! {
    /// Selects the coefficients for the even samples. `ODD` selects the coefficients for the odd samples.
    const EVEN = s![::2];
    const ODD = s![1::2];
    /// Every glyph, rotated by 180 degrees.
    const HALF_TURN = s![:, ::-1, ::-1];
    /// The status bar of the display: the bottom 16 rows, without the outer 8 columns on each side.
    const STATUS_BAR = s![-16:, 8:-8];
}

// ---- a filter

/// The 11 coefficients of a half-band low-pass filter, in units of 1/512. The filter is symmetric, so the second half
/// of the coefficients is copied from the first.
static TAPS: [i16; 11] = {
    let half = [3, 0, -25, 0, 150, 256];
    let mut taps = [0; 11];
    const { s![:6].static_plan() }.scatter(&half, &mut taps);
    const SECOND: StaticPlan<[i16; 11], [i16; 5]> = s![6:].static_plan();
    SECOND.scatter(&s![-2::-1].gather_nested(&half), &mut taps);
    taps
};

/// The coefficients for the even samples. Even and odd samples are filtered separately to halve the sample rate.
static EVEN_TAPS: [i16; 6] = EVEN.gather_nested(&TAPS);
static ODD_TAPS: [i16; 5] = ODD.gather_nested(&TAPS);

// Checks at compile time that the filter for odd samples is only a delay. A faster `decimate` could therefore omit the
// multiplications by zero.
const _: () = assert!(matches!(ODD_TAPS, [0, 0, 256, 0, 0]));
const _: () = assert!(matches!(EVEN_TAPS, [3, -25, 150, 150, -25, 3]));

/// Returns one sample of the signal at half the sample rate, computed from the last 11 input samples.
fn decimate(window: &[i16; 11]) -> i32 {
    let filter = |taps: &[i16], samples: &[i16]| -> i32 {
        let products = taps.iter().zip(samples);
        products
            .map(|(&tap, &x)| i32::from(tap) * i32::from(x))
            .sum()
    };
    // The slices are resolved and checked at compile time, because the shapes are part of the types. Only the copies
    // happen at run time.
    let even: [i16; 6] = const { EVEN.static_plan() }.gather(window);
    let odd: [i16; 5] = const { ODD.static_plan() }.gather(window);
    (filter(&EVEN_TAPS, &even) + filter(&ODD_TAPS, &odd)) / 512
}

// ---- a font

/// A glyph: seven rows of five pixels.
type Glyph = [[u8; 5]; 7];

/// The glyphs `2`, `b` and `+`.
static FONT: [Glyph; 3] = [
    [
        *b".###.", *b"#...#", *b"....#", *b"...#.", *b"..#..", *b".#...", *b"#####",
    ],
    [
        *b"#....", *b"#....", *b"#.##.", *b"##..#", *b"#...#", *b"#...#", *b"####.",
    ],
    [
        *b".....", *b"..#..", *b"..#..", *b"#####", *b"..#..", *b"..#..", *b".....",
    ],
];

/// The font for a display that is mounted upside down.
static TURNED_FONT: [Glyph; 3] = HALF_TURN.gather_nested(&FONT);

// ---- a test pattern

/// A pattern of squares that makes dead pixels visible.
static BOARD: [[u8; 8]; 4] = {
    const EVEN_ROWS: StaticPlan<[[u8; 8]; 4], [[u8; 4]; 2]> = s![::2, ::2].static_plan();
    const ODD_ROWS: StaticPlan<[[u8; 8]; 4], [[u8; 4]; 2]> = s![1::2, 1::2].static_plan();
    let mut board = [*b"........"; 4];
    EVEN_ROWS.scatter(&[*b"####"; 2], &mut board);
    ODD_ROWS.scatter(&[*b"####"; 2], &mut board);
    board
};

// ---- a transfer

/// The number of rows and the number of columns of the display.
const DISPLAY: [usize; 2] = [64, 128];

/// The arguments of a DMA channel: the offset of a region, the length of its rows, the distance between rows and the
/// number of rows.
struct Descriptor {
    offset: usize,
    row_length: usize,
    row_distance: usize,
    rows: usize,
}

static STATUS_BAR_TRANSFER: Descriptor = {
    let [rows, columns]: [AxisRange; 2] = STATUS_BAR.axis_ranges(DISPLAY);
    assert!(
        rows.step() == 1 && columns.step() == 1,
        "the channel can copy only consecutive rows and columns"
    );
    Descriptor {
        offset: rows.start() * DISPLAY[1] + columns.start(),
        row_length: columns.len(),
        row_distance: DISPLAY[1],
        rows: rows.len(),
    }
};

fn main() {
    println!("coefficients          {TAPS:?}");
    println!("for even samples      {EVEN_TAPS:?}");
    println!("for odd samples       {ODD_TAPS:?}");
    let steady_signal = [1000; 11];
    let mut fastest_oscillation = steady_signal;
    const { s![1::2].static_plan() }.scatter(&[-1000; 5], &mut fastest_oscillation);
    println!("steady signal         {}", decimate(&steady_signal));
    println!("fastest oscillation   {}", decimate(&fastest_oscillation));
    for (title, glyphs) in [("font", &FONT), ("turned font", &TURNED_FONT)] {
        println!("\n{title}");
        for row in 0..7 {
            let line = glyphs.map(|glyph| String::from_utf8_lossy(&glyph[row]).into_owned());
            println!("    {}", line.join("  "));
        }
    }
    println!("\ntest pattern");
    for row in &BOARD {
        println!("    {}", String::from_utf8_lossy(row));
    }
    let Descriptor {
        offset,
        row_length,
        row_distance,
        rows,
    } = STATUS_BAR_TRANSFER;
    println!(
        "\ntransfer of {rows} rows of length {row_length}, {row_distance} apart, from offset {offset}"
    );
}

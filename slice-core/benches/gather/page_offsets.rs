//! Measures copies between buffers at different offsets within a page. All other tables of the benchmark use a single
//! pair of offsets.
//!
//! On a Zen 3 processor, `memcpy` takes 10 to 20 times as long if the offset of its destination within a page is
//! slightly larger than the offset of its source. [`offset_buffer`](super::common::offset_buffer) explains the cause.

use std::hint::black_box;

use ndarray::{ArrayView2, ArrayViewMut2, s as range};
use slice_core::s;

use super::common::offset_buffer::{OffsetBuffer, PAGE_BYTES};
use super::common::timing::{Candidate, Effort, medians};

/// The distances within a page from the start of a source to the start of its destination, in bytes.
const DISTANCES_BYTES: [usize; 8] = [
    0,
    16,
    64,
    256,
    1024,
    PAGE_BYTES / 2,
    PAGE_BYTES - 256,
    PAGE_BYTES - 64,
];
/// The length of both axes of the array.
const SIDE: usize = 256;
/// The number of elements that the slice omits on each side.
const BORDER: usize = 8;
/// The length of both axes of the slice.
const INNER: usize = SIDE - 2 * BORDER;

/// Prints the times in microseconds.
pub fn print(effort: Effort) {
    println!("\n## Offsets within a page, microseconds\n");
    println!(
        "| bytes from source to destination | memcpy | slice-core `[8:-8, 8:-8]` | ndarray assign |"
    );
    println!("|--:|--:|--:|--:|");
    let selection = s![8:-8, 8:-8]
        .resolve(&[SIDE, SIDE])
        .expect("the slice should fit the shape");
    let input = OffsetBuffer::new(0, SIDE * SIDE, |i| i as f32);
    let array =
        ArrayView2::from_shape((SIDE, SIDE), &input).expect("the length should match the shape");
    let border = BORDER as isize;
    let inner = array.slice(range![border..-border, border..-border]);
    // The array begins at the start of a page, and the slice begins within the array.
    let first = (BORDER * SIDE + BORDER) * size_of::<f32>();
    for distance in DISTANCES_BYTES {
        let mut copied = OffsetBuffer::new(distance, SIDE * SIDE, |_| 0.0_f32);
        let output =
            || OffsetBuffer::new((first + distance) % PAGE_BYTES, INNER * INNER, |_| 0.0_f32);
        let (mut gathered, mut assigned) = (output(), output());
        let mut candidates = [
            Candidate::new("memcpy", || copied.copy_from_slice(black_box(&input))),
            Candidate::new("slice-core", || {
                let gathered = black_box(&selection).gather_into(black_box(&input), &mut gathered);
                gathered.expect("the buffers should fit the selection");
            }),
            Candidate::new("ndarray assign", || {
                let output = ArrayViewMut2::from_shape((INNER, INNER), &mut assigned);
                output
                    .expect("the length should match the shape")
                    .assign(black_box(&inner));
            }),
        ];
        let times = medians(&mut candidates, effort);
        let cells: Vec<_> = times
            .iter()
            .map(|time| format!("{:.2}", time / 1e3))
            .collect();
        println!("| {distance} | {} |", cells.join(" | "));
    }
}

//! Prepares a picture for a neural network: crops it, reverses axes, adds an axis, and marks its border.
//!
//! `cargo run -p slice-core --example photo`

use ndarray::{Array3, Array4};
use slice_core::{DynSliceSpec, StridedSliceExt, s};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // 48 rows, 64 columns, and the channels red, green and blue.
    let mut photo = Array3::from_shape_fn((48, 64, 3), |(row, column, channel)| {
        (row + 2 * column + 50 * channel) as u8
    });

    // Views: no element is copied.
    let thumbnail = photo.at(s![::4, ::4]);
    println!("every fourth pixel: {:?}", thumbnail.shape());
    let batch = photo.at(s![newaxis, 8:-8, 8:-8, ::-1]);
    println!("a batch of one cropped BGR picture: {:?}", batch.shape());

    // Copies, also of rows in any order.
    let batch: Array4<u8> = photo.gather(s![newaxis, 8:-8, 8:-8, ::-1]);
    println!(
        "its elements are contiguous: {}",
        batch.is_standard_layout()
    );
    let shuffled = photo.gather(s![[30, 2, 17, 2], ..., 0]);
    println!("the red channel of four rows: {:?}", shuffled.shape());

    // Assignments.
    photo.fill_at(s![[0, -1]], 255);
    photo.set(s![:, [0, -1]], [255, 0, 0]);
    println!("the first pixel: {}", photo.at(s![0, 0]));

    // A slice that is known only at run time.
    let slice: DynSliceSpec = "..., ::-1, :".parse()?;
    let mirrored = photo.try_at(slice)?;
    println!("the last pixel, mirrored: {}", mirrored.at(s![-1, -1]));

    // A flat buffer.
    let flat = photo.into_raw_vec_and_offset().0;
    let selection = s![1, 10:20, 0].resolve(&[48, 64, 3])?;
    println!("ten red values: {:?}", selection.gather(&flat)?);
    Ok(())
}

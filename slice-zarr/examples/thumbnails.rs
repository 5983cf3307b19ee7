//! Creates thumbnails of a 1 GiB image time series by reading slices, without loading the whole volume.
//!
//! ```sh
//! cargo run --release -p slice-zarr --example thumbnails -- [STORE [SHEET.png [SIDE]]]
//! ```
//!
//! If the volume does not exist in STORE, it is created there. It consists of 128 images of dividing cells under a
//! microscope. Each image has SIDE by SIDE 16-bit elements; SIDE is 2048 by default. The shards have 16 by 1024 by 1024
//! elements, and the inner chunks 1 by 256 by 256.
//!
//! SHEET.png shows every eleventh image as a thumbnail, a part of the last image at full resolution, and the middle row
//! of all images over time. Each of the three is read as one slice.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;

use ndarray::{Array2, Array3, ArrayD, ArrayView2, Ix2, Ix3};
use slice_core::{Select, StridedSliceExt, s};
use slice_zarr::{AccessOptions, PlanSlice, ReadSlice, WriteSlice};
use zarrs::array::codec::{ShardingCodecBuilder, ZstdCodec};
use zarrs::array::{Array, ArrayBuilder, data_type};
use zarrs::filesystem::FilesystemStore;

/// The number of images in the volume.
const IMAGE_COUNT: usize = 128;
/// The number of rows, and also of columns, in a thumbnail.
const THUMBNAIL_SIDE: usize = 128;
/// The number of rows, and also of columns, in the detail, which is as wide as two thumbnails and the gap between them.
const DETAIL_SIDE: usize = 2 * THUMBNAIL_SIDE + GAP;
/// The number of images that are written at once. They form one layer of shards.
const IMAGES_PER_WRITE: usize = 16;
/// The distance between neighboring pictures on the sheet, in pixels.
const GAP: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let store = arguments.next();
    let store = store.unwrap_or_else(|| "target/cells.zarr".into());
    let sheet = arguments.next();
    let sheet = sheet.unwrap_or_else(|| "target/cells.png".into());

    let side = arguments.next().map_or(Ok(2048), |side| side.parse())?;
    if !(512..1 << 16).contains(&side) {
        return Err(format!(
            "images of {side} by {side} elements are too small or too large: SIDE must be between 512 and \
             65535"
        )
        .into());
    }
    if !Path::new(&store).join("zarr.json").exists() {
        write_volume(&store, side)?;
    }
    let array = Array::open(Arc::new(FilesystemStore::new(&store)?), "/")?;

    let (step, middle) = (side / THUMBNAIL_SIDE, side / 2);
    let thumbnails = read(&array, s![::-11, ::step, ::step])?.into_dimensionality::<Ix3>()?;
    let detail = s![-1, middle:middle + DETAIL_SIDE, :DETAIL_SIDE];
    let detail = read(&array, detail)?.into_dimensionality::<Ix2>()?;
    let line = read(&array, s![:, middle, ::step])?.into_dimensionality::<Ix2>()?;

    // The sheet shows four thumbnails per row, beginning with the earliest image. Below them are the detail and the
    // middle row of all images, with time running downwards.
    let (rows, cell) = (thumbnails.dim().0.div_ceil(4), THUMBNAIL_SIDE + GAP);
    let mut picture = Array2::from_elem(((rows + 2) * cell + GAP, 4 * cell + GAP), 0_u8);
    let mut show = |top: usize, left: usize, image: ArrayView2<'_, u16>| {
        let (height, width) = image.dim();
        let region = picture.at_mut(s![top:top + height, left:left + width]);
        ndarray::Zip::from(region)
            .and(image)
            .for_each(|to, &x| *to = tone(x));
    };
    for (number, image) in thumbnails.at(s![::-1]).outer_iter().enumerate() {
        show(
            GAP + number / 4 * cell,
            GAP + number % 4 * cell,
            image.at(s![:THUMBNAIL_SIDE, :THUMBNAIL_SIDE]),
        );
    }
    let detail_top = GAP + rows * cell;
    show(detail_top, GAP, detail.view());
    let enlarged = Array2::from_shape_fn((2 * IMAGE_COUNT, 2 * THUMBNAIL_SIDE), |(y, x)| {
        line[[y / 2, x / 2]]
    });
    show(detail_top, GAP + 2 * cell, enlarged.view());
    write_png(&sheet, picture.view())?;
    println!("the contact sheet is in {sheet}");
    Ok(())
}

/// Reads a slice, and prints statistics of the read.
fn read(
    array: &Array<FilesystemStore>,
    slice: impl Select<Error: Into<slice_zarr::Error>>,
) -> Result<ArrayD<u16>, Box<dyn Error>> {
    let plan = array.plan_slice(&slice)?;
    let (out, stats) = array.read_slice_with::<u16>(&slice, &AccessOptions::new())?;
    println!(
        "{:?}: {} of {} shards, {} inner chunks in {} requests, {} KiB read, at most {} KiB in memory",
        out.shape(),
        plan.touched_chunks(),
        plan.all_chunks(),
        stats.chunks,
        stats.requests,
        stats.bytes >> 10,
        stats.peak_bytes >> 10,
    );
    Ok(out)
}

fn write_volume(store: &str, side: usize) -> Result<(), Box<dyn Error>> {
    let inner =
        [1, 256, 256].map(|len| NonZeroU64::new(len).expect("the length should not be zero"));
    let mut sharding = ShardingCodecBuilder::new(inner.to_vec(), &data_type::uint16());
    sharding.bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(1, false))]);
    let array = ArrayBuilder::new(
        vec![IMAGE_COUNT as u64, side as u64, side as u64],
        vec![IMAGES_PER_WRITE as u64, 1024, 1024],
        data_type::uint16(),
        0_u16,
    )
    .array_to_bytes_codec(sharding.build_arc())
    .build(Arc::new(FilesystemStore::new(store)?), "/")?;
    for begin in (0..IMAGE_COUNT).step_by(IMAGES_PER_WRITE) {
        println!("writing images {begin} to {}", begin + IMAGES_PER_WRITE - 1);
        let mut images = Array3::zeros((IMAGES_PER_WRITE, side, side));
        for (number, mut image) in images.outer_iter_mut().enumerate() {
            image.assign(&draw_image(begin + number, side));
        }
        array.write_slice(s![begin:begin + IMAGES_PER_WRITE], &images)?;
    }
    array.store_metadata()?;
    Ok(())
}

/// Returns a pseudorandom number in 0..1.
fn noise(mut n: u64) -> f32 {
    n = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    n = (n ^ n >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (n >> 40) as f32 / (1 << 24) as f32
}

/// Draws drifting and dividing cells in a dish that is brighter in the middle, and adds camera noise.
fn draw_image(number: usize, side: usize) -> Array2<u16> {
    let time = number as f32 / IMAGE_COUNT as f32;
    let mut light = Array2::from_shape_fn((side, side), |(y, x)| {
        let [y, x] = [y, x].map(|position| position as f32 / side as f32 - 0.5);
        300.0 * (1.0 - y * y - x * x)
    });
    // The number of cells per area does not depend on the size of the image.
    for cell in 0..(side * side / 46_000) as u64 {
        let random = |k: u64| noise(cell * 16 + k + 1);
        let [mut y, mut x] = [random(0), random(1)].map(|share| share * side as f32);
        y += 260.0 * (random(2) - 0.5) * time;
        x += 260.0 * (random(3) - 0.5) * time;
        let separation = (time - 0.2 - 0.7 * random(4)).max(0.0).sqrt() * 110.0;
        let angle = random(5) * std::f32::consts::TAU;
        let radius = if separation > 0.0 {
            17.0
        } else {
            18.0 + 10.0 * time
        } + 8.0 * random(6);
        for half in [-1.0, 1.0] {
            let [cy, cx] = [
                y + half * separation * angle.sin(),
                x + half * separation * angle.cos(),
            ];
            add_cell(&mut light, cy, cx, radius, 1500.0 + 2500.0 * random(7));
        }
    }
    for (number, light) in light.iter_mut().enumerate() {
        // About five bits of noise per sample make the image compress to about a third of its size, like real data.
        let grain = noise((number as u64) << 20 | (time * 4096.0) as u64) - 0.5;
        *light += light.sqrt() * grain;
    }
    light.mapv(|light| light.max(0.0) as u16)
}

fn add_cell(light: &mut Array2<f32>, y: f32, x: f32, radius: f32, brightness: f32) {
    let side = light.dim().0;
    let span = |center: f32| {
        let [low, high] = [center - 3.0 * radius, center + 3.0 * radius];
        low.max(0.0) as usize..(high.max(0.0) as usize).min(side)
    };
    for row in span(y) {
        for column in span(x) {
            let [dy, dx] = [row as f32 - y, column as f32 - x].map(|d| d / radius);
            let distance = dy * dy + dx * dx;
            // The cell is faint and has a bright nucleus.
            light[[row, column]] +=
                0.5 * brightness * ((-1.2 * distance).exp() + (-8.0 * distance).exp());
        }
    }
}

/// Maps a sample to its brightness in the picture.
fn tone(x: u16) -> u8 {
    (255.0 * (f32::from(x) / 4500.0).min(1.0).powf(0.6)) as u8
}

fn write_png(path: &str, picture: ArrayView2<'_, u8>) -> Result<(), Box<dyn Error>> {
    let (height, width) = picture.dim();
    let mut encoder = png::Encoder::new(
        BufWriter::new(File::create(path)?),
        width as u32,
        height as u32,
    );
    encoder.set_color(png::ColorType::Grayscale);
    let pixels: Vec<u8> = picture.iter().copied().collect();
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(())
}

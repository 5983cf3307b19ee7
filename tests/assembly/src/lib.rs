//! Contains pairs of equivalent functions: `name` uses a constant slice, and `name_by_hand` uses hand-written loops.
//! The tests compare the assembly of the functions in each pair.
#![no_std]

pub mod py;

use slice_core::{StaticPlan, s};

/// An array of 256 x 256 numbers.
pub type Square = [[f32; 256]; 256];
/// A [`Square`] without the outer 8 elements on each side.
pub type Inner = [[f32; 240]; 240];
/// Every other column of a [`Square`].
pub type HalfSquare = [[f32; 128]; 256];
/// An image with red, green, blue and alpha channels.
pub type Rgba = [[[u8; 4]; 256]; 256];
/// An image with three channels.
pub type ThreeChannels = [[[u8; 3]; 256]; 256];
/// A small array with three axes.
pub type Volume = [[[f32; 6]; 5]; 4];
/// The result of [`tiny`], a slice of a [`Volume`] with a new axis.
pub type TinyResult = [[[[f32; 2]; 1]; 5]; 3];

/// A word that is reversed at compile time, so that the binary contains only the result.
pub static DESSERTS: [u8; 8] = s![::-1].gather_array(b"stressed", [8]);

/// Python equivalent: `out[...] = x[8:-8, 8:-8]`.
#[inline(never)]
pub fn crop(x: &Square, out: &mut Inner) {
    const { s![8:-8, 8:-8].static_plan() }.gather_into(x, out);
}

/// Does the same as [`crop`], with hand-written loops.
#[inline(never)]
pub fn crop_by_hand(x: &Square, out: &mut Inner) {
    for i in 0..240 {
        for j in 0..240 {
            out[i][j] = x[i + 8][j + 8];
        }
    }
}

/// Python equivalent: `out[...] = x[..., ::2]`.
#[inline(never)]
pub fn every_second(x: &Square, out: &mut HalfSquare) {
    const { s![..., ::2].static_plan() }.gather_into(x, out);
}

/// Does the same as [`every_second`], with hand-written loops.
#[inline(never)]
pub fn every_second_by_hand(x: &Square, out: &mut HalfSquare) {
    for i in 0..256 {
        for j in 0..128 {
            out[i][j] = x[i][2 * j];
        }
    }
}

/// Python equivalent: `out[...] = x[::-1, :]`.
#[inline(never)]
pub fn upside_down(x: &Square, out: &mut Square) {
    const { s![::-1, :].static_plan() }.gather_into(x, out);
}

/// Does the same as [`upside_down`], with hand-written loops.
#[inline(never)]
pub fn upside_down_by_hand(x: &Square, out: &mut Square) {
    for i in 0..256 {
        for j in 0..256 {
            out[i][j] = x[255 - i][j];
        }
    }
}

/// Python equivalent: `out[...] = x[..., ::-1]`.
#[inline(never)]
pub fn mirrored(x: &Square, out: &mut Square) {
    const { s![..., ::-1].static_plan() }.gather_into(x, out);
}

/// Does the same as [`mirrored`], with hand-written loops.
#[inline(never)]
pub fn mirrored_by_hand(x: &Square, out: &mut Square) {
    for i in 0..256 {
        for j in 0..256 {
            out[i][j] = x[i][255 - j];
        }
    }
}

/// Python equivalent: `out[...] = x[..., :3]`.
#[inline(never)]
pub fn rgb(x: &Rgba, out: &mut ThreeChannels) {
    const { s![..., :3].static_plan() }.gather_into(x, out);
}

/// Does the same as [`rgb`], with hand-written loops.
#[inline(never)]
pub fn rgb_by_hand(x: &Rgba, out: &mut ThreeChannels) {
    for i in 0..256 {
        for j in 0..256 {
            for k in 0..3 {
                out[i][j][k] = x[i][j][k];
            }
        }
    }
}

/// Python equivalent: `out[...] = x[..., 2::-1]`.
#[inline(never)]
pub fn bgr(x: &Rgba, out: &mut ThreeChannels) {
    const { s![..., 2::-1].static_plan() }.gather_into(x, out);
}

/// Does the same as [`bgr`], with hand-written loops.
#[inline(never)]
pub fn bgr_by_hand(x: &Rgba, out: &mut ThreeChannels) {
    for i in 0..256 {
        for j in 0..256 {
            for k in 0..3 {
                out[i][j][k] = x[i][j][2 - k];
            }
        }
    }
}

/// Python equivalent: `out[...] = x[1:, ..., None, :-3:-1]`.
#[inline(never)]
pub fn tiny(x: &Volume, out: &mut TinyResult) {
    const TINY: StaticPlan<Volume, TinyResult> = s![1:, ..., newaxis, :-3:-1].static_plan();
    TINY.gather_into(x, out);
}

/// Does the same as [`tiny`], with hand-written loops.
#[inline(never)]
pub fn tiny_by_hand(x: &Volume, out: &mut TinyResult) {
    for i in 0..3 {
        for j in 0..5 {
            for k in 0..2 {
                out[i][j][0][k] = x[i + 1][j][5 - k];
            }
        }
    }
}

/// Python equivalent: `x[8:-8, 8:-8] = values`.
#[inline(never)]
pub fn paste(values: &Inner, x: &mut Square) {
    const { s![8:-8, 8:-8].static_plan() }.scatter(values, x);
}

/// Does the same as [`paste`], with hand-written loops.
#[inline(never)]
pub fn paste_by_hand(values: &Inner, x: &mut Square) {
    for i in 0..240 {
        for j in 0..240 {
            x[i + 8][j + 8] = values[i][j];
        }
    }
}

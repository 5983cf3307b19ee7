//! Tests of slices of candle's tensors. They are one program, because linking candle takes seconds.

mod gradients;
mod joined;
mod numpy;
mod other_crates;

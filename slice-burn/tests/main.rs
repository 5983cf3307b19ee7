//! Tests of slices of burn's tensors. They are one program, because linking burn takes seconds.

mod gradients;
mod joined;
mod messages;
mod numpy;
mod other_crates;
mod whole;

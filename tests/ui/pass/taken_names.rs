//! Checks that the expansion of `s!` never refers to Rust items of the caller, even if they have names that the
//! expansion uses.
#![no_implicit_prelude]
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]
#![allow(dead_code, non_camel_case_types, non_upper_case_globals, unused_macros)]

use ::slice_core::s as slice;

mod core {}
mod std {}
mod alloc {}
mod slice_core {}
mod kind {}
mod python {}

struct SliceSpec;
struct i64;
struct i128;
struct usize;
struct Range;
struct Index;

enum Option {
    None,
    Some,
}

const __slice: u8 = 1;

macro_rules! compile_error {
    () => {};
}

fn integer() {}
fn saturate() {}
fn index_end() {}

pub fn main() {
    let (v0, value) = (3_u8, 4_u8);
    let spec = slice![v0:value, ..., None, newaxis, -1];
    ::std::assert_eq!(spec.begin(), &[3, 0, 0, 0, -1]);
    ::std::assert_eq!(spec.end(), &[4, 0, 0, 0, 0]);
}

//! Python slicing for Rust.
#![no_std]

//! Contains all tests across the crates except the tests in `ui`. They are one program, because linking is slow. To run
//! one area, pass its name: `cargo test -p slice-tests --test all openvino`.

mod conformance;
mod converters;
mod links;
mod macros;
mod pasted;
mod published;
mod py;
mod readme;
mod rules;
mod trust;

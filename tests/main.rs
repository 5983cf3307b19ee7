//! Contains all tests across the crates except those of `ui`. They are one program, because linking is slow. To run one
//! area, give its name: `cargo test -p slice-tests --test all openvino`.

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

//! All tests across the crates except those of `ui`, in one program, since linking takes long. Run one area by its
//! name: `cargo test -p slice-tests --test all openvino`.

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

//! All tests across the crates but those of `ui`, in one program, since every program has to be linked. One area is run by its
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

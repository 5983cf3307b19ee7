//! Contains the cross-crate tests, except those in `ui`. All of them are compiled into one program, because linking a
//! program for each file would be slow. To run the tests of one area, pass its name:
//! `cargo test -p slice-tests --test all openvino`.

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

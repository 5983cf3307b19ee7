//! Contains the tests of the whole workspace, except the tests in `ui`. They are compiled into one program, because
//! linking is slow. To run one area, pass its name: `cargo test -p slice-tests --test all openvino`.

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

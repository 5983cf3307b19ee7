//! Contains the cross-crate tests, except those in `ui` and `py`. All of them are compiled into one program, because
//! linking a program for each file would be slow. To run only some of them, pass a part of their names, such as
//! the name of a module: `cargo test -p slice-tests --test all conformance::openvino`.
//!
//! `pasted` checks the dependency lines in the README, `published` checks the pages displayed on crates.io and docs.rs,
//! `rules` checks the source code, `surroundings` checks that the text around a call does not matter, and `trust` checks
//! extreme inputs.

mod conformance;
mod converters;
mod links;
mod macros;
mod pasted;
mod published;
mod readme;
mod rules;
mod surroundings;
mod trust;

//! All tests across the crates but `ui.rs`, in one program, since each program links everything anew. One area is run by its
//! name: `cargo test -p slice-tests --test all openvino`.

mod conformance;
mod links;
mod macros;
mod pasted;
mod published;
mod py;
mod readme;
mod trust;

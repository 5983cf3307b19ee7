//! Contains the tests of the command, except those of `slice zarr`. To run only some of them, pass a part of their names,
//! such as the name of a module: `cargo test -p slice-cli --test all status`.

mod commands;
mod files;
mod fix;
mod guides;
mod large_models;
mod output;
mod status;
mod terminal;
mod untrusted_models;

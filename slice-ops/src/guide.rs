//! Guides: longer texts whose Rust code is compiled and run.

// The first line includes the pictures in the page. The guide refers to picture files, for readers of the Markdown
// source.
#[doc = include_str!("../docs/pictures/links.md")]
#[doc = include_str!("../docs/five_systems.md")]
pub mod five_systems {}

#[doc = include_str!("../docs/model_formats.md")]
pub mod model_formats {}

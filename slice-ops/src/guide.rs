//! Guides: longer texts whose Rust code is compiled and run.

// The first line defines the pictures as data, which a documentation page needs. In the Markdown source, the guide
// refers to picture files.
#[doc = include_str!("../docs/pictures/links.md")]
#[doc = include_str!("../docs/five_systems.md")]
pub mod five_systems {}

#[doc = include_str!("../docs/model_formats.md")]
pub mod model_formats {}

//! Guides: longer texts, every line of Rust in them compiled and run.

// The picture is within the page, by the first line; the text names its file, for those who read it as a file.
#[doc = include_str!("../docs/pictures/links.md")]
#[doc = include_str!("../docs/five_systems.md")]
pub mod five_systems {}

#[doc = include_str!("../docs/model_formats.md")]
pub mod model_formats {}

//! Guides, whose Rust examples are compiled and run as documentation tests.

// The first include defines the pictures as data URLs, because a documentation page cannot refer to picture files as
// the guide's Markdown source does.
#[doc = include_str!("../docs/pictures/links.md")]
#[doc = include_str!("../docs/strided_slices.md")]
pub mod strided_slices {}

#[doc = include_str!("../docs/model_formats.md")]
pub mod model_formats {}

#[doc = include_str!("../docs/your_tensors.md")]
pub mod your_tensors {}

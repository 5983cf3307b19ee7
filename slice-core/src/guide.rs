//! Guides, each on one topic. All Rust code in the guides is compiled and run.

// `links.md` defines the link names of the pictures as data URLs, for docs.rs, where paths to the picture files do not
// work. Each guide defines the same names as paths to the files, for readers of the Markdown.
#[doc = include_str!("../docs/pictures/links.md")]
#[doc = include_str!("../docs/numpy_to_rust.md")]
pub mod numpy_to_rust {}

#[doc = include_str!("../docs/cheat_sheet.md")]
// With this style, the cheat sheet fits on one printed page.
#[doc = ""]
#[doc = "<style>@media print { .main-heading { display: none } p, pre { font-size: 0.7rem !important; line-height: 1.25 !important; overflow: visible !important } }</style>"]
#[doc(alias = "fancy indexing")]
pub mod cheat_sheet {}

#[doc = include_str!("../docs/pictures/links.md")]
#[doc = include_str!("../docs/from_ndarray.md")]
pub mod from_ndarray {}

#[doc = include_str!("../docs/other_crates.md")]
pub mod other_crates {}

#[doc = include_str!("../docs/assignment.md")]
pub mod assignment {}

#[doc = include_str!("../docs/generic_code.md")]
pub mod generic_code {}

#[doc = include_str!("../docs/compile_time.md")]
pub mod compile_time {}

#[doc = include_str!("../docs/how_it_is_built.md")]
pub mod how_it_is_built {}

#[doc = include_str!("../docs/pictures/links.md")]
#[doc = include_str!("../docs/performance.md")]
pub mod performance {}

#[doc = include_str!("../docs/untrusted_input.md")]
pub mod untrusted_input {}

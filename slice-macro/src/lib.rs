//! The `s![]` macro of `slice-core`.

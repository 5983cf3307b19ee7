//! Checks that explanations agree with the selection, and mention surprises.

mod agreement;
mod article;
mod data;
mod lists;
mod picture;
mod sentences;

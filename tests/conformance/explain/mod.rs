//! Explanations are true, and mention surprises.

mod agreement;
mod article;
mod data;
mod lists;
mod picture;
mod sentences;

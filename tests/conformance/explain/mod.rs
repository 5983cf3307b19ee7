//! Explanations are true, and say what a person needs to hear.

mod agreement;
mod article;
mod data;
mod picture;
mod sentences;

//! Explanations are true, and mention what a reader may not expect.

mod agreement;
mod article;
mod data;
mod picture;
mod sentences;

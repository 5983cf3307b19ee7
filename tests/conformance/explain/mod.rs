//! Checks that explanations agree with the selections that they explain, and that notes mention surprising effects.

mod agreement;
mod article;
mod data;
mod lists;
mod picture;
mod sentences;

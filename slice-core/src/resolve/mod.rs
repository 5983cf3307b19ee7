//! A spec is applied to a shape; the result is a selection.

pub(crate) mod axis;
pub(crate) mod indices;
pub(crate) mod layout;
mod overlap;
pub(crate) mod selection;
pub(crate) mod strided;
#[cfg(test)]
mod tests;
pub(crate) mod walk;

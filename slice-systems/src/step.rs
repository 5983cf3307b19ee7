//! Defines [`Step`], an operation of a program. The trait is not public, because programs implement
//! [`Operations`](crate::lists::Operations).

use alloc::string::String;
use core::fmt;

use slice_core::{DynSliceSpec, Selection};

use crate::error::OperationError;
use crate::translate::error::TranslateError;

/// An operation of a [`Program`](crate::program::Program).
pub trait Step: fmt::Debug + Clone + PartialEq {
    /// The name of the system.
    const SYSTEM: &'static str;

    /// Applies the operation to an array with the shape `shape`.
    ///
    /// # Errors
    ///
    /// Returns the first error that occurs, in the order in which the system checks an operation.
    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError>;

    /// Returns the spec that selects the same elements as the operation for all shapes with `rank` axes that the
    /// operation accepts.
    ///
    /// # Errors
    ///
    /// Returns a [`TranslateError`] if there is no such spec.
    fn to_spec_for_rank(&self, rank: usize) -> Result<DynSliceSpec, TranslateError>;

    /// Returns the operation as a call in the system's notation, with `operand` as its operand.
    fn call(&self, operand: &str) -> String;

    /// Writes `ops` to `f`. By default, the call of each operation is the operand of the next one.
    ///
    /// # Errors
    ///
    /// Returns an error if writing to `f` fails.
    fn write(ops: &[Self], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nested = ops
            .iter()
            .fold(String::from("x"), |operand, op| op.call(&operand));
        f.write_str(&nested)
    }
}

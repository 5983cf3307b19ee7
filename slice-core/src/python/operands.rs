//! The operands of operators, comparisons and assignments.

/// The two sides of an operator, the operator and the two sides of a comparison, or the slice, the array and the value of an
/// assignment.
#[derive(Debug)]
pub struct Operands<T>(pub(super) OtherOperands<T>);

/// Operands to whose types the operation does not apply.
#[derive(Debug)]
pub struct OtherOperands<T>(pub(super) T);

impl<T> Operands<T> {
    #[inline]
    pub(super) const fn new(operands: T) -> Self {
        Operands(OtherOperands(operands))
    }
}

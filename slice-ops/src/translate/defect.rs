//! Known defects: results that a system computes wrongly although the operation is correct.

use alloc::vec::Vec;
use core::fmt::{self, Display};

/// An operation, with the known defects of its system that affect it.
///
/// With a shape, a defect is listed if it matters for that shape; without one, if it matters for any shape, including
/// shapes for which the slice is an error. Only limits on the number of axes are left out without a shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Translated<Op> {
    /// The operation.
    pub op: Op,
    /// The defects of its system.
    pub defects: Vec<Defect>,
}

/// A result that a system computes wrongly although the operation is correct, and that no other form of the operation
/// avoids.
///
/// # Example
///
/// ```
/// use slice_ops::tensorflow::StridedSlice;
/// use slice_core::s;
///
/// let selection = s![::2, ..., ::2].resolve(&[2; 9])?;
/// let translated = StridedSlice::from_selection(&selection).unwrap();
/// let defect = translated.defects[0];
/// assert_eq!((defect.system, defect.version), ("TensorFlow", "2.21.0"));
/// assert_eq!(defect.text, "the CPU kernel refuses to copy more than 8 axes");
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Defect {
    /// The system.
    pub system: &'static str,
    /// The version in which the defect was found.
    pub version: &'static str,
    /// A description.
    pub text: &'static str,
}

impl Defect {
    pub(crate) const fn new(
        system: &'static str,
        version: &'static str,
        text: &'static str,
    ) -> Self {
        Defect {
            system,
            version,
            text,
        }
    }
}

impl Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Defect {
            system,
            version,
            text,
        } = self;
        write!(f, "{system} {version}: {text}")
    }
}

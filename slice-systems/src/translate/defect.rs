//! Defines known defects: cases in which a system mishandles a correct operation.

use alloc::vec::Vec;
use core::fmt::{self, Display};

/// A translated operation, with the known defects of its system that affect it.
///
/// If the slice was translated for a known shape, a defect is listed if it affects that shape. Otherwise, a defect is
/// listed if it affects at least one shape, even if the slice does not fit that shape. Limits on the number of axes are
/// listed only for a known shape.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Operation;
/// use slice_systems::tensorflow::StridedSlice;
/// use slice_systems::translate::Translated;
///
/// let Translated { op, defects } = StridedSlice::from_spec(&s![1:, ::2].to_dyn())?;
/// assert_eq!((op.begin, op.strides, defects.len()), (vec![1, 0], vec![1, 2], 0));
/// # Ok::<(), slice_systems::translate::TranslateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use]
pub struct Translated<Op> {
    /// The operation.
    pub op: Op,
    /// The defects of the system that affect the operation.
    pub defects: Vec<Defect>,
}

impl<Op> Translated<Op> {
    /// Returns an operation that no known defect affects.
    pub(crate) fn without_defects(op: Op) -> Self {
        let defects = Vec::new();
        Translated { op, defects }
    }
}

/// A known case in which a system returns an incorrect result for a correct operation, rejects the operation, or
/// crashes. A translation lists a defect only if no other form of the operation avoids it.
///
/// # Example
///
/// ```
/// use slice_systems::Operation;
/// use slice_systems::tensorflow::StridedSlice;
/// use slice_core::s;
///
/// let selection = s![::2, ..., ::2].resolve(&[2; 9])?;
/// let translated = StridedSlice::from_selection(&selection).unwrap();
/// let defect = translated.defects[0];
/// assert_eq!((defect.system, defect.version), ("TensorFlow", "2.21.0"));
/// assert_eq!(defect.text, "the CPU kernel cannot copy arrays with more than 8 axes");
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
    /// A description of the case and of what the system does.
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

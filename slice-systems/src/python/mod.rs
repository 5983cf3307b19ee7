//! Python's slices, as NumPy interprets them.

mod lists;

pub use lists::{Op, Program, ZarrIndex};

use slice_core::{DynSliceSpec, Selection};

use crate::explain::Explanation;
use crate::explain::systems::explain_spec;
use crate::operation::{Operation, System};
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;
use crate::translate::spec::shortest_spec;

/// A Python slice.
///
/// # Example
///
/// ```
/// use slice_systems::python::Slice;
///
/// let slice: Slice = "1:, ..., None".parse()?;
/// assert_eq!(slice.resolve(&[4, 5])?.output_shape(), [3, 5, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Slice = DynSliceSpec;

/// [`from_selection`](Operation::from_selection) returns the shortest slice that is equivalent to the selection for its
/// input shape.
///
/// # Example
///
/// ```
/// use slice_core::{DynSliceSpec, s};
/// use slice_systems::Operation;
///
/// let rows = s![1:4].resolve(&[6, 2])?;
/// let both = rows.compose(&s![::-1, 0, newaxis].resolve(rows.output_shape())?)?;
/// assert_eq!(DynSliceSpec::from_selection(&both)?.op.to_string(), "3:0:-1, 0, None");
///
/// let last = s![:, ::1, :, -1].resolve(&[0, 2, 3, 4])?;
/// assert_eq!(DynSliceSpec::from_selection(&last)?.op.to_string(), "..., 3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Operation for DynSliceSpec {
    const SYSTEM: System = System {
        id: "python",
        name: "Python",
        version: "NumPy 2.4.6",
        defects: &[],
    };

    type WithoutLists = Self;
    type WithLists = Program;

    fn from_spec_for_shape(
        spec: &DynSliceSpec,
        shape: &[usize],
    ) -> Result<Translated<Program>, TranslateError> {
        lists::from_spec(spec, shape)
    }

    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        Ok(self.clone())
    }

    fn from_spec(spec: &DynSliceSpec) -> Result<Translated<Self>, TranslateError> {
        Ok(Translated::without_defects(spec.clone()))
    }

    fn from_selection(selection: &Selection) -> Result<Translated<Self>, TranslateError> {
        Ok(Translated::without_defects(shortest_spec(selection)?))
    }

    fn explanation(&self, shape: &[usize]) -> Explanation {
        explain_spec(self, shape)
    }
}

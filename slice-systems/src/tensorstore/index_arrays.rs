//! Defines transforms with index arrays, each of which selects positions on a single axis.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::{DynSliceSpec, Item, Selection};

use super::{IndexTransform, OutputIndexMap, TransformError};
use crate::Dims;
use crate::error::OperationError;
use crate::lists::{Operations, Split};
use crate::operation::Operation;
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;
use crate::translate::spec::{WHOLE, spec_of_selection};

/// An index array, which determines a position on an axis for each position of one dimension.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IndexArray {
    /// The axis of the array.
    pub axis: usize,
    /// The indices, one for each position of the dimension. An index `i` selects position `offset + stride * i`, with
    /// the offset and the stride of the axis's map. In TensorStore, the array has length 1 along all other dimensions.
    pub index_array: Vec<i64>,
}

/// TensorStore's `IndexTransform` with index arrays, such as the transform of `x.oindex[...]`.
///
/// Python equivalent: a `tensorstore.IndexTransform` with `tensorstore.OutputIndexMap(index_array=...)` for some axes.
/// With the feature `serde`, a transform can be deserialized from TensorStore's JSON format, and serialized to it.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Operation;
/// use slice_systems::lists::Operations;
/// use slice_systems::tensorstore::IndexTransform;
///
/// let spec = s![1, [3, 0, 0]].to_dyn();
/// let transform = IndexTransform::from_spec_for_shape(&spec, &[3, 4])?.op;
/// assert_eq!(transform.index_arrays[0].index_array, [3, 0, 0]);
/// assert_eq!(transform.resolve(&[3, 4])?, spec.resolve(&[3, 4])?);
/// # #[cfg(feature = "serde")]
/// assert_eq!(
///     serde_json::to_string(&transform)?,
///     r#"{"input_inclusive_min":[0],"input_exclusive_max":[3],"output":[{"offset":1},{"index_array":[3,0,0]}]}"#,
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TransformWithArrays {
    /// The domain and the maps; the map of an axis with an index array names the dimension along which the array lies.
    pub transform: IndexTransform,
    /// The index arrays, each for a different axis.
    pub index_arrays: Vec<IndexArray>,
}

impl From<IndexTransform> for TransformWithArrays {
    fn from(transform: IndexTransform) -> Self {
        let index_arrays = Vec::new();
        TransformWithArrays {
            transform,
            index_arrays,
        }
    }
}

impl TransformWithArrays {
    /// Returns the transform for a slice with lists.
    pub(super) fn from_spec(
        spec: &DynSliceSpec,
        shape: &[usize],
    ) -> Result<Translated<Self>, TranslateError> {
        let Split { slice, lists } = Split::of_spec(spec, shape)?;
        let Translated { op, defects } = IndexTransform::from_selection(&slice)?;
        let mut op = TransformWithArrays::from(op);
        for list in &lists {
            let positions = list.single().filter(|list| list.rank() == 1);
            let positions = positions.ok_or(TranslateError::Missing {
                system: IndexTransform::SYSTEM.name,
                part: "points, and lists or masks with several axes, in transforms of this crate",
                instead: "use x.vindex",
            })?;
            let positions = positions.elements();
            let (dimension, len) = (list.axis, positions.len() as i64);
            let map = op
                .transform
                .output
                .iter()
                .position(|map| map.dimension() == Some(dimension));
            op.transform.input_exclusive_max[dimension] = len;
            let Some(axis) = map.filter(|_| len > 0) else {
                match len {
                    0 if map.is_none() => {
                        return Err(TranslateError::EmptyNewAxis { axis: dimension });
                    }
                    // No index array is needed: either the dimension is empty, or the list has one position, and the
                    // dimension is a new axis.
                    0 | 1 => continue,
                    _ => {
                        let (axis, len) = (dimension, positions.len());
                        return Err(TranslateError::RepeatedNewAxis { axis, len });
                    }
                }
            };
            let map = &mut op.transform.output[axis];
            let earlier_array = op.index_arrays.iter().position(|array| array.axis == axis);
            let to_index = |&position: &i64| match earlier_array {
                Some(earlier_array) => {
                    op.index_arrays[earlier_array].index_array[position as usize]
                }
                // Positions fit in an `i64`, because no axis is longer than `isize::MAX`.
                None => map.axis_position(position.into()) as i64,
            };
            let index_array = positions.iter().map(to_index).collect();
            let array = IndexArray { axis, index_array };
            match earlier_array {
                Some(earlier_array) => op.index_arrays[earlier_array] = array,
                None => op.index_arrays.push(array),
            }
            (map.offset, map.stride) = (0, 1);
        }
        Ok(Translated { op, defects })
    }

    /// Returns two steps that are together equivalent to the transform, for arrays with the shape `shape`: the lists,
    /// and the slice that is applied to their result.
    fn steps(&self, shape: &[usize]) -> Result<[Selection; 2], TransformError> {
        let (mut transform, mut shape_after_lists) =
            (self.transform.clone(), Dims::from_slice(shape));
        transform.check()?;
        if transform.output.len() != shape.len() {
            let (expected, actual) = (transform.output.len(), shape.len());
            return Err(TransformError::Rank { expected, actual });
        }
        let mut lists = vec![WHOLE; shape.len()];
        for IndexArray { axis, index_array } in &self.index_arrays {
            let (axis, len) = (*axis, index_array.len());
            let error = TransformError::IndexArray { axis };
            let map = transform.output.get(axis).filter(|_| lists[axis] == WHOLE);
            let Some((map, dimension)) = map.and_then(|map| Some((*map, map.dimension()?))) else {
                return Err(error);
            };
            let (lower, upper) = (transform.lower(dimension), transform.upper(dimension));
            if lower.implicit || upper.implicit {
                return Err(TransformError::Implicit { dimension });
            }
            if i64::try_from(len) != Ok(upper.value - lower.value) {
                return Err(error);
            }
            let size = shape[axis];
            let positions = index_array.iter().map(|&index| {
                let position = map.axis_position(index.into());
                let position_in_axis = usize::try_from(position)
                    .ok()
                    .filter(|&position| position < size);
                // Positions fit in an `i64`, because no axis is longer than `isize::MAX`.
                let position_in_axis = position_in_axis.map(|position| position as i64);
                position_in_axis.ok_or(TransformError::OutOfBounds {
                    axis,
                    position,
                    size,
                })
            });
            lists[axis] = Item::from(positions.collect::<Result<Vec<i64>, _>>()?);
            shape_after_lists[axis] = len;
            // The list has already selected the positions, so the slice keeps all of them.
            transform.output[axis] = OutputIndexMap {
                offset: -lower.value,
                stride: 1,
                ..map
            };
        }
        let lists = DynSliceSpec::from_items(lists)?.resolve(shape)?;
        let slice = transform.resolve(&shape_after_lists)?;
        Ok([lists, slice])
    }
}

impl Operations for TransformWithArrays {
    fn to_spec_for_rank(&self, _: usize) -> Result<DynSliceSpec, TranslateError> {
        let operation = "an index array";
        Err(TranslateError::List { operation })
    }

    /// Applies the transform to an array with the shape `shape`. The positions on each axis of the array start at 0.
    ///
    /// # Errors
    ///
    /// * The same errors as [`IndexTransform::resolve`].
    /// * [`TransformError::IndexArray`] if an index array does not have one index for each position of its dimension,
    ///   if its axis does not exist or has no dimension, or if its axis already has an index array.
    /// * [`TransformError::Implicit`] if the dimension of an index array has an implicit bound.
    /// * [`TransformError::OutOfBounds`] if an index array selects a position outside its axis.
    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        let [lists, slice] = self.steps(shape)?;
        Ok(lists.compose(&slice)?)
    }

    fn to_spec_for_shape(&self, shape: &[usize]) -> Result<DynSliceSpec, TranslateError> {
        let [lists, slice] = self.steps(shape)?;
        spec_of_selection(&lists.compose(&slice)?)
    }
}

/// Displays the transform in the same form as an [`IndexTransform`], with its index arrays.
impl Display for TransformWithArrays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let maps: Vec<MapWithArray<'_>> = (0..self.transform.output.len())
            .map(|axis| self.map(axis))
            .collect();
        self.transform.write_with_maps(f, &maps)
    }
}

/// The output index map of an axis, and the index array of the axis, if any.
pub(super) struct MapWithArray<'a> {
    pub(super) map: &'a OutputIndexMap,
    /// The index array, and the numbers of dimensions before and after its own dimension.
    pub(super) array: Option<(&'a [i64], [usize; 2])>,
}

impl TransformWithArrays {
    pub(super) fn map(&self, axis: usize) -> MapWithArray<'_> {
        let map = &self.transform.output[axis];
        let mut arrays = self.index_arrays.iter();
        let array = arrays.find(|array| array.axis == axis).and_then(|array| {
            let before = map.dimension()?;
            let after = self.transform.input_rank().checked_sub(before + 1)?;
            Some((&array.index_array[..], [before, after]))
        });
        MapWithArray { map, array }
    }
}

impl Display for MapWithArray<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((elements, [before, after])) = self.array else {
            return self.map.fmt(f);
        };
        let OutputIndexMap { offset, stride, .. } = self.map;
        write!(
            f,
            "ts.OutputIndexMap(offset={offset}, stride={stride}, index_array="
        )?;
        brackets(f, "[", before + 1)?;
        for (i, index) in elements.iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            brackets(f, "[", after)?;
            write!(f, "{index}")?;
            brackets(f, "]", after)?;
        }
        brackets(f, "]", before + 1)?;
        f.write_str(")")
    }
}

fn brackets(f: &mut fmt::Formatter<'_>, bracket: &str, count: usize) -> fmt::Result {
    (0..count).try_for_each(|_| f.write_str(bracket))
}

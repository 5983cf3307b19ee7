//! Defines transforms with index arrays, which list positions.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Display};
use core::ops::Range;

use slice_core::{DynSliceSpec, Item, NdList, Selection, SliceError};

use super::{IndexTransform, MAX_RANK, OutputIndexMap, TransformError};
use crate::Dims;
use crate::error::OperationError;
use crate::lists::gather::indices_text;
use crate::lists::{ListOnAxes, Operations, Split};
use crate::operation::Operation;
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;
use crate::translate::spec::{WHOLE, spec_of_selection};

/// An index array, which lists the positions on an axis.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Operation;
/// use slice_systems::tensorstore::IndexTransform;
///
/// // The positions on axis 1 depend on the second of the two dimensions.
/// let transform = IndexTransform::from_spec_for_shape(&s![:, [2, 0]].to_dyn(), &[4, 5])?.op;
/// let array = &transform.index_arrays[0];
/// assert_eq!((array.axis, array.index_array.shape()), (1, &[1, 2][..]));
/// assert_eq!(array.index_array.elements(), [2, 0]);
/// # Ok::<(), slice_systems::translate::TranslateError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IndexArray {
    /// The axis of the array.
    pub axis: usize,
    /// The indices, with one axis for each dimension of the domain. The length along a dimension is the length of the
    /// dimension, or 1 if the positions do not depend on the dimension. An index `i` selects position
    /// `offset + stride * i`, with the offset and the stride of the axis's map.
    pub index_array: NdList<i64>,
}

/// TensorStore's `IndexTransform` with index arrays, such as the transform of `x.oindex[...]` or
/// `x.vindex[...]`.
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
/// assert_eq!(transform.index_arrays[0].index_array.elements(), [3, 0, 0]);
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
    /// The domain and the maps. The map of an axis with an index array has no input dimension.
    pub transform: IndexTransform,
    /// The index arrays, each for a different axis. Arrays along the same dimension select points.
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
            op.add_list(list)?;
        }
        let rank = op.transform.input_rank();
        if rank > MAX_RANK {
            let (items, limit) = (rank, MAX_RANK);
            return Err(SliceError::TooManyItems { items, limit }.into());
        }
        // Every array gets an axis of length 1 for each of the other dimensions.
        for IndexArray { axis, index_array } in &mut op.index_arrays {
            let map = &mut op.transform.output[*axis];
            let before = map.input_dimension.take().unwrap_or_default();
            let after = rank - before - index_array.rank();
            let shape = [&[1].repeat(before), index_array.shape(), &[1].repeat(after)].concat();
            *index_array = NdList::new(shape, index_array.elements())?;
        }
        Ok(Translated { op, defects })
    }

    /// Replaces the dimensions of the list's axes by those of the list. The maps of these axes name the first dimension
    /// of their index arrays.
    fn add_list(&mut self, list: &ListOnAxes) -> Result<(), TranslateError> {
        let selected = broadcast_shape(&list.positions);
        if selected.contains(&0) {
            return Err(TranslateError::Missing {
                system: IndexTransform::SYSTEM.name,
                part: "empty lists and masks with several axes, and points without positions",
                instead: "create the empty result directly",
            });
        }
        let maps = &mut self.transform.output;
        let first = list.axis;
        let dimensions = first..first + list.positions.len();
        let axis = maps
            .iter()
            .position(|map| map.input_dimension == Some(first));
        let axis = axis.unwrap_or_default();
        for map in maps.iter_mut() {
            if let Some(dimension) = &mut map.input_dimension
                && *dimension >= dimensions.end
            {
                *dimension = *dimension + selected.len() - list.positions.len();
            }
        }
        let (lower, upper) = (
            &mut self.transform.input_inclusive_min,
            &mut self.transform.input_exclusive_max,
        );
        lower.splice(dimensions.clone(), selected.iter().map(|_| 0));
        upper.splice(dimensions, selected.iter().map(|&len| len as i64));
        for (axis, positions) in (axis..).zip(&list.positions) {
            maps[axis].input_dimension = Some(first + selected.len() - positions.rank());
            let index_array = positions.clone();
            self.index_arrays.push(IndexArray { axis, index_array });
        }
        Ok(())
    }

    /// Returns two steps that are together equivalent to the transform, for arrays with the shape `shape`: the lists,
    /// and the slice that is applied to their result.
    fn steps(&self, shape: &[usize]) -> Result<[Selection; 2], TransformError> {
        let mut transform = self.transform.clone();
        transform.check()?;
        if transform.output.len() != shape.len() {
            let (expected, actual) = (transform.output.len(), shape.len());
            return Err(TransformError::Rank { expected, actual });
        }
        let arrays = self.index_arrays.iter();
        let joined = arrays.map(|array| Ok(Joined::new(array.axis, self.positions(array, shape)?)));
        let mut joined = joined.collect::<Result<Vec<_>, TransformError>>()?;
        joined.sort_by_key(|one| one.axes.start);
        while let Some(points) = points(&joined) {
            let others = points.start + 1..points.end;
            for other in joined.drain(others).collect::<Vec<_>>() {
                joined[points.start].append(other);
            }
        }
        // Each group of axes is replaced by the dimensions of its arrays, from which the slice selects everything.
        let (mut items, mut maps, mut lens) = (Vec::new(), Vec::new(), Dims::<usize>::new());
        let mut axes: Vec<usize> = Vec::new();
        let mut axis = 0;
        for one in &joined {
            if one.dimensions.is_empty() {
                let map = &mut transform.output[one.axes.start];
                (map.offset, map.stride) = (one.positions[0].elements()[0], 0);
                continue;
            }
            let before = axis..one.axes.start;
            items.resize(items.len() + before.len(), WHOLE);
            items.push(one.item()?);
            maps.extend_from_slice(&transform.output[before.clone()]);
            lens.extend(shape[before.clone()].iter().copied());
            axes.extend(before);
            for dimension in one.dimensions.clone() {
                axes.push(one.axes.start);
                lens.push(transform.len(dimension));
                maps.push(OutputIndexMap {
                    offset: -transform.lower(dimension).value,
                    stride: 1,
                    input_dimension: Some(dimension),
                });
            }
            axis = one.axes.end;
        }
        items.resize(items.len() + shape.len() - axis, WHOLE);
        maps.extend_from_slice(&transform.output[axis..]);
        lens.extend(shape[axis..].iter().copied());
        axes.extend(axis..shape.len());
        transform.output = maps;
        let lists = DynSliceSpec::from_items(items)?.resolve(shape)?;
        let slice = transform.resolve(&lens);
        let slice = slice.map_err(|error| error.map_axes(|axis| axes[axis]))?;
        for one in &joined {
            let depends = |dimension: &usize| {
                one.positions
                    .iter()
                    .any(|list| list.shape()[*dimension] != 1)
            };
            let mut repeated = one
                .dimensions
                .clone()
                .filter(|dimension| !depends(dimension));
            if let Some(dimension) = repeated.find(|&dimension| transform.len(dimension) != 1) {
                let len = transform.len(dimension);
                return Err(TransformError::Repeated { dimension, len });
            }
        }
        Ok([lists, slice])
    }

    /// Returns the positions that an index array selects on its axis, with the shape of the array.
    fn positions(
        &self,
        array: &IndexArray,
        shape: &[usize],
    ) -> Result<NdList<i64>, TransformError> {
        let (axis, transform) = (array.axis, &self.transform);
        let map = transform.output.get(axis);
        let arrays = self.index_arrays.iter().filter(|other| other.axis == axis);
        let map = map.filter(|map| map.input_dimension.is_none() && arrays.count() == 1);
        let lens = array.index_array.shape();
        let Some(map) = map.filter(|_| lens.len() == transform.input_rank()) else {
            return Err(TransformError::IndexArray { axis });
        };
        for (dimension, &len) in lens.iter().enumerate().filter(|&(_, &len)| len != 1) {
            let (lower, upper) = (transform.lower(dimension), transform.upper(dimension));
            if lower.implicit || upper.implicit {
                return Err(TransformError::Implicit { dimension });
            }
            if len != transform.len(dimension) {
                return Err(TransformError::IndexArray { axis });
            }
        }
        let size = shape[axis];
        let positions = array.index_array.elements().iter().map(|&index| {
            let position = map.axis_position(index.into());
            let in_axis = (0..size as i128).contains(&position);
            // Positions fit in an `i64`, because no axis is longer than `isize::MAX`.
            in_axis
                .then_some(position as i64)
                .ok_or(TransformError::OutOfBounds {
                    axis,
                    position,
                    size,
                })
        });
        Ok(NdList::new(
            lens,
            positions.collect::<Result<Vec<i64>, _>>()?,
        )?)
    }
}

/// The index arrays of neighboring axes.
struct Joined {
    axes: Range<usize>,
    /// The dimensions along which the arrays lie, and those between them. Empty for an array with a single index.
    dimensions: Range<usize>,
    positions: Vec<NdList<i64>>,
}

impl Joined {
    fn new(axis: usize, positions: NdList<i64>) -> Self {
        let mut lens = positions.shape().iter();
        let first = lens.clone().position(|&len| len != 1);
        let end = lens.rposition(|&len| len != 1).map_or(0, |last| last + 1);
        Joined {
            axes: axis..axis + 1,
            dimensions: first.unwrap_or(usize::MAX)..end,
            positions: vec![positions],
        }
    }

    fn append(&mut self, other: Self) {
        self.axes.end = other.axes.end;
        self.dimensions.start = self.dimensions.start.min(other.dimensions.start);
        self.dimensions.end = self.dimensions.end.max(other.dimensions.end);
        self.positions.extend(other.positions);
    }

    /// Returns the positions as an item, whose result has one axis for each of the dimensions.
    fn item(&self) -> Result<Item, SliceError> {
        let lists = self.positions.iter().map(|list| {
            let lens = &list.shape()[self.dimensions.clone()];
            NdList::new(lens, list.elements())
        });
        let mut lists = lists.collect::<Result<Vec<_>, _>>()?;
        Ok(match lists.len() {
            1 => Item::List(lists.remove(0)),
            _ => Item::Points(lists),
        })
    }
}

/// Returns the first neighbors that can be a slice only as points, because their dimensions overlap or are not in the
/// order of the axes.
fn points(joined: &[Joined]) -> Option<Range<usize>> {
    (0..joined.len()).find_map(|first| {
        let neighbors = joined[first..]
            .windows(2)
            .take_while(|pair| pair[0].axes.end == pair[1].axes.start);
        let mut last = first + 1..first + 1 + neighbors.count();
        let last =
            last.rfind(|&last| joined[first].dimensions.end > joined[last].dimensions.start)?;
        Some(first..last + 1)
    })
}

/// Returns the shape to which the lists are broadcast.
fn broadcast_shape(lists: &[NdList<i64>]) -> Vec<usize> {
    let rank = lists.iter().map(NdList::rank).max().unwrap_or_default();
    let mut shape = [1].repeat(rank);
    for list in lists {
        for (len, &other) in shape.iter_mut().rev().zip(list.shape().iter().rev()) {
            *len = if *len == 1 { other } else { *len };
        }
    }
    shape
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
    /// * [`TransformError::IndexArray`] if an index array does not fit the domain, or if its axis does not exist, has an
    ///   input dimension, or has a second index array.
    /// * [`TransformError::Implicit`] if a dimension along which an index array lies has an implicit bound.
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
    pub(super) array: Option<&'a NdList<i64>>,
}

impl TransformWithArrays {
    pub(super) fn map(&self, axis: usize) -> MapWithArray<'_> {
        let mut arrays = self.index_arrays.iter();
        let array = arrays.find(|array| array.axis == axis);
        MapWithArray {
            map: &self.transform.output[axis],
            array: array.map(|array| &array.index_array),
        }
    }
}

impl Display for MapWithArray<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(array) = self.array else {
            return self.map.fmt(f);
        };
        let OutputIndexMap { offset, stride, .. } = self.map;
        let array = indices_text(array);
        write!(
            f,
            "ts.OutputIndexMap(offset={offset}, stride={stride}, index_array={array})"
        )
    }
}

//! Resolves and creates transforms with index arrays, which list positions.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use slice_core::{DynSliceSpec, Item, NdList, Selection, SliceError};

use super::error::TransformError;
use super::{IndexTransform, MAX_RANK, OutputIndexMap};
use crate::Dims;
use crate::error::{OperationError, Reason, SystemError};
use crate::lists::{ListOnAxes, Operations, Split};
use crate::operation::Operation;
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;
use crate::translate::spec::{WHOLE, item_of_lists};

impl IndexTransform {
    /// Returns `true` if a map has an index array.
    pub(super) fn has_arrays(&self) -> bool {
        self.output.iter().any(|map| map.index_array.is_some())
    }

    /// Returns the transform for a slice with lists.
    pub(super) fn from_listed_spec(
        spec: &DynSliceSpec,
        shape: &[usize],
    ) -> Result<Translated<Self>, TranslateError> {
        let Split { slice, lists } = Split::of_spec(spec, shape)?;
        let Translated { mut op, defects } = IndexTransform::from_selection(&slice)?;
        for list in &lists {
            op.add_list(list)?;
        }
        let rank = op.input_rank();
        if rank > MAX_RANK {
            let (items, limit) = (rank, MAX_RANK);
            return Err(SliceError::TooManyItems { items, limit }.into());
        }
        // Every array gets an axis of length 1 for each of the other dimensions.
        for map in &mut op.output {
            let Some(index_array) = &mut map.index_array else {
                continue;
            };
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
        // All lists of positions have the same shape.
        let selected = list.positions[0].shape();
        if selected.contains(&0) {
            return Err(TranslateError::Missing {
                system: IndexTransform::SYSTEM.name,
                part: "empty lists and masks with several axes, and points without positions",
                instead: "create the empty result directly",
            });
        }
        let maps = &mut self.output;
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
        let (lower, upper) = (&mut self.input_inclusive_min, &mut self.input_exclusive_max);
        lower.splice(dimensions.clone(), selected.iter().map(|_| 0));
        upper.splice(dimensions, selected.iter().map(|&len| len as i64));
        for (axis, positions) in (axis..).zip(&list.positions) {
            maps[axis].input_dimension = Some(first);
            maps[axis].index_array = Some(positions.clone());
        }
        Ok(())
    }

    /// Returns two steps that are together equivalent to the transform, for arrays with the shape `shape`: the lists,
    /// and the slice that is applied to their result.
    pub(super) fn steps(&self, shape: &[usize]) -> Result<[Selection; 2], OperationError> {
        let mut transform = self.clone();
        let mut joined = Vec::new();
        for (axis, map) in transform.output.iter_mut().enumerate() {
            if let Some(array) = map.index_array.take() {
                let positions = self.positions(axis, &array, shape[axis])?;
                joined.push(Joined::new(axis, positions));
            }
        }
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
                    index_array: None,
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
        let slice = slice.map_err(|error| match error {
            OperationError::System(SystemError(Reason::TensorStore(error))) => {
                error.map_axes(|axis| axes[axis]).into()
            }
            error => error,
        })?;
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
                return Err(TransformError::Repeated { dimension, len }.into());
            }
        }
        Ok([lists, slice])
    }

    /// Returns the positions that an index array selects on `axis`, which has length `size`, with the shape of the array.
    fn positions(
        &self,
        axis: usize,
        array: &NdList<i64>,
        size: usize,
    ) -> Result<NdList<i64>, OperationError> {
        let (map, lens) = (&self.output[axis], array.shape());
        if map.input_dimension.is_some() || lens.len() != self.input_rank() {
            return Err(TransformError::IndexArray { axis }.into());
        }
        for (dimension, &len) in lens.iter().enumerate().filter(|&(_, &len)| len != 1) {
            let (lower, upper) = (self.lower(dimension), self.upper(dimension));
            if lower.implicit || upper.implicit {
                return Err(TransformError::Implicit { dimension }.into());
            }
            if len != self.len(dimension) {
                return Err(TransformError::IndexArray { axis }.into());
            }
        }
        let positions = array.elements().iter().map(|&index| {
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
        Ok(item_of_lists(lists.collect::<Result<_, _>>()?))
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

/// Transforms are the form of slices with lists, too.
impl Operations for IndexTransform {
    fn to_spec_for_rank(&self, _: usize) -> Result<DynSliceSpec, TranslateError> {
        self.to_spec()
    }

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        IndexTransform::resolve(self, shape)
    }
}

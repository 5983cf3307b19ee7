//! Displays, explains and translates TensorStore's `IndexTransform`.

use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::{DynSliceSpec, Item, OutputAxis, Selection, SliceError};

use crate::explain::Explanation;
use crate::explain::systems::explain_as_spec;
use crate::lists::gather::indices_text;
use crate::operation::{Operation, System};
use crate::tensorstore::error::TransformError;
use crate::tensorstore::{INFINITY, IndexTransform, MAX_RANK, OutputIndexMap};
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;
use crate::translate::spec::WHOLE;

impl Display for OutputIndexMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ts.OutputIndexMap(offset={}", self.offset)?;
        if let Some(array) = &self.index_array {
            let array = indices_text(array);
            write!(f, ", stride={}, index_array={array}", self.stride)?;
        } else if let Some(dimension) = self.dimension() {
            write!(f, ", stride={}, input_dimension={dimension}", self.stride)?;
        }
        f.write_str(")")
    }
}

/// Displays the transform as an indexing expression `x[...]`, without its labels, and without distinguishing between
/// explicit and implicit bounds.
impl Display for IndexTransform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (min, max) = (&self.input_inclusive_min, &self.input_exclusive_max);
        write!(
            f,
            "x[ts.IndexTransform(input_inclusive_min={min:?}, input_exclusive_max={max:?}, output=["
        )?;
        for (axis, map) in self.output.iter().enumerate() {
            write!(f, "{}{map}", if axis > 0 { ", " } else { "" })?;
        }
        f.write_str("])]")
    }
}

impl Operation for IndexTransform {
    const SYSTEM: System = System {
        id: "tensorstore",
        name: "TensorStore",
        version: "0.1.86",
        defects: &[],
    };

    type Written = Self;
    type WithLists = Self;

    fn from_spec_for_shape(
        spec: &DynSliceSpec,
        shape: &[usize],
    ) -> Result<Translated<Self>, TranslateError> {
        IndexTransform::from_listed_spec(spec, shape)
    }

    /// Returns the spec that is equivalent to the transform for all shapes. There is no such spec if the transform has
    /// index arrays ([`TranslateError::List`]), or if a dimension has an implicit lower bound and its map has a stride
    /// below -1 ([`TranslateError::Transform`]).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::Operation;
    /// use slice_systems::tensorstore::IndexTransform;
    ///
    /// // TensorStore's transform for `x[1:, ::-1]` of a resizable array.
    /// let json = r#"{
    ///     "input_inclusive_min": [1, [-3]],
    ///     "input_exclusive_max": [[3], 1],
    ///     "output": [{"input_dimension": 0}, {"input_dimension": 1, "stride": -1}]
    /// }"#;
    /// # #[cfg(feature = "serde")] {
    /// let transform: IndexTransform = serde_json::from_str(json)?;
    /// assert_eq!(transform.to_spec()?.to_string(), "1:, ::-1");
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        if self.has_arrays() {
            let operation = "an index array";
            return Err(TranslateError::List { operation });
        }
        self.spec()
    }

    /// Returns a transform whose domain starts at 0, like the positions of a NumPy array. Its bounds are explicit, so
    /// the transform is correct only for the input shape of `selection`.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::Operation;
    /// use slice_systems::tensorstore::IndexTransform;
    /// use slice_core::s;
    ///
    /// let selection = s![1, ::-1].resolve(&[3, 4])?;
    /// let transform = IndexTransform::from_selection(&selection).unwrap().op;
    /// assert_eq!((&transform.input_inclusive_min[..], &transform.input_exclusive_max[..]), (&[0][..], &[4][..]));
    /// assert_eq!((transform.output[1].offset, transform.output[1].stride), (3, -1));
    /// assert_eq!(transform.resolve(&[3, 4]), Ok(selection));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    fn from_selection(selection: &Selection) -> Result<Translated<Self>, TranslateError> {
        let rank = selection.input_shape().len();
        let items = rank.max(selection.output_shape().len());
        if items > MAX_RANK {
            let limit = MAX_RANK;
            return Err(SliceError::TooManyItems { items, limit }.into());
        }
        let mut sizes = selection.input_shape().iter().enumerate();
        if let Some((axis, &size)) = sizes.find(|&(_, &size)| size as u64 >= INFINITY as u64) {
            return Err(SliceError::TooLarge { axis, size }.into());
        }
        let constants = selection.axes()?.iter().map(|range| OutputIndexMap {
            offset: range.start() as i64,
            ..OutputIndexMap::default()
        });
        let lens = selection.output_shape().iter();
        let mut transform = IndexTransform {
            input_inclusive_min: [0].repeat(selection.output_shape().len()),
            input_exclusive_max: lens.map(|&len| len as i64).collect(),
            output: constants.collect(),
            ..IndexTransform::default()
        };
        for (dimension, &origin) in selection.output_axes().iter().enumerate() {
            if let OutputAxis::Input(axis) = origin {
                transform.output[axis].input_dimension = Some(dimension);
                transform.output[axis].stride = selection.axes()?[axis].step() as i64;
            }
        }
        let (op, defects) = (transform, Vec::new());
        Ok(Translated { op, defects })
    }

    fn explanation(&self, shape: &[usize]) -> Explanation {
        let (spec, outcome) = (self.to_spec(), self.resolve(shape));
        explain_as_spec("TensorStore's IndexTransform", spec, shape, outcome)
    }
}

impl IndexTransform {
    /// Returns the spec that selects the same elements for all arrays that the transform accepts.
    fn spec(&self) -> Result<DynSliceSpec, TranslateError> {
        self.check()?;
        let mut spec = DynSliceSpec::default();
        let mut dimension = 0;
        for (axis, map) in self.output.iter().enumerate() {
            let Some(map_dimension) = map.dimension() else {
                spec.push(Item::Index(position(axis, map.offset.into())?))?;
                continue;
            };
            if map_dimension < dimension {
                return Err(self.out_of_order(map_dimension, axis).into());
            }
            for new_dimension in dimension..map_dimension {
                self.push_new_axis(&mut spec, new_dimension)?;
            }
            spec.push(self.item(axis, map, map_dimension)?)?;
            dimension = map_dimension + 1;
        }
        for new_dimension in dimension..self.input_rank() {
            self.push_new_axis(&mut spec, new_dimension)?;
        }
        Ok(spec)
    }

    /// Returns the error for a dimension that is already used for an earlier axis, as in a diagonal, or that comes
    /// before the dimension of an earlier axis, as in a transposition.
    fn out_of_order(&self, dimension: usize, axis: usize) -> TransformError {
        let mut earlier = self.output[..axis].iter();
        match earlier.position(|map| map.dimension() == Some(dimension)) {
            Some(first) => TransformError::Diagonal {
                dimension,
                first,
                second: axis,
            },
            None => TransformError::Transposed { dimension, axis },
        }
    }

    /// Appends a new axis for a dimension, or returns an error if the dimension belongs to an axis or does not have
    /// length 1.
    fn push_new_axis(
        &self,
        spec: &mut DynSliceSpec,
        dimension: usize,
    ) -> Result<(), TranslateError> {
        if let Some(axis) = self
            .output
            .iter()
            .position(|map| map.dimension() == Some(dimension))
        {
            return Err(TransformError::Transposed { dimension, axis }.into());
        }
        match self.upper(dimension).value - self.lower(dimension).value {
            1 => Ok(spec.push(Item::NewAxis)?),
            len => {
                let len = len as usize;
                Err(TransformError::Repeated { dimension, len }.into())
            }
        }
    }

    /// Returns the item that selects the positions of `map` on `axis`. `dimension` is the dimension that the map names.
    fn item(
        &self,
        axis: usize,
        map: &OutputIndexMap,
        dimension: usize,
    ) -> Result<Item, TransformError> {
        let (lower, upper) = (self.lower(dimension), self.upper(dimension));
        let step = map.stride;
        let empty_range = Item::Range {
            begin: Some(0),
            end: Some(0),
            step: 1,
        };
        if !lower.implicit && !upper.implicit && lower.value == upper.value {
            return Ok(empty_range);
        }
        // If the lower bound is implicit and the stride is positive, the range begins at the lowest position that is
        // congruent to the offset modulo the stride.
        let distance = i128::from(step).abs();
        let lowest = position(axis, i128::from(map.offset).rem_euclid(distance))?;
        let first = map.axis_position(lower.value.into());
        let last = map.axis_position(i128::from(upper.value) - 1);
        let begin = match (lower.implicit, step) {
            (true, 1..) => lowest,
            (true, -1) if upper.implicit => {
                return Ok(Item::Range {
                    begin: None,
                    end: None,
                    step,
                });
            }
            (true, -1) => {
                let last = position(axis, last)?;
                let (begin, end) = (None, last.checked_sub(1).filter(|&end| end >= 0));
                return Ok(Item::Range { begin, end, step });
            }
            (true, _) => return Err(TransformError::Implicit { dimension }),
            // Without an explicit upper bound, a reverse range that begins before element 0 is empty.
            (false, ..0) if upper.implicit && first < 0 => return Ok(empty_range),
            (false, _) => position(axis, first)?,
        };
        let end = if upper.implicit {
            None
        } else if lower.implicit && last < 0 {
            return Ok(empty_range);
        } else {
            let last = position(axis, last)?;
            let end = last.saturating_add(step.signum());
            (end >= 0).then_some(end)
        };
        let begin = (begin > 0 || step < 0).then_some(begin);
        let item = Item::Range { begin, end, step };
        Ok(if end.is_none() && begin.is_none() && step == 1 {
            WHOLE
        } else {
            item
        })
    }
}

/// Returns the position as an `i64`, or an error if no array can have this position.
fn position(axis: usize, position: i128) -> Result<i64, TransformError> {
    let fits = i64::try_from(position).ok();
    let size = usize::MAX;
    fits.filter(|&position| position >= 0)
        .ok_or(TransformError::OutOfBounds {
            axis,
            position,
            size,
        })
}

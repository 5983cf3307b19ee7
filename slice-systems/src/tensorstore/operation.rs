//! Displays, explains and translates TensorStore's `IndexTransform`.

use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::{DynSliceSpec, Item, OutputAxis, Selection, SliceError};

use crate::explain::Explanation;
use crate::explain::systems::explain_as_spec;
use crate::lists::gather::indices_text;
use crate::operation::{Operation, System};
use crate::tensorstore::error::TransformError;
use crate::tensorstore::{Entry, INFINITY, IndexTransform, MAX_RANK, OutputIndexMap};
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

    type WithoutLists = Self;
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
        Ok(Translated::without_defects(transform))
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
        let items = self.entries()?.into_iter().map(|entry| match entry {
            Entry::New(dimension) => match self.len(dimension) {
                1 => Ok(Item::NewAxis),
                len => Err(TransformError::Repeated { dimension, len }),
            },
            Entry::Axis(axis) => self.item(axis, &self.output[axis]),
        });
        Ok(DynSliceSpec::from_items(
            items.collect::<Result<Vec<_>, _>>()?,
        )?)
    }

    /// Returns the item that selects the positions of `map` on `axis`.
    fn item(&self, axis: usize, map: &OutputIndexMap) -> Result<Item, TransformError> {
        let Some(dimension) = map.dimension() else {
            return Ok(Item::Index(position(axis, map.offset.into())?));
        };
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

//! The messages of [`SliceError`]. If NumPy reports the same error, the message begins with NumPy's wording.

use core::fmt::{self, Display, Formatter};

use super::SliceError;

#[cfg(feature = "ndarray")]
impl SliceError {
    /// Panics with the error's message.
    #[cold]
    #[track_caller]
    pub(crate) fn panic(&self) -> ! {
        panic!("{self}")
    }
}

impl Display for SliceError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            SliceError::TooManyIndices { .. }
            | SliceError::IndexOutOfBounds { .. }
            | SliceError::ZeroStep { .. }
            | SliceError::ListIndexOutOfBounds { .. }
            | SliceError::MaskLength { .. }
            | SliceError::TooLarge { .. }
            | SliceError::BufferLength { .. } => f.write_str(self.const_message().as_str()),
            SliceError::MultipleEllipses { first, second } => write!(
                f,
                "an index can only have a single ellipsis ('...'): items {} and {} are both ellipses; use `:` for one whole axis",
                OneBased(first),
                OneBased(second),
            ),
            SliceError::IndexStride { item, axis, stride } => {
                write!(
                    f,
                    "only stride 1 allowed on non-range indexing: item {} is an index",
                    OneBased(item)
                )?;
                if let Some(axis) = axis {
                    write!(f, " on axis {axis}")?;
                }
                write!(f, " with stride {stride}; use stride 1")
            }
            SliceError::LengthMismatch {
                begin,
                end,
                strides,
            } => write!(
                f,
                "begin, end and strides must have the same length, but have {begin}, {end} and {strides} entries"
            ),
            SliceError::TooManyItems { items, limit } => write!(
                f,
                "too many items: the slice has {items}, but at most {limit} are supported"
            ),
            SliceError::MaskRange { bit, items } => write!(
                f,
                "mask bit {bit} is set for item {}, but the slice has {items} items",
                u64::from(bit) + 1
            ),
            SliceError::InvalidRange {
                axis,
                start,
                step,
                len,
                size,
            } => write!(
                f,
                "{len} positions from {start} in steps of {step} are not valid on axis {axis} with size {size}; \
                 all positions must be on the axis, and the step must not be 0"
            ),
            SliceError::InvalidOutputAxis { axis } => write!(
                f,
                "output axes must list input axes in ascending order, and may omit \
                 only those with exactly one position; input axis {axis} breaks this rule"
            ),
            SliceError::RankMismatch { expected, actual } => write!(
                f,
                "array is {expected}-dimensional, but {actual} entries were given; give one for each axis"
            ),
            SliceError::ShapeMismatch {
                ref expected,
                ref actual,
            } => write!(
                f,
                "shapes differ: expected {}, but got {}",
                DisplayShape(expected),
                DisplayShape(actual)
            ),
            SliceError::Broadcast {
                ref value,
                ref slice,
            } => {
                write!(
                    f,
                    "could not broadcast input array from shape {} into shape {}",
                    DisplayShape(value),
                    DisplayShape(slice)
                )?;
                write_broadcast_reason(f, value, slice)
            }
            SliceError::BroadcastToLists {
                ref value,
                ref result,
            } => {
                write!(
                    f,
                    "shape mismatch: value array of shape {} could not be broadcast to indexing result of shape {}",
                    DisplayShape(value),
                    DisplayShape(result)
                )?;
                write_broadcast_reason(f, value, result)
            }
            SliceError::BroadcastPoints { item, ref shapes } => {
                f.write_str(
                    "shape mismatch: indexing arrays could not be broadcast together with shapes",
                )?;
                for shape in shapes {
                    write!(f, " {}", DisplayShape(shape))?;
                }
                write!(
                    f,
                    " (item {} of the slice); give lists of one length, or lists with one element; to combine each position of one \
                     list with each of another, select on one axis, and then on the next",
                    OneBased(item)
                )
            }
            SliceError::EmptyPoints { item } => write!(
                f,
                "points need a list for each of their axes, but item {} of the slice has none",
                OneBased(item)
            ),
            SliceError::Overlap {
                first,
                second,
                ref position,
            } => write!(
                f,
                "slices {} and {} overlap: both select element {}; simultaneous mutable slices must be disjoint",
                OneBased(first),
                OneBased(second),
                DisplayShape(position)
            ),
            SliceError::NotStrided => f.write_str(
                "a slice with a list has no strides, because the positions in a list need not be evenly spaced; copy the \
                 elements with `gather` or `try_gather`",
            ),
            SliceError::JoinedAxes { axis, axes, rank } => write!(
                f,
                "the item for axis {axis} applies to {axes} axes and gives {rank}, but only lists and masks with one axis are \
                 supported here, not points, and not lists or masks with several axes"
            ),
            SliceError::NotOneElement { elements } => write!(
                f,
                "can only convert an array of size 1 to a scalar, but the slice selects {elements} elements; index every axis, or use `at` or \
                 `gather`"
            ),
            SliceError::Allocation { elements } => {
                write!(f, "cannot allocate memory for {elements} elements")
            }
            SliceError::StrideOverflow { axis, stride } => write!(
                f,
                "stride {stride} of axis {axis} is too large: a distance in memory does not fit in an isize"
            ),
        }
    }
}

/// Writes the reason why a value cannot be broadcast to the slice.
fn write_broadcast_reason(f: &mut Formatter<'_>, value: &[usize], slice: &[usize]) -> fmt::Result {
    if slice.is_empty() {
        // The last part is NumPy's message for a slice that consists of one index for each axis.
        return f.write_str(
            "; the slice selects one element, so give one value; NumPy says: setting an array element with a sequence.",
        );
    }
    let axes = (0..slice.len()).rev();
    for (axis, &given) in axes.zip(value.iter().rev()) {
        let size = slice[axis];
        if given != 1 && given != size {
            let or = if size == 1 { "" } else { "1 or " };
            return write!(
                f,
                "; axis {axis} of the slice has size {size}, so the value may have size {or}{size} there, not {given}"
            );
        }
    }
    write!(
        f,
        "; the value has {} axes, but the slice has only {}",
        value.len(),
        slice.len()
    )
}

/// Displays a zero-based number as a one-based number.
struct OneBased(usize);

impl Display for OneBased {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (self.0 as u128 + 1).fmt(f)
    }
}

/// Displays a shape, or the position of an element, as in NumPy's messages.
///
/// # Example
///
/// ```
/// use slice_core::DisplayShape;
///
/// assert_eq!(DisplayShape(&[4, 5]).to_string(), "(4,5)");
/// assert_eq!(DisplayShape(&[4]).to_string(), "(4,)");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DisplayShape<'a>(pub &'a [usize]);

impl Display for DisplayShape<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (axis, size) in self.0.iter().enumerate() {
            let comma = if axis > 0 { "," } else { "" };
            write!(f, "{comma}{size}")?;
        }
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}

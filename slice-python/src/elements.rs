//! NumPy arrays whose elements are passed as unsigned integers. If an element is larger than the integer, the array has
//! an additional last axis for the integers of each element.

use numpy::{PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::FromPyObject;

/// An array to be read.
#[derive(FromPyObject)]
pub enum Elements<'py> {
    One(PyReadonlyArrayDyn<'py, u8>),
    Two(PyReadonlyArrayDyn<'py, u16>),
    Four(PyReadonlyArrayDyn<'py, u32>),
    Eight(PyReadonlyArrayDyn<'py, u64>),
}

/// An array to be written.
#[derive(FromPyObject)]
pub enum ElementsMut<'py> {
    One(PyReadwriteArrayDyn<'py, u8>),
    Two(PyReadwriteArrayDyn<'py, u16>),
    Four(PyReadwriteArrayDyn<'py, u32>),
    Eight(PyReadwriteArrayDyn<'py, u64>),
}

/// Evaluates an expression for an array of any of the integer types.
macro_rules! for_units {
    ($type:ident, $elements:expr, $array:ident => $work:expr) => {
        match $elements {
            $crate::elements::$type::One($array) => $work,
            $crate::elements::$type::Two($array) => $work,
            $crate::elements::$type::Four($array) => $work,
            $crate::elements::$type::Eight($array) => $work,
        }
    };
}

pub(crate) use for_units;

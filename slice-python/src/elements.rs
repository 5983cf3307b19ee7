//! NumPy arrays whose elements are passed as unsigned integers. If an element is larger than the integer, the array has
//! an additional last axis for the integers of each element.

use numpy::{
    PyArrayDescrMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;

/// Defines an array of any of the integer types.
macro_rules! elements {
    ($(#[$doc:meta])* $name:ident of $array:ident) => {
        $(#[$doc])*
        pub enum $name<'py> {
            One($array<'py, u8>),
            Two($array<'py, u16>),
            Four($array<'py, u32>),
            Eight($array<'py, u64>),
        }

        // Trying one type after the other would format an error for each of them, which takes longer than reading an element.
        impl<'py> FromPyObject<'_, 'py> for $name<'py> {
            type Error = PyErr;

            fn extract(array: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
                Ok(match array.cast::<PyUntypedArray>()?.dtype().itemsize() {
                    1 => $name::One(array.extract()?),
                    2 => $name::Two(array.extract()?),
                    4 => $name::Four(array.extract()?),
                    _ => $name::Eight(array.extract()?),
                })
            }
        }
    };
}

elements! {
    /// An array to be read.
    Elements of PyReadonlyArrayDyn
}

elements! {
    /// An array to be written.
    ElementsMut of PyReadwriteArrayDyn
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

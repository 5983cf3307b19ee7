//! Checks that slices in `py!` are equal to ndarray's own slices if another macro passes fragments to `py!`.

use ndarray::{Array1, array};

use crate::Pair;

const ONE: usize = 1;

mod limits {
    #[expect(
        non_upper_case_globals,
        reason = "the test needs a path whose last segment looks like a variable"
    )]
    pub const one: usize = 1;
}

fn a() -> Array1<f64> {
    array![1.0, 2.0, 4.0, 8.0]
}

fn t() -> Array1<f64> {
    array![3.0, 5.0, 7.0]
}

/// Defines a test for each row in `reexport/src/arrays.rs`, which explains the columns.
macro_rules! arrays {
    ($($name:ident ($($matcher:tt)*) ($($passed:tt)*) [$($py:tt)*] [$($rust:tt)*] ($($arguments:tt)*);)*) => { $(
        #[test]
        fn $name() {
            ::slice_hygiene_reexport::define_arrays! { here ($($matcher)*) [$($py)*] [$($rust)*] }
            macro_rules! deep {
                ($place:ident $($matcher)*) => { here!($place $($passed)*) };
            }
            let results = [
                here!(py $($arguments)*).to_vec(),
                here!(forwarded $($arguments)*).to_vec(),
                here!(nested $($arguments)*).to_vec(),
                here!(statements $($arguments)*).to_vec(),
                deep!(py $($arguments)*).to_vec(),
                deep!(forwarded $($arguments)*).to_vec(),
                deep!(nested $($arguments)*).to_vec(),
                deep!(statements $($arguments)*).to_vec(),
                ::slice_hygiene_reexport::$name!(py $($arguments)*).to_vec(),
                ::slice_hygiene_reexport::$name!(statements $($arguments)*).to_vec(),
            ];
            for result in results {
                assert_eq!(result, here!(rust $($arguments)*).to_vec());
            }
        }
    )* };
}

include!("../../reexport/src/arrays.rs");

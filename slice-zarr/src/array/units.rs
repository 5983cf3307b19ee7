//! Copies elements whose size is known only at run time, as one or more integers (*units*) for each element.

/// Compiles an expression for each size of an element, and evaluates it for elements of `$item_size` bytes. `$Unit` is the
/// type of a unit: an integer of 2, 4 or 8 bytes if an element has 2, 4, 8 or 16 bytes, and otherwise a byte. `$count` is
/// the number of units in an element.
macro_rules! in_units {
    ($item_size:expr, |$Unit:ident, $count:ident| $work:expr) => {
        match $item_size {
            2 => in_units!(u16, 1, |$Unit, $count| $work),
            4 => in_units!(u32, 1, |$Unit, $count| $work),
            8 => in_units!(u64, 1, |$Unit, $count| $work),
            16 => in_units!(u64, 2, |$Unit, $count| $work),
            size => in_units!(u8, size, |$Unit, $count| $work),
        }
    };
    ($integer:ty, $units:expr, |$Unit:ident, $count:ident| $work:expr) => {{
        type $Unit = $integer;
        let $count = $units;
        $work
    }};
}

pub(crate) use in_units;

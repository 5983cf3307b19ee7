//! Defines macros that define test macros. A test macro expands to an expression in plain Rust, or in one of the
//! positions where `s![]`, `named!` and `py!` accept an expression.

/// Defines the macro `name`. Its input is the name of a position, such as `begin`, followed by tokens that match
/// `matcher`. The macro expands to an expression with `template` in that position.
#[macro_export]
macro_rules! define {
    ($(#[$export:ident])? $name:ident ($($matcher:tt)*) [$($template:tt)*]) => {
        $(#[doc = "Expands to an expression in the given position."] #[$export])?
        macro_rules! $name {
            (rust $($matcher)*) => { $($template)* };
            (index $($matcher)*) => { $crate::s![$($template)*].begin()[0] };
            (begin $($matcher)*) => { $crate::s![$($template)*:].begin()[0] };
            (end $($matcher)*) => { $crate::s![:$($template)*].end()[0] };
            (stride $($matcher)*) => { $crate::s![::$($template)*].strides()[0] };
            (middle $($matcher)*) => { $crate::s![..., 1:$($template)*:2, newaxis].end()[1] };
            (forwarded $($matcher)*) => { $crate::forwarded!($crate::s![$($template)*:].begin()[0]) };
            (constant $($matcher)*) => {{
                $crate::named! { const NAMED = $crate::s![$($template)*:]; }
                NAMED.begin()[0]
            }};
            (py $($matcher)*) => { $crate::py!($($template)*) };
            (py_statement $($matcher)*) => { $crate::py! { let value = $($template)*; value } };
            (py_nested $($matcher)*) => { $crate::py!($crate::s![$($template)*:].begin()[0]) };
            (py_bound $($matcher)*) => {
                $crate::py!(::ndarray::Array1::from_iter(0_i64..100)[$($template)*:]).first().copied()
            };
        }
    };
}

/// Defines and exports a macro for each row in `fragments.rs`.
macro_rules! rows {
    ($($how:tt $name:ident ($($matcher:tt)*) ($($passed:tt)*) [$($template:tt)*] ($($arguments:tt)*);)*) => { $(
        define! { #[macro_export] $name ($($matcher)*) [$($template)*] }
    )* };
}

/// Defines the macro `name`, which computes with arrays in `py!` or in plain Rust. The first word of its input is
/// `rust`, or one of four words that select a way of calling `py!`.
#[macro_export]
macro_rules! define_arrays {
    ($(#[$export:ident])? $name:ident ($($matcher:tt)*) [$($py:tt)*] [$($rust:tt)*]) => {
        $(#[doc = "Computes with arrays in `py!` or in Rust."] #[$export])?
        macro_rules! $name {
            (rust $($matcher)*) => { $($rust)* };
            (py $($matcher)*) => { $crate::py!($($py)*) };
            (forwarded $($matcher)*) => { $crate::forwarded!($crate::py!($($py)*)) };
            (nested $($matcher)*) => { $crate::py!($crate::py!($($py)*)) };
            (statements $($matcher)*) => { $crate::py! { let value = ($($py)*).to_vec(); value } };
        }
    };
}

/// Defines and exports a macro for each row in `arrays.rs`.
macro_rules! arrays {
    ($($name:ident ($($matcher:tt)*) ($($passed:tt)*) [$($py:tt)*] [$($rust:tt)*] ($($arguments:tt)*);)*) => { $(
        define_arrays! { #[macro_export] $name ($($matcher)*) [$($py)*] [$($rust)*] }
    )* };
}

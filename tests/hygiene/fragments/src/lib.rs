//! Checks that macro fragments (such as `$x:expr`) have the same meaning in `s![]`, `named!` and `py!` as in Rust. The
//! fragments are of every kind, come from macros of this crate and of another crate, and pass through one or two
//! macros.
#![cfg(test)]
#![deny(warnings)]
// The test cases include expressions to which these lints object.
#![allow(unused_qualifications, clippy::all)]

mod arrays;
mod procedural;

const FIVE: i64 = 5;

mod limits {
    pub const N: i64 = 6;
}

struct Counted<const K: i64>;

impl<const K: i64> Counted<K> {
    const N: i64 = K;
}

#[derive(PartialEq)]
struct Pair<T> {
    n: T,
}

struct Wrapper<T>(T);

trait Named {
    type Element;
    const LEN: i64;
}

impl<const N: usize> Named for [u8; N] {
    type Element = u8;
    const LEN: i64 = N as i64;
}

struct Calls {
    twice: fn(i64) -> i64,
}

const CALLS: Calls = Calls { twice: |n| 2 * n };

macro_rules! twice {
    ($x:expr) => {
        $x * 2
    };
}

macro_rules! ten_minus {
    ($($x:tt)*) => {
        10 - $($x)*
    };
}

/// Returns the element at index `index` of an array with the elements 0 to 99, or `None` if the index is out of bounds.
/// A negative index counts from the end.
fn element(index: i128) -> Option<i64> {
    let position = if index < 0 { index + 100 } else { index };
    i64::try_from(position)
        .ok()
        .filter(|position| (0..100).contains(position))
}

/// Checks that an expression with fragments has the value `$rust` in plain Rust, and in every position in which `s![]`,
/// `named!` and `py!` accept an expression. `$call` is the path to a macro that expands to the expression in the
/// position named by its first argument. `$how` is `const` or `let`, as explained in `reexport/src/fragments.rs`.
macro_rules! compare {
    ($how:tt $rust:ident [$($call:tt)*] $($arguments:tt)*) => {
        assert_eq!(i128::try_from($($call)*!(rust $($arguments)*)).unwrap(), $rust);
        let values = [
            $($call)*!(index $($arguments)*),
            $($call)*!(begin $($arguments)*),
            $($call)*!(end $($arguments)*),
            $($call)*!(stride $($arguments)*),
            $($call)*!(middle $($arguments)*),
            $($call)*!(forwarded $($arguments)*),
            $($call)*!(py_nested $($arguments)*),
        ];
        assert_eq!(values.map(i128::from), [$rust; 7]);
        let values = [
            $($call)*!(py $($arguments)*),
            $($call)*!(py_statement $($arguments)*),
        ];
        assert_eq!(values.map(|value| i128::try_from(value).unwrap()), [$rust; 2]);
        assert_eq!($($call)*!(py_bound $($arguments)*), element($rust));
        compare_constant!($how $rust [$($call)*] $($arguments)*);
    };
}

/// If the row of the test begins with `const`, checks that the expression also has this value in a constant.
macro_rules! compare_constant {
    (const $rust:ident [$($call:tt)*] $($arguments:tt)*) => {
        assert_eq!(i128::from($($call)*!(constant $($arguments)*)), $rust);
    };
    (let $($rest:tt)*) => {};
}

/// Defines a test for each row in `reexport/src/fragments.rs`, which explains the columns. Each test passes the
/// fragments to a macro of this crate (`here`), to a macro that passes them on to `here` (`deep`), and to a macro of
/// the other crate.
macro_rules! rows {
    ($($how:tt $name:ident ($($matcher:tt)*) ($($passed:tt)*) [$($template:tt)*] ($($arguments:tt)*);)*) => {
        use crate::{CALLS, Counted, FIVE, Named, Pair, Wrapper, element, limits};

        $(
            #[test]
            fn $name() {
                ::slice_hygiene_reexport::define! { here ($($matcher)*) [$($template)*] }
                macro_rules! deep {
                    ($place:ident $($matcher)*) => { here!($place $($passed)*) };
                }
                let rust = i128::try_from(here!(rust $($arguments)*)).unwrap();
                compare! { $how rust [here] $($arguments)* }
                compare! { $how rust [deep] $($arguments)* }
                compare! { $how rust [::slice_hygiene_reexport::$name] $($arguments)* }
            }
        )*
    };
}

#[path = "../../reexport/src/fragments.rs"]
mod fragments;

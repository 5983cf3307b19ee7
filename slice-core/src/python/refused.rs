//! Traits that no type implements. If an expansion needs one of them, the compiler reports its message. The parameter `Out` stays
//! unknown, so the compiler neither suggests a bound for a generic function nor reports follow-up errors.

macro_rules! refused {
    ($($(#[$attribute:meta])* pub trait $Trait:ident[$($generics:tt)*][$($parameters:tt)*];)*) => { $(
        $(#[$attribute])*
        pub trait $Trait<$($generics)* Out> {
            /// The result.
            type Output;
        }

        #[diagnostic::do_not_recommend]
        impl<$($generics)* T: Unimplemented<Out> + ?Sized, Out> $Trait<$($parameters)* Out> for T {
            type Output = Out;
        }
    )* };
}

/// A trait that no type implements. It exists only so that the compiler reports the traits that are implemented for the
/// types that implement it.
pub trait Unimplemented<Out> {}

refused! {
    /// Element types between which ndarray has the operator `SIGN`.
    #[diagnostic::on_unimplemented(
        message = "unsupported operand types for {SIGN}: `{Self}` and `{B}`",
        label = "cannot be combined",
        note = "both sides must have elements of the same type: for floats, write a number as `2.0`, convert a variable with \
                `n as f64`, or convert an array with `.mapv(|v| v as f64)`, or with `.mapv(f64::from)` if it contains `bool`s; \
                a power is `.mapv(|v| v.powi(n))`, not `^`; arrays of `bool` are combined by `&`, `|` and `^`, and converted by \
                `.mapv(u8::from)` to be added; write `v[:]` for the elements of a `Vec` `v`; unwrap an `Option`, as in \
                `x.mean().unwrap()`",
        note = "a generic `T` needs bounds such as `T: Copy + std::ops::Add<Output = T>`; in an operation with an array, a \
                number of type `T` must be on the right (`x[1:] * k`), and needs `T: ndarray::ScalarOperand`"
    )]
    pub trait Operator[const SIGN: char, B,][SIGN, B,];

    /// Types of elements that can be compared with elements of type `B`.
    #[diagnostic::on_unimplemented(
        message = "values of type `{Self}` cannot be compared with values of type `{B}`",
        label = "cannot be compared",
        note = "both sides must have elements of the same type: for floats, write a number as `2.0`, convert a variable with \
                `n as f64`, or convert an array with `.mapv(|v| v as f64)`, or with `.mapv(f64::from)` if it contains `bool`s; \
                write `v[:]` for the elements of a `Vec` or a Rust array; a generic `T` needs the bound `T: PartialOrd`"
    )]
    pub trait ComparableWith[B: ?Sized,][B,];

    /// Types of values or elements that can be assigned to elements of type `A`.
    #[diagnostic::on_unimplemented(
        message = "values of type `{Self}` cannot be assigned to elements of type `{A}`",
        label = "these elements are of type `{A}`",
        note = "assign a value of type `{A}`, an array or a view of such values, `&[{A}]`, `Vec<{A}>`, or a nested array of \
                such values; for floats, write a number as `2.0`, convert a variable with `n as f64`, or convert an array \
                with `.mapv(|v| v as f64)`, or with `.mapv(f64::from)` if it contains `bool`s"
    )]
    pub trait AssignableTo[A,][A,];

    /// A type whose variables can be operands without being moved.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is neither an array nor `Copy`, and `py!` does not move named operands",
        label = "would be moved here",
        note = "only arrays and numbers can be combined with a slice; if the type of a number is not `Copy`, write \
                `n.clone()`, or `{{ n }}` to move the number; iterate over a `Vec` as `&v[i]`"
    )]
    pub trait CopyOperand[][];

    /// Types of arrays to which one of Rust's ranges could be applied, as in `x[1..3]`.
    #[diagnostic::on_unimplemented(
        message = "a Rust range does not slice an array",
        label = "write a colon, as in `x[1:3]`, which does not include the end: `x[1..=2]` is `x[1:3]`"
    )]
    pub trait SlicedByRange[][];
}

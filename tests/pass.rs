//! Runs each program in `ui/pass` as a test. The programs must compile without a warning from the compiler or clippy.
//! `rust.rs` is compiled as a separate program, because it uses paths from the root of its crate.

macro_rules! programs {
    ($($program:ident)*) => {
        const PROGRAMS: &[&str] = &[$(stringify!($program)),*];

        mod runs {
            $(#[test]
            fn $program() {
                super::$program::main();
            })*
        }
    };
}

programs! {
    bounds
    comments
    constant_strides
    generic_bounds
    generic_dimension
    grammar
    named
    py_asynchronous
    py_attributes
    py_bounds_read_the_array
    py_closures
    py_fields_apart
    py_generic_dimension
    py_generic_elements
    py_in_macros
    py_lifetimes
    py_loops
    py_mutable
    py_nested
    py_operands
    py_order
    py_patterns
    py_question_mark
    py_read_then_write
    py_rust_indices
    py_shadowed_names
    py_temporaries
    py_traits_of_the_caller
    py_user_types
    py_values
    taken_names
    through_macros
}

#[path = "ui/pass/bounds.rs"]
mod bounds;
#[path = "ui/pass/comments.rs"]
mod comments;
#[path = "ui/pass/constant_strides.rs"]
mod constant_strides;
#[path = "ui/pass/generic_bounds.rs"]
mod generic_bounds;
#[path = "ui/pass/generic_dimension.rs"]
mod generic_dimension;
#[path = "ui/pass/grammar.rs"]
mod grammar;
#[path = "ui/pass/named.rs"]
mod named;
#[path = "ui/pass/py_asynchronous.rs"]
mod py_asynchronous;
#[path = "ui/pass/py_attributes.rs"]
mod py_attributes;
#[path = "ui/pass/py_bounds_read_the_array.rs"]
mod py_bounds_read_the_array;
#[path = "ui/pass/py_closures.rs"]
mod py_closures;
#[path = "ui/pass/py_fields_apart.rs"]
mod py_fields_apart;
#[path = "ui/pass/py_generic_dimension.rs"]
mod py_generic_dimension;
#[path = "ui/pass/py_generic_elements.rs"]
mod py_generic_elements;
#[path = "ui/pass/py_in_macros.rs"]
mod py_in_macros;
#[path = "ui/pass/py_lifetimes.rs"]
mod py_lifetimes;
#[path = "ui/pass/py_loops.rs"]
mod py_loops;
#[path = "ui/pass/py_mutable.rs"]
mod py_mutable;
#[path = "ui/pass/py_nested.rs"]
mod py_nested;
#[path = "ui/pass/py_operands.rs"]
mod py_operands;
#[path = "ui/pass/py_order.rs"]
mod py_order;
#[path = "ui/pass/py_patterns.rs"]
mod py_patterns;
#[path = "ui/pass/py_question_mark.rs"]
mod py_question_mark;
#[path = "ui/pass/py_read_then_write.rs"]
mod py_read_then_write;
#[path = "ui/pass/py_rust_indices.rs"]
mod py_rust_indices;
#[path = "ui/pass/py_shadowed_names.rs"]
mod py_shadowed_names;
#[path = "ui/pass/py_temporaries.rs"]
mod py_temporaries;
#[path = "ui/pass/py_traits_of_the_caller.rs"]
mod py_traits_of_the_caller;
#[path = "ui/pass/py_user_types.rs"]
mod py_user_types;
#[path = "ui/pass/py_values.rs"]
mod py_values;
#[path = "ui/pass/taken_names.rs"]
mod taken_names;
#[path = "ui/pass/through_macros.rs"]
mod through_macros;

#[test]
fn every_program_in_ui_pass_is_run() {
    let mut names: Vec<String> = std::fs::read_dir("ui/pass")
        .expect("the folder of programs should be readable")
        .map(|program| program.expect("the entry should be readable").file_name())
        .filter_map(|name| Some(name.to_str()?.strip_suffix(".rs")?.to_owned()))
        .filter(|name| name != "rust")
        .collect();
    names.sort();
    assert_eq!(names, PROGRAMS);
}

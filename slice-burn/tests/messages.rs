//! Checks the compiler's messages for slices that do not fit the rank of a tensor.
//!
//! To update the messages, set `TRYBUILD=overwrite`.

#[test]
fn wrong_ranks_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/ui/rank.rs");
}

//! Checks those rules of ARCHITECTURE.md that can be tested.

mod imports;
mod kinds;
mod source;
mod surface;
mod systems;

use self::source::Sources;

/// The macros read no text but that of their own calls: one function opens the source file, for comments between the first
/// and the last token of a call that may be floor divisions.
#[test]
fn the_macros_open_the_source_file_in_one_function() {
    let sources = Sources::read("slice-macro");
    let opens =
        |code: &str| ["fs::", "File::open", "local_file"].map(|name| code.matches(name).count());
    for file in sources.files.values() {
        let expected = if file.path == "comments.rs" {
            [1, 0, 1]
        } else {
            [0, 0, 0]
        };
        assert_eq!(opens(&file.code), expected, "{}", file.path);
    }
}

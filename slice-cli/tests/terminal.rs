//! Tests the width and the colors of the output, for terminals of several widths and for pipes.

use std::process::{Command, Stdio};

/// Returns the output of `slice` with the given environment variables.
fn printed(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slice"));
    for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM"] {
        command.env_remove(name);
    }
    let command = command.args(arguments).envs(variables.iter().copied());
    let output = command.output().expect("the command should start");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("the output should be UTF-8")
}

/// Returns the lines of the pictures, which are printed between the sentences and the table of steps.
fn picture(text: &str) -> Vec<&str> {
    let lines = text.lines().skip_while(|line| !line.is_empty());
    let mut lines: Vec<&str> = lines.take_while(|line| !line.starts_with("item")).collect();
    lines.pop();
    lines
}

const CUBE: [&str; 4] = ["explain", "::2, 1:, ::-1", "--shape", "6,4,4"];
const ROW: [&str; 4] = ["explain", "::3", "--shape", "30"];

#[test]
fn pictures_fit_the_width_of_the_terminal() {
    let lines = |arguments: &[&str], columns: &str| {
        let text = printed(arguments, &[("COLUMNS", columns)]);
        picture(&text)
            .iter()
            .map(|line| line.chars().count())
            .collect::<Vec<_>>()
    };
    for arguments in [&CUBE, &ROW] {
        for (columns, max_columns) in [("40", 40), ("80", 80), ("200", 200)] {
            let lines = lines(arguments, columns);
            let widest = lines.iter().max().copied().unwrap_or(0);
            assert!(
                widest <= max_columns,
                "a line has {widest} columns in a terminal of {columns} columns"
            );
        }
    }
    // A wider terminal shows more grids next to each other.
    let heights = ["40", "80", "200"].map(|columns| lines(&CUBE, columns).len());
    assert!(heights.is_sorted_by(|a, b| a > b), "{heights:?}");
    // In a pipe, or if `COLUMNS` is not a positive number, pictures are at most 100 columns wide.
    let piped = printed(&CUBE, &[]);
    let wide = printed(&CUBE, &[("COLUMNS", "100")]);
    assert_eq!(picture(&piped), picture(&wide));
    for value in ["0", "", "-4", "wide", "99999999999999999999999"] {
        assert_eq!(piped, printed(&CUBE, &[("COLUMNS", value)]), "{value:?}");
    }
    // Even the narrowest picture shows the first and the last position.
    let narrow = printed(&ROW, &[("COLUMNS", "1")]);
    assert!(
        narrow.contains(" 0") && narrow.contains("29") && narrow.contains(".."),
        "{narrow}"
    );
}

/// The arguments of `slice explain` for slices with many items, long items, masks, lists and chunks.
const EXPLANATIONS: [&[&str]; 7] = [
    &["1:, ..., newaxis, :-3:-1", "--shape", "4,5,6"],
    &["[0, 2, -1], ::2", "--shape", "4,6"],
    &["1000:2000:30, -1", "--shape", "123456,7"],
    &[
        "::2, ::2, ::2, ::2, ::2, ::2, ::2",
        "--shape",
        "4,4,4,4,4,4,4",
    ],
    &["::20, 15:35", "--shape", "40,50", "--chunks", "10,10"],
    &["--shape", "6,5", "--tf", STRIDED],
    &["3:-1:-1, 2:99, None", "--shape", "4,5,6"],
];
const STRIDED: &str =
    r#"{"begin": [0, 2], "end": [3, 4], "strides": [1, 1], "shrink_axis_mask": 2}"#;

#[test]
fn explanations_fit_the_width_of_the_terminal() {
    for explanation in EXPLANATIONS {
        let explain_at = |columns: &str| {
            let arguments = [&["explain"], explanation].concat();
            printed(&arguments, &[("COLUMNS", columns)])
        };
        for (columns, max_columns) in [("40", 40), ("60", 60), ("80", 80), ("120", 120)] {
            let text = explain_at(columns);
            let long_line = text.lines().find(|line| line.chars().count() > max_columns);
            assert_eq!(
                long_line, None,
                "a line is longer than {columns} columns:\n{text}"
            );
            // At every width, all sentences and all words of the table of steps are printed.
            let words = |text: &str| {
                let table = text
                    .split_once("step by step")
                    .map_or("", |(_, table)| table);
                let mut words: Vec<String> = table.split_whitespace().map(String::from).collect();
                words.sort_unstable();
                words.dedup();
                words
            };
            let sentences = |text: &str| {
                let sentences = text.split("\n\n").next().unwrap_or_default();
                sentences.split_whitespace().collect::<Vec<_>>().join(" ")
            };
            let wide = explain_at("1000");
            assert_eq!(words(&text), words(&wide), "{text}");
            assert_eq!(sentences(&text), sentences(&wide), "{text}");
        }
    }
}

#[test]
fn lines_in_a_pipe_are_not_wrapped() {
    let text = printed(&["explain", "::2", "--shape", "4,5"], &[]);
    let first = text.lines().next();
    let sentence = "x[::2] selects 10 of the 20 elements of an array of shape (4, 5), as an array of shape (2, 5).";
    assert_eq!(first, Some(sentence));
    let slice = "1:, 1:, 1:, 1:, 1:, 1:, 1:, 1:, 1:";
    let text = printed(&["explain", slice, "--shape", "2,2,2,2,2,2,2,2,2"], &[]);
    assert!(
        text.lines().next().is_some_and(|line| line.len() > 120),
        "{text}"
    );
}

#[test]
fn pictures_fit_in_forty_columns() {
    let text = printed(&ROW, &[("COLUMNS", "40")]);
    let expected = "
x[::3] applied to shape (30,)
     0   1   2  ..  27  28  29   axis 0
     0   .   .       9   .   .

the result, of shape (10,)
    0  1  2  3 ..  6  7  8  9   axis 0
    0  1  2  3     6  7  8  9
";
    let lines = picture(&text);
    assert_eq!(lines[..8], expected.lines().collect::<Vec<_>>(), "{text}");
}

#[test]
fn colors_are_printed_only_on_terminals_unless_they_are_forced() {
    let is_colored = |variables: &[(&str, &str)]| printed(&CUBE, variables).contains('\x1b');
    assert!(!is_colored(&[]));
    assert!(!is_colored(&[("TERM", "xterm-256color")]));
    assert!(is_colored(&[("CLICOLOR_FORCE", "1")]));
    assert!(!is_colored(&[("NO_COLOR", "1"), ("CLICOLOR", "1")]));
    // Colors do not change the text.
    let forced = printed(&CUBE, &[("CLICOLOR_FORCE", "1")]);
    let mut plain = String::new();
    for (at, part) in forced.split('\x1b').enumerate() {
        plain += if at == 0 {
            part
        } else {
            part.split_once('m')
                .expect("the escape sequence should end in m")
                .1
        };
    }
    assert_eq!(plain, printed(&CUBE, &[]));
}

#[test]
fn the_width_of_the_terminal_is_used_if_columns_is_not_set() {
    let line = format!(
        "stty rows 24 cols 40; env -u COLUMNS -u NO_COLOR TERM=xterm-256color {} explain ::3 --shape 30",
        env!("CARGO_BIN_EXE_slice")
    );
    let mut script = Command::new("script");
    script
        .args(["-qec", &line, "/dev/null"])
        .stdin(Stdio::null());
    // The test is skipped if `script` is missing or has different options.
    let Ok(output) = script.output() else { return };
    if !cfg!(target_os = "linux") || !output.status.success() {
        return;
    }
    let text = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    assert!(text.contains("\x1b["), "{text}");
    let narrow = printed(&ROW, &[("COLUMNS", "40"), ("CLICOLOR_FORCE", "1")]);
    assert_eq!(text, narrow);
}

//! Compares explanations with an article about TensorFlow, "how TensorFlow's StridedSlice is computed". The two worked
//! examples must be printed as in the article, and an explanation must have the steps of the article's main
//! table.
//!
//! The first column of a printed table contains the names of the steps, from `remove_conflict`, which resolves
//! contradictory mask bits, to `pick`, which states the selected positions.

use slice_systems::Explain;
use slice_systems::explain::Explanation;
use slice_systems::tensorflow::StridedSlice;

fn example(ellipsis_mask: i64) -> Explanation {
    let op = StridedSlice {
        begin: vec![0, 0, 2, 2],
        end: vec![3, 2, 4, 8],
        strides: vec![1, 1, 1, 1],
        new_axis_mask: 0b1001,
        shrink_axis_mask: 4,
        ellipsis_mask,
        ..StridedSlice::default()
    };
    op.explain(&[6, 3, 4, 10])
}

/// Returns the rows of the printed table, each with its step, name and cells.
fn rows(explanation: &Explanation) -> Vec<(String, String, Vec<String>)> {
    let text = explanation.to_string();
    let mut lines = text
        .split("\n\n")
        .nth(1)
        .expect("the text should contain a table")
        .lines();
    let columns = |line: &str| {
        let cells = line
            .split("  ")
            .map(str::trim)
            .filter(|cell| !cell.is_empty());
        cells.map(str::to_owned).collect::<Vec<_>>()
    };
    let count = columns(lines.next().expect("the table should have a header")).len();
    let mut step = String::new();
    lines
        .map(|line| {
            let mut labels = columns(line);
            let cells = labels.split_off(labels.len() - count);
            let name = labels.pop().expect("the row should begin with a name");
            step = labels.pop().unwrap_or_else(|| step.clone());
            (step.clone(), name, cells)
        })
        .collect()
}

/// Returns the cells of the row `name` of the step `step`, in the order of the columns.
fn row(explanation: &Explanation, step: &str, name: &str) -> Vec<String> {
    let mut rows = rows(explanation).into_iter();
    let row = rows.find(|row| row.0 == step && row.1 == name);
    row.unwrap_or_else(|| panic!("step {step} has no row {name}"))
        .2
}

/// Returns the five rows that the article's tables also contain: axis, begin, end, strides and output.
fn article_rows(explanation: &Explanation) -> [Vec<String>; 5] {
    [
        ("new_axis", "axis size"),
        ("ellipsis, fill", "begin"),
        ("ellipsis, fill", "end"),
        ("ellipsis, fill", "strides"),
        ("output_shape", "output"),
    ]
    .map(|(step, name)| row(explanation, step, name))
}

#[test]
fn example_1_is_printed_as_in_the_article() {
    let explanation = example(8);
    assert_eq!(
        article_rows(&explanation),
        [
            ["1", "6", "3", "4", "10"],
            ["0", "0", "2", "2->0", "0"],
            ["3", "2", "4", "8->4", "10"],
            ["1", "1", "1", "1", "1"],
            ["1", "2", "1", "4", "10"],
        ]
    );
    assert_eq!(explanation.output_shape, Ok(vec![1, 2, 4, 10]));
    assert_eq!(
        explanation.to_string(),
        "\
TensorFlow's StridedSlice on shape (6, 3, 4, 10) gives shape (1, 2, 4, 10)

                              new axis  axis 0  axis 1       axis 2             axis 3
                 item         1         2       3            4                  4
                 written      0:3:1     0:2:1   2:4:1        2:8:1              -
                 bits         new_axis  -       shrink_axis  ellipsis new_axis  -
remove_conflict  equivalent   None      0:2     2            ...                ...
new_axis         axis size    1         6       3            4                  10
ellipsis, fill   begin        0         0       2            2->0               0
                 end          3         2       4            8->4               10
                 strides      1         1       1            1                  1
clamp            begin        -         0       2            0                  0
                 end          -         2       -            4                  10
begin_mask       begin        -         0       2            0                  0
end_mask         end          -         2       -            4                  10
shrink           index        -         -       2:3:1        -                  -
output_shape     output       1         2       1            4                  10
                 output axis  0         1       -            2                  3
pick             start        -         0       2            0                  0
                 step         -         1       1            1                  1
                 len          -         2       1            4                  10

note: end 4 (item 3) is ignored: an index uses only its begin
note: new_axis bit 3 is ignored: the ellipsis bit takes precedence
"
    );
}

#[test]
fn example_2_is_printed_as_in_the_article() {
    let explanation = example(4);
    assert_eq!(
        article_rows(&explanation),
        [
            ["1", "6", "3", "4", "10", "1"],
            ["0", "0", "2->0", "0", "0", "2"],
            ["3", "2", "4->3", "4", "10", "8"],
            ["1", "1", "1", "1", "1", "1"],
            ["1", "2", "3", "4", "10", "1"],
        ]
    );
    assert_eq!(explanation.output_shape, Ok(vec![1, 2, 3, 4, 10, 1]));
    assert!(
        explanation
            .to_string()
            .ends_with("\nnote: shrink bit 2 is ignored: the ellipsis bit takes precedence\n")
    );
}

#[test]
fn the_steps_are_those_of_the_article() {
    let mut steps: Vec<String> = rows(&example(8)).into_iter().map(|row| row.0).collect();
    steps.dedup();
    assert_eq!(
        steps,
        [
            "",
            "remove_conflict",
            "new_axis",
            "ellipsis, fill",
            "clamp",
            "begin_mask",
            "end_mask",
            "shrink",
            "output_shape",
            "pick",
        ]
    );
}

/// For these bounds, the article's main table differs from TensorFlow. The explanation follows TensorFlow: on an axis
/// of length N, a `begin` is clamped to N, and the masked bounds of a reverse range are N - 1 and the position before
/// 0.
#[test]
fn bounds_are_clamped_and_masked_as_in_tensorflow() {
    let op = StridedSlice {
        begin: vec![9, 1],
        end: vec![9, 1],
        strides: vec![1, -1],
        begin_mask: 2,
        end_mask: 2,
        ..StridedSlice::default()
    };
    let explanation = op.explain(&[4, 4]);
    assert_eq!(row(&explanation, "clamp", "begin"), ["9->4", "1"]);
    assert_eq!(row(&explanation, "clamp", "end"), ["9->4", "1"]);
    assert_eq!(row(&explanation, "begin_mask", "begin"), ["4", "1->3"]);
    assert_eq!(row(&explanation, "end_mask", "end"), ["4", "1->-1"]);
}

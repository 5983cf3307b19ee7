//! The article "how TensorFlow's StridedSlice is computed": its two worked examples print as there, and the steps of its
//! main table are found.

use slice_core::dialect::tensorflow::StridedSlice;
use slice_core::{Explanation, explain::Table};

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

/// The cells of a row in the order of the columns.
fn row<'a>(table: &'a Table, step: &str, name: &str) -> Vec<&'a str> {
    let row = table
        .rows
        .iter()
        .find(|row| row.step == step && row.name == name);
    let row = row.unwrap_or_else(|| panic!("no row {step}, {name}"));
    row.cells.iter().map(String::as_str).collect()
}

/// The five rows of the article's tables: axis, begin, end, strides, output.
fn worked(explanation: &Explanation) -> [Vec<String>; 5] {
    let table = explanation.table();
    [
        ("new_axis", "axis size"),
        ("ellipsis, fill", "begin"),
        ("ellipsis, fill", "end"),
        ("ellipsis, fill", "strides"),
        ("output_shape", "output"),
    ]
    .map(|(step, name)| {
        row(&table, step, name)
            .iter()
            .map(|&cell| cell.into())
            .collect()
    })
}

#[test]
fn example_1_prints_as_in_the_article() {
    let explanation = example(8);
    assert_eq!(
        worked(&explanation),
        [
            ["1", "6", "3", "4", "10"],
            ["0", "0", "2", "2->0", "0"],
            ["3", "2", "4", "8->4", "10"],
            ["1", "1", "1", "1", "1"],
            ["1", "2", "1", "4", "10"],
        ]
    );
    assert_eq!(explanation.output_shape(), Ok(&[1, 2, 4, 10][..]));
    assert_eq!(
        explanation.to_string(),
        "\
TensorFlow's StridedSlice of shape (6, 3, 4, 10) has shape (1, 2, 4, 10)

                              new       axis 0  axis 1       axis 2             axis 3
                 item         1         2       3            4                  4
                 written      0:3:1     0:2:1   2:4:1        2:8:1              -
                 bits         new_axis  -       shrink_axis  ellipsis new_axis  -
remove_conflict  means        None      0:2     2            ...                ...
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

note: end 4 of item 3 ignored: an index is its begin alone
note: new_axis bit 3 ignored: ellipsis wins
"
    );
}

#[test]
fn example_2_prints_as_in_the_article() {
    let explanation = example(4);
    assert_eq!(
        worked(&explanation),
        [
            ["1", "6", "3", "4", "10", "1"],
            ["0", "0", "2->0", "0", "0", "2"],
            ["3", "2", "4->3", "4", "10", "8"],
            ["1", "1", "1", "1", "1", "1"],
            ["1", "2", "3", "4", "10", "1"],
        ]
    );
    assert_eq!(explanation.output_shape(), Ok(&[1, 2, 3, 4, 10, 1][..]));
    assert!(
        explanation
            .to_string()
            .ends_with("\nnote: shrink bit 2 ignored: ellipsis wins\n")
    );
}

#[test]
fn the_steps_are_those_of_the_article() {
    let table = example(8).table();
    let mut steps: Vec<&str> = table.rows.iter().map(|row| row.step).collect();
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

/// Where the article's main table and TensorFlow differ, TensorFlow is explained: a begin is clamped to N, and masked
/// bounds of a reverse range are N - 1 and "before 0".
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
    let table = op.explain(&[4, 4]).table();
    assert_eq!(row(&table, "clamp", "begin"), ["9->4", "1"]);
    assert_eq!(row(&table, "clamp", "end"), ["9->4", "1"]);
    assert_eq!(row(&table, "begin_mask", "begin"), ["4", "1->3"]);
    assert_eq!(row(&table, "end_mask", "end"), ["4", "1->-1"]);
}

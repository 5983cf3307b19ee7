//! Checks explanations of slices with lists. For the golden vectors, compares the explanations with the selections.

use serde::Deserialize;
use serde_json::{Value, json};
use slice_core::s;
use slice_systems::Explain;
use slice_systems::explain::Explanation;
use slice_tests::lists::{RawListItem, list_spec};
use slice_tests::operation::report;
use slice_tests::read;

#[test]
fn explanations_show_each_step() {
    let mask = [true, false, true, true, true, true];
    assert_eq!(
        s![[0, 2, -1], ::2, &mask].explain(&[4, 3, 6]).to_string(),
        "\
x[[0, 2, -1], ::2, [True, False, True, True, True, True]] on shape (4, 3, 6) gives shape (3, 2, 5)

                             axis 0      axis 1  axis 2
                item         1           2       3
                written      [0, 2, -1]  ::2     [True, False, True, True, True, True]
new_axis        axis size    4           3       6
ellipsis, fill  strides      -           2       -
wrap            list         0, 2, 3     -       -
begin_mask      begin        -           0       -
end_mask        end          -           3       -
output_shape    output       3           2       5
                output axis  0           1       2
pick            start        -           0       -
                step         -           2       -
                len          -           2       -
                runs         0, 2, 3     -       0, 2, 3, 4, 5

note: -1 at index 2 of the list in item 1 counts from the end: it selects position 3 of axis 0
note: each item applies to its own axis, as with np.ix_; NumPy's x[...] would pair items 1 and 3 element by element
"
    );
}

#[test]
fn long_lists_are_abbreviated() {
    let repeated_positions: Vec<usize> = (0..20).chain([7; 9]).chain((0..10).rev()).collect();
    let explanation = s![&repeated_positions].explain(&[30]);
    assert_eq!(explanation.subject, "x[[0, 1, 2, ..., 0]]");
    let text = explanation.to_string();
    assert!(
        text.contains("runs         0:20, 7 (9 times), 9::-1\n"),
        "{text}"
    );
    assert_eq!(
        explanation.sentences()[1],
        "`[0, 1, 2, ..., 0]` takes the 39 positions 0, 1, 2, ..., 0 of axis 0, which has length 30."
    );
    let notes: Vec<String> = explanation.notes.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "position 0 of axis 0 is selected 2 times by item 1 (likewise for 9 other positions); if several values are assigned \
             to one element, the last one remains"
        ]
    );
}

fn notes(explanation: &Explanation) -> Vec<String> {
    explanation.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn lists_whose_axis_numpy_would_put_first_are_noted() {
    let expected_note = "each item applies to its own axis; in NumPy's x[...], the axis of item 3 would come first, because other \
                 items separate the list from an index";
    assert_eq!(
        notes(&s![0, :, [1, 2]].explain(&[2, 3, 4])),
        [expected_note]
    );
    assert!(notes(&s![0, [1, 2]].explain(&[2, 3])).is_empty());
    assert!(notes(&s![[1, 0], :, 1].explain(&[2, 3, 4])).is_empty());
    assert!(notes(&s![:, [1, 2], 0].explain(&[2, 3, 4])).is_empty());
}

#[test]
fn empty_selections_and_errors_are_explained() {
    let empty_list = [0_i64; 0];
    assert_eq!(
        notes(&s![&empty_list].explain(&[3])),
        ["nothing is selected on axis 0: item 1 selects no positions"]
    );
    let explanation = s![:, [0, 9]].explain(&[3, 4]);
    assert_eq!(
        explanation.to_string(),
        "\
x[:, [0, 9]] cannot be applied to shape (3, 4)

                           axis 0  axis 1
                item       1       2
                written    :       [0, 9]
new_axis        axis size  3       4
ellipsis, fill  strides    1       -
wrap            list       -       0, 9
begin_mask      begin      0       -
end_mask        end        3       -
output_shape    output     3       -
pick            start      0       -
                step       1       -
                len        3       -

error: index 9 is out of bounds for axis 1 with size 4 (item 2 of the slice, entry 2 of its list)
note: the valid indices of axis 1 are 0 to 3, or -4 to -1 from the end
"
    );
    assert!(explanation.picture().is_none());
    let mask = [true, false];
    let explanation = s![&mask].explain(&[3]);
    assert!(
        explanation.to_string().contains(
            "error: boolean index did not match indexed array along axis 0; size of axis is 3 but size of corresponding \
             boolean axis is 2"
        ),
        "{explanation}"
    );
}

#[test]
fn sentences_name_the_selected_positions() {
    let mask = [true, false, true];
    assert_eq!(
        s![&mask, [1], ..., [2, 2]]
            .explain(&[3, 2, 5, 4])
            .sentences(),
        [
            "x[[True, False, True], [1], ..., [2, 2]] selects 20 of the 120 elements of an array of shape (3, 2, 5, 4), as an \
             array of shape (2, 1, 5, 2).",
            "`[True, False, True]` is a mask: it takes positions 0, 2 of axis 0, which has length 3.",
            "`[1]` takes position 1 of axis 1, which has length 2.",
            "`...` takes all of axis 2, which has length 5.",
            "`[2, 2]` takes positions 2, 2 of axis 3, which has length 4.",
        ]
    );
}

#[test]
fn a_picture_shows_the_positions_of_lists() {
    let picture = s![[2, 0], [3, 1, 1]]
        .explain(&[3, 4])
        .picture()
        .expect("the slice should fit the shape");
    assert_eq!(
        picture.to_string(),
        "\
x[[2, 0], [3, 1, 1]] applied to shape (3, 4)
       0  1  2  3   axis 1
  0    .  4  .  3
  1    .  .  .  .
  2    .  1  .  0
axis 0

the result, of shape (2, 3)
       0  1  2   axis 1
  0    0  1  2
  1    3  4  5
axis 0

      axis 0  axis 1
item  [2, 0]  [3, 1, 1]
"
    );
    assert!(picture.to_svg().starts_with("<svg "));
}

#[test]
fn only_entries_of_lists_have_a_list_in_json() {
    let json = serde_json::to_value(s![[-1, 0], 1:].explain(&[3, 2]))
        .expect("serialization should succeed");
    let [list, range] = json["entries"]
        .as_array()
        .expect("the entries should be an array")
        .as_slice()
    else {
        panic!("wrong number of entries: {json}");
    };
    assert_eq!(
        list["list"],
        json!({
            "written": [-1, 0],
            "wrapped": [2, 0],
            "mask": null,
            "positions": [2, 0],
            "runs": [{"start": 2, "step": -2, "len": 2}],
        })
    );
    assert_eq!(range.get("list"), None);
    assert_eq!(json["notes"][0]["kind"], "from_the_end");
    let whole: Value =
        serde_json::to_value(s![:].explain(&[3])).expect("serialization should succeed");
    assert_eq!(whole["entries"][0].get("list"), None);
}

#[derive(Deserialize)]
struct Case {
    shape: Vec<usize>,
    items: Vec<RawListItem>,
}

/// Compares the explanation of a slice with the selection of the slice. Returns an error that describes the difference.
fn check(case: &Case) -> Result<(), String> {
    let Ok(spec) = list_spec(&case.items) else {
        return Ok(());
    };
    let explanation = spec.explain(&case.shape);
    let text = explanation.to_string();
    if text.lines().any(|line| line.ends_with(' ')) {
        return Err(format!(
            "a line of the explanation ends with a space:\n{text}"
        ));
    }
    let selection = match spec.resolve(&case.shape) {
        Ok(selection) => selection,
        Err(error) => {
            let message = explanation.output_shape.map_err(|error| error.to_string());
            return match message {
                Err(message) if message == error.to_string() => Ok(()),
                message => Err(format!(
                    "the explanation contains {message:?} instead of the error {error}"
                )),
            };
        }
    };
    if explanation.output_shape != Ok(selection.output_shape().to_vec()) {
        return Err(format!(
            "the explanation states the wrong output shape, {:?}",
            explanation.output_shape
        ));
    }
    for entry in &explanation.entries {
        let Some(axis) = entry.axis else { continue };
        let list_positions = entry.list.as_ref().and_then(|list| list.positions.clone());
        let range_positions = entry.selected.map(|range| range.positions().collect());
        let selected = list_positions.or(range_positions);
        if selected.as_ref() != Some(&selection.axis(axis).iter().collect()) {
            return Err(format!(
                "the explanation states the wrong positions, {selected:?}, for axis {axis}"
            ));
        }
    }
    let picture = explanation.picture().ok_or("there is no picture")?;
    let (drawing, svg) = (picture.to_string(), picture.to_svg());
    match drawing.lines().find(|line| line.ends_with(' ')) {
        Some(line) => Err(format!("a line of the picture ends with a space: {line:?}")),
        None if !svg.ends_with("</svg>\n") && !svg.ends_with("</svg>") => {
            Err("the SVG picture has no end tag".into())
        }
        None => Ok(()),
    }
}

#[test]
fn explanations_of_lists_agree_with_resolve() {
    let (_, cases) = read::<Case>("numpy_lists");
    let failures = cases.iter().filter_map(|case| {
        let difference = check(case).err()?;
        Some(format!(
            "{:?} of {:?}: {difference}",
            case.items, case.shape
        ))
    });
    report("numpy_lists", &failures.collect::<Vec<_>>());
}

#[test]
fn items_that_join_axes_are_explained_on_each_axis() {
    let explanation = s![zip([0, 1], [2, -3]), newaxis, 1:].explain(&[2, 3, 4]);
    let axes: Vec<_> = explanation
        .entries
        .iter()
        .map(|entry| {
            let positions = entry.list.as_ref().and_then(|list| list.positions.clone());
            (entry.item, entry.axis, entry.output_axis, positions)
        })
        .collect();
    let expected = [
        (Some(0), Some(0), Some(0), Some(vec![0, 1])),
        (Some(0), Some(1), None, Some(vec![2, 0])),
        (Some(1), None, Some(1), None),
        (Some(2), Some(2), Some(2), None),
    ];
    assert_eq!(axes, expected);
    let table = s![[[0, 1], [1, 1]], 0].explain(&[2, 3]);
    assert_eq!(table.entries[0].output_axis, Some(0));
}

#[test]
fn a_picture_shows_the_places_of_points() {
    let picture = s![zip([0, 2, 0], [1, 3, 1]), newaxis]
        .explain(&[3, 4])
        .picture();
    assert_eq!(
        picture.expect("the slice should fit the shape").to_string(),
        "\
x[zip([0, 2, 0], [1, 3, 1]), None] applied to shape (3, 4)
       0  1  2  3   axis 1
  0    .  0  .  .
  1    .  .  .  .
  2    .  .  .  1
axis 0

the result, of shape (3, 1)
       0   axis 1
  0    0
  1    1
  2    2
axis 0

      axes 0 to 1                new axis
item  zip([0, 2, 0], [1, 3, 1])  None
"
    );
}

#[test]
fn a_mask_of_several_axes_has_no_note_on_repeated_positions() {
    let mask = [[true, false, true], [false, true, true]];
    let notes = |explanation: &Explanation| explanation.to_string().contains("times");
    assert!(!notes(&s![&mask].explain(&[2, 3])));
    assert!(notes(&s![[0, 0]].explain(&[2])));
}

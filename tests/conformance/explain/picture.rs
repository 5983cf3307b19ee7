//! Checks that pictures show the selected elements in the order of the result. One test compares the pictures in the
//! documentation with newly drawn pictures, and can replace them.

use std::fs;
use std::path::Path;

use fastrand::Rng;
use slice_core::{DynSliceSpec, s};
use slice_systems::Explain;
use slice_systems::explain::Explanation;
use slice_systems::tensorflow::StridedSlice;
use slice_tests::generate;

/// The name, slice and shape of each picture of a slice in `slice-core/docs/pictures`. The first picture is also in
/// `slice-systems/docs/pictures`.
const PICTURES: [(&str, &str, &[usize]); 8] = [
    ("slice", "1:, ..., newaxis, :-3:-1", &[4, 5, 6]),
    ("steps", "::2, ::-1", &[4, 5]),
    ("clamping", "2:99, -99:3", &[5, 6]),
    ("ellipsis", "0, ..., 1", &[2, 3, 4]),
    ("newaxis", ":, newaxis", &[4]),
    ("index", "1, :", &[3, 4]),
    ("one", "1:2, :", &[3, 4]),
    ("backwards", "3:0:-1", &[5]),
];

fn explain(text: &str, shape: &[usize]) -> Explanation {
    let spec: DynSliceSpec = text.parse().expect(text);
    spec.explain(shape)
}

/// If the environment variable `BLESS` is set, the test rewrites the pictures instead of comparing them.
#[test]
fn pictures_in_the_documentation_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let directories =
        ["slice-core", "slice-systems"].map(|name| root.join(name).join("docs/pictures"));
    let check = |directory: &Path, name: &str, drawing: &str| {
        let path = directory.join(name);
        if std::env::var_os("BLESS").is_some() {
            fs::create_dir_all(directory).expect("creating the folder should succeed");
            fs::write(&path, drawing).expect("the file should be writable");
        } else {
            let existing = fs::read_to_string(&path).unwrap_or_default();
            assert!(
                drawing == existing,
                "{} is out of date: run the test with BLESS=1, and review the picture",
                path.display()
            );
        }
    };
    let [core, ops] = &directories;
    let mut links = String::new();
    for (name, text, shape) in PICTURES {
        let svg = explain(text, shape)
            .picture()
            .expect("the slice should fit the shape")
            .to_svg();
        links += &format!(
            "[picture of {name}]: data:image/svg+xml,{}\n",
            percent_encode(&svg)
        );
        check(core, &format!("{name}.svg"), &svg);
        if name == PICTURES[0].0 {
            check(ops, &format!("{name}.svg"), &svg);
            check(ops, "links.md", &format!("{links}\n"));
        }
    }
    // `slice-tools` draws these charts.
    for (name, file) in [("speed", "speed.svg"), ("growth", "growth.svg")] {
        let chart = fs::read_to_string(core.join(file)).expect("the chart should be readable");
        links += &format!(
            "[picture of {name}]: data:image/svg+xml,{}\n",
            percent_encode(&chart)
        );
    }
    check(core, "links.md", &(links + "\n"));
}

/// Percent-encodes a string for a URL.
fn percent_encode(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z'
        | b'A'..=b'Z'
        | b'0'..=b'9'
        | b'-'
        | b'.'
        | b'_'
        | b'~'
        | b'/'
        | b':'
        | b'='
        | b','
        | b';' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}

/// Returns the numbers in the cells of a picture, row by row. An element that is not selected is `None`.
fn cells(picture: &str, rows: usize) -> Vec<Option<usize>> {
    // The first two lines are a title and the positions of the columns, and each row begins with its position.
    let rows = picture.lines().skip(2).take(rows);
    let row = |line: &str| {
        line.split_whitespace()
            .skip(1)
            .map(|cell| cell.parse().ok())
            .collect::<Vec<_>>()
    };
    rows.flat_map(row).collect()
}

#[test]
fn cells_are_numbered_in_the_order_of_the_result() {
    let bounds = ["", "0", "1", "3", "-1", "-2", "-9", "9"];
    let mut checked = 0;
    for begin in bounds {
        for end in bounds {
            for step in ["", "2", "-1", "-3"] {
                let text = format!("::-1, {begin}:{end}:{step}");
                let shape = [3, 4];
                let spec: DynSliceSpec = text.parse().expect("the string should be a slice");
                let selection = spec
                    .resolve(&shape)
                    .expect("the slice should fit the shape");
                let picture = spec
                    .explain(&shape)
                    .picture()
                    .expect("the slice should fit the shape")
                    .to_string();
                let mut expected = vec![None; 12];
                for (order, offset) in selection.indices().enumerate() {
                    expected[offset] = Some(order);
                }
                assert_eq!(cells(&picture, 3), expected, "{picture}");
                checked += selection.len();
            }
        }
    }
    assert!(checked > 500, "only {checked} elements were checked");
}

#[test]
fn cells_of_lists_masks_and_points_are_numbered_in_the_order_of_the_result() {
    let mut rng = Rng::with_seed(58);
    let mut checked = 0;
    for _ in 0..400 {
        let shape = [3, 4];
        let spec = generate::joined_spec(&mut rng, &shape);
        let selection = spec
            .resolve(&shape)
            .expect("the slice should fit the shape");
        let explanation = spec.explain(&shape);
        let picture = explanation
            .picture()
            .expect("the slice should fit the shape");
        let picture = picture.to_string();
        let mut expected = vec![None; 12];
        for (order, offset) in selection.indices().enumerate() {
            expected[offset].get_or_insert(order);
        }
        let title = picture
            .lines()
            .position(|line| line.ends_with("shape (3, 4)"));
        let drawn: Vec<&str> = picture
            .lines()
            .skip(title.expect("there should be a title"))
            .collect();
        assert_eq!(cells(&drawn.join("\n"), 3), expected, "{picture}");
        assert!(
            explanation
                .picture()
                .is_some_and(|picture| picture.to_svg().contains("</svg>"))
        );
        checked += usize::from(spec.has_lists() && !selection.is_empty());
    }
    assert!(
        checked > 100,
        "only {checked} slices with lists were checked"
    );
}

#[test]
fn pictures_of_huge_arrays_are_small() {
    let max_elements = isize::MAX as usize;
    for (text, shape) in [
        ("::-3", &[max_elements][..]),
        ("..., 0", &[1 << 30, 1 << 30]),
        ("1:, ..., ::2", &[1000, 1000, 1000, 1000, 1000]),
        ("newaxis, ::7", &[0, max_elements, max_elements]),
        ("..., -1:", &[2; 40]),
        ("5:5, :", &[max_elements / 3, 3]),
        ("...", &[]),
    ] {
        let elements = shape.iter().map(|&len| len as u128).product::<u128>();
        if elements > max_elements as u128 {
            continue; // the number of elements exceeds a 32-bit `isize`
        }
        let picture = explain(text, shape)
            .picture()
            .expect("the slice should fit the shape");
        for drawing in [picture.to_string(), picture.to_ansi(), picture.to_svg()] {
            assert!(
                drawing.len() < 100_000,
                "{} bytes are too many for the picture of x[{text}] of shape {shape:?}",
                drawing.len()
            );
            assert!(!drawing.contains("NaN"), "{drawing}");
        }
    }
    assert!(explain("5", &[3]).picture().is_none());
}

/// The pictures of an operation and of the same slice in Python state the value of each mask.
#[test]
fn pictures_show_the_masks_of_an_operation() {
    let op = StridedSlice {
        begin: vec![1, 2, 0, 0, 0, 0],
        end: vec![2, 4, 0, 0, -3, 0],
        strides: vec![1, 1, 1, 1, -1, 1],
        begin_mask: 48,
        end_mask: 32,
        ellipsis_mask: 8,
        new_axis_mask: 4,
        shrink_axis_mask: 1,
    };
    let shape = [5, 6, 7, 8, 9];
    let python = s![1, 2:4, None, ..., :-3:-1, :].explain(&shape);
    for explanation in [op.explain(&shape), python] {
        let picture = explanation
            .picture()
            .expect("the slice should fit the shape")
            .to_string();
        let mask = |line: &str| {
            Some(
                line.split_once("_mask ")?
                    .1
                    .rsplit_once("= ")?
                    .1
                    .parse::<i64>()
                    .expect("the mask should be a number"),
            )
        };
        let masks: Vec<i64> = picture.lines().filter_map(mask).collect();
        assert_eq!(masks, [48, 32, 8, 4, 1], "{picture}");
    }
}

//! Checks that parsing any string returns a spec or an error, and that a displayed spec is parsed as the same spec.

use fastrand::Rng;
use slice_core::{DynSliceSpec, Item};
use slice_tests::text::check;

/// The pieces from which random strings are composed. Most of these pieces occur in slices.
const PIECES: &[&str] = &[
    "",
    " ",
    "\t",
    "\n",
    ",",
    ", ",
    ":",
    "::",
    ".",
    "..",
    "...",
    "(",
    ")",
    "[",
    "]",
    "-",
    "+",
    "~",
    "*",
    "0",
    "1",
    "-1",
    "42",
    "0x1f",
    "0b",
    "0o8",
    "1_0",
    "9223372036854775807",
    "9223372036854775808",
    "1.5",
    "1e9",
    "2usize",
    "None",
    "newaxis",
    "np.newaxis",
    "np",
    "Ellipsis",
    "slice(",
    "slice",
    "True",
    "x",
    "x[",
    "s![",
    "é",
    "…",
    "−",
    "'",
    "\0",
    "\u{feff}",
    "🦀",
    "1, ",
    ":-3:-1",
    "..., ",
    "None, ",
];

fn random_string(rng: &mut Rng) -> String {
    (0..rng.usize(0..12))
        .map(|_| *rng.choice(PIECES).unwrap())
        .collect()
}

#[test]
fn any_string_is_parsed_or_rejected_without_a_panic() {
    let mut rng = Rng::with_seed(8);
    let slices = (0..20_000)
        .filter(|_| check(&random_string(&mut rng)))
        .count();
    assert!(slices > 1_000, "only {slices} of the strings are slices");
    for _ in 0..5_000 {
        let bytes: Vec<u8> = (0..rng.usize(0..16)).map(|_| rng.u8(..)).collect();
        check(&String::from_utf8_lossy(&bytes));
    }
}

fn number(rng: &mut Rng) -> i64 {
    match rng.u8(0..8) {
        0 => rng.i64(..),
        1 => i64::MIN,
        2 => i64::MAX,
        _ => rng.i64(-9..=9),
    }
}

fn item(rng: &mut Rng, has_ellipsis: &mut bool) -> Item {
    match rng.u8(0..8) {
        0 | 1 => Item::Index(number(rng)),
        2 => Item::NewAxis,
        3 if !*has_ellipsis => {
            *has_ellipsis = true;
            Item::Ellipsis
        }
        _ => Item::Range {
            begin: rng.bool().then(|| number(rng)),
            end: rng.bool().then(|| number(rng)),
            step: match number(rng) {
                0 => 1,
                step => step,
            },
        },
    }
}

#[test]
fn a_displayed_spec_is_parsed_as_the_same_spec() {
    let mut rng = Rng::with_seed(9);
    for _ in 0..5_000 {
        let mut has_ellipsis = false;
        let items: Vec<Item> = (0..rng.usize(0..=8))
            .map(|_| item(&mut rng, &mut has_ellipsis))
            .collect();
        let spec = DynSliceSpec::from_items(items).expect("the items should be a valid slice");
        assert!(check(&spec.to_string()), "{spec}");
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }
}

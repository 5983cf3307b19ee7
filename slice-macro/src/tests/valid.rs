//! Writes slices with known numbers in random notations. Checks that the macro encodes these numbers, and that the
//! expansion is a valid expression.

use std::fmt::Write;

use fastrand::Rng;

use super::{pick, run};
use crate::encode::{EncodedNumber, ItemKind, Masks};

/// The expected encoding of an item.
struct Expected {
    kind: ItemKind,
    begin: Option<WrittenNumber>,
    end: Option<WrittenNumber>,
    stride: Option<WrittenNumber>,
}

#[derive(Clone, Copy)]
enum WrittenNumber {
    Literal(i64),
    /// The index of an expression in source order.
    Expression(usize),
}

/// Writes random items to `text`, and counts the expressions in it.
struct SliceWriter {
    random: Rng,
    text: String,
    expressions: usize,
}

impl SliceWriter {
    fn bound(&mut self, never_zero: bool) -> WrittenNumber {
        if self.random.usize(..3) == 0 {
            let expressions = [
                "n",
                "(usize::MAX)",
                "{ let m = 1; m }",
                "f(1, 2)",
                "a.b[c].len()",
                "if x { 1 } else { 2 }",
                "n as i64 + 1",
                "vec![1, 2].len()",
                "-n",
                "(|x: i32| x)(3)",
                "x.0",
                "x?",
                "n << 2",
                "*p",
                "r#newaxis",
                "1 + 1",
            ];
            self.text += pick(&mut self.random, &expressions);
            self.expressions += 1;
            return WrittenNumber::Expression(self.expressions - 1);
        }
        let values = [1, 2, 3, 7, 255, 1 << 40, i64::MAX];
        let value = if !never_zero && self.random.usize(..5) == 0 {
            0
        } else {
            pick(&mut self.random, &values)
        };
        let negative = self.random.usize(..2) == 0;
        let digits = match self.random.usize(..6) {
            0 => format!("{value:#x}"),
            1 => format!("{value:#b}"),
            2 => format!("{value:#o}_i64"),
            3 => format!("{value}isize"),
            _ => value.to_string(),
        };
        let signed = if negative {
            format!("-{digits}")
        } else {
            digits
        };
        let _ = match self.random.usize(..6) {
            0 => write!(self.text, "({signed})"),
            1 => write!(self.text, "{{ {signed} }}"),
            2 => write!(self.text, "-(-({signed}))"),
            _ => write!(self.text, " {signed} "),
        };
        WrittenNumber::Literal(if negative { -value } else { value })
    }

    fn optional_bound(&mut self, never_zero: bool) -> Option<WrittenNumber> {
        (self.random.usize(..2) == 0).then(|| self.bound(never_zero))
    }

    fn item(&mut self, ellipsis: &mut bool) -> Expected {
        let (mut begin, mut end, mut stride) = (None, None, None);
        let kind = match self.random.usize(..8) {
            0 => {
                self.text += pick(&mut self.random, &["newaxis", "None"]);
                ItemKind::NewAxis
            }
            1 if !*ellipsis => {
                *ellipsis = true;
                self.text += "...";
                ItemKind::Ellipsis
            }
            2 | 3 => {
                begin = Some(self.bound(false));
                ItemKind::Index
            }
            4 => {
                let lists = [
                    "[]",
                    "[0, -2,]",
                    "[n, 1]",
                    "[true, false]",
                    "&rows",
                    "&self.rows[1..]",
                    "(&rows)",
                    "&[0, 1]",
                    "&[0; 3]",
                    "&mut rows",
                    "&&rows",
                    "[[1, 2].len()]",
                ];
                self.text += pick(&mut self.random, &lists);
                ItemKind::List
            }
            _ => {
                begin = self.optional_bound(false);
                self.text += ":";
                end = self.optional_bound(false);
                if self.random.usize(..2) == 0 {
                    self.text += pick(&mut self.random, &[":", " :", " : "]);
                    stride = self.optional_bound(true);
                }
                ItemKind::Range
            }
        };
        Expected {
            kind,
            begin,
            end,
            stride,
        }
    }
}

fn is_same_number(number: &EncodedNumber, written: Option<WrittenNumber>, omitted: i64) -> bool {
    match (number, written) {
        (EncodedNumber::Literal(value), Some(WrittenNumber::Literal(written))) => *value == written,
        (EncodedNumber::Value(value), Some(WrittenNumber::Expression(written))) => {
            *value == written
        }
        (EncodedNumber::Literal(value), None) => *value == omitted,
        _ => false,
    }
}

fn is_index_end(number: &EncodedNumber, written: Option<WrittenNumber>) -> bool {
    match (number, written) {
        (EncodedNumber::Literal(value), Some(WrittenNumber::Literal(written))) => {
            *value == written.saturating_add(1)
        }
        (EncodedNumber::IndexEnd(value), Some(WrittenNumber::Expression(written))) => {
            *value == written
        }
        _ => false,
    }
}

#[test]
fn items_are_encoded_as_written() {
    let mut writer = SliceWriter {
        random: Rng::with_seed(7),
        text: String::new(),
        expressions: 0,
    };
    for _ in 0..2_000 {
        writer.text.clear();
        writer.expressions = 0;
        let mut ellipsis = false;
        let count = writer.random.usize(..7);
        let mut masks = Masks::default();
        let mut items = Vec::new();
        for position in 0..count {
            let item = writer.item(&mut ellipsis);
            let bit = 1 << position;
            match item.kind {
                ItemKind::NewAxis | ItemKind::Ellipsis | ItemKind::Index => {}
                // A list is encoded as a whole axis, and the list itself is stored separately.
                ItemKind::Range | ItemKind::List => {
                    masks.begin |= if item.begin.is_none() { bit } else { 0 };
                    masks.end |= if item.end.is_none() { bit } else { 0 };
                }
            }
            items.push(item);
            if position + 1 < count || writer.random.usize(..3) == 0 {
                writer.text += ", ";
            }
        }
        let text = &writer.text;
        let outcome = run(text.parse().unwrap());
        assert_eq!(outcome.mistakes, Vec::<String>::new(), "{text}");
        assert_eq!(outcome.encoded.masks, masks, "{text}");
        assert_eq!(
            outcome.encoded.kinds,
            items.iter().map(|item| item.kind).collect::<Vec<_>>(),
            "{text}"
        );
        assert_eq!(
            outcome.encoded.expressions.len(),
            writer.expressions,
            "{text}"
        );
        for (position, item) in items.iter().enumerate() {
            assert!(
                is_same_number(&outcome.encoded.begin[position], item.begin, 0),
                "incorrect begin at index {position} of {text}"
            );
            let end = &outcome.encoded.end[position];
            let is_end_correct = if item.kind == ItemKind::Index {
                is_index_end(end, item.begin)
            } else {
                is_same_number(end, item.end, 0)
            };
            assert!(
                is_end_correct,
                "incorrect end at index {position} of {text}"
            );
            assert!(
                is_same_number(&outcome.encoded.strides[position], item.stride, 1),
                "incorrect stride at index {position} of {text}"
            );
        }
        let parsed = syn::parse2::<syn::Expr>(outcome.tokens.clone());
        assert!(parsed.is_ok(), "{text} expands to {}", outcome.tokens);
    }
}

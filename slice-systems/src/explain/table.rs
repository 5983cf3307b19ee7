//! Formats an explanation as a table. Each row shows one quantity, such as the `begin`, after one stage of the
//! computation. Each column shows one entry: an item and its axis, or an axis to which no item applies.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display};
use core::ops::Range;

use slice_core::ItemRole;

use super::format::{MAX_LISTED_POSITIONS, format_runs, join_abbreviated};
use super::{Entry, ExplainedBound, Explanation, Notation};

/// The default width of a line, in characters. Columns that do not fit are written in another block below.
pub(super) const DEFAULT_LINE_WIDTH: usize = 100;

/// A function that returns the cell of a row for one entry.
type FormatCell = fn(&Entry) -> String;

/// The stage that is shown only for operations with masks.
const REMOVE_CONFLICT: &str = "remove_conflict";

/// The rows of the table: for each row, the name of a stage, the name of a quantity, and the function that returns a
/// cell. The names of the stages come from an article about TensorFlow's kernel; the documentation of the module
/// `explain` describes them. The first rows show the slice as written.
const ROWS: [(&str, &str, FormatCell); 20] = [
    ("", "item", |entry| {
        number_or_dash(entry.item.map(|item| item + 1))
    }),
    ("", "written", |entry| {
        or_dash(entry.written.clone().unwrap_or_default())
    }),
    ("", "bits", |entry| or_dash(entry.bits.join(" "))),
    (REMOVE_CONFLICT, "equivalent", |entry| entry.means.clone()),
    ("new_axis", "axis size", |entry| match entry.role {
        ItemRole::NewAxis => "1".to_string(),
        _ => number_or_dash(entry.size),
    }),
    ("ellipsis, fill", "begin", |entry| {
        filled(entry, entry.begin)
    }),
    ("ellipsis, fill", "end", |entry| filled(entry, entry.end)),
    ("ellipsis, fill", "strides", |entry| {
        number_or_dash(entry.stride)
    }),
    ("wrap", "list", |entry| {
        let wrapped = entry.list.as_ref().and_then(|list| list.wrapped.as_ref());
        or_dash(wrapped.map_or_else(String::new, |list| {
            join_abbreviated(list.iter(), MAX_LISTED_POSITIONS)
        }))
    }),
    ("clamp", "begin", |entry| clamped(entry, entry.begin)),
    ("clamp", "end", |entry| clamped(entry, entry.end)),
    ("begin_mask", "begin", |entry| masked(entry.begin)),
    ("end_mask", "end", |entry| masked(entry.end)),
    ("shrink", "index", |entry| match entry.begin.resolved {
        Some(index) if entry.role == ItemRole::Index => format!("{index}:{}:1", index + 1),
        _ => number_or_dash::<i64>(None),
    }),
    ("output_shape", "output", |entry| match entry.role {
        ItemRole::NewAxis => "1".to_string(),
        _ => number_or_dash(entry.len()),
    }),
    ("output_shape", "output axis", |entry| {
        number_or_dash(entry.output_axis)
    }),
    ("pick", "start", |entry| {
        number_or_dash(entry.selected.map(|selected| selected.start()))
    }),
    ("pick", "step", |entry| {
        number_or_dash(entry.selected.map(|selected| selected.step()))
    }),
    ("pick", "len", |entry| {
        number_or_dash(entry.selected.and(entry.len()))
    }),
    ("pick", "runs", |entry| {
        let runs = entry.list.as_ref().and_then(|list| list.runs.as_ref());
        or_dash(match runs {
            Some(runs) if entry.selected.is_none() => format_runs(runs),
            _ => String::new(),
        })
    }),
];

fn or_dash(text: String) -> String {
    if text.is_empty() {
        "-".to_string()
    } else {
        text
    }
}

fn number_or_dash<T: Display>(number: Option<T>) -> String {
    number.map_or_else(|| "-".to_string(), |number| number.to_string())
}

/// Joins the numbers with arrows, omitting a number that is equal to the previous one.
fn join_with_arrows(numbers: &[Option<i64>]) -> String {
    let mut distinct: Vec<i64> = numbers.iter().flatten().copied().collect();
    distinct.dedup();
    let distinct: Vec<String> = distinct.iter().map(i64::to_string).collect();
    or_dash(distinct.join("->"))
}

/// Returns the bound as written. For an ellipsis, the bound that selects the whole axis is appended.
fn filled(entry: &Entry, bound: ExplainedBound) -> String {
    match entry.role {
        ItemRole::Ellipsis => join_with_arrows(&[bound.written, bound.resolved]),
        _ => join_with_arrows(&[bound.written]),
    }
}

/// Returns the bound as written, the bound counted from the front and the clamped bound, joined with arrows.
fn clamped(entry: &Entry, bound: ExplainedBound) -> String {
    match entry.role {
        ItemRole::Ellipsis => join_with_arrows(&[bound.resolved]),
        // An omitted bound, or one without an effect, is neither counted from the front nor clamped.
        _ if bound.wrapped.is_none() => join_with_arrows(&[]),
        _ => join_with_arrows(&[bound.written, bound.wrapped, bound.clamped]),
    }
}

/// Returns the bound before and after masks are applied, joined with an arrow. An omitted bound counts as masked.
fn masked(bound: ExplainedBound) -> String {
    match bound.resolved {
        Some(_) => join_with_arrows(&[bound.clamped.or(bound.wrapped), bound.resolved]),
        None => join_with_arrows(&[]),
    }
}

impl Explanation {
    /// Writes the explanation as a table, without the rows that are empty for all entries.
    fn write_table(&self, f: &mut impl fmt::Write, line_width: usize) -> fmt::Result {
        let header = self
            .entries
            .iter()
            .map(|entry| match (entry.axis, entry.role) {
                (Some(axis), _) => format!("axis {axis}"),
                (None, ItemRole::NewAxis) => "new axis".to_string(),
                (None, _) => "-".to_string(),
            });
        let mut rows: Vec<(&str, &str, Vec<String>)> = Vec::new();
        for (stage, name, cell) in ROWS {
            let name = match (self.notation, name) {
                // ONNX calls strides `steps`.
                (Notation::NamedAxes, "strides") => "steps",
                _ => name,
            };
            let cells: Vec<String> = self.entries.iter().map(cell).collect();
            let is_shown = stage != REMOVE_CONFLICT || self.notation == Notation::Masks;
            if is_shown && cells.iter().any(|cell| cell != "-") {
                rows.push((stage, name, cells));
            }
        }
        let stage_width = rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
        let name_width = rows.iter().map(|row| row.1.len()).max().unwrap_or(0);
        // If the labels would take up more than half of a line, the name of a stage is on a separate line above its
        // rows.
        let is_narrow = stage_width + 2 + name_width > line_width / 2;
        let stage_width = if is_narrow { 0 } else { stage_width };
        let mut labeled = Vec::from([(String::new(), header.collect())]);
        let mut last_stage = "";
        for (stage, name, cells) in rows {
            let mut label = if stage == last_stage { "" } else { stage };
            last_stage = stage;
            if is_narrow && !label.is_empty() {
                labeled.push((label.to_string(), Vec::new()));
                label = "";
            }
            labeled.push((format!("{label:stage_width$}  {name}"), cells));
        }
        write_in_blocks(f, &labeled, stage_width + 2 + name_width, line_width)
    }
}

/// Writes rows, each of which consists of a label and cells, in blocks of columns that fit on lines with `line_width`
/// characters. The labels take up `labels` characters. Rows without text in the cells of a block are omitted, unless
/// there is only one block.
pub(super) fn write_in_blocks(
    f: &mut impl fmt::Write,
    rows: &[(String, Vec<String>)],
    labels: usize,
    line_width: usize,
) -> fmt::Result {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|(_, cells)| cells.get(column));
        cells.map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..).map_while(width).collect();
    let blocks = blocks(&widths, labels, line_width);
    for columns in &blocks {
        if columns.start > 0 {
            writeln!(f)?;
        }
        for (label, cells) in rows {
            let shown = cells.get(columns.start..).unwrap_or_default();
            let shown = &shown[..shown.len().min(columns.len())];
            if blocks.len() > 1 && !cells.is_empty() && shown.iter().all(String::is_empty) {
                continue;
            }
            let mut line = format!("{label:labels$}");
            for (cell, width) in shown.iter().zip(&widths[columns.clone()]) {
                line += &format!("  {cell:width$}");
            }
            writeln!(f, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

/// Divides columns with the widths `widths` into blocks. Each block fits on a line with `line_width` characters after
/// labels of width `labels`, or consists of a single column.
fn blocks(widths: &[usize], labels: usize, line_width: usize) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let (mut start, mut width) = (0, labels);
    for (i, column) in widths.iter().enumerate() {
        width += 2 + column;
        if width > line_width && i > start {
            blocks.push(start..i);
            (start, width) = (i, labels + 2 + column);
        }
    }
    blocks.push(start..widths.len());
    blocks
}

/// A shape in Python's notation.
pub(super) struct Shape<'a>(pub(super) &'a [usize]);

impl Display for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<String> = self.0.iter().map(usize::to_string).collect();
        let comma = if sizes.len() == 1 { "," } else { "" };
        write!(f, "({}{comma})", sizes.join(", "))
    }
}

impl Explanation {
    /// Returns the explanation as text, with its table laid out for lines of `columns` characters. `Display` lays it
    /// out for lines of 100 characters.
    ///
    /// Entries that do not fit side by side are written in additional blocks below. An entry, a note or an error that
    /// is wider than a line is not wrapped.
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::Explain;
    ///
    /// let text = s![1:, ..., ::-1].explain(&[4, 5, 6]).to_string_within(40);
    /// assert!(text.lines().skip(1).all(|line| line.len() <= 40));
    /// ```
    #[must_use]
    pub fn to_string_within(&self, columns: usize) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = self.write(&mut text, columns);
        text
    }

    fn write(&self, f: &mut impl fmt::Write, line_width: usize) -> fmt::Result {
        let input = Shape(&self.input_shape);
        let subject = &self.subject;
        match &self.output_shape {
            Ok(shape) => {
                let output = Shape(shape);
                writeln!(f, "{subject} on shape {input} gives shape {output}")?;
            }
            Err(_) => writeln!(f, "{subject} cannot be applied to shape {input}")?,
        }
        if !self.entries.is_empty() {
            writeln!(f)?;
            self.write_table(f, line_width)?;
        }
        if self.output_shape.is_err() || !self.notes.is_empty() {
            writeln!(f)?;
        }
        if let Err(error) = &self.output_shape {
            writeln!(f, "error: {error}")?;
        }
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        Ok(())
    }
}

impl Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, DEFAULT_LINE_WIDTH)
    }
}

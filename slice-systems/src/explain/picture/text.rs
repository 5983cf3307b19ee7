//! Draws a picture as text, with or without colors.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display};

use super::Picture;
use super::grid::{Cell, Grid, Grids, Ruler};
use crate::explain::table::{DEFAULT_LINE_WIDTH, Shape, write_in_blocks};

/// The minimum number of columns to which a wide grid is reduced: the first column, a gap and the last column. They are
/// drawn even if they do not fit on a line.
const MIN_GRID_COLUMNS: usize = 3;

/// The parameters of ANSI escape sequences for the shades from the first element to the last: black text on light
/// backgrounds, then white text on dark ones. All colors are from the 256-color palette, but not among its first 16,
/// which terminal themes may change.
const SHADES: [&str; 5] = [
    "38;5;16;48;5;195",
    "38;5;16;48;5;153",
    "38;5;16;48;5;75",
    "38;5;231;48;5;26",
    "38;5;231;48;5;18",
];

impl Picture {
    /// Returns the picture as text with ANSI colors, for a terminal with 100 columns.
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::Explain;
    ///
    /// let picture = s![::2].explain(&[4]).picture().ok_or("the slice does not fit the shape")?;
    /// println!("{}", picture.to_ansi());
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn to_ansi(&self) -> String {
        self.to_ansi_within(DEFAULT_LINE_WIDTH)
    }

    /// Returns the picture as text with ANSI colors, for a terminal with `columns` columns.
    ///
    /// Grids are drawn side by side if they fit. If a grid is too wide, columns in its middle are omitted.
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_systems::Explain;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let spec: slice_core::DynSliceSpec = "::2".parse()?;
    /// let picture = spec.explain(&[24]).picture().ok_or("the slice does not fit the shape")?;
    /// let narrow = picture.to_ansi_within(40);
    /// assert!(narrow.contains(".."));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn to_ansi_within(&self, columns: usize) -> String {
        draw(self, true, columns)
    }
}

impl Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&draw(self, false, DEFAULT_LINE_WIDTH))
    }
}

fn draw(picture: &Picture, colored: bool, line_width: usize) -> String {
    let pen = Pen {
        picture,
        colored,
        line_width,
    };
    let mut text = split_if_too_wide(&picture.title(), line_width);
    pen.grids(&picture.input, &mut text);
    let title = format!("the result, of shape {}", Shape(&picture.output_shape));
    text += &format!("\n{}", split_if_too_wide(&title, line_width));
    pen.grids(&picture.result, &mut text);
    if !picture.items.header.is_empty() {
        text.push('\n');
        pen.items(&mut text);
    }
    text
}

/// A picture, and the options with which it is written as text.
struct Pen<'a> {
    picture: &'a Picture,
    colored: bool,
    /// The width of the text, in characters.
    line_width: usize,
}

/// A line, and its width in characters. Escape sequences do not count towards the width.
type Line = (String, usize);

impl Pen<'_> {
    fn grids(&self, grids: &Grids, text: &mut String) {
        let cells = grids
            .grids
            .iter()
            .flat_map(|grid| grid.rows.iter().flatten());
        let longest = cells.map(|&cell| label(cell).len());
        let positions = [&grids.down, &grids.across]
            .into_iter()
            .flatten()
            .flat_map(|ruler| &ruler.slots);
        let positions = positions.map(|&slot| slot_text(slot).len());
        let width = longest.chain(positions).max().unwrap_or(1) + 2;

        let mut row: Vec<Vec<Line>> = Vec::new();
        let mut row_width = 0;
        for grid in &grids.grids {
            let block = self.grid(grids, grid, width);
            let block_width = block.iter().map(|line| line.1).max().unwrap_or(0) + 3;
            if row_width > 0 && row_width + block_width > self.line_width {
                append_side_by_side(&row, text);
                row.clear();
                row_width = 0;
            }
            row_width += block_width;
            row.push(block);
        }
        append_side_by_side(&row, text);
        for sentence in &grids.undrawn_axes {
            *text += &split_if_too_wide(&format!("({sentence})"), self.line_width);
        }
    }

    fn grid(&self, grids: &Grids, grid: &Grid, width: usize) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let as_line = |text: String| {
            let width = text.chars().count();
            (text, width)
        };
        if !grid.label.is_empty() {
            lines.push(as_line(grid.label.clone()));
        }
        if grid.rows.is_empty() || grid.rows.iter().all(Vec::is_empty) {
            let placeholder = if grid.label == "..." {
                ""
            } else {
                "  no elements"
            };
            lines.push(as_line(placeholder.to_string()));
            return lines;
        }
        let margin = if grids.down.is_some() { width + 2 } else { 2 };
        let count = grid.rows.first().map_or(0, Vec::len);
        let name = grids
            .across
            .as_ref()
            .map(|ruler| format!("   axis {}", ruler.axis));
        let name = name.unwrap_or_default();
        let space = self.line_width.saturating_sub(margin + name.len());
        let drawn = drawn_columns(count, space / width);
        if let Some(Ruler { slots, .. }) = &grids.across {
            let positions = drawn.iter().map(|column| {
                let slot = column.and_then(|column| slots[column]);
                format!("{:>width$}", slot_text(slot))
            });
            let positions: String = positions.collect();
            if margin + positions.len() + name.len() > self.line_width {
                lines.push(as_line(format!("{:margin$}{}", "", name.trim_start())));
                lines.push(as_line(format!("{:margin$}{positions}", "")));
            } else {
                lines.push(as_line(format!("{:margin$}{positions}{name}", "")));
            }
        }
        for (i, row) in grid.rows.iter().enumerate() {
            let slot = grids.down.as_ref().map(|ruler| ruler.slots[i]);
            let head = slot.map_or(String::new(), |slot| format!("{:>width$}", slot_text(slot)));
            let mut line = format!("{head:<margin$}");
            for column in &drawn {
                line += &self.cell(column.map_or(Cell::Gap, |column| row[column]), width);
            }
            lines.push((line, margin + width * drawn.len()));
        }
        if let Some(ruler) = &grids.down {
            lines.push(as_line(format!("axis {}", ruler.axis)));
        }
        lines
    }

    fn cell(&self, cell: Cell, width: usize) -> String {
        let text = label(cell);
        match cell {
            Cell::Selected(order) if self.colored => {
                format!(
                    "\x1b[{}m{text:>width$}\x1b[0m",
                    SHADES[self.picture.shade(order)]
                )
            }
            Cell::Other | Cell::Gap if self.colored => format!("\x1b[2m{text:>width$}\x1b[0m"),
            _ => format!("{text:>width$}"),
        }
    }

    fn items(&self, text: &mut String) {
        let items = &self.picture.items;
        let labels = items.rows.iter().map(|row| row.0.len()).max().unwrap_or(0);
        let mut rows = Vec::from([(String::new(), items.header.clone())]);
        for (name, cells, mask) in &items.rows {
            // The last column shows the value of each mask.
            let mask = mask.map(|mask| format!("= {mask}"));
            let cells = cells.iter().cloned().chain(mask).collect();
            rows.push(((*name).to_string(), cells));
        }
        // Writing to a string never fails.
        let _ = write_in_blocks(text, &rows, labels, self.line_width);
    }
}

/// Returns the columns that are drawn if a grid has `count` columns and there is space for `max`. A gap, `None`, takes
/// the place of omitted columns.
fn drawn_columns(count: usize, max: usize) -> Vec<Option<usize>> {
    let max = max.max(MIN_GRID_COLUMNS);
    if count <= max {
        return (0..count).map(Some).collect();
    }
    let last = (max - 1) / 2;
    let first = max - 1 - last;
    let begin = (0..first).map(Some);
    let end = (count - last..count).map(Some);
    begin.chain([None]).chain(end).collect()
}

fn label(cell: Cell) -> String {
    match cell {
        Cell::Gap => "".to_string(),
        Cell::Other => ".".to_string(),
        Cell::Selected(order) => order.to_string(),
    }
}

fn slot_text(slot: Option<usize>) -> String {
    slot.map_or_else(|| "..".to_string(), |position| position.to_string())
}

/// Splits a line before "applied to", or else before its last "of", if the line is too wide.
fn split_if_too_wide(line: &str, line_width: usize) -> String {
    let split = line.rfind(" applied to ").or_else(|| line.rfind(" of "));
    match split {
        Some(i) if line.chars().count() > line_width => {
            format!("{}\n{}\n", &line[..i], &line[i + 1..])
        }
        _ => format!("{line}\n"),
    }
}

/// Appends blocks of lines to `text`, side by side.
fn append_side_by_side(blocks: &[Vec<Line>], text: &mut String) {
    let height = blocks.iter().map(Vec::len).max().unwrap_or(0);
    for i in 0..height {
        let mut line = String::new();
        let (mut width, mut column) = (0, 0);
        for block in blocks {
            if let Some((part, part_width)) = block.get(i) {
                line += &format!("{:skipped$}{part}", "", skipped = column - width);
                width = column + part_width;
            }
            column += block.iter().map(|line| line.1).max().unwrap_or(0) + 3;
        }
        *text += line.trim_end();
        text.push('\n');
    }
}

//! Draws a picture as SVG.

use alloc::format;
use alloc::string::{String, ToString};

use super::Picture;
use super::grid::{Cell, Grid, Grids, Ruler};
use crate::explain::table::Shape;

/// The side length of a cell, in pixels.
const CELL_PX: usize = 24;
/// The space to the left of a grid for the positions of its rows, in pixels.
const ROW_LABELS_PX: usize = 34;
/// The space beside and below a grid for an arrow along the selected positions, in pixels.
const ARROW_PX: usize = 12;
/// The space between the parts of the picture, in pixels.
const GAP_PX: usize = 22;

/// The maximum total width of grids drawn side by side, in pixels.
const MAX_WIDTH_PX: usize = 880;

/// The width of a character in the table, in pixels.
const CHARACTER_PX: usize = 8;

/// The style sheet. The shades of the cells range from light to dark in the order of the elements. The numbers in the
/// cells show the same order. The shades are the same on light and dark pages.
const STYLE: &str = "\
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328}\
.title{font-weight:bold;font-size:15px}.small{font-size:11px;fill:#59636e}.mid{text-anchor:middle}.end{text-anchor:end}\
.bold{font-weight:bold}.cell{fill:none;stroke:#b4bcc6}.gap{fill:#59636e}.line{stroke:#59636e;fill:none}\
.s0{fill:#dbeafe}.s1{fill:#a9cdfb}.s2{fill:#6ca9f0}.s3{fill:#2f6fc4}.s4{fill:#123f80}.selected{stroke:#6b8fc2}\
.t0,.t1,.t2{fill:#0b1f3a}.t3,.t4{fill:#fff}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.small,.gap{fill:#9198a1}.cell{stroke:#4b535d}.line{stroke:#9198a1}\
.selected{stroke:#dbeafe}.t0,.t1,.t2{fill:#0b1f3a}.t3,.t4{fill:#fff}}";

impl Picture {
    /// Returns the picture as an SVG document whose colors adapt to light and dark pages.
    #[must_use]
    pub fn to_svg(&self) -> String {
        draw(self)
    }
}

fn draw(picture: &Picture) -> String {
    let mut canvas = Canvas {
        picture,
        body: String::new(),
        width: 0,
    };
    let title = picture.title();
    canvas.text(GAP_PX, 30, "title", &title);
    let (right, bottom) = canvas.grids(&picture.input, GAP_PX, 52, MAX_WIDTH_PX);

    let result_title = format!("the result, of shape {}", Shape(&picture.output_shape));
    let right = right.max(canvas.width);
    let needed_width = canvas.measure(&picture.result).max(result_title.len() * 9);
    let fits_beside = right + 4 * GAP_PX + needed_width <= MAX_WIDTH_PX + 2 * GAP_PX;
    let bottom = if fits_beside {
        let x = right + 4 * GAP_PX;
        canvas.arrow(
            right + GAP_PX,
            (52 + bottom) / 2,
            right + 3 * GAP_PX,
            (52 + bottom) / 2,
        );
        canvas.text(x, 30, "title", &result_title);
        let (_, result_bottom) = canvas.grids(
            &picture.result,
            x,
            52,
            MAX_WIDTH_PX.saturating_sub(x).max(needed_width),
        );
        bottom.max(result_bottom)
    } else {
        canvas.arrow(
            GAP_PX + ROW_LABELS_PX,
            bottom + 8,
            GAP_PX + ROW_LABELS_PX,
            bottom + 34,
        );
        canvas.text(
            2 * GAP_PX + ROW_LABELS_PX,
            bottom + 30,
            "title",
            &result_title,
        );
        canvas
            .grids(&picture.result, GAP_PX, bottom + 52, MAX_WIDTH_PX)
            .1
    };
    let bottom = canvas.items(bottom + GAP_PX);
    let Canvas { body, width, .. } = canvas;
    let (width, height) = (width + GAP_PX, bottom + GAP_PX / 2);
    let label = format!("{title} gives shape {}", Shape(&picture.output_shape));
    let label = escaped(&label);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{label}\">\n<style>{STYLE}</style>\n{body}</svg>\n"
    )
}

/// An SVG document that is being written.
struct Canvas<'a> {
    picture: &'a Picture,
    body: String,
    /// The largest x coordinate drawn so far, in pixels.
    width: usize,
}

impl Canvas<'_> {
    fn text(&mut self, x: usize, y: usize, class: &str, text: &str) {
        self.body += &format!(
            "<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{}</text>\n",
            escaped(text)
        );
        let letters = text.chars().count();
        let reach = match class {
            "title" => letters * 10,
            _ if class.contains("end") => 0,
            _ if class.contains("mid") => letters * CHARACTER_PX / 2,
            _ => letters * CHARACTER_PX,
        };
        self.width = self.width.max(x + reach);
    }

    fn arrow(&mut self, x: usize, y: usize, to_x: usize, to_y: usize) {
        let head = match (to_x == x, to_x < x || to_y < y) {
            (true, false) => format!("M{} {}l5 7l5 -7", to_x - 5, to_y - 7),
            (true, true) => format!("M{} {}l5 -7l5 7", to_x - 5, to_y + 7),
            (false, false) => format!("M{} {}l7 5l-7 5", to_x - 7, to_y - 5),
            (false, true) => format!("M{} {}l-7 5l7 5", to_x + 7, to_y - 5),
        };
        self.body += &format!("<path class=\"line\" d=\"M{x} {y}L{to_x} {to_y}{head}\"/>\n");
    }

    /// Returns the width and the height of a grid, including its labels and arrows.
    fn size(grids: &Grids, grid: &Grid) -> (usize, usize) {
        let columns = grid.rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let margin = if grids.down.is_some() {
            ROW_LABELS_PX
        } else {
            0
        };
        let axes = if grids.down.is_some() { 15 } else { 7 };
        let label = CHARACTER_PX * grid.label.len().max(if columns == 0 { 0 } else { axes });
        let below = grids.across.as_ref().map_or(0, |_| CELL_PX + ARROW_PX);
        (
            (margin + columns * CELL_PX + ARROW_PX).max(margin + label),
            2 * CELL_PX + grid.rows.len() * CELL_PX + below,
        )
    }

    fn measure(&self, grids: &Grids) -> usize {
        let widths = grids
            .grids
            .iter()
            .map(|grid| Self::size(grids, grid).0 + GAP_PX);
        widths.sum::<usize>().min(MAX_WIDTH_PX)
    }

    /// Draws grids side by side, in several rows if necessary. Returns the x coordinate of their right edge, and the y
    /// coordinate of their lower edge.
    fn grids(&mut self, grids: &Grids, left: usize, top: usize, width: usize) -> (usize, usize) {
        let (mut x, mut y, mut lowest, mut rightmost) = (left, top, top, left);
        for grid in &grids.grids {
            let (grid_width, grid_height) = Self::size(grids, grid);
            if x > left && x + grid_width > left + width {
                (x, y) = (left, lowest);
            }
            self.grid(grids, grid, x, y);
            x += grid_width + GAP_PX;
            rightmost = rightmost.max(x - GAP_PX);
            lowest = lowest.max(y + grid_height);
        }
        self.width = self.width.max(rightmost);
        for sentence in &grids.undrawn_axes {
            lowest += 18;
            self.text(left, lowest - 4, "small", sentence);
        }
        (rightmost, lowest)
    }

    fn grid(&mut self, grids: &Grids, grid: &Grid, x: usize, y: usize) {
        let x = x + if grids.down.is_some() {
            ROW_LABELS_PX
        } else {
            0
        };
        self.text(x, y + 12, "small bold", &grid.label);
        if grid.rows.iter().all(|row| row.is_empty()) {
            let placeholder = if grid.label == "..." {
                ""
            } else {
                "no elements"
            };
            self.text(x, y + 2 * CELL_PX, "small", placeholder);
            return;
        }
        let y = y + 36;
        if let Some(Ruler { axis, slots, .. }) = &grids.across {
            for (i, &slot) in slots.iter().enumerate() {
                self.text(
                    x + i * CELL_PX + CELL_PX / 2,
                    y - 6,
                    "small mid",
                    &slot_text(slot),
                );
            }
            let down = grids.down.as_ref().map_or(String::new(), |ruler| {
                format!("axis {} \u{2193}  ", ruler.axis)
            });
            let below = y + grid.rows.len() * CELL_PX + ARROW_PX + 14;
            self.text(x, below, "small", &format!("{down}axis {axis} \u{2192}"));
        }
        if let Some(Ruler { slots, .. }) = &grids.down {
            for (i, &slot) in slots.iter().enumerate() {
                self.text(
                    x - 6,
                    y + i * CELL_PX + CELL_PX / 2 + 4,
                    "small end",
                    &slot_text(slot),
                );
            }
        }
        for (row, cells) in grid.rows.iter().enumerate() {
            for (column, &cell) in cells.iter().enumerate() {
                self.cell(cell, x + column * CELL_PX, y + row * CELL_PX);
            }
        }
        let mut cells = grid.rows.iter().flatten();
        if !cells.any(|cell| matches!(cell, Cell::Selected(_))) {
            return;
        }
        let middle = |from: usize, slot: usize| from + slot * CELL_PX + CELL_PX / 2;
        if let Some(ruler) = &grids.across {
            let below = y + grid.rows.len() * CELL_PX + ARROW_PX / 2 + 2;
            let selected_slots = ruler.selected_slots.iter();
            let points = selected_slots.map(|&slot| (middle(x, slot), below));
            self.arrow_along(points, ruler.is_monotonic);
        }
        if let Some(ruler) = &grids.down {
            let beside = x + grid.rows[0].len() * CELL_PX + ARROW_PX / 2 + 2;
            let selected_slots = ruler.selected_slots.iter();
            let points = selected_slots.map(|&slot| (beside, middle(y, slot)));
            self.arrow_along(points, ruler.is_monotonic);
        }
    }

    /// Draws an arrow from the first of `points` to the last, with a large dot at the first and a small dot at each of
    /// the others. If `is_monotonic` is `false`, only the dots are drawn.
    fn arrow_along(
        &mut self,
        mut points: impl Iterator<Item = (usize, usize)>,
        is_monotonic: bool,
    ) {
        let Some((x, y)) = points.next() else {
            return;
        };
        let mut last = None;
        for (to_x, to_y) in points {
            self.body += &format!("<circle cx=\"{to_x}\" cy=\"{to_y}\" r=\"2\" class=\"gap\"/>\n");
            last = Some((to_x, to_y));
        }
        if let Some((to_x, to_y)) = last
            && is_monotonic
        {
            self.arrow(x, y, to_x, to_y);
        }
        self.body += &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"3.5\" class=\"gap\"/>\n");
    }

    fn cell(&mut self, cell: Cell, x: usize, y: usize) {
        let (middle, base) = (x + CELL_PX / 2, y + CELL_PX / 2 + 4);
        let square = |class: &str| {
            format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL_PX}\" height=\"{CELL_PX}\" class=\"{class}\"/>\n"
            )
        };
        match cell {
            Cell::Gap => {
                self.body += &format!(
                    "<text x=\"{middle}\" y=\"{base}\" class=\"small mid\">\u{b7}</text>\n"
                )
            }
            Cell::Other => self.body += &square("cell"),
            Cell::Selected(order) => {
                let shade = self.picture.shade(order);
                self.body += &square(&format!("cell selected s{shade}"));
                // More than four digits do not fit in a cell.
                if order < 10_000 {
                    self.body += &format!(
                        "<text x=\"{middle}\" y=\"{base}\" class=\"mid t{shade}\"{}>{order}</text>\n",
                        match order {
                            0..100 => "",
                            100..1000 => " style=\"font-size:11px\"",
                            _ => " style=\"font-size:9px\"",
                        }
                    );
                }
            }
        }
    }

    /// Draws the table of items. Returns the y coordinate of its lower edge.
    fn items(&mut self, top: usize) -> usize {
        let picture = self.picture;
        let items = &picture.items;
        if items.header.is_empty() {
            return top;
        }
        let labels = items.rows.iter().map(|row| row.0.len()).max().unwrap_or(0) + 2;
        let mut x = GAP_PX + labels * CHARACTER_PX;
        let mut y = top + 16;
        for (i, header) in items.header.iter().enumerate() {
            let cells = items.rows.iter().map(|row| row.1[i].chars().count());
            let width = cells.chain([header.len()]).max().unwrap_or(0) + 3;
            self.text(x, y, "bold", header);
            for (row, (name, cells, mask)) in items.rows.iter().enumerate() {
                let class = if *name == "item" { "bold" } else { "" };
                let is_zero = mask.is_some() && cells[i] == "0";
                self.text(
                    x,
                    y + (row + 1) * 20,
                    if is_zero { "small" } else { class },
                    &cells[i].replace("->", "\u{2192}"),
                );
            }
            x += width * CHARACTER_PX;
        }
        for (name, _, mask) in &items.rows {
            y += 20;
            self.text(GAP_PX, y, "small", name);
            if let Some(mask) = mask {
                self.text(x, y, "", &format!("= {mask}"));
            }
        }
        y
    }
}

fn slot_text(slot: Option<usize>) -> String {
    slot.map_or_else(
        || "\u{b7}\u{b7}".to_string(),
        |position| position.to_string(),
    )
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

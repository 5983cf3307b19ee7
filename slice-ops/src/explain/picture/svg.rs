//! Draws a picture as SVG.

use alloc::format;
use alloc::string::{String, ToString};

use super::Picture;
use super::grid::{Cell, Grid, Grids, Ruler};
use crate::explain::table::Shape;

/// The side length of a cell, in pixels.
const CELL: usize = 24;
/// The space to the left of a grid for the positions of its rows, in pixels.
const MARGIN: usize = 34;
/// The space beside and below a grid for an arrow along the selected positions, in pixels.
const ARROW: usize = 12;
/// The space between the parts of the picture, in pixels.
const GAP: usize = 22;

/// The width up to which grids are drawn side by side, in pixels.
const WIDTH: usize = 880;

/// The width of a character in the table, in pixels.
const LETTER: usize = 8;

/// The style sheet. The shades of the cells range from light to dark, and are readable on light and dark pages. They
/// show the order of the elements, which the numbers in the cells show as well.
const STYLE: &str = "\
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328}\
.title{font-weight:bold;font-size:15px}.small{font-size:11px;fill:#59636e}.mid{text-anchor:middle}.end{text-anchor:end}\
.bold{font-weight:bold}.cell{fill:none;stroke:#b4bcc6}.gap{fill:#59636e}.line{stroke:#59636e;fill:none}\
.s0{fill:#dbeafe}.s1{fill:#a9cdfb}.s2{fill:#6ca9f0}.s3{fill:#2f6fc4}.s4{fill:#123f80}.selected{stroke:#6b8fc2}\
.t0,.t1,.t2{fill:#0b1f3a}.t3,.t4{fill:#fff}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.small,.gap{fill:#9198a1}.cell{stroke:#4b535d}.line{stroke:#9198a1}\
.selected{stroke:#dbeafe}.t0,.t1,.t2{fill:#0b1f3a}.t3,.t4{fill:#fff}}";

impl Picture {
    /// Returns the picture as an SVG document whose colours adapt to light and dark pages.
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
    let title = format!(
        "{} of shape {}",
        picture.subject,
        Shape(&picture.input_shape)
    );
    canvas.text(GAP, 30, "title", &title);
    let (right, bottom) = canvas.grids(&picture.input, GAP, 52, WIDTH);

    let bottom = match &picture.result {
        None => bottom,
        Some(result) => {
            let of_shape = format!("the result, of shape {}", Shape(&picture.output_shape));
            let right = right.max(canvas.width);
            let needed = canvas.measure(result).max(of_shape.len() * 9);
            let beside = right + 4 * GAP + needed <= WIDTH + 2 * GAP;
            if beside {
                let x = right + 4 * GAP;
                canvas.arrow(
                    right + GAP,
                    (52 + bottom) / 2,
                    right + 3 * GAP,
                    (52 + bottom) / 2,
                );
                canvas.text(x, 30, "title", &of_shape);
                let (_, result_bottom) =
                    canvas.grids(result, x, 52, WIDTH.saturating_sub(x).max(needed));
                bottom.max(result_bottom)
            } else {
                canvas.arrow(GAP + MARGIN, bottom + 8, GAP + MARGIN, bottom + 34);
                canvas.text(2 * GAP + MARGIN, bottom + 30, "title", &of_shape);
                canvas.grids(result, GAP, bottom + 52, WIDTH).1
            }
        }
    };
    let bottom = canvas.items(bottom + GAP);
    let Canvas { body, width, .. } = canvas;
    let (width, height) = (width + GAP, bottom + GAP / 2);
    let label = escaped(&match &picture.result {
        Some(_) => format!("{title} has shape {}", Shape(&picture.output_shape)),
        None => title,
    });
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{label}\">\n<style>{STYLE}</style>\n{body}</svg>\n"
    )
}

struct Canvas<'a> {
    picture: &'a Picture,
    body: String,
    /// The largest x coordinate of what has been drawn, in pixels.
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
            _ if class.contains("mid") => letters * LETTER / 2,
            _ => letters * LETTER,
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
        let margin = if grids.down.is_some() { MARGIN } else { 0 };
        let axes = if grids.down.is_some() { 15 } else { 7 };
        let label = LETTER * grid.label.len().max(if columns == 0 { 0 } else { axes });
        let below = grids.across.as_ref().map_or(0, |_| CELL + ARROW);
        (
            (margin + columns * CELL + ARROW).max(margin + label),
            2 * CELL + grid.rows.len() * CELL + below,
        )
    }

    fn measure(&self, grids: &Grids) -> usize {
        let widths = grids
            .grids
            .iter()
            .map(|grid| Self::size(grids, grid).0 + GAP);
        widths.sum::<usize>().min(WIDTH)
    }

    /// Draws grids side by side, in several rows if necessary. Returns the x coordinate of their right edge, and the y
    /// coordinate of their lower edge.
    fn grids(&mut self, grids: &Grids, left: usize, top: usize, width: usize) -> (usize, usize) {
        let (mut x, mut y, mut lowest, mut rightmost) = (left, top, top, left);
        for grid in &grids.grids {
            let (wide, high) = Self::size(grids, grid);
            if x > left && x + wide > left + width {
                (x, y) = (left, lowest);
            }
            self.grid(grids, grid, x, y);
            x += wide + GAP;
            rightmost = rightmost.max(x - GAP);
            lowest = lowest.max(y + high);
        }
        self.width = self.width.max(rightmost);
        for beside in &grids.beside {
            lowest += 18;
            self.text(left, lowest - 4, "small", beside);
        }
        (rightmost, lowest)
    }

    fn grid(&mut self, grids: &Grids, grid: &Grid, x: usize, y: usize) {
        let x = x + if grids.down.is_some() { MARGIN } else { 0 };
        self.text(x, y + 12, "small bold", &grid.label);
        if grid.rows.iter().all(|row| row.is_empty()) {
            let none = if grid.label == "..." {
                ""
            } else {
                "no elements"
            };
            self.text(x, y + 2 * CELL, "small", none);
            return;
        }
        let y = y + 36;
        if let Some(Ruler { axis, slots, .. }) = &grids.across {
            for (at, &slot) in slots.iter().enumerate() {
                self.text(
                    x + at * CELL + CELL / 2,
                    y - 6,
                    "small mid",
                    &position(slot),
                );
            }
            let down = grids.down.as_ref().map_or(String::new(), |ruler| {
                format!("axis {} \u{2193}  ", ruler.axis)
            });
            let below = y + grid.rows.len() * CELL + ARROW + 14;
            self.text(x, below, "small", &format!("{down}axis {axis} \u{2192}"));
        }
        if let Some(Ruler { slots, .. }) = &grids.down {
            for (at, &slot) in slots.iter().enumerate() {
                self.text(
                    x - 6,
                    y + at * CELL + CELL / 2 + 4,
                    "small end",
                    &position(slot),
                );
            }
        }
        for (row, cells) in grid.rows.iter().enumerate() {
            for (column, &cell) in cells.iter().enumerate() {
                self.cell(cell, x + column * CELL, y + row * CELL);
            }
        }
        let mut cells = grid.rows.iter().flatten();
        if !cells.any(|cell| matches!(cell, Cell::Selected(_))) {
            return;
        }
        let middle = |from: usize, slot: usize| from + slot * CELL + CELL / 2;
        if let Some(ruler) = &grids.across {
            let below = y + grid.rows.len() * CELL + ARROW / 2 + 2;
            let visited = ruler.visited.iter();
            let places = visited.map(|&slot| (middle(x, slot), below));
            self.arrow_along(places, ruler.goes_one_way);
        }
        if let Some(ruler) = &grids.down {
            let beside = x + grid.rows[0].len() * CELL + ARROW / 2 + 2;
            let visited = ruler.visited.iter();
            let places = visited.map(|&slot| (beside, middle(y, slot)));
            self.arrow_along(places, ruler.goes_one_way);
        }
    }

    /// Draws an arrow from the first of `places` to the last, with a large dot at the first and a small dot at each of
    /// the others. If `goes_one_way` is `false`, only the dots are drawn.
    fn arrow_along(
        &mut self,
        mut places: impl Iterator<Item = (usize, usize)>,
        goes_one_way: bool,
    ) {
        let Some((x, y)) = places.next() else {
            return;
        };
        let mut last = None;
        for (to_x, to_y) in places {
            self.body += &format!("<circle cx=\"{to_x}\" cy=\"{to_y}\" r=\"2\" class=\"gap\"/>\n");
            last = Some((to_x, to_y));
        }
        if let Some((to_x, to_y)) = last
            && goes_one_way
        {
            self.arrow(x, y, to_x, to_y);
        }
        self.body += &format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"3.5\" class=\"gap\"/>\n");
    }

    fn cell(&mut self, cell: Cell, x: usize, y: usize) {
        let (middle, base) = (x + CELL / 2, y + CELL / 2 + 4);
        let square = |class: &str| {
            format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" class=\"{class}\"/>\n"
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
        let mut x = GAP + labels * LETTER;
        let mut y = top + 16;
        for (at, header) in items.header.iter().enumerate() {
            let cells = items.rows.iter().map(|row| row.1[at].chars().count());
            let width = cells.chain([header.len()]).max().unwrap_or(0) + 3;
            self.text(x, y, "bold", header);
            for (row, (name, cells, mask)) in items.rows.iter().enumerate() {
                let class = if *name == "item" { "bold" } else { "" };
                let zero = mask.is_some() && cells[at] == "0";
                self.text(
                    x,
                    y + (row + 1) * 20,
                    if zero { "small" } else { class },
                    &cells[at].replace("->", "\u{2192}"),
                );
            }
            x += width * LETTER;
        }
        for (name, _, mask) in &items.rows {
            y += 20;
            self.text(GAP, y, "small", name);
            if let Some(mask) = mask {
                self.text(x, y, "", &format!("= {mask}"));
            }
        }
        y
    }
}

fn position(slot: Option<usize>) -> String {
    slot.map_or_else(|| "\u{b7}\u{b7}".to_string(), |at| at.to_string())
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

//! Draws a bar chart of copy times from the files that the benchmarks write with `--json`.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;

/// A row of benchmark results.
#[derive(Deserialize)]
struct Row {
    class: String,
    slice: String,
    processor: String,
    nanoseconds: BTreeMap<String, f64>,
}

/// The size classes of rows, each with the heading of its panel.
const PANELS: [(&str, &str); 2] = [
    ("l2", "Arrays of 256 KiB, in the second-level cache"),
    ("dram", "Arrays of 256 MiB, in memory"),
];

/// The slices in the chart. In each size class, a string selects the first row whose slice begins with the string. For
/// the last slice, other crates are faster than slice-core.
const SLICES: [&str; 6] = [
    "f32 `[8:-8, 8:-8]`",
    "f32 `[..., ::2]`",
    "f32 `[..., ::-1]`",
    "u8 `[..., :3]`",
    "u8 `[..., ::2]`",
    "f32 `[:, 5]`",
];

/// The bars of a group: for each bar, the name of the column in the data and the label in the chart.
const BARS: [(&str, &str); 5] = [
    ("slice-core", "slice-core"),
    ("ndarray assign", "ndarray"),
    ("rten", "rten"),
    ("NumPy", "NumPy"),
    ("PyTorch", "PyTorch"),
];

/// The exponents of the powers of two on the axis.
const AXIS_POWERS: std::ops::RangeInclusive<i32> = -1..=7;

/// The width of a doubling on the axis, in pixels.
const DOUBLING_WIDTH_PX: f64 = 37.0;
/// The width of a panel, in pixels.
const PANEL_WIDTH_PX: f64 = 430.0;
/// The height of a bar with the gap below it, in pixels.
const BAR_HEIGHT_PX: f64 = 12.0;
/// The height of the part of the picture above the panels, in pixels.
const PANELS_TOP_PX: f64 = 96.0;

const STYLE: &str = "\
text{font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328}\
.title{font-size:15px;font-weight:bold}.bold{font-weight:bold}.quiet{fill:#59636e}.mid{text-anchor:middle}\
.grid{stroke:#d8dee4}.one{stroke:#59636e;stroke-width:1.5}.ours{fill:#0b57d0}.theirs{fill:#b4bcc6}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.quiet{fill:#9198a1}.grid{stroke:#30363d}.one{stroke:#9198a1}\
.ours{fill:#6ca9f0}.theirs{fill:#59636e}}";

/// Returns an SVG document with a chart of the rows in `rows`, which contains one JSON object per line.
///
/// # Errors
///
/// Returns an error if `rows` is empty, if a line is not a valid row, if the processor is not of the form
/// `vendor, name`, or if a slice of the chart has no row or no time for memcpy.
pub fn draw(rows: &str) -> Result<String, String> {
    let rows: Result<Vec<Row>, _> = rows.lines().map(serde_json::from_str).collect();
    let rows = rows.map_err(|error| error.to_string())?;
    let processor = &rows.first().ok_or("there are no rows")?.processor;
    let is_measured = |name: &str| rows.iter().any(|row| row.nanoseconds.contains_key(name));
    let bars = Vec::from_iter(BARS.into_iter().filter(|(column, _)| is_measured(column)));

    let group_height = BAR_HEIGHT_PX * bars.len() as f64 + 26.0;
    let bottom = PANELS_TOP_PX + group_height * SLICES.len() as f64;
    let (width, height) = (PANEL_WIDTH_PX * PANELS.len() as f64 + 16.0, bottom + 14.0);
    let title = "Copy time relative to a memcpy of the same size";
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{title}, on one thread of {processor}\">\n<style>{STYLE}</style>\n"
    );
    text(&mut svg, 16.0, 26.0, "title", title);
    let (vendor, name) = processor
        .rsplit_once(", ")
        .ok_or("the processor is not of the form `vendor, name`")?;
    let caption =
        format!("1 is memcpy; lower is better. Measured on one thread of an {name} ({vendor})");
    text(&mut svg, 16.0, 46.0, "quiet", &caption);
    for (panel, (class, heading)) in PANELS.into_iter().enumerate() {
        let left = 16.0 + PANEL_WIDTH_PX * panel as f64;
        let x = |ratio: f64| {
            left + 8.0 + (ratio.log2() - f64::from(*AXIS_POWERS.start())) * DOUBLING_WIDTH_PX
        };
        text(&mut svg, left, 72.0, "bold", heading);
        for power in AXIS_POWERS {
            let ratio = f64::from(power).exp2();
            let (x, class) = (x(ratio), if power == 0 { "one" } else { "grid" });
            text(
                &mut svg,
                x,
                PANELS_TOP_PX - 6.0,
                "quiet mid",
                &ratio.to_string(),
            );
            line(&mut svg, x, bottom, class);
        }
        for (slice_index, slice) in SLICES.into_iter().enumerate() {
            let row = rows
                .iter()
                .find(|row| row.class == class && row.slice.starts_with(slice));
            let row =
                row.ok_or_else(|| format!("{slice} was not measured in size class `{class}`"))?;
            let top = PANELS_TOP_PX + group_height * slice_index as f64;
            text(
                &mut svg,
                x(1.0) + 5.0,
                top + 16.0,
                "",
                &row.slice.replace('`', ""),
            );
            let memcpy = row.nanoseconds.get("memcpy");
            let memcpy = memcpy
                .ok_or_else(|| format!("{slice} has no time for memcpy in size class `{class}`"))?;
            for (bar_index, (column, name)) in bars.iter().enumerate() {
                let y = top + 22.0 + BAR_HEIGHT_PX * bar_index as f64;
                // Not every library supports every slice. For instance, rten does not support negative steps.
                let Some(time) = row.nanoseconds.get(*column) else {
                    let message = format!("{name}: not supported");
                    text(&mut svg, x(1.0) + 5.0, y + 9.0, "quiet", &message);
                    continue;
                };
                let ratio = time / memcpy;
                let (from, to) = (x(ratio.min(1.0)), x(ratio.max(1.0)));
                let class = if bar_index == 0 { "ours" } else { "theirs" };
                let _ = writeln!(
                    svg,
                    "<rect x=\"{from:.1}\" y=\"{y}\" width=\"{:.1}\" height=\"{}\" class=\"{class}\"/>",
                    to - from,
                    BAR_HEIGHT_PX - 2.0
                );
                let class = if bar_index == 0 { "bold" } else { "" };
                let label = format!("{name} {}", readable(ratio));
                text(&mut svg, to + 5.0, y + 9.0, class, &label);
            }
        }
    }
    Ok(svg + "</svg>\n")
}

fn text(svg: &mut String, x: f64, y: f64, class: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{text}</text>"
    );
}

fn line(svg: &mut String, x: f64, bottom: f64, class: &str) {
    let _ = writeln!(
        svg,
        "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{PANELS_TOP_PX}\" y2=\"{bottom}\" class=\"{class}\"/>"
    );
}

fn readable(ratio: f64) -> String {
    if ratio < 10.0 {
        format!("{ratio:.1}")
    } else {
        format!("{ratio:.0}")
    }
}

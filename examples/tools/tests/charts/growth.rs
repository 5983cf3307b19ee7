//! Draws line charts of run time against problem size from the JSON output of the `growth` benchmark.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;

/// A data point of the benchmark.
#[derive(Deserialize)]
struct Point {
    class: String,
    processor: String,
    x: f64,
    /// The measured time in each column of the data.
    nanoseconds: BTreeMap<String, f64>,
}

/// One of the line charts in the picture.
struct Panel {
    class: &'static str,
    heading: &'static str,
    /// The label of the x axis.
    x_label: &'static str,
    /// Whether the x axis is logarithmic (base 2) rather than linear.
    is_logarithmic: bool,
    /// Whether times are divided by `x`.
    is_per_unit: bool,
    /// The label of the y axis.
    y_label: &'static str,
    /// For each line, the name of the column in the data and the label in the chart. The first line is drawn over the
    /// others.
    lines: &'static [(&'static str, &'static str)],
}

const PANELS: [Panel; 6] = [
    Panel {
        class: "elements",
        heading: "x[::2] of 1 to 2³⁰ four-byte numbers",
        x_label: "numbers in the array",
        is_logarithmic: true,
        is_per_unit: true,
        y_label: "nanoseconds per number",
        lines: &[
            ("slice-core", "slice-core"),
            ("ndarray", "ndarray"),
            ("rten", "rten"),
            ("NumPy", "NumPy"),
            ("memcpy", "memcpy"),
        ],
    },
    Panel {
        class: "ranks",
        heading: "Copies of 2¹⁶ numbers, [::-1, :, ::-1, …]",
        x_label: "axes",
        is_logarithmic: false,
        is_per_unit: false,
        y_label: "nanoseconds",
        lines: &[
            ("slice-core", "slice-core"),
            ("ndarray", "ndarray"),
            ("NumPy", "NumPy"),
        ],
    },
    Panel {
        class: "ranks",
        heading: "Creating views of 2¹⁶ numbers, or only resolving slices",
        x_label: "axes",
        is_logarithmic: false,
        is_per_unit: false,
        y_label: "nanoseconds",
        lines: &[
            ("slice-core, view", "slice-core"),
            ("slice-core, resolved", "slice-core, resolve"),
            ("ndarray, view", "ndarray"),
            ("NumPy, view", "NumPy"),
        ],
    },
    Panel {
        class: "threads",
        heading: "x[::-1] of 2²⁰ to 2²⁸ four-byte numbers, by thread count",
        x_label: "numbers in the array",
        is_logarithmic: true,
        is_per_unit: true,
        y_label: "nanoseconds per number",
        lines: &[("2 threads", "two threads"), ("1 threads", "one thread")],
    },
    Panel {
        class: "chunks",
        heading: "Listing the chunks touched by a slice",
        x_label: "chunks",
        is_logarithmic: true,
        is_per_unit: true,
        y_label: "nanoseconds per chunk",
        lines: &[("slice-zarr", "slice-zarr"), ("zarr-python", "zarr-python")],
    },
    Panel {
        class: "positions",
        heading: "x[positions] of 2²⁰ rows of 64 bytes",
        x_label: "positions",
        is_logarithmic: true,
        is_per_unit: true,
        y_label: "nanoseconds per position",
        lines: &[
            ("slice-core", "slice-core"),
            ("slice-core, resolved", "bounds check only"),
            ("ndarray", "ndarray"),
            ("NumPy", "NumPy"),
        ],
    },
];

/// The width and the height of a panel with its margins, in pixels.
const PANEL_PX: (f64, f64) = (430.0, 290.0);
/// The width and the height of the plot within a panel, in pixels.
const PLOT_PX: (f64, f64) = (350.0, 180.0);
/// The width of the margin to the left of the plot and the height of the margin above the plot, in pixels.
const MARGIN_PX: (f64, f64) = (60.0, 52.0);
/// The height of the part of the picture above the panels, in pixels.
const PANELS_TOP_PX: f64 = 60.0;

const STYLE: &str = "\
text{font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328}\
.title{font-size:15px;font-weight:bold}.bold{font-weight:bold}.quiet{fill:#59636e}.mid{text-anchor:middle}.end{text-anchor:end}\
.grid{stroke:#d8dee4}.l{fill:none;stroke-width:1.8}\
.c0{stroke:#0b57d0;stroke-width:2.6}.c1{stroke:#b3540a}.c2{stroke:#7a5ab5}.c3{stroke:#1a7f37}.c4{stroke:#59636e;stroke-dasharray:4 3}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.quiet{fill:#9198a1}.grid{stroke:#30363d}\
.c0{stroke:#6ca9f0}.c1{stroke:#f0883e}.c2{stroke:#b392f0}.c3{stroke:#56d364}.c4{stroke:#9198a1}}";

/// Returns an SVG document with charts of the data points in `points`, which contains one JSON object per line.
///
/// # Errors
///
/// Returns an error if `points` is empty, if a line of `points` is not a valid data point, if the processor is not of
/// the form `vendor, name`, or if a line of a chart has fewer than two data points.
pub fn draw(points: &str) -> Result<String, String> {
    let points: Result<Vec<Point>, _> = points.lines().map(serde_json::from_str).collect();
    let points = points.map_err(|error| error.to_string())?;
    let processor = &points.first().ok_or("there are no data points")?.processor;
    let (vendor, name) = processor
        .rsplit_once(", ")
        .ok_or("the processor is not of the form `vendor, name`")?;
    let rows = PANELS.len().div_ceil(2);
    let (width, height) = (
        2.0 * PANEL_PX.0 + 16.0,
        PANELS_TOP_PX + PANEL_PX.1 * rows as f64,
    );
    let title = "Run time by problem size";
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"{title}\">\n<style>{STYLE}</style>\n"
    );
    text(&mut svg, 16.0, 26.0, "title", title);
    let caption = format!("lower is better; {name} ({vendor})");
    text(&mut svg, 16.0, 46.0, "quiet", &caption);
    for (i, panel) in PANELS.iter().enumerate() {
        let left = PANEL_PX.0 * (i % 2) as f64;
        let top = PANELS_TOP_PX + PANEL_PX.1 * (i / 2) as f64;
        draw_panel(&mut svg, panel, &points, (left, top))?;
    }
    Ok(svg + "</svg>\n")
}

fn draw_panel(
    svg: &mut String,
    panel: &Panel,
    points: &[Point],
    (left, top): (f64, f64),
) -> Result<(), String> {
    let lines: Result<Vec<Vec<(f64, f64)>>, String> = panel
        .lines
        .iter()
        .map(|(column, _)| {
            let class_points = points.iter().filter(|point| point.class == panel.class);
            let line: Vec<(f64, f64)> = class_points
                .filter_map(|point| {
                    let time = point.nanoseconds.get(*column)?;
                    let time = if panel.is_per_unit {
                        time / point.x
                    } else {
                        *time
                    };
                    Some((point.x, time))
                })
                .collect();
            match line.len() {
                0 | 1 => Err(format!(
                    "the line `{column}` of the chart `{}` has fewer than two data points",
                    panel.heading
                )),
                _ => Ok(line),
            }
        })
        .collect();
    let lines = lines?;
    let data_points = || lines.iter().flatten();
    let axis_value = |x: f64| if panel.is_logarithmic { x.log2() } else { x };
    let (first, last) = min_max(data_points().map(|point| axis_value(point.0)));
    let (low, high) = min_max(data_points().map(|point| point.1.log10()));
    let (low, high) = (low.floor(), high.ceil());
    let (x0, y0) = (left + MARGIN_PX.0, top + MARGIN_PX.1 + PLOT_PX.1);
    let x = |value: f64| x0 + (axis_value(value) - first) / (last - first) * PLOT_PX.0;
    let y = |value: f64| y0 - (value.log10() - low) / (high - low) * PLOT_PX.1;

    text(svg, left + 16.0, top + 14.0, "bold", panel.heading);
    text(svg, left + 16.0, top + 44.0, "quiet", panel.y_label);
    let mut legend_x = left + 16.0;
    for (i, (_, name)) in panel.lines.iter().enumerate() {
        let class = format!("l c{i}");
        path(
            svg,
            &class,
            &[(legend_x, top + 27.0), (legend_x + 16.0, top + 27.0)],
        );
        let class = if i == 0 { "bold" } else { "" };
        text(svg, legend_x + 20.0, top + 31.0, class, name);
        legend_x += 32.0 + 6.7 * name.chars().count() as f64;
    }
    for power in low as i32..=high as i32 {
        let value = 10_f64.powi(power);
        path(svg, "grid", &[(x0, y(value)), (x0 + PLOT_PX.0, y(value))]);
        text(svg, x0 - 6.0, y(value) + 4.0, "quiet end", &readable(value));
    }
    // Draws about eight vertical lines, a whole number of units apart.
    let step = ((last - first) / 8.0).ceil().max(1.0);
    for k in 0..=((last - first) / step) as usize {
        let value = first + k as f64 * step;
        let tick_x = x0 + (value - first) / (last - first) * PLOT_PX.0;
        path(svg, "grid", &[(tick_x, y0), (tick_x, y0 - PLOT_PX.1)]);
        let label = match panel.is_logarithmic {
            true => readable(value.exp2()),
            false => value.to_string(),
        };
        text(svg, tick_x, y0 + 15.0, "quiet mid", &label);
    }
    text(
        svg,
        x0 + PLOT_PX.0 / 2.0,
        y0 + 30.0,
        "quiet mid",
        panel.x_label,
    );
    // The first line is drawn last, over the others.
    for (i, line) in lines.iter().enumerate().rev() {
        let line: Vec<(f64, f64)> = line
            .iter()
            .map(|&(value, time)| (x(value), y(time)))
            .collect();
        path(svg, &format!("l c{i}"), &line);
    }
    Ok(())
}

/// Returns the minimum and the maximum of `numbers`.
fn min_max(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
        (low.min(number), high.max(number))
    })
}

fn text(svg: &mut String, x: f64, y: f64, class: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{text}</text>"
    );
}

fn path(svg: &mut String, class: &str, points: &[(f64, f64)]) {
    let points: Vec<String> = points
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" class=\"{class}\"/>",
        points.join(" ")
    );
}

/// Formats a number, with a suffix for powers of a thousand: 1k, 1M, 1G.
fn readable(number: f64) -> String {
    let (number, letter) = match number {
        0.0..1e3 => (number, ""),
        1e3..1e6 => (number / 1e3, "k"),
        1e6..1e9 => (number / 1e6, "M"),
        _ => (number / 1e9, "G"),
    };
    match number {
        0.0..1.0 => format!("{}{letter}", (number * 1e4).round() / 1e4),
        1.0..10.0 => format!("{}{letter}", (number * 10.0).round() / 10.0),
        _ => format!("{number:.0}{letter}"),
    }
}

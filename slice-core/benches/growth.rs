//! Measures how the time of an operation grows with the number of elements, axes, threads, chunks that a slice touches,
//! or positions in a list.
//!
//! `cargo bench -p slice-benches --features rayon --bench growth -- --json FILE
//! [elements|ranks|threads|chunks|positions ...]` writes a line of JSON for each data point:
//!
//! ```text
//! {"bench":"growth","class":"ranks","nanoseconds":{"ndarray":1300.0,"slice-core":520.0},"processor":"…","x":4}
//! ```
//!
//! Each time is a median. The compared functions are measured in turn in one process. `growth_peer.py --json FILE` adds
//! the times of NumPy and zarr-python. `--quick` measures only a few small data points, each of them once.

mod common {
    #[path = "processor.rs"]
    #[allow(dead_code, reason = "each benchmark uses only a part of this module")]
    pub mod processor;
    #[path = "timing.rs"]
    #[allow(dead_code, reason = "each benchmark uses only a part of this module")]
    pub mod timing;
}

use std::fs;
use std::hint::black_box;
use std::time::Duration;

use common::processor;
use common::timing::{Candidate, Effort, medians};
use ndarray::{
    Array2, ArrayD, ArrayView1, ArrayViewMut1, Axis, Dim, IxDyn, SliceInfo, SliceInfoElem,
};
use rten_tensor::{AsView, SliceItem, SliceRange, TensorView};
use serde_json::{Value, json};
use slice_core::{DynSliceSpec, Item, StridedSliceExt, request_huge_pages, s};
use slice_zarr::ChunkPlan;

fn main() {
    let mut report = Report::from_arguments();
    for (class, measure) in [
        ("elements", elements as fn(&mut Report)),
        ("ranks", ranks),
        ("threads", threads),
        ("chunks", chunks),
        ("positions", positions),
    ] {
        if report.classes.is_empty() || report.classes.iter().any(|word| word == class) {
            report.class = class;
            measure(&mut report);
        }
    }
}

/// The options of the benchmark, and the name of the current series of measurements, such as `elements`. In the file,
/// this name is the class.
struct Report {
    path: Option<String>,
    quick: bool,
    classes: Vec<String>,
    class: &'static str,
}

impl Report {
    fn from_arguments() -> Self {
        let (mut path, mut quick, mut classes) = (None, false, Vec::new());
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--json" => path = words.next(),
                "--quick" => quick = true,
                _ if word.starts_with("--") => {}
                _ => classes.push(word),
            }
        }
        Self {
            path,
            quick,
            classes,
            class: "",
        }
    }

    /// Measures the candidates for the data point `x` and writes the times to the file, replacing earlier times.
    fn point(&self, x: usize, mut candidates: Vec<Candidate<'_>>) {
        (candidates[0].run)();
        let started = std::time::Instant::now();
        (candidates[0].run)();
        let (rounds, batch) = match started.elapsed().as_millis() {
            _ if self.quick => (1, 0),
            0..20 => (15, 1000),
            20..200 => (5, 0),
            _ => (3, 0),
        };
        let batch = Duration::from_micros(batch);
        let times = medians(&mut candidates, Effort { rounds, batch });
        let mut nanoseconds = json!({});
        print!("{} {x}:", self.class);
        for (candidate, time) in candidates.iter().zip(times) {
            nanoseconds[candidate.name] = json!((time * 10.0).round() / 10.0);
            print!(" {} {:.1} us;", candidate.name, time / 1e3);
        }
        println!();
        let Some(path) = &self.path else { return };
        let text = fs::read_to_string(path).unwrap_or_default();
        let lines = text.lines().map(serde_json::from_str);
        let mut lines: Vec<Value> = lines
            .collect::<Result<_, _>>()
            .expect("the file should contain only lines of JSON");
        let is_point = |line: &Value| line["class"] == self.class && line["x"] == x;
        let index = lines.iter().position(is_point).unwrap_or_else(|| {
            let processor = processor::name();
            lines.push(json!({
                "bench": "growth", "class": self.class, "nanoseconds": {}, "processor": processor, "x": x,
            }));
            lines.len() - 1
        });
        for (name, time) in nanoseconds
            .as_object()
            .expect("the times should be an object")
        {
            lines[index]["nanoseconds"][name] = time.clone();
        }
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(path, text).expect("the file named by --json should be writable");
    }
}

/// Returns numbers in memory for which huge pages are requested, so that address translation hardly affects the
/// measured time.
fn numbers(len: usize) -> Vec<f32> {
    let mut numbers = vec![0.0; len];
    request_huge_pages(&mut numbers);
    for (i, number) in numbers.iter_mut().enumerate() {
        *number = i as f32;
    }
    numbers
}

/// Measures copying every other number from arrays with 1 to 2^30 numbers (up to 4 GiB).
fn elements(report: &mut Report) {
    let max_power = if report.quick { 8 } else { 30 };
    for power in (0..=max_power).step_by(2) {
        let len = 1_usize << power;
        let selection = s![::2]
            .resolve(&[len])
            .expect("the slice should fit the shape");
        let input = numbers(len);
        let kept = len.div_ceil(2);
        let mut outputs = [numbers(kept), Vec::new(), Vec::new(), Vec::new()];
        if kept < 1 << 24 {
            // Each candidate has its own output, because a shared output could already be in a cache after the previous
            // candidate. Larger outputs are shared, because they do not fit in the caches.
            outputs = [0; 4].map(|_| numbers(kept));
        }
        let shared = std::cell::RefCell::new(outputs);
        let output = |i: usize, run: &dyn Fn(&mut [f32])| {
            let mut outputs = shared.borrow_mut();
            let i = if outputs[i].is_empty() { 0 } else { i };
            run(&mut outputs[i][..]);
        };
        let tensor = TensorView::from_data(&[len], &input[..]);
        let items = [SliceItem::Range(SliceRange::new(0, None, 2))];
        let candidates = vec![
            Candidate::new("slice-core", || {
                output(0, &|output| {
                    let copied = black_box(&selection).gather_into(black_box(&input), output);
                    copied.expect("the buffers should fit the selection");
                });
            }),
            Candidate::new("memcpy", || {
                output(1, &|output| {
                    output.copy_from_slice(black_box(&input[..kept]))
                });
            }),
            Candidate::new("ndarray", || {
                output(2, &|output| {
                    let view = ArrayView1::from(black_box(&input[..]));
                    let view = view.slice_move(ndarray::s![..;2]);
                    ArrayViewMut1::from(output).assign(&view);
                });
            }),
            Candidate::new("rten", || {
                output(3, &|output| {
                    let view = black_box(&tensor).slice(&items[..]);
                    // SAFETY: `MaybeUninit<f32>` has the layout of `f32`, and rten writes only initialized numbers.
                    #[allow(unsafe_code)]
                    let output = unsafe {
                        std::slice::from_raw_parts_mut(output.as_mut_ptr().cast(), output.len())
                    };
                    view.copy_into_slice(output);
                });
            }),
        ];
        report.point(len, candidates);
    }
}

/// Measures copying arrays of 2^16 numbers with 1 to 32 axes. Every other axis is reversed, so that no two axes can be
/// merged.
fn ranks(report: &mut Report) {
    for rank in [1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 28, 32] {
        if report.quick && rank > 4 {
            break;
        }
        let shape: Vec<usize> = (0..rank)
            .map(|axis| 1 << (16 * (axis + 1) / rank - 16 * axis / rank))
            .collect();
        let items: Vec<Item> = (0..rank)
            .map(|axis| Item::Range {
                begin: None,
                end: None,
                step: if axis % 2 == 0 { -1 } else { 1 },
            })
            .collect();
        let spec = DynSliceSpec::from_items(items).expect("the spec should have at most 64 items");
        let items: Vec<SliceInfoElem> = (0..rank)
            .map(|axis| SliceInfoElem::Slice {
                start: 0,
                end: None,
                step: if axis % 2 == 0 { -1 } else { 1 },
            })
            .collect();
        let slice_info =
            SliceInfo::<_, IxDyn, IxDyn>::try_from(items).expect("the items should match the rank");
        let array = ArrayD::from_shape_vec(Dim(&shape[..]), numbers(1 << 16))
            .expect("the length should match the shape");
        let mut output = array.clone();
        let mut copied = array.clone();
        let data = array.as_slice().expect("the array should be in C order");
        let candidates = vec![
            Candidate::new("slice-core", || {
                let selection = black_box(&spec)
                    .resolve(&shape)
                    .expect("the slice should fit the shape");
                let output = output
                    .as_slice_mut()
                    .expect("the array should be in C order");
                let copied = selection.gather_into(black_box(data), output);
                copied.expect("the buffers should fit the selection");
            }),
            Candidate::new("ndarray", || {
                copied.assign(&black_box(&array).slice(&slice_info))
            }),
            Candidate::new("slice-core, resolved", || {
                let _ = black_box(black_box(&spec).resolve(&shape));
            }),
            Candidate::new("slice-core, view", || {
                black_box(black_box(&array).at(&spec));
            }),
            Candidate::new("ndarray, view", || {
                black_box(black_box(&array).slice(&slice_info));
            }),
        ];
        report.point(rank, candidates);
    }
}

/// Measures copying 2^20 to 2^28 numbers (4 MiB to 1 GiB) in reverse order to memory that is already allocated. The
/// thread counts are the powers of two below the number of processors, and the number of processors itself.
#[cfg(feature = "rayon")]
fn threads(report: &mut Report) {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let counts: Vec<usize> = (0..)
        .map(|power| 1 << power)
        .take_while(|&n| n < processors)
        .chain([processors])
        .collect();
    let pool = |count| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .build()
            .expect("the threads should start")
    };
    let pools: Vec<_> = counts.iter().map(|&count| (count, pool(count))).collect();
    let max_power = if report.quick { 20 } else { 28 };
    for power in 20..=max_power {
        let len = 1_usize << power;
        let selection = s![::-1]
            .resolve(&[len])
            .expect("the slice should fit the shape");
        let input = numbers(len);
        let output = std::cell::RefCell::new(numbers(len));
        let candidates = pools.iter().map(|(count, pool)| {
            let name: &'static str = format!("{count} threads").leak();
            let (selection, input, output) = (&selection, &input, &output);
            Candidate::new(name, move || {
                let (input, mut output) = (black_box(&input[..]), output.borrow_mut());
                let output = &mut output[..];
                pool.install(|| selection.gather_into(input, output))
                    .expect("the buffers should fit the selection");
            })
        });
        report.point(len, candidates.collect());
    }
}

#[cfg(not(feature = "rayon"))]
fn threads(_: &mut Report) {
    println!("threads: not measured, because the feature rayon is disabled");
}

/// Measures planning a slice that touches 1 to 10^7 chunks, and computing for each chunk its position in the grid and
/// the selected region.
fn chunks(report: &mut Report) {
    let max_power = if report.quick { 2 } else { 7 };
    for power in 0..=max_power {
        let count = 10_usize.pow(power);
        let shape = [count * 64];
        let candidates = vec![Candidate::new("slice-zarr", || {
            let selection = s![::2]
                .resolve(black_box(&shape))
                .expect("the slice should fit the shape");
            let plan = ChunkPlan::new(&selection, &[64]).expect("the chunk shape should be valid");
            for part in plan.parts() {
                for chunk in part.chunk() {
                    black_box(chunk);
                }
                black_box(&part);
            }
        })];
        report.point(count, candidates);
    }
}

/// Measures copying the rows at 1 to 10^6 unsorted positions of an array with 2^20 rows of 64 bytes.
fn positions(report: &mut Report) {
    let (rows, columns) = (1 << 20, 16);
    let array = Array2::from_shape_vec((rows, columns), numbers(rows * columns))
        .expect("the length should match the shape");
    let max_power = if report.quick { 2 } else { 6 };
    let mut random = 1_u64;
    for power in 0..=max_power {
        let count = 10_usize.pow(power);
        let row_positions: Vec<usize> = (0..count)
            .map(|_| {
                random = random.wrapping_mul(6_364_136_223_846_793_005);
                random = random.wrapping_add(1_442_695_040_888_963_407);
                (random >> 33) as usize % rows
            })
            .collect();
        let positions = row_positions.iter().map(|&k| k as i64);
        let list = Item::List(positions.collect::<Vec<i64>>().into());
        let spec = DynSliceSpec::from_items([list]).expect("the spec should have at most 64 items");
        let data = array.as_slice().expect("the array should be in C order");
        let candidates = vec![
            Candidate::new("slice-core", || {
                let chosen = black_box(&spec)
                    .resolve(&[rows, columns])
                    .expect("the positions should be in bounds");
                black_box(
                    chosen
                        .gather(black_box(data))
                        .expect("the buffers should fit the selection"),
                );
            }),
            Candidate::new("slice-core, resolved", || {
                let _ = black_box(black_box(&spec).resolve(&[rows, columns]));
            }),
            Candidate::new("ndarray", || {
                black_box(black_box(&array).select(Axis(0), &row_positions));
            }),
        ];
        report.point(count, candidates);
    }
}

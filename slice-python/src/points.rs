//! Reads and writes elements at points, which are positions on several axes that belong together, as in `a[rows, cols]`.
//!
//! The points are grouped by chunk. For each group, the smallest block that contains its points is read into memory, and
//! the elements at the points are copied from it. A block that is too large, or that touches many inner chunks without
//! points, is divided first.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use ndarray::{ArrayD, IxDyn};
use pyo3::PyResult;
use pyo3::exceptions::PyValueError;
use slice_core::{AxisPositions, AxisRange, OutputAxis, Selection};
use slice_zarr::{AccessOptions, ChunkedArray, Element, Error, ReadSlice, WriteSlice};
use zarrs::array::Array;

use crate::store::Store;

/// The size of the largest block that is read, in bytes, unless a single point needs more.
const MAX_BLOCK_BYTES: usize = 64 << 20;

/// The points of a read or write.
pub struct Points<'p> {
    axes: &'p [usize],
    /// The positions of all points, for each of `axes`.
    coordinates: &'p [&'p [i64]],
    rest: &'p Selection,
    array_shape: Vec<usize>,
    /// The lengths of the chunks, and of the inner chunks, on each of `axes`.
    chunk: Vec<usize>,
    unit: Vec<usize>,
    /// The numbers of the points, ordered by chunk.
    order: Vec<usize>,
    /// The points of each chunk, as a range of `order`.
    groups: Vec<Range<usize>>,
}

impl<'p> Points<'p> {
    pub fn new(
        array: &ChunkedArray,
        axes: &'p [usize],
        coordinates: &'p [&'p [i64]],
        rest: &'p Selection,
    ) -> PyResult<Self> {
        let count = coordinates.first().map_or(0, |axis| axis.len());
        let is_ascending = axes.windows(2).all(|pair| pair[0] < pair[1]);
        let fit = axes.iter().zip(coordinates).all(|(&axis, positions)| {
            let size = array.shape.get(axis).map_or(0, |&size| size as i64);
            let dropped = rest.output_axes().contains(&OutputAxis::Input(axis));
            !dropped
                && positions.len() == count
                && positions
                    .iter()
                    .all(|position| (0..size).contains(position))
        });
        if !is_ascending || !fit || axes.len() != coordinates.len() {
            return Err(PyValueError::new_err("the points do not fit the array"));
        }
        let lengths = |shape: &[usize]| axes.iter().map(|&axis| shape[axis]).collect();
        let chunk: Vec<usize> = lengths(&array.chunk_shape);
        let unit = lengths(
            array
                .inner_chunk_shape
                .as_ref()
                .unwrap_or(&array.chunk_shape),
        );
        let grid = axes.iter().zip(&chunk);
        let grid: Vec<usize> = grid
            .map(|(&axis, &len)| array.shape[axis].div_ceil(len))
            .collect();
        let number_of = |point: usize| {
            let axes = coordinates.iter().zip(&chunk).zip(&grid);
            axes.fold(0_u128, |number, ((positions, &len), &chunks)| {
                number * chunks as u128 + (positions[point] as usize / len) as u128
            })
        };
        let (order, groups) = grouped(count, number_of);
        Ok(Points {
            axes,
            coordinates,
            rest,
            array_shape: array.shape.clone(),
            chunk,
            unit,
            order,
            groups,
        })
    }

    fn position(&self, axis: usize, point: usize) -> usize {
        self.coordinates[axis][point] as usize
    }

    /// Returns the smallest range that contains the positions of some points on each axis.
    fn bounds(&self, points: &[usize]) -> Vec<Range<usize>> {
        let axes = (0..self.axes.len()).map(|axis| {
            let positions = points.iter().map(|&point| self.position(axis, point));
            let (mut low, mut high) = (usize::MAX, 0);
            for position in positions {
                low = low.min(position);
                high = high.max(position);
            }
            low..high + 1
        });
        axes.collect()
    }

    /// Divides points into two parts, if their block has more than `max_elements` elements or touches more than twice as
    /// many inner chunks as hold points.
    fn divided(&self, points: &[usize], max_elements: usize) -> Option<[Vec<usize>; 2]> {
        let bounds = self.bounds(points);
        let spans = || {
            let units = bounds.iter().zip(&self.unit);
            units.map(|(range, &len)| (range.end - 1) / len - range.start / len + 1)
        };
        let units = spans().fold(1, usize::saturating_mul);
        let is_sparse = units > 2 && {
            let mut touched: Vec<Vec<usize>> = { points.iter() }
                .map(|&point| {
                    let axes = self.unit.iter().enumerate();
                    axes.map(|(axis, &len)| self.position(axis, point) / len)
                        .collect()
                })
                .collect();
            touched.sort_unstable();
            touched.dedup();
            units / 2 > touched.len()
        };
        let elements = bounds.iter().map(|range| range.len());
        let elements = elements.fold(self.rest.len().max(1), usize::saturating_mul);
        if !is_sparse && elements <= max_elements {
            return None;
        }
        let longest = |lengths: &mut dyn Iterator<Item = usize>| {
            lengths.enumerate().max_by_key(|&(_, len)| len)
        };
        let (axis, middle) = match longest(&mut spans())? {
            (axis, 2..) => {
                let (len, range) = (self.unit[axis], &bounds[axis]);
                let (first, last) = (range.start / len, (range.end - 1) / len);
                (axis, (first + last).div_ceil(2) * len)
            }
            _ => match longest(&mut bounds.iter().map(|range| range.len()))? {
                (axis, 2..) => (axis, bounds[axis].start + bounds[axis].len() / 2),
                _ => return None,
            },
        };
        let is_before = |&point: &usize| self.position(axis, point) < middle;
        let (before, after) = points.iter().copied().partition(is_before);
        Some([before, after])
    }

    /// Returns the selection of a block, and the axes of the block in the order of the selection's result, if the block
    /// has first the axes of the points and then the other axes.
    fn selection(&self, block: &[Range<usize>]) -> Result<(Selection, Vec<usize>), Error> {
        let ranges = (0..self.array_shape.len()).map(|axis| {
            match self.axes.iter().position(|&other| other == axis) {
                Some(at) => {
                    let range = AxisRange::new(block[at].start, 1, block[at].len());
                    AxisPositions::Range(range)
                }
                None => self.rest.axis(axis),
            }
        });
        let (mut output, mut block_axes) = (Vec::new(), Vec::new());
        let mut next = 0;
        for (other, &origin) in self.rest.output_axes().iter().enumerate() {
            if let OutputAxis::Input(input) = origin {
                while next < self.axes.len() && self.axes[next] < input {
                    output.push(OutputAxis::Input(self.axes[next]));
                    block_axes.push(next);
                    next += 1;
                }
            }
            output.push(origin);
            block_axes.push(self.axes.len() + other);
        }
        for at in next..self.axes.len() {
            output.push(OutputAxis::Input(self.axes[at]));
            block_axes.push(at);
        }
        let selection = Selection::from_axes(&self.array_shape, ranges, &output)?;
        Ok((selection, block_axes))
    }

    /// Returns the position of a point's elements in a block, in records.
    fn record(&self, block: &[Range<usize>], point: usize) -> usize {
        let axes = block.iter().enumerate();
        axes.fold(0, |record, (axis, range)| {
            record * range.len() + self.position(axis, point) - range.start
        })
    }

    /// Returns the block of whole chunks that contains `block`.
    fn whole_chunks(&self, block: &[Range<usize>]) -> Vec<Range<usize>> {
        let axes = block.iter().zip(&self.chunk).zip(self.axes);
        let whole = axes.map(|((range, &len), &axis)| {
            let end = range.end.div_ceil(len).saturating_mul(len);
            range.start / len * len..end.min(self.array_shape[axis])
        });
        whole.collect()
    }
}

/// Groups the numbers `0..count` by a key, in the order of the keys. Returns the numbers, and the range of each group.
fn grouped(count: usize, key: impl Fn(usize) -> u128) -> (Vec<usize>, Vec<Range<usize>>) {
    let keys: Vec<u128> = (0..count).map(&key).collect();
    let mut order: Vec<usize> = (0..count).collect();
    if !keys.is_sorted() {
        // The sort is stable: of equal points, the last one is written last.
        order.sort_by_key(|&point| keys[point]);
    }
    let (mut groups, mut begin) = (Vec::new(), 0);
    for at in 1..=count {
        if at == count || keys[order[at]] != keys[order[begin]] {
            groups.push(begin..at);
            begin = at;
        }
    }
    (order, groups)
}

/// Calls `work` for each group of points, in several threads.
fn for_groups(
    points: &Points<'_>,
    threads: usize,
    work: impl Fn(&[usize]) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let (next, failure) = (AtomicUsize::new(0), Mutex::new(None));
    let worker = || {
        loop {
            let group = next.fetch_add(1, Ordering::Relaxed);
            let Some(range) = points.groups.get(group) else {
                return;
            };
            if let Err(error) = work(&points.order[range.clone()]) {
                next.store(points.groups.len(), Ordering::Relaxed);
                let mut failure = failure
                    .lock()
                    .unwrap_or_else(|poisoned| poisoned.into_inner());
                failure.get_or_insert(error);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(points.groups.len()) {
            if thread::Builder::new().spawn_scoped(scope, worker).is_err() {
                break;
            }
        }
        worker();
    });
    let failure = failure
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    failure.map_or(Ok(()), Err)
}

/// The work on one block: the array, the points, and the number of integers per element.
struct Block<'b, 'p> {
    array: &'b Array<Store>,
    points: &'b Points<'p>,
    units: usize,
    access: AccessOptions<'b>,
}

impl<'b, 'p> Block<'b, 'p> {
    /// Creates the work for arrays of `len` integers in all.
    fn new(
        array: &'b Array<Store>,
        points: &'b Points<'p>,
        len: usize,
        access: &AccessOptions<'b>,
        threads: usize,
    ) -> Self {
        let units = match points.order.len() * points.rest.len() {
            0 => 1,
            elements => len / elements,
        };
        Block {
            array,
            points,
            units,
            access: divide_threads(access, threads, points.groups.len()),
        }
    }

    fn max_elements<U>(&self) -> usize {
        MAX_BLOCK_BYTES / (size_of::<U>() * self.units)
    }

    /// Returns the number of integers of one point.
    fn record_len(&self) -> usize {
        self.points.rest.len() * self.units
    }

    /// Reads a block. Returns it with its selection and with the order of its axes.
    fn read<U: Element + Default>(
        &self,
        block: &[Range<usize>],
    ) -> Result<(Vec<U>, Selection, Vec<usize>), Error> {
        let (selection, mut axes) = self.points.selection(block)?;
        let mut shape: Vec<usize> = block.iter().map(|range| range.len()).collect();
        shape.extend(self.points.rest.output_shape());
        if self.units > 1 {
            axes.push(shape.len());
            shape.push(self.units);
        }
        let len = shape.iter().product();
        let mut values = Vec::new();
        let reserved = values.try_reserve_exact(len);
        reserved.map_err(|_| Error::Memory {
            what: "the elements around a point",
            bytes: (len * size_of::<U>()) as u64,
        })?;
        values.resize(len, U::default());
        let mut values =
            ArrayD::from_shape_vec(IxDyn(&shape), values).expect("the shape has `len` elements");
        let view = values.view_mut().permuted_axes(IxDyn(&axes));
        self.array
            .read_slice_raw_into(&selection, view, &self.access)?;
        Ok((values.into_raw_vec_and_offset().0, selection, axes))
    }

    fn read_points<U: Element + Default>(
        &self,
        points: &[usize],
        out: &Mutex<&mut [U]>,
    ) -> Result<(), Error> {
        if let Some(parts) = self.points.divided(points, self.max_elements::<U>()) {
            return parts
                .iter()
                .try_for_each(|points| self.read_points(points, out));
        }
        let block = self.points.bounds(points);
        let (values, ..) = self.read::<U>(&block)?;
        let len = self.record_len();
        let mut out = out.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        for &point in points {
            let from = self.points.record(&block, point) * len;
            out[point * len..][..len].copy_from_slice(&values[from..][..len]);
        }
        Ok(())
    }

    fn write_points<U: Element + Default>(
        &self,
        points: &[usize],
        values: &[U],
    ) -> Result<(), Error> {
        let max_elements = self.max_elements::<U>();
        let bounds = self.points.bounds(points);
        // A chunk that is written as a whole is read only once, here.
        let mut block = self.points.whole_chunks(&bounds);
        let elements = block.iter().map(|range| range.len());
        if elements.fold(self.points.rest.len(), usize::saturating_mul) > max_elements {
            if let Some(parts) = self.points.divided(points, max_elements) {
                return parts
                    .iter()
                    .try_for_each(|points| self.write_points(points, values));
            }
            block = bounds;
        }
        let (mut elements, selection, axes) = self.read::<U>(&block)?;
        let len = self.record_len();
        for &point in points {
            let to = self.points.record(&block, point) * len;
            elements[to..][..len].copy_from_slice(&values[point * len..][..len]);
        }
        let mut shape: Vec<usize> = block.iter().map(|range| range.len()).collect();
        shape.extend(self.points.rest.output_shape());
        if self.units > 1 {
            shape.push(self.units);
        }
        let elements =
            ArrayD::from_shape_vec(IxDyn(&shape), elements).expect("the shape fits the elements");
        let view = elements.view().permuted_axes(IxDyn(&axes));
        self.array.write_slice_raw(&selection, &view, &self.access)
    }
}

/// Returns the options of each of several threads, and the number of threads.
fn divide_threads<'a>(
    access: &AccessOptions<'a>,
    threads: usize,
    groups: usize,
) -> AccessOptions<'a> {
    let access = *access;
    access.workers(threads / groups.clamp(1, threads.max(1)))
}

/// Reads the elements at points into `out`, one record after another.
pub fn read_points<U: Element + Default>(
    array: &Array<Store>,
    points: &Points<'_>,
    out: &mut [U],
    access: &AccessOptions<'_>,
    threads: usize,
) -> Result<(), Error> {
    let block = Block::new(array, points, out.len(), access, threads);
    let out = Mutex::new(out);
    for_groups(points, threads, |group| block.read_points(group, &out))
}

/// Writes the elements at points.
pub fn write_points<U: Element + Default>(
    array: &Array<Store>,
    points: &Points<'_>,
    values: &[U],
    access: &AccessOptions<'_>,
    threads: usize,
) -> Result<(), Error> {
    let block = Block::new(array, points, values.len(), access, threads);
    for_groups(points, threads, |group| block.write_points(group, values))
}

//! Copying between two sides that are both strided: an assignment whose value is broadcast, reversed or transposed.
//!
//! The engine copies between a strided buffer and a contiguous one, in either direction. So:
//!
//! 1. A value with a single element fills.
//! 2. If, with the axes in a suitable order and direction, one side turns out contiguous, one call does it all.
//! 3. What is small enough is gathered into a tile that stays in the cache, and scattered from there.
//! 4. What is larger is cut along its outermost axis, and each part is copied by these rules. Where a small value is only
//!    repeated, a tile of it is scattered again and again.
//!
//! Elements that are not plain would be cloned twice by 3; they are cloned one by one instead.
//!
//! A side is a buffer, all of which may be touched, or a view, between whose elements there is memory that must not be
//! touched.

#![expect(unsafe_code)]

use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::marker::PhantomData;
use core::slice;

use smallvec::SmallVec;

use super::job::Job;
use super::kernels;
use super::plain::{is_plain, plain_bytes, plain_bytes_mut};
use super::plan::GatherPlan;
use crate::resolve::selection::Dims;
use crate::resolve::strided::Dim;

/// Bytes of a tile: half of what a first-level cache holds.
const GATHER_TILE_BYTES: usize = 16 << 10;

/// Bytes of a tile that is scattered again and again: enough for whole steps of any kernel.
const REPEATED_TILE_BYTES: usize = 4 << 10;

/// Contiguous runs of at least so many bytes are filled in place.
const MIN_FILL_RUN_BYTES: usize = 256;

/// Elements so many bytes apart are written one by one by any kernel, so that a fill may as well.
const MIN_FILL_STRIDE_BYTES: usize = 64;

/// Elements in memory, borrowed as `L` is.
pub(crate) struct Side<T, L> {
    memory: Memory<T>,
    offset: usize,
    /// INVARIANT: of a view, the element at every position of these axes, from `offset` on, can be read and, of a
    /// [`Target`], written, by nobody else, as long as `L` is borrowed.
    axes: Dims<Dim>,
    borrow: PhantomData<L>,
}

/// Elements to be read.
pub(crate) type Source<'a, T> = Side<T, &'a [T]>;

/// Elements to be written.
pub(crate) type Target<'a, T> = Side<T, &'a mut [T]>;

impl<T, L> Side<T, L> {
    /// All of a buffer may be touched.
    fn buffer(start: *mut T, len: usize, offset: usize, axes: Dims<Dim>) -> Self {
        Self {
            memory: Memory {
                start,
                len,
                whole: true,
            },
            offset,
            axes,
            borrow: PhantomData,
        }
    }

    /// The elements of a view, whose type is plain; nothing else is touched.
    #[cfg(feature = "ndarray")]
    fn view(first: *mut T, axes: Dims<Dim>) -> Self {
        let (offset, len) = super::plan::extent(axes.iter().copied());
        let lowest = first.wrapping_sub(offset);
        let mut side = Self::buffer(lowest, len, offset, axes);
        side.memory.whole = false;
        side
    }
}

impl<'a, T> Source<'a, T> {
    /// Elements of a buffer.
    pub(crate) fn of_buffer(buffer: &'a [T], offset: usize, axes: Dims<Dim>) -> Self {
        Self::buffer(buffer.as_ptr().cast_mut(), buffer.len(), offset, axes)
    }

    /// The elements of a view, whose type is plain.
    ///
    /// # Safety
    ///
    /// * At every position of these axes, counted from `first`, there is an element that can be read for `'a`.
    #[cfg(feature = "ndarray")]
    pub(crate) unsafe fn of_view(first: *const T, axes: Dims<Dim>) -> Self {
        Self::view(first.cast_mut(), axes)
    }
}

impl<'a, T> Target<'a, T> {
    /// Elements of a buffer. Different positions of the axes must be different places.
    pub(crate) fn of_buffer(buffer: &'a mut [T], offset: usize, axes: Dims<Dim>) -> Self {
        Self::buffer(buffer.as_mut_ptr(), buffer.len(), offset, axes)
    }

    /// The elements of a view, whose type is plain.
    ///
    /// # Safety
    ///
    /// * At every position of these axes, counted from `first`, there is an element that can be read and written, by nobody
    ///   else, for `'a`.
    #[cfg(feature = "ndarray")]
    pub(crate) unsafe fn of_view(first: *mut T, axes: Dims<Dim>) -> Self {
        Self::view(first, axes)
    }
}

/// Writes clones of the elements of `from` to their places in `to`, which has axes of the same lengths, none of them 0.
pub(crate) fn copy<T: Clone>(from: Source<'_, T>, to: Target<'_, T>) {
    assert_eq!(from.axes.len(), to.axes.len());
    let axes = from.axes.iter().zip(&to.axes).map(|(from, to)| {
        assert_eq!(from.len, to.len);
        let strides = [from.stride, to.stride];
        Axis {
            len: to.len,
            strides,
        }
    });
    let mut block = Region {
        offsets: [from.offset, to.offset],
        len: to.axes.iter().map(|axis| axis.len).product(),
        axes: axes.filter(|axis| axis.len != 1).collect(),
    };
    block.sort_by(TARGET);
    let mut sides = TiledCopy {
        from: from.memory,
        to: to.memory,
        tile: Vec::new(),
    };
    // SAFETY: the block has the positions of both sides, which are borrowed until the end of this function.
    unsafe { sides.copy(&block) };
}

/// Where elements lie.
///
/// INVARIANT: if `whole`, the `len` elements from `start` on can be read and, of a target, written.
struct Memory<T> {
    start: *mut T,
    len: usize,
    whole: bool,
}

impl<T> Memory<T> {
    /// # Safety
    ///
    /// * There are elements at these places, which can be read.
    unsafe fn read(&self, at: usize, len: usize) -> &[T] {
        assert!(len <= self.len && at <= self.len - len);
        // SAFETY: the caller says that these elements can be read.
        unsafe { slice::from_raw_parts(self.start.wrapping_add(at), len) }
    }

    /// # Safety
    ///
    /// * There are elements at these places, which can be written, by nobody else.
    unsafe fn write(&mut self, at: usize, len: usize) -> &mut [T] {
        assert!(len <= self.len && at <= self.len - len);
        // SAFETY: the caller says that these elements can be written, by nobody else.
        unsafe { slice::from_raw_parts_mut(self.start.wrapping_add(at), len) }
    }
}

/// What is copied between.
struct TiledCopy<T> {
    from: Memory<T>,
    to: Memory<T>,
    /// Elements on their way.
    tile: Vec<T>,
}

/// The side that is read, and the side that is written.
const SOURCE: usize = 0;
const TARGET: usize = 1;

/// # Safety
///
/// All methods: the elements of the block can be read in `from` and written in `to`, by nobody else.
impl<T: Clone> TiledCopy<T> {
    unsafe fn copy(&mut self, block: &Region) {
        if block.axes.iter().all(|axis| axis.strides[SOURCE] == 0) {
            // SAFETY: the first element of the block.
            let value = unsafe { self.from.read(block.offsets[SOURCE], 1) }[0].clone();
            // SAFETY: the elements of the block can be written.
            unsafe { self.fill(block, value) };
        } else if let Some(block) = block.contiguous(TARGET) {
            // SAFETY: the block is contiguous in the target, so these are its elements.
            let out = unsafe { self.to.write(block.offsets[TARGET], block.len) };
            // SAFETY: the elements of the block can be read.
            unsafe { gather(&self.from, &block, out) };
        } else if let Some(block) = block.contiguous(SOURCE) {
            // SAFETY: the block is contiguous in the source, so these are its elements.
            let values = unsafe { self.from.read(block.offsets[SOURCE], block.len) };
            // SAFETY: the elements of the block can be written.
            unsafe { scatter(&mut self.to, &block, values) };
        } else if !is_plain::<T>() {
            assert!(
                self.from.whole && self.to.whole,
                "views are of plain elements"
            );
            // SAFETY: all of the source can be read.
            let from = unsafe { self.from.read(0, self.from.len) };
            // SAFETY: all of the target can be written.
            let to = unsafe { self.to.write(0, self.to.len) };
            clone_each(block.offsets, &block.axes, from, to);
        } else if let Some(repeated) = block.repeated(most::<T>(REPEATED_TILE_BYTES)) {
            // SAFETY: the elements of `repeated` are some of the block.
            let values = unsafe { tile(&mut self.tile, &self.from, &repeated) };
            // SAFETY: the elements of the block can be written.
            unsafe { scatter_repeated(&self.to, block, values) };
        } else if block.len <= most::<T>(GATHER_TILE_BYTES) {
            // SAFETY: the elements of the block can be read.
            let values = unsafe { tile(&mut self.tile, &self.from, block) };
            // SAFETY: the elements of the block can be written.
            unsafe { scatter(&mut self.to, block, values) };
        } else {
            for part in block.parts(most::<T>(GATHER_TILE_BYTES)) {
                // SAFETY: the elements of a part are some of the block.
                unsafe { self.copy(&part) };
            }
        }
    }

    /// Writes clones of one value.
    unsafe fn fill(&mut self, block: &Region, value: T) {
        let mut block = block.clone();
        block.ascend(TARGET);
        let plan = block.plan(TARGET, self.to.len);
        if self.to.whole && (!is_plain::<T>() || is_filled_in_place(&plan, size_of::<T>())) {
            // SAFETY: all of the target can be written.
            let to = unsafe { self.to.write(0, self.to.len) };
            plan.fill(&value, to).expect("as planned");
        } else {
            let values = vec![value; whole_rows(&plan, most::<T>(REPEATED_TILE_BYTES))];
            // SAFETY: the elements of the block can be written.
            unsafe { scatter_repeated(&self.to, &block, &values) };
        }
    }
}

/// Clones the elements of a block, in the order of its axes.
///
/// # Safety
///
/// * They can be read in `from`.
unsafe fn gather<T: Clone>(from: &Memory<T>, block: &Region, out: &mut [T]) {
    let plan = block.plan(SOURCE, from.len);
    if from.whole {
        // SAFETY: all of the memory can be read.
        let elements = unsafe { from.read(0, from.len) };
        return plan.gather_cloned_into(elements, out).expect("as planned");
    }
    assert_eq!(plan.len(), out.len());
    // SAFETY: only copies of elements are written.
    let out = unsafe { plain_bytes_mut(out) }.expect("views are of plain elements");
    if let Some(job) = Job::new::<T>(&plan) {
        // SAFETY: the runs of the job are the elements of the block, which can be read; `out` is borrowed mutably, so it does
        // not overlap them.
        unsafe { kernels::gather_exact(job, from.start.cast(), out) };
    }
}

/// Clones of the elements of a block, in the order of its axes.
///
/// # Safety
///
/// * They can be read in `from`.
unsafe fn tile<'a, T: Clone>(tile: &'a mut Vec<T>, from: &Memory<T>, block: &Region) -> &'a [T] {
    if tile.len() < block.len {
        // SAFETY: the first element of the block.
        let any = unsafe { from.read(block.offsets[SOURCE], 1) };
        tile.resize(block.len, any[0].clone());
    }
    let tile = &mut tile[..block.len];
    // SAFETY: the elements of the block can be read.
    unsafe { gather(from, block, tile) };
    tile
}

/// Writes clones to the elements of a block, in the order of its axes.
///
/// # Safety
///
/// * They can be written in `to`, by nobody else.
unsafe fn scatter<T: Clone>(to: &mut Memory<T>, block: &Region, values: &[T]) {
    if to.whole {
        let plan = block.plan(TARGET, to.len);
        // SAFETY: all of the memory can be written.
        let elements = unsafe { to.write(0, to.len) };
        return plan.scatter_cloned(values, elements).expect("as planned");
    }
    assert_eq!(block.len, values.len());
    // SAFETY: the elements of the block can be written.
    unsafe { scatter_repeated(to, block, values) };
}

/// The same for plain elements, where what is written is the same for each position of the first few axes: `values` are
/// that, for one position or for several. They must be a tile full or else all.
///
/// # Safety
///
/// * They can be written in `to`, by nobody else.
unsafe fn scatter_repeated<T>(to: &Memory<T>, block: &Region, values: &[T]) {
    let values = plain_bytes(values).expect("values that are repeated are plain");
    if let Some(job) = Job::new::<T>(&block.plan(TARGET, to.len)) {
        // SAFETY: the runs of the job are the elements of the block, which can be written; values are borrowed, so they do
        // not overlap them.
        unsafe { kernels::scatter_exact(job, values, to.start.cast()) };
    }
}

/// An axis of both sides: its length, and the distance between neighbours on each side.
#[derive(Clone, Copy, Debug)]
struct Axis {
    len: usize,
    strides: [isize; 2],
}

/// Elements that lie on both sides.
#[derive(Clone, Debug)]
struct Region {
    /// The first element on each side.
    offsets: [usize; 2],
    /// INVARIANT: no axis has length 1; the axes that reach furthest on the side that is written come first.
    axes: SmallVec<[Axis; 6]>,
    len: usize,
}

impl Region {
    /// The one side, of this length, as a plan for the engine.
    fn plan(&self, side: usize, len: usize) -> GatherPlan {
        let axes = self.axes.iter().map(|axis| Dim {
            len: axis.len,
            stride: axis.strides[side],
        });
        GatherPlan::new(self.offsets[side], axes, len).expect("a block lies within its sides")
    }

    /// The block cut along its first axis into parts of at most `most` elements, or else of a single position.
    fn parts(&self, most: usize) -> impl Iterator<Item = Self> {
        let first = self.axes[0];
        let step = (most / (self.len / first.len)).max(1);
        (0..first.len).step_by(step).map(move |start| Region {
            offsets: [SOURCE, TARGET]
                .map(|side| moved(self.offsets[side], first.strides[side] * start as isize)),
            ..self.inside(1, step.min(first.len - start))
        })
    }

    /// If the first few axes repeat a block of at most `most` elements: as many positions of these as have so many.
    fn repeated(&self, most: usize) -> Option<Self> {
        let repeats = |axis: &&Axis| axis.strides[SOURCE] == 0;
        let first = self.axes.iter().take_while(repeats).count();
        let times: usize = self.axes[..first].iter().map(|axis| axis.len).product();
        let once = self.len / times;
        (times > 1 && once <= most).then(|| self.inside(first, times.min(most / once)))
    }

    /// What is inside the first `depth` axes, `times` times at the distance of the outermost.
    fn inside(&self, depth: usize, times: usize) -> Self {
        let repeat = Axis {
            len: times,
            ..self.axes[0]
        };
        let axes = (times != 1).then_some(repeat).into_iter();
        let axes: SmallVec<_> = axes.chain(self.axes[depth..].iter().copied()).collect();
        Region {
            offsets: self.offsets,
            len: axes.iter().map(|axis: &Axis| axis.len).product(),
            axes,
        }
    }

    /// The same block with its axes in such order and direction that they are contiguous on one side; `None` if they
    /// are not in any.
    fn contiguous(&self, side: usize) -> Option<Cow<'_, Self>> {
        let ascends = |axis: &Axis| axis.strides[side] > 0;
        if self.follows(side) {
            if self.axes.iter().all(ascends) {
                return Some(Cow::Borrowed(self));
            }
        } else if side == TARGET || self.axes.len() < 2 {
            // Already in the best order.
            return None;
        }
        let mut block = self.clone();
        block.sort_by(side);
        block.ascend(side);
        block.follows(side).then_some(Cow::Owned(block))
    }

    /// Whether each axis is as far apart as all that is inside it.
    fn follows(&self, side: usize) -> bool {
        let mut len = 1;
        self.axes.iter().rev().all(|axis| {
            let follows = axis.strides[side].unsigned_abs() == len;
            len *= axis.len;
            follows
        })
    }

    /// Turns axes that run downwards on one side.
    fn ascend(&mut self, side: usize) {
        for axis in &mut self.axes {
            if axis.strides[side] < 0 {
                for (offset, stride) in self.offsets.iter_mut().zip(&mut axis.strides) {
                    *offset = moved(*offset, *stride * (axis.len as isize - 1));
                    *stride = -*stride;
                }
            }
        }
    }

    /// Puts the axes that reach furthest on one side first.
    fn sort_by(&mut self, side: usize) {
        self.axes
            .sort_by_key(|axis| Reverse(axis.strides[side].unsigned_abs()));
    }
}

/// The most elements that a tile of so many bytes may have.
fn most<T>(bytes: usize) -> usize {
    (bytes / size_of::<T>().max(1)).max(1)
}

/// Whether writing the element to each place takes no longer than scattering copies of it.
fn is_filled_in_place(plan: &GatherPlan, size: usize) -> bool {
    plan.dims.last().is_none_or(|row| match row.stride {
        1 => row.len * size >= MIN_FILL_RUN_BYTES,
        stride => stride.unsigned_abs() * size >= MIN_FILL_STRIDE_BYTES,
    })
}

/// At most `most` elements that are, if possible, whole rows, or whole blocks of these, and so on.
fn whole_rows(plan: &GatherPlan, most: usize) -> usize {
    let rows = plan.dims.iter().rev().scan(1, |len, dim| {
        *len *= dim.len;
        (*len <= most).then_some(*len)
    });
    let whole = rows.last().unwrap_or(1);
    plan.len().min(most / whole * whole)
}

/// An offset that is in its buffer before and after.
fn moved(offset: usize, by: isize) -> usize {
    offset.wrapping_add_signed(by)
}

fn clone_each<T: Clone>(offsets: [usize; 2], axes: &[Axis], from: &[T], to: &mut [T]) {
    let Some((axis, inner)) = axes.split_first() else {
        to[offsets[TARGET]].clone_from(&from[offsets[SOURCE]]);
        return;
    };
    for i in 0..axis.len as isize {
        let offsets = [SOURCE, TARGET].map(|side| moved(offsets[side], axis.strides[side] * i));
        clone_each(offsets, inner, from, to);
    }
}

//! Copies between two strided arrays, for example to assign broadcast, reversed or transposed values.
//!
//! The source and the target of a copy are its *sides*. A side is either a buffer, all of which may be accessed, or a
//! view, whose gaps must not be accessed.
//!
//! The kernels copy only between a strided and a contiguous buffer, in either direction. A copy between two strided
//! sides follows the first rule that applies:
//!
//! 1. A value with a single element is written to all elements of the target.
//! 2. If some order and direction of the axes makes one side contiguous, a single gather or scatter copies everything.
//! 3. A small value that is repeated along the outermost axes is gathered once, into a small buffer called a tile. The
//!    tile is scattered repeatedly.
//! 4. If there are only a few elements, they are gathered into a tile that stays in the cache, and scattered from
//!    there.
//! 5. Otherwise, the elements are divided into parts along the outermost axis, and each part is copied by these rules.
//!
//! With a tile, elements would be cloned twice, so elements that are not plain are cloned one by one instead.

#![expect(unsafe_code)]

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;
use core::slice;

use super::elements::Elements;
use super::job::Job;
use super::kernels;
use super::plain::{is_plain, plain_bytes, plain_bytes_mut};
use super::plan::CopyPlan;
use super::region::{Region, SOURCE, TARGET, TwoSidedAxis, shifted};
use crate::resolve::selection::PerAxis;
use crate::resolve::strided::StridedAxis;

/// The maximum size, in bytes, of a gathered tile: half of a typical first-level cache.
const MAX_GATHER_TILE_BYTES: usize = 16 << 10;

/// The maximum size, in bytes, of a tile that is scattered repeatedly. It is large enough for several steps of any
/// kernel.
const MAX_REPEATED_TILE_BYTES: usize = 4 << 10;

/// The minimum length, in bytes, of a contiguous run that is filled in place, without a tile.
const MIN_FILL_RUN_BYTES: usize = 256;

/// The minimum distance, in bytes, between elements that are filled in place, one by one. At such distances, every
/// kernel would also write the elements one by one.
const MIN_FILL_STRIDE_BYTES: usize = 64;

/// One side of a copy: elements in memory, which are borrowed as `L`.
pub(crate) struct Side<T, L> {
    memory: Memory<T>,
    offset: usize,
    /// INVARIANT: in a view, the element at every position of these axes, counted from `offset`, can be read for the
    /// duration of the borrow `L`. In a [`Target`], each of these elements can also be written, and nothing else
    /// accesses it.
    axes: PerAxis<StridedAxis>,
    borrow: PhantomData<L>,
}

/// A side to read from.
pub(crate) type Source<'a, T> = Side<T, &'a [T]>;

/// A side to write to.
pub(crate) type Target<'a, T> = Side<T, &'a mut [T]>;

impl<T, L> Side<T, L> {
    /// Returns a side in a buffer that may be accessed as a whole.
    fn buffer(start: *mut T, len: usize, offset: usize, axes: PerAxis<StridedAxis>) -> Self {
        Self {
            memory: Memory {
                start,
                len,
                gaps_accessible: true,
            },
            offset,
            axes,
            borrow: PhantomData,
        }
    }

    /// Returns a side in a view of plain elements. The gaps of the view are never accessed.
    #[cfg(feature = "ndarray")]
    fn view(first: *mut T, axes: PerAxis<StridedAxis>) -> Self {
        let (offset, len) = super::plan::extent(axes.iter().copied());
        let lowest = first.wrapping_sub(offset);
        let mut side = Self::buffer(lowest, len, offset, axes);
        side.memory.gaps_accessible = false;
        side
    }
}

impl<'a, T> Source<'a, T> {
    /// Returns the elements of `buffer` along `axes`, starting at `offset`.
    pub(crate) fn of_buffer(buffer: &'a [T], offset: usize, axes: PerAxis<StridedAxis>) -> Self {
        Self::buffer(buffer.as_ptr().cast_mut(), buffer.len(), offset, axes)
    }

    /// Returns the elements of a view along `axes`, starting at `first`. `T` must be plain.
    ///
    /// # Safety
    ///
    /// * The element at every position of `axes`, counted from `first`, must be readable for `'a`.
    #[cfg(feature = "ndarray")]
    pub(crate) unsafe fn of_view(first: *const T, axes: PerAxis<StridedAxis>) -> Self {
        Self::view(first.cast_mut(), axes)
    }
}

impl<'a, T> Target<'a, T> {
    /// Returns the elements of `buffer` along `axes`, starting at `offset`. Different positions must refer to different
    /// elements.
    pub(crate) fn of_buffer(
        buffer: &'a mut [T],
        offset: usize,
        axes: PerAxis<StridedAxis>,
    ) -> Self {
        Self::buffer(buffer.as_mut_ptr(), buffer.len(), offset, axes)
    }

    /// Returns the elements of a view along `axes`, starting at `first`. `T` must be plain.
    ///
    /// # Safety
    ///
    /// * The element at every position of `axes`, counted from `first`, must be readable and writable for `'a`, and
    ///   nothing else may access it.
    #[cfg(feature = "ndarray")]
    pub(crate) unsafe fn of_view(first: *mut T, axes: PerAxis<StridedAxis>) -> Self {
        Self::view(first, axes)
    }
}

/// Clones each element of `from` to the same position in `to`. The axes of both sides must have the same lengths, and
/// no length may be 0.
pub(crate) fn copy<T: Clone>(from: Source<'_, T>, to: Target<'_, T>) {
    assert_eq!(from.axes.len(), to.axes.len());
    let axes = from.axes.iter().zip(&to.axes).map(|(from, to)| {
        assert_eq!(from.len, to.len);
        let strides = [from.stride, to.stride];
        TwoSidedAxis {
            len: to.len,
            strides,
        }
    });
    let mut region = Region {
        offsets: [from.offset, to.offset],
        len: to.axes.iter().map(|axis| axis.len).product(),
        axes: axes.filter(|axis| axis.len != 1).collect(),
    };
    region.sort_axes_by_stride(TARGET);
    let mut sides = TiledCopy {
        from: from.memory,
        to: to.memory,
        tile: Vec::new(),
    };
    // SAFETY: the region consists of the positions of both sides. The sides are borrowed until this function returns,
    // so by the invariants of `Side` and `Memory`, the elements at these positions can be accessed.
    unsafe { sides.copy(&region) };
}

/// The memory of one side of a copy.
///
/// INVARIANT: if `gaps_accessible` is true, all `len` elements that begin at `start` can be read and, in a target,
/// written.
struct Memory<T> {
    start: *mut T,
    len: usize,
    gaps_accessible: bool,
}

impl<T> Memory<T> {
    /// Returns the `len` elements starting at `offset`.
    ///
    /// # Safety
    ///
    /// * These elements must be readable.
    unsafe fn read(&self, offset: usize, len: usize) -> &[T] {
        assert!(len <= self.len && offset <= self.len - len);
        // SAFETY: the caller guarantees that these elements can be read.
        unsafe { slice::from_raw_parts(self.start.wrapping_add(offset), len) }
    }

    /// Returns the `len` elements starting at `offset`, for writing.
    ///
    /// # Safety
    ///
    /// * These elements must be writable, and nothing else may access them.
    unsafe fn write(&mut self, offset: usize, len: usize) -> &mut [T] {
        assert!(len <= self.len && offset <= self.len - len);
        // SAFETY: the caller guarantees that these elements can be written, and that nothing else accesses them.
        unsafe { slice::from_raw_parts_mut(self.start.wrapping_add(offset), len) }
    }
}

/// The two sides of a copy, and a tile between them.
struct TiledCopy<T> {
    from: Memory<T>,
    to: Memory<T>,
    /// A reused buffer for elements that have been gathered but not yet scattered.
    tile: Vec<T>,
}

/// # Safety
///
/// For all methods: the elements of the region must be readable in `from` and writable in `to`, and nothing else may
/// access those in `to`.
impl<T: Clone> TiledCopy<T> {
    unsafe fn copy(&mut self, region: &Region) {
        if region.axes.iter().all(|axis| axis.strides[SOURCE] == 0) {
            // SAFETY: the first element of the region can be read.
            let value = unsafe { self.from.read(region.offsets[SOURCE], 1) }[0].clone();
            // SAFETY: the elements of the region can be written.
            unsafe { self.fill(region, value) };
        } else if let Some(region) = region.contiguous(TARGET) {
            // SAFETY: the region is contiguous in the target, so only its elements are accessed, and these can be
            // written.
            let out = unsafe { self.to.write(region.offsets[TARGET], region.len) };
            // SAFETY: the elements of the region can be read.
            unsafe { gather(&self.from, &region, out) };
        } else if let Some(region) = region.contiguous(SOURCE) {
            // SAFETY: the region is contiguous in the source, so only its elements are accessed, and these can be read.
            let values = unsafe { self.from.read(region.offsets[SOURCE], region.len) };
            // SAFETY: the elements of the region can be written.
            unsafe { scatter(&mut self.to, &region, values) };
        } else if !is_plain::<T>() {
            assert!(
                self.from.gaps_accessible && self.to.gaps_accessible,
                "elements of views must be plain"
            );
            // SAFETY: the gaps of the source are accessible, so all of it can be read.
            let from = unsafe { self.from.read(0, self.from.len) };
            // SAFETY: the gaps of the target are accessible, so all of it can be written.
            let to = unsafe { self.to.write(0, self.to.len) };
            clone_each(region.offsets, &region.axes, from, to);
        } else if let Some(repeated) =
            region.repeated(elements_within::<T>(MAX_REPEATED_TILE_BYTES))
        {
            // SAFETY: the elements of `repeated` belong to the region, so they can be read.
            let values = unsafe { gather_tile(&mut self.tile, &self.from, &repeated) };
            // SAFETY: the elements of the region can be written.
            unsafe { scatter_repeated(&self.to, region, values) };
        } else if region.len <= elements_within::<T>(MAX_GATHER_TILE_BYTES) {
            // SAFETY: the elements of the region can be read.
            let values = unsafe { gather_tile(&mut self.tile, &self.from, region) };
            // SAFETY: the elements of the region can be written.
            unsafe { scatter(&mut self.to, region, values) };
        } else {
            for part in region.parts(elements_within::<T>(MAX_GATHER_TILE_BYTES)) {
                // SAFETY: the elements of a part belong to the region, so the caller's guarantee includes them.
                unsafe { self.copy(&part) };
            }
        }
    }

    /// Writes clones of `value` to all elements of the region.
    unsafe fn fill(&mut self, region: &Region, value: T) {
        let mut region = region.clone();
        region.make_ascending(TARGET);
        let plan = region.plan(TARGET, self.to.len);
        if self.to.gaps_accessible
            && (!is_plain::<T>() || is_filled_in_place(&plan, size_of::<T>()))
        {
            // SAFETY: the gaps of the target are accessible, so all of it can be written.
            let to = unsafe { self.to.write(0, self.to.len) };
            plan.fill(&value, to);
        } else {
            let values =
                vec![value; fill_tile_len(&plan, elements_within::<T>(MAX_REPEATED_TILE_BYTES))];
            // SAFETY: the elements of the region can be written.
            unsafe { scatter_repeated(&self.to, &region, &values) };
        }
    }
}

/// Clones the elements of a region to `out`, in the order of the region's axes.
///
/// # Safety
///
/// * The elements of the region must be readable in `from`.
unsafe fn gather<T: Clone>(from: &Memory<T>, region: &Region, out: &mut [T]) {
    let plan = region.plan(SOURCE, from.len);
    if from.gaps_accessible {
        // SAFETY: the gaps of the memory are accessible, so all of it can be read.
        let elements = unsafe { from.read(0, from.len) };
        return plan.gather_clones_into(elements, out);
    }
    assert_eq!(plan.len(), out.len());
    // SAFETY: only copies of elements of the region are written.
    let out = unsafe { plain_bytes_mut(out) }.expect("the elements of views should be plain");
    if let Some(job) = Job::new::<T>(&plan) {
        // SAFETY: the runs of the job consist of elements of the region, which can be read. `out` is borrowed mutably,
        // so it does not overlap them.
        unsafe { kernels::gather_exact(job, from.start.cast(), out) };
    }
}

/// Gathers the elements of a region into a tile, in the order of the region's axes.
///
/// # Safety
///
/// * The elements of the region must be readable in `from`.
unsafe fn gather_tile<'a, T: Clone>(
    tile: &'a mut Vec<T>,
    from: &Memory<T>,
    region: &Region,
) -> &'a [T] {
    if tile.len() < region.len {
        // SAFETY: the first element of the region can be read.
        let first = unsafe { from.read(region.offsets[SOURCE], 1) };
        tile.resize(region.len, first[0].clone());
    }
    let tile = &mut tile[..region.len];
    // SAFETY: the elements of the region can be read.
    unsafe { gather(from, region, tile) };
    tile
}

/// Writes clones of `values` to the elements of a region, in the order of the region's axes.
///
/// # Safety
///
/// * The elements of the region must be writable in `to`, and nothing else may access them.
unsafe fn scatter<T: Clone>(to: &mut Memory<T>, region: &Region, values: &[T]) {
    if to.gaps_accessible {
        let plan = region.plan(TARGET, to.len);
        // SAFETY: the gaps of the memory are accessible, so all of it can be written.
        let elements = unsafe { to.write(0, to.len) };
        return plan.scatter_clones(values, elements);
    }
    assert_eq!(region.len, values.len());
    // SAFETY: the elements of the region can be written.
    unsafe { scatter_repeated(to, region, values) };
}

/// Writes plain `values` to a region, repeating them along its outermost axes. `values` contains the elements for one
/// or more positions on these axes, or for the whole region.
///
/// # Safety
///
/// * The elements of the region must be writable in `to`, and nothing else may access them.
unsafe fn scatter_repeated<T>(to: &Memory<T>, region: &Region, values: &[T]) {
    let values = plain_bytes(values).expect("the repeated values should be plain");
    if let Some(job) = Job::new::<T>(&region.plan(TARGET, to.len)) {
        // SAFETY: the runs of the job consist of elements of the region, which can be written. The values are borrowed,
        // so they do not overlap these elements.
        unsafe { kernels::scatter_exact(job, values, to.start.cast()) };
    }
}

/// Returns the number of elements that fit into `bytes` bytes, but at least 1.
fn elements_within<T>(bytes: usize) -> usize {
    (bytes / size_of::<T>().max(1)).max(1)
}

/// Returns `true` if filling elements of `size` bytes in place takes no longer than scattering a tile to them.
fn is_filled_in_place(plan: &CopyPlan, size: usize) -> bool {
    plan.axes.last().is_none_or(|row| match row.stride {
        1 => row.len * size >= MIN_FILL_RUN_BYTES,
        stride => stride.unsigned_abs() * size >= MIN_FILL_STRIDE_BYTES,
    })
}

/// Returns the number of elements of a tile for a fill. The number is at most `max_elements`, and is a multiple of the
/// number of elements in the largest row, plane or higher-rank block of the plan that fits into `max_elements`
/// elements.
fn fill_tile_len(plan: &CopyPlan, max_elements: usize) -> usize {
    let rows = plan.axes.iter().rev().scan(1, |len, axis| {
        *len *= axis.len;
        (*len <= max_elements).then_some(*len)
    });
    let whole = rows.last().unwrap_or(1);
    plan.len().min(max_elements / whole * whole)
}

fn clone_each<T: Clone>(offsets: [usize; 2], axes: &[TwoSidedAxis], from: &[T], to: &mut [T]) {
    let Some((axis, inner)) = axes.split_first() else {
        to[offsets[TARGET]].clone_from(&from[offsets[SOURCE]]);
        return;
    };
    for i in 0..axis.len as isize {
        let offsets = [SOURCE, TARGET].map(|side| shifted(offsets[side], axis.strides[side] * i));
        clone_each(offsets, inner, from, to);
    }
}

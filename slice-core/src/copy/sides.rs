//! What a copy reads and writes: a buffer that is one's own, or the elements of a view, between which there is memory
//! that may be somebody else's.

#![expect(unsafe_code)]

use super::job::Job;
use super::plain::{plain_bytes, plain_bytes_mut};
use super::{GatherPlan, kernels};
use core::marker::PhantomData;
use core::slice;

/// Elements to be read.
pub(crate) struct Source<'a, T> {
    start: *const T,
    len: usize,
    /// Whether all of the `len` elements may be read.
    whole: bool,
    life: PhantomData<&'a [T]>,
}

/// Elements to be written.
pub(crate) struct Target<'a, T> {
    start: *mut T,
    len: usize,
    /// Whether all of the `len` elements may be written.
    whole: bool,
    life: PhantomData<&'a mut [T]>,
}

impl<'a, T> From<&'a [T]> for Source<'a, T> {
    fn from(elements: &'a [T]) -> Self {
        Source {
            start: elements.as_ptr(),
            len: elements.len(),
            whole: true,
            life: PhantomData,
        }
    }
}

impl<'a, T> From<&'a mut [T]> for Target<'a, T> {
    fn from(elements: &'a mut [T]) -> Self {
        Target {
            start: elements.as_mut_ptr(),
            len: elements.len(),
            whole: true,
            life: PhantomData,
        }
    }
}

impl<T: Clone> Source<'_, T> {
    /// Those of the `len` places from `start` on that hold elements to read; the type must be plain.
    #[cfg(feature = "ndarray")]
    pub(crate) fn parts(start: *const T, len: usize) -> Self {
        Source {
            start,
            len,
            whole: false,
            life: PhantomData,
        }
    }

    /// The places from the first element to the last.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// All elements, if everything may be read.
    pub(super) fn whole(&self) -> Option<&[T]> {
        // SAFETY: made of a slice of this length.
        self.whole
            .then(|| unsafe { slice::from_raw_parts(self.start, self.len) })
    }

    /// Neighbouring elements.
    ///
    /// # Safety
    ///
    /// These places of a source that is made of parts hold elements that may be read.
    pub(super) unsafe fn dense(&self, at: usize, len: usize) -> &[T] {
        assert!(len <= self.len && at <= self.len - len);
        let first = self.start.wrapping_add(at);
        // SAFETY: within the slice that the source was made of; of parts, the caller says that elements are there to read.
        unsafe { slice::from_raw_parts(first, len) }
    }

    /// Clones what the plan selects.
    ///
    /// # Safety
    ///
    /// The plan is for `len` places, and those that it selects of a source that is made of parts hold elements that may
    /// be read.
    pub(super) unsafe fn gather(&self, plan: &GatherPlan, out: &mut [T]) {
        if let Some(elements) = self.whole() {
            return plan.gather_cloned_into(elements, out).expect("as planned");
        }
        assert_eq!(plan.len(), out.len());
        // SAFETY: only copies of the plan's elements are written.
        let out = unsafe { plain_bytes_mut(out) }.expect("parts are plain");
        if let Some(job) = Job::new::<T>(plan) {
            // SAFETY: the runs of the job are what the plan selects, which the caller says may be read; `out` is borrowed
            // mutably, so it does not overlap them.
            unsafe { kernels::gather_exact(job, self.start.cast(), out) };
        }
    }
}

impl<T: Clone> Target<'_, T> {
    /// Those of the `len` places from `start` on that hold elements to write; the type must be plain.
    #[cfg(feature = "ndarray")]
    pub(crate) fn parts(start: *mut T, len: usize) -> Self {
        Target {
            start,
            len,
            whole: false,
            life: PhantomData,
        }
    }

    /// The places from the first element to the last.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// All elements, if everything may be written.
    pub(super) fn whole_mut(&mut self) -> Option<&mut [T]> {
        // SAFETY: made of a slice of this length, which is borrowed mutably.
        self.whole
            .then(|| unsafe { slice::from_raw_parts_mut(self.start, self.len) })
    }

    /// Neighbouring elements.
    ///
    /// # Safety
    ///
    /// These places of a target that is made of parts hold elements that may be written.
    pub(super) unsafe fn dense(&mut self, at: usize, len: usize) -> &mut [T] {
        assert!(len <= self.len && at <= self.len - len);
        let first = self.start.wrapping_add(at);
        // SAFETY: within the slice that the target was made of, which is borrowed mutably; of parts, the caller says that
        // elements are there to write.
        unsafe { slice::from_raw_parts_mut(first, len) }
    }

    /// Writes clones to the places that the plan selects.
    ///
    /// # Safety
    ///
    /// The plan is for `len` places, and those that it selects of a target that is made of parts hold elements that may
    /// be written.
    pub(super) unsafe fn scatter(&mut self, plan: &GatherPlan, values: &[T]) {
        if let Some(elements) = self.whole_mut() {
            return plan.scatter_cloned(values, elements).expect("as planned");
        }
        assert_eq!(plan.len(), values.len());
        // SAFETY: the caller says that what the plan selects may be written.
        unsafe { self.scatter_repeated(plan, values) };
    }

    /// The same, where what is written is the same for each position of the first few axes: `values` are that, for one
    /// position or for several. They must be plain, and a tile full or else all.
    ///
    /// # Safety
    ///
    /// As [`scatter`](Self::scatter).
    pub(super) unsafe fn scatter_repeated(&mut self, plan: &GatherPlan, values: &[T]) {
        assert_eq!(plan.input_len(), self.len);
        let values = plain_bytes(values).expect("values that are repeated are plain");
        if let Some(job) = Job::new::<T>(plan) {
            // SAFETY: the runs of the job are what the plan selects, which the caller says may be written; values are
            // borrowed, so they do not overlap what is.
            unsafe { kernels::scatter_exact(job, values, self.start.cast()) };
        }
    }
}

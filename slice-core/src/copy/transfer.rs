//! Methods that copy the selected elements of a flat buffer, or write values to these elements.

use alloc::vec::Vec;
use core::ops::AddAssign;
use core::slice;

use crate::copy::broadcast::broadcast;
use crate::copy::elements::Elements;
use crate::copy::new_memory::defaults;
use crate::copy::plain::as_uninit;
use crate::copy::plan::CopyPlan;
use crate::copy::{Source, Target, check_len, copy, gathered};
use crate::error::SliceError;
use crate::resolve::layout::{StridedLayout, c_strides};
use crate::resolve::selection::{PerAxis, Selection};
use crate::resolve::shape::element_count;
use crate::resolve::strided::{StridedAxis, strided_axes};

impl Selection {
    /// Returns the selected elements of a flat C-order buffer, in C order.
    ///
    /// Python equivalent: `x[spec].ravel()`, or `x.oindex[spec].ravel()` with lists.
    ///
    /// # Errors
    ///
    /// * [`SliceError::BufferLength`] unless `data` has [`input_len`](Self::input_len) elements.
    /// * [`SliceError::Allocation`] if there is not enough memory for the result.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![::-1, 1].resolve(&[3, 2])?;
    /// assert_eq!(selection.gather(&[0, 1, 2, 3, 4, 5])?, [5, 3, 1]);
    /// assert_eq!(s![[2, 0], 1].resolve(&[3, 2])?.gather(&[0, 1, 2, 3, 4, 5])?, [5, 1]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn gather<T: Copy>(&self, data: &[T]) -> Result<Vec<T>, SliceError> {
        check_len(self.input_len(), data.len())?;
        // SAFETY: `gather_uninit` initializes all of `out`.
        #[expect(unsafe_code)]
        unsafe {
            gathered(self.len(), |out| self.gather_uninit(data, out))
        }
    }

    /// Version of [`gather`](Self::gather) that writes to an existing buffer.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::BufferLength`] unless `data` has [`input_len`](Self::input_len) elements and `out` has
    /// [`len`](Self::len) elements.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut out = [0; 2];
    /// s![::-2].resolve(&[3])?.gather_into(&[1, 2, 3], &mut out)?;
    /// assert_eq!(out, [3, 1]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn gather_into<T: Copy>(&self, data: &[T], out: &mut [T]) -> Result<(), SliceError> {
        check_len(self.input_len(), data.len())?;
        check_len(self.len(), out.len())?;
        // SAFETY: only copies of elements of `data` are written.
        #[expect(unsafe_code)]
        self.gather_uninit(data, unsafe { as_uninit(out) });
        Ok(())
    }

    /// Version of [`gather`](Self::gather) for elements that are only `Clone`, such as `String`.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`gather`](Self::gather).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let words = ["ab", "cd", "ef"].map(String::from);
    /// assert_eq!(s![::-2].resolve(&[3])?.gather_cloned(&words)?, ["ef", "ab"]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn gather_cloned<T: Clone>(&self, data: &[T]) -> Result<Vec<T>, SliceError> {
        check_len(self.input_len(), data.len())?;
        match self.is_strided() {
            true => self.strided_plan().gather_clones(data),
            false => self.loops().gather_clones(data),
        }
    }

    /// Writes `values`, in C order, to the selected elements of a flat C-order buffer. If an element is selected several
    /// times, the last value is kept.
    ///
    /// Python equivalent: `x[spec] = values.reshape(x[spec].shape)`, or, with lists, the same with `x.oindex[spec]`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::BufferLength`] unless `values` has [`len`](Self::len) elements and `into` has
    /// [`input_len`](Self::input_len) elements. In that case, nothing is written.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut data = [0; 6];
    /// s![:, 1].resolve(&[3, 2])?.scatter(&[7, 8, 9], &mut data)?;
    /// assert_eq!(data, [0, 7, 0, 8, 0, 9]);
    /// s![[0, 2, 0], 0].resolve(&[3, 2])?.scatter(&[4, 5, 6], &mut data)?;
    /// assert_eq!(data, [6, 7, 0, 8, 5, 9]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn scatter<T: Copy>(&self, values: &[T], into: &mut [T]) -> Result<(), SliceError> {
        check_len(self.len(), values.len())?;
        check_len(self.input_len(), into.len())?;
        match self.is_strided() {
            true => self.strided_plan().scatter_copies(values, into),
            false => self.loops().scatter_copies(values, into),
        }
        Ok(())
    }

    /// Version of [`scatter`](Self::scatter) for elements that are only `Clone`, such as `String`.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`scatter`](Self::scatter).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut names = ["a", "b", "c"].map(String::from);
    /// s![::-2].resolve(&[3])?.scatter_cloned(&["z".to_owned(), "x".to_owned()], &mut names)?;
    /// assert_eq!(names, ["x", "b", "z"]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn scatter_cloned<T: Clone>(&self, values: &[T], into: &mut [T]) -> Result<(), SliceError> {
        check_len(self.len(), values.len())?;
        check_len(self.input_len(), into.len())?;
        match self.is_strided() {
            true => self.strided_plan().scatter_clones(values, into),
            false => self.loops().scatter_clones(values, into),
        }
        Ok(())
    }

    /// Scatters `values` into a new buffer, in which all other elements have the default value. If the slice selects no
    /// element twice, this operation turns the gradient of the slice into the gradient of the sliced array. Otherwise, only
    /// the last value for an element is kept: add the values with [`scatter_add`](Self::scatter_add) instead.
    ///
    /// Python equivalent: `x = np.zeros(shape); x[spec] = values.reshape(x[spec].shape)`. If the operating system maps
    /// zeroed pages on demand, a buffer of numbers uses memory only for the pages that are written to.
    ///
    /// # Errors
    ///
    /// * [`SliceError::BufferLength`] unless `values` has [`len`](Self::len) elements.
    /// * [`SliceError::Allocation`] if there is not enough memory for the result.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert_eq!(s![:, 1].resolve(&[2, 3])?.scatter_new(&[0.5, 0.25])?, [0.0, 0.5, 0.0, 0.0, 0.25, 0.0]);
    ///
    /// let repeated = s![[0, 0]].resolve(&[1])?;
    /// assert_eq!(repeated.scatter_new(&[0.5, 0.25])?, [0.25]);
    /// let mut gradient = [0.0];
    /// repeated.scatter_add(&[0.5, 0.25], &mut gradient)?;
    /// assert_eq!(gradient, [0.75]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn scatter_new<T: Clone + Default>(&self, values: &[T]) -> Result<Vec<T>, SliceError> {
        check_len(self.len(), values.len())?;
        let mut into = defaults(self.input_len())?;
        self.scatter_cloned(values, &mut into)?;
        Ok(into)
    }

    /// Writes one value to all selected elements of a flat C-order buffer.
    ///
    /// Python equivalent: `x[spec] = value`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::BufferLength`] unless `into` has [`input_len`](Self::input_len) elements. In that case,
    /// nothing is written.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut data = [1, 2, 3, 4, 5, 6];
    /// s![1:].resolve(&[3, 2])?.fill(0, &mut data)?;
    /// assert_eq!(data, [1, 2, 0, 0, 0, 0]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn fill<T: Clone>(&self, value: T, into: &mut [T]) -> Result<(), SliceError> {
        check_len(self.input_len(), into.len())?;
        if !self.is_strided() {
            self.loops().fill(&value, into);
        } else if !self.is_empty() {
            let one = slice::from_ref(&value);
            let to = StridedLayout::flat(self);
            let repeated = strided_axes(to.shape(), to.strides())
                .map(|axis| StridedAxis { stride: 0, ..axis });
            let from = Source::of_buffer(one, 0, repeated.collect());
            copy(from, target(&to, into));
        }
        Ok(())
    }

    /// Writes `value` to the selected elements of a flat C-order buffer, following NumPy's broadcasting rules. `value`
    /// contains the elements of an array of shape `value_shape`, in C order.
    ///
    /// Python equivalent: `x[spec] = value.reshape(value_shape)`.
    ///
    /// Axes are compared from the last to the first. Each axis of the value must either be as long as the corresponding
    /// axis of the slice or have length 1, in which case it is repeated. A value with fewer axes than the slice is
    /// repeated along the missing leading axes. If the value has more axes than the slice, the superfluous leading axes
    /// must have length 1.
    ///
    /// # Errors
    ///
    /// If an error is returned, nothing is written. The possible errors are:
    ///
    /// * [`SliceError::Broadcast`], or [`SliceError::BroadcastToLists`] unless the selection
    ///   [is strided](Self::is_strided), with NumPy's message, if `value_shape` cannot be broadcast to the shape of the
    ///   slice.
    /// * [`SliceError::Allocation`] if the selection is not strided and there is not enough memory for a copy of the value
    ///   with the shape of the selection. The value is copied only if its shape differs from that shape.
    /// * [`SliceError::TooLarge`] if an array of shape `value_shape` would have more than `isize::MAX` elements.
    /// * [`SliceError::BufferLength`] unless `value` has the number of elements given by `value_shape` and `into` has
    ///   [`input_len`](Self::input_len) elements.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut data = [0; 6];
    /// let columns = s![:, 1:].resolve(&[2, 3])?;
    /// columns.assign(&[2, 1], &[7, 8], &mut data)?;
    /// assert_eq!(data, [0, 7, 7, 0, 8, 8]);
    ///
    /// let error = columns.assign(&[3], &[1, 2, 3], &mut data).unwrap_err();
    /// assert!(error.to_string().starts_with("could not broadcast input array from shape (3,) into shape (2,2)"));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn assign<T: Clone>(
        &self,
        value_shape: &[usize],
        value: &[T],
        into: &mut [T],
    ) -> Result<(), SliceError> {
        let strides = self.broadcast(value_shape)?;
        check_len(element_count(value_shape)?, value.len())?;
        check_len(self.input_len(), into.len())?;
        if self.is_empty() {
            return Ok(());
        }
        if !self.is_strided() {
            if value_shape == self.output_shape() {
                self.loops().scatter_clones(value, into);
            } else {
                let axes = strided_axes(self.output_shape(), &strides);
                let repeated = CopyPlan::new(0, axes, value.len());
                let repeated = repeated.expect("the broadcast value should stay within its buffer");
                self.loops()
                    .scatter_clones(&repeated.gather_clones(value)?, into);
            }
        } else {
            let axes = strided_axes(self.output_shape(), &strides).collect();
            copy(
                Source::of_buffer(value, 0, axes),
                target(&StridedLayout::flat(self), into),
            );
        }
        Ok(())
    }

    /// Adds `values`, in C order, to the selected elements of a flat C-order buffer. If an element is selected several
    /// times, all values for it are added. This operation is the adjoint of [`gather`](Self::gather).
    ///
    /// Python equivalent: `x[spec] += values.reshape(x[spec].shape)`, or, with lists, `np.add.at`. NumPy's
    /// `x[spec] += values` adds only the last of several values for an element.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`scatter`](Self::scatter).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut sums = [1.0, 2.0, 3.0];
    /// s![::-2].resolve(&[3])?.scatter_add(&[10.0, 20.0], &mut sums)?;
    /// assert_eq!(sums, [21.0, 2.0, 13.0]);
    /// s![[2, 0, 2]].resolve(&[3])?.scatter_add(&[10.0, 20.0, 30.0], &mut sums)?;
    /// assert_eq!(sums, [41.0, 2.0, 53.0]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn scatter_add<T: Copy + AddAssign>(
        &self,
        values: &[T],
        into: &mut [T],
    ) -> Result<(), SliceError> {
        check_len(self.len(), values.len())?;
        check_len(self.input_len(), into.len())?;
        match self.is_strided() {
            true => self.strided_plan().add(values, into),
            false => self.loops().add(values, into),
        }
        Ok(())
    }

    /// Plans the copy of this selection. The plan can be used on many buffers.
    ///
    /// [`gather`](Self::gather) and the other methods that copy usually make a new plan on each call, which takes about
    /// ten nanoseconds.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::NotStrided`] unless the selection [is strided](Self::is_strided).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let plan = s![:, ::-1].resolve(&[2, 3])?.plan()?;
    /// for frame in [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]] {
    ///     assert_eq!(plan.gather(&frame)?[0], frame[2]);
    /// }
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn plan(&self) -> Result<CopyPlan, SliceError> {
        self.check_strided()?;
        Ok(self.strided_plan())
    }

    /// Checks that a value of shape `value_shape` can be broadcast to the shape of the slice, as [`assign`](Self::assign)
    /// does.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::Broadcast`], or [`SliceError::BroadcastToLists`] unless the selection
    /// [is strided](Self::is_strided).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let columns = s![:, 1:].resolve(&[2, 3])?;
    /// assert!(columns.check_broadcast(&[2, 1]).is_ok());
    /// assert!(columns.check_broadcast(&[3]).is_err());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn check_broadcast(&self, value_shape: &[usize]) -> Result<(), SliceError> {
        self.broadcast(value_shape).map(drop)
    }

    /// Returns the strides with which a value in C order can be read as an array of the shape of the slice.
    fn broadcast(&self, value_shape: &[usize]) -> Result<PerAxis<isize>, SliceError> {
        let strides = broadcast(value_shape, &c_strides(value_shape), self.output_shape());
        strides.map_err(|error| match self.is_strided() {
            true => error,
            false => SliceError::BroadcastToLists {
                value: value_shape.into(),
                result: self.output_shape().into(),
            },
        })
    }
}

/// Returns the copy target for the elements of the flat buffer `into` that `layout` describes.
fn target<'a, T>(layout: &StridedLayout, into: &'a mut [T]) -> Target<'a, T> {
    let axes = strided_axes(layout.shape(), layout.strides());
    Target::of_buffer(into, layout.offset().cast_unsigned(), axes.collect())
}

//! Defines arrays with different memory layouts.

use ndarray::{ArrayD, ArrayViewD, ArrayViewMutD, Axis, IxDyn, ShapeBuilder, Slice};

/// The memory layout of an array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MemoryLayout {
    /// C order.
    C,
    /// Fortran order.
    Fortran,
    /// C order, reversed along every axis.
    Reversed,
    /// Every other element of a larger array, along every axis.
    Gaps,
}

impl MemoryLayout {
    pub const ALL: [MemoryLayout; 4] = [
        MemoryLayout::C,
        MemoryLayout::Fortran,
        MemoryLayout::Reversed,
        MemoryLayout::Gaps,
    ];

    /// Returns the slice that, applied to each axis of `LaidOutArray::memory`, selects the elements of the array.
    fn slice(self) -> Slice {
        match self {
            MemoryLayout::C | MemoryLayout::Fortran => Slice::from(..),
            MemoryLayout::Reversed => Slice::new(0, None, -1),
            MemoryLayout::Gaps => Slice::new(1, None, 2),
        }
    }
}

/// An array with a given memory layout.
#[derive(Clone, PartialEq)]
pub struct LaidOutArray<T> {
    layout: MemoryLayout,
    memory: ArrayD<T>,
}

impl<T: Clone + Default + PartialEq> LaidOutArray<T> {
    pub fn new(elements: &ArrayD<T>, layout: MemoryLayout) -> Self {
        let memory_shape = elements.shape().iter().map(|&len| match layout {
            MemoryLayout::Gaps => (2 * len).max(1),
            _ => len,
        });
        let memory_shape = IxDyn(&memory_shape.collect::<Vec<_>>());
        let memory = match layout {
            MemoryLayout::Fortran => ArrayD::default(memory_shape.f()),
            _ => ArrayD::default(memory_shape),
        };
        let mut array = LaidOutArray { layout, memory };
        array.view_mut().assign(elements);
        array
    }

    pub fn view(&self) -> ArrayViewD<'_, T> {
        let mut view = self.memory.view();
        for axis in 0..view.ndim() {
            view.slice_axis_inplace(Axis(axis), self.layout.slice());
        }
        view
    }

    pub fn view_mut(&mut self) -> ArrayViewMutD<'_, T> {
        let mut view = self.memory.view_mut();
        for axis in 0..view.ndim() {
            view.slice_axis_inplace(Axis(axis), self.layout.slice());
        }
        view
    }

    /// Checks that the memory between the elements, if any, still contains its initial default values. Overwrites the
    /// elements with the default value, so that the whole memory can be compared at once.
    pub fn check_gaps(&mut self) -> Result<(), String> {
        if self.layout != MemoryLayout::Gaps {
            return Ok(());
        }
        let default_value = T::default();
        self.view_mut().fill(default_value.clone());
        match self.memory.iter().all(|element| *element == default_value) {
            true => Ok(()),
            false => Err("the memory between the elements has changed".to_owned()),
        }
    }
}

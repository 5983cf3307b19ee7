//! Defines arrays with different memory layouts.

use ndarray::{ArrayD, ArrayViewD, ArrayViewMutD, Axis, IxDyn, ShapeBuilder, Slice};

/// The memory layout of an array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// C order.
    C,
    /// Fortran order.
    Fortran,
    /// C order, reversed along every axis.
    Reversed,
    /// Every other element of a larger array, along every axis.
    Gaps,
}

impl Order {
    pub const ALL: [Order; 4] = [Order::C, Order::Fortran, Order::Reversed, Order::Gaps];

    /// Returns the slice that gives the array if it is applied to each axis of `Held::memory`.
    fn slice(self) -> Slice {
        match self {
            Order::C | Order::Fortran => Slice::from(..),
            Order::Reversed => Slice::new(0, None, -1),
            Order::Gaps => Slice::new(1, None, 2),
        }
    }
}

/// An array with a given memory layout.
#[derive(Clone, PartialEq)]
pub struct Held<T> {
    order: Order,
    memory: ArrayD<T>,
}

impl<T: Clone + Default + PartialEq> Held<T> {
    pub fn new(array: &ArrayD<T>, order: Order) -> Self {
        let room = array.shape().iter().map(|&len| match order {
            Order::Gaps => (2 * len).max(1),
            _ => len,
        });
        let room = IxDyn(&room.collect::<Vec<_>>());
        let memory = match order {
            Order::Fortran => ArrayD::default(room.f()),
            _ => ArrayD::default(room),
        };
        let mut held = Held { order, memory };
        held.view_mut().assign(array);
        held
    }

    pub fn view(&self) -> ArrayViewD<'_, T> {
        let mut view = self.memory.view();
        for axis in 0..view.ndim() {
            view.slice_axis_inplace(Axis(axis), self.order.slice());
        }
        view
    }

    pub fn view_mut(&mut self) -> ArrayViewMutD<'_, T> {
        let mut view = self.memory.view_mut();
        for axis in 0..view.ndim() {
            view.slice_axis_inplace(Axis(axis), self.order.slice());
        }
        view
    }

    /// Checks that the memory between the elements, if any, still has its initial default values. To compare the whole
    /// memory at once, also sets the elements to the default.
    pub fn nothing_else_written(&mut self) -> Result<(), String> {
        if self.order != Order::Gaps {
            return Ok(());
        }
        let nothing = T::default();
        self.view_mut().fill(nothing.clone());
        match self.memory.iter().all(|element| *element == nothing) {
            true => Ok(()),
            false => Err("the memory between the elements has changed".to_owned()),
        }
    }
}

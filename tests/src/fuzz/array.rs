//! Creates arrays with random memory layouts.

use arbitrary::Arbitrary;
use ndarray::{ArrayD, Axis, IxDyn, LayoutRef, ShapeBuilder, Slice};

/// The memory layout of an array: the memory order in which the array is created, and the changes made afterwards.
#[derive(Clone, Debug, Arbitrary)]
pub struct Memory {
    column_major: bool,
    changes: Vec<LayoutChange>,
}

/// A change to an array's layout. Axes are taken modulo the rank.
#[derive(Clone, Copy, Debug, Arbitrary)]
enum LayoutChange {
    Reverse(u8),
    Swap(u8, u8),
    EveryNth(u8, u8),
}

impl Memory {
    /// Returns an array of shape `shape` whose elements, in memory order, are `element(0)`, `element(1)`, ...
    pub(super) fn array<T>(&self, shape: &[usize], element: impl Fn(u32) -> T) -> ArrayD<T> {
        let elements = (0..shape.iter().product::<usize>() as u32)
            .map(element)
            .collect();
        let shape = IxDyn(shape).set_f(self.column_major);
        ArrayD::from_shape_vec(shape, elements).expect("the length should match the shape")
    }

    /// Applies the changes, or the first four of them, to a view of an array. A change can also affect the shape of the
    /// view.
    pub(super) fn change_layout<A>(&self, view: &mut LayoutRef<A, IxDyn>) {
        let rank = view.ndim();
        if rank == 0 {
            return;
        }
        let axis = |number: u8| usize::from(number) % rank;
        for change in self.changes.iter().take(4) {
            match *change {
                LayoutChange::Reverse(a) => view.invert_axis(Axis(axis(a))),
                LayoutChange::Swap(a, b) => view.swap_axes(axis(a), axis(b)),
                LayoutChange::EveryNth(a, step) => {
                    let every_nth = Slice::new(0, None, isize::from(step % 3) + 1);
                    view.slice_axis_inplace(Axis(axis(a)), every_nth);
                }
            }
        }
    }
}

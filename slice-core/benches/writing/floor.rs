//! The traffic floor of one side of a copy: one element of every cache line that it touches, read or written.
//!
//! A yardstick, not a bound. Writing a line that is only touched in part costs twice as much as reading it, because it is
//! read before and written back after; that is why a scatter has another floor than the gather at the same places.

use std::hint::black_box;

const LINE: usize = 64;

/// Elements at a constant distance, each in a line of its own.
#[derive(Clone, Copy)]
struct Lines {
    first: usize,
    stride: usize,
    count: usize,
}

/// An element of each cache line that is touched, in the order in which they are touched.
pub struct Floor {
    lines: Vec<Lines>,
}

impl Floor {
    /// For elements of this size at these offsets.
    pub fn new(indices: impl Iterator<Item = usize>, size: usize) -> Self {
        let mut lines: Vec<Lines> = Vec::new();
        let mut last = (usize::MAX, 0);
        for index in indices {
            let line = index * size / LINE;
            if line == last.0 {
                continue;
            }
            match lines.last_mut() {
                Some(open) if open.count == 1 || index.wrapping_sub(last.1) == open.stride => {
                    open.stride = index.wrapping_sub(last.1);
                    open.count += 1;
                }
                _ => lines.push(Lines {
                    first: index,
                    stride: 0,
                    count: 1,
                }),
            }
            last = (line, index);
        }
        Self { lines }
    }

    fn each(&self, mut element: impl FnMut(usize)) {
        for lines in &self.lines {
            let mut index = lines.first;
            for _ in 0..lines.count {
                element(index);
                index = index.wrapping_add(lines.stride);
            }
        }
    }

    /// Reads an element of each line.
    pub fn read<T: Copy>(&self, elements: &[T]) {
        self.each(|index| {
            black_box(elements[index]);
        });
    }

    /// Writes an element of each line.
    pub fn write<T: Copy>(&self, elements: &mut [T], element: T) {
        self.each(|index| elements[index] = element);
    }
}

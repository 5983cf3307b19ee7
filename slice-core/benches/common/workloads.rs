//! The measured slices, which are typical of neural networks, camera images and stencils.

use slice_core::{Selection, s};

/// An element type. Only its size matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementType {
    U8,
    F32,
    F64,
}

impl ElementType {
    /// Returns the size of an element in bytes.
    pub fn size(self) -> usize {
        match self {
            ElementType::U8 => 1,
            ElementType::F32 => 4,
            ElementType::F64 => 8,
        }
    }
}

/// One slice of one array.
pub struct Workload {
    pub name: String,
    pub element: ElementType,
    pub selection: Selection,
}

/// A class of rows that have about the same size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Tiny,
    L2,
    L3,
    Dram,
    Gib,
}

impl Class {
    pub const ALL: [Class; 5] = [Class::Tiny, Class::L2, Class::L3, Class::Dram, Class::Gib];

    /// Returns the name of the class on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Class::Tiny => "tiny",
            Class::L2 => "l2",
            Class::L3 => "l3",
            Class::Dram => "dram",
            Class::Gib => "gib",
        }
    }

    /// Returns the rows of the class.
    pub fn rows(self) -> Vec<Workload> {
        match self {
            Class::Tiny => tiny(1),
            Class::L2 => l2(1),
            Class::L3 => [1, 2, 4].into_iter().flat_map(l3).collect(),
            Class::Dram => dram(1),
            Class::Gib => gib(1),
        }
    }
}

/// Returns workloads. The first axis of each shape is `$factor` times as long as written.
macro_rules! workloads {
    ($factor:ident: $($element:ident [$($item:tt)*] of $shape:expr;)*) => {
        vec![$({
            let mut shape = $shape;
            shape[0] *= $factor;
            Workload {
                name: name(stringify!($element), stringify!($($item)*), &shape),
                element: ElementType::$element,
                selection: s![$($item)*].resolve(&shape).expect("the slice should fit the shape"),
            }
        }),*]
    };
}

/// Returns the name of a workload in the tables, without the extra spaces of `stringify!`.
fn name(element: &str, items: &str, shape: &[usize]) -> String {
    let items = items.replace(' ', "").replace(',', ", ");
    let shape: Vec<_> = shape.iter().map(usize::to_string).collect();
    format!("{} `[{items}]` {}", element.to_lowercase(), shape.join("×"))
}

/// Returns slices of small arrays, for which planning is most of the work.
fn tiny(factor: usize) -> Vec<Workload> {
    workloads! { factor:
        F32 [1:, :, ::2] of [4, 4, 4];
        F32 [1:3, 1:3, 1:3] of [4, 4, 4];
        U8 [::-1] of [16];
        F32 [2] of [4, 4];
    }
}

/// Returns slices of inputs of about 256 KiB.
fn l2(factor: usize) -> Vec<Workload> {
    workloads! { factor:
        F32 [8:-8, 8:-8] of [256, 256];
        F32 [1:, ...] of [64, 32, 32];
        F32 [..., ::2] of [256, 256];
        F32 [..., ::3] of [256, 256];
        F32 [..., ::-1] of [256, 256];
        F32 [::-1, ::-1] of [256, 256];
        F32 [:, 5] of [1024, 64];
        U8 [..., :3] of [256, 256, 4];
        U8 [..., 2::-1] of [256, 256, 4];
        F32 [:, 3, :] of [64, 16, 64];
        F32 [:, ::2] of [16384, 4];
        F32 [:, ::2] of [13107, 5];
        F32 [:, :, 1:-1:2, 1:-1:2, 1:-1:2] of [1, 4, 16, 32, 32];
        U8 [..., ::-1] of [512, 512];
        F32 [..., newaxis] of [256, 256];
        F32 [:, :, -128:, :] of [1, 4, 256, 64];
        F64 [..., ::2] of [128, 256];
        F64 [:, 1:7] of [4096, 8];
        U8 [..., ::2] of [512, 512];
    }
}

/// Returns slices with outputs of about `factor` times 4 MiB. These outputs fit in the last-level cache, or are
/// slightly larger than it.
fn l3(factor: usize) -> Vec<Workload> {
    workloads! { factor:
        F32 [8:-8, 8:-8] of [1040, 1040];
        F32 [1:, ...] of [257, 64, 64];
        F32 [..., ::2] of [1024, 2048];
        F32 [..., ::3] of [1024, 3072];
        F32 [..., ::-1] of [1024, 1024];
        F32 [::-1, ::-1] of [1024, 1024];
        U8 [..., :3] of [1024, 1365, 4];
        U8 [..., 2::-1] of [1024, 1365, 4];
        F32 [:, 3, :] of [4096, 16, 256];
        F32 [:, ::2] of [524288, 4];
        F32 [:, ::2] of [349525, 5];
        F32 [:, :, 1:-1:2, 1:-1:2, 1:-1:2] of [2, 32, 32, 64, 64];
        U8 [..., ::-1] of [2048, 2048];
        F32 [..., newaxis] of [1024, 1024];
        F32 [:, :, -128:, :] of [8, 8, 512, 128];
        F64 [..., ::2] of [512, 2048];
        F64 [:, 1:7] of [87381, 8];
        U8 [..., ::2] of [2048, 4096];
    }
}

/// Returns slices of inputs of about 256 MiB, which are far larger than the caches.
fn dram(factor: usize) -> Vec<Workload> {
    workloads! { factor:
        F32 [8:-8, 8:-8] of [8192, 8192];
        F32 [1:, ...] of [256, 512, 512];
        F32 [..., ::2] of [8192, 8192];
        F32 [..., ::3] of [8192, 8192];
        F32 [..., ::-1] of [8192, 8192];
        F32 [::-1, ::-1] of [8192, 8192];
        F32 [:, 5] of [1048576, 64];
        U8 [..., :3] of [8192, 8192, 4];
        U8 [..., 2::-1] of [8192, 8192, 4];
        F32 [:, 3, :] of [16384, 16, 256];
        F32 [:, ::2] of [16777216, 4];
        F32 [:, ::2] of [13421772, 5];
        F32 [:, :, 1:-1:2, 1:-1:2, 1:-1:2] of [2, 32, 64, 128, 128];
        U8 [..., ::-1] of [16384, 16384];
        F32 [..., newaxis] of [8192, 8192];
        F32 [:, :, -128:, :] of [8, 32, 2048, 128];
        F64 [..., ::2] of [4096, 8192];
        F64 [:, 1:7] of [4194304, 8];
        U8 [..., ::2] of [16384, 16384];
    }
}

/// Returns slices of inputs of 1 GiB, for measuring copies to new memory.
fn gib(factor: usize) -> Vec<Workload> {
    workloads! { factor:
        F32 [8:-8, 8:-8] of [16384, 16384];
        F32 [..., ::2] of [16384, 16384];
        F32 [..., ::-1] of [16384, 16384];
        U8 [..., :3] of [16384, 16384, 4];
    }
}

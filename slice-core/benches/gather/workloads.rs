//! The slices that are measured: what models, cameras and stencils do.

use slice_core::{Selection, s};

/// The element type, which decides nothing but its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    U8,
    F32,
    F64,
}

/// One slice of one array.
pub struct Workload {
    pub name: String,
    pub element: Element,
    pub selection: Selection,
}

macro_rules! workloads {
    ($($element:ident [$($item:tt)*] of $shape:expr;)*) => {
        vec![$(Workload {
            name: name(stringify!($element), stringify!($($item)*), stringify!($shape)),
            element: Element::$element,
            selection: s![$($item)*].resolve(&$shape).expect("the slice fits the shape"),
        }),*]
    };
}

/// The workload as a line of the table; the compiler prints tokens with spaces that nobody writes.
fn name(element: &str, items: &str, shape: &str) -> String {
    let items = items.replace(' ', "").replace(',', ", ");
    let shape = shape.trim_matches(['[', ']']).replace(", ", "×");
    format!("{} `[{items}]` {shape}", element.to_lowercase())
}

/// One small array, where planning is most of the work.
pub fn tiny() -> Vec<Workload> {
    workloads! {
        F32 [1:, :, ::2] of [4, 4, 4];
        F32 [1:3, 1:3, 1:3] of [4, 4, 4];
        U8 [::-1] of [16];
        F32 [2] of [4, 4];
    }
}

/// Inputs of 256 KiB or so.
pub fn l2() -> Vec<Workload> {
    workloads! {
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

/// Inputs of 256 MiB or so, far beyond the caches.
pub fn dram() -> Vec<Workload> {
    workloads! {
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

//! The compiler must report the second call, because the plan selects position 3, which a row of length 3 does not
//! have.

use slice_core::s;

fn last<const N: usize>(row: &[u8; N]) -> u8 {
    const { s![3].static_plan() }.gather(row)
}

fn main() {
    last(&[0; 4]);
    last(&[0; 3]);
}

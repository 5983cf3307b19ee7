use slice_core::s;

fn last<const N: usize>(row: &[u8; N]) -> u8 {
    const { s![3].static_plan() }.gather(row)
}

fn main() {
    last(&[0; 4]);
    last(&[0; 3]);
}

use slice_core::s;

fn every<const N: usize>() {
    let _ = s![::N - 3];
}

fn main() {
    every::<3>();
}

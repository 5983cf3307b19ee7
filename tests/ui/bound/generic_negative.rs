use slice_core::bound::RangeBound;
use slice_core::s;

fn tail<T: RangeBound>(n: T) {
    let _ = s![-n:];
}

fn main() {}

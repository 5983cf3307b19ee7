use slice_core::s;

fn main() {
    let x = 1.5;
    let _ = s![-x:];
}

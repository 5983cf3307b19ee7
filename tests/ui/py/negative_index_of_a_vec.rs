use slice_core::py;

fn main() {
    let v = vec![1, 2, 3];
    println!("{}", py!(v[-1]));
}

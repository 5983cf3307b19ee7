use slice_core::{StridedSliceExt, s};

struct Samples {
    values: Vec<f64>,
}

fn main() {
    let a = Samples { values: vec![1.0, 2.0, 3.0] };
    println!("{}", a.values.len());
    let _ = a.at(s![1:]);
}

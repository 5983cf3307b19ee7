use ndarray::{Array2, ArrayView1};
use slice_core::{StridedSliceExt, s};

fn main() {
    let a = Array2::<f32>::zeros((4, 5));
    let n = 3;
    let _: ArrayView1<f32> = a.at(s![n, # rows, and then
        :]);
    let _: ArrayView1<f32> = a.at(s![
        # the last row
        -1 # from the end
    ]);
}

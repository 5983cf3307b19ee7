use ndarray::Array2;
use slice_core::py;

fn red(image: &Array2<u8>, y: usize, x: usize) -> u8 {
    py!(image[y, x, 0])
}

fn main() {
    red(&Array2::zeros((4, 4)), 1, 2);
}

use slice_core::s;

fn main() {
    let _ = s![np.s_[1:, 0]];
}

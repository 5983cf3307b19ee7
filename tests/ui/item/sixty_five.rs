use slice_core::s;

fn main() {
    let _ = s![
        newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis,
        newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis,
        newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis,
        newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis,
        newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis, newaxis,
        newaxis, newaxis, newaxis, newaxis, 0, 1:,
    ];
}

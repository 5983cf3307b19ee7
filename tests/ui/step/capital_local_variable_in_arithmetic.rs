use slice_core::s;

#[expect(non_snake_case)]
fn main() {
    let K = std::env::args().count();
    let _ = s![::{ K } + 1];
    let _ = s![::K + 1];
}

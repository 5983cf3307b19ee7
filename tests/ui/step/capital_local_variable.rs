use slice_core::s;

#[expect(non_snake_case)]
fn main() {
    let N = std::env::args().count();
    let _ = s![::{ N }];
    let _ = s![::N];
}

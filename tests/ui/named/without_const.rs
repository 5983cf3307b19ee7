use slice_core::named;

named! { INNER = s![1:-1] }
named! { FIRST = s![0]; }
named!(LAST, s![-1]);

fn main() {}

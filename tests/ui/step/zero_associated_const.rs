use slice_core::s;

struct Every;

impl Every {
    const N: i32 = 0;
    fn spec() {
        let _ = s![::(Self::N)];
    }
}

fn main() {
    Every::spec();
    let _ = s![::(Every::N)];
}

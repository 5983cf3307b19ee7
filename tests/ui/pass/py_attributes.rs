//! Checks that attributes in `py!` have the same meaning as in Rust.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::{Array1, array};
use slice_core::py;

fn filled(mut x: Array1<f64>) -> Array1<f64> {
    x.fill(9.0);
    x
}

fn count(numbers: &[f64]) -> usize {
    numbers.len()
}

pub fn main() {
    let mut x = array![1.0, 2.0, 4.0];
    py! {
        // These attributes remove the statements.
        #[cfg(any())]
        (&mut x[0:]).fill(9.0);
        #[cfg(any())]
        { x[0:] = 9.0; }
        #[cfg(any())]
        if x[1:].len() > 1 { x[0:] += 9.0; }
        #[cfg(any())]
        for _ in 0..2 { x[0:] *= 9.0; }
        #[cfg(any())]
        let x = filled(x[1:].to_owned());
        #[cfg(any())]
        assert_eq!(x[1:].len(), 9);
        #[cfg(any())]
        x[1:];
        #[cfg(any())]
        -&x[1:];
        #[cfg(any())]
        return assert_eq!(x[1:].len(), 9);
    }
    assert_eq!(x, array![1.0, 2.0, 4.0]);
    py! {
        // These attributes keep the statements.
        #[cfg(all())]
        (&mut x[2:]).fill(8.0);
        #[cfg(all())]
        { x[:1] = 7.0; }
        #[cfg(all())]
        assert_eq!(x[1:].len(), 2);
        #[cfg(all())]
        let x = filled(x[1:].to_owned());
        assert_eq!(x, array![9.0, 9.0]);
    }
    assert_eq!(x, array![7.0, 2.0, 8.0]);
    py! {
        #[expect(unused_must_use, reason = "the attribute applies to this statement")]
        -&x[1:];
        #[expect(unused_variables, reason = "the attribute applies to this statement")]
        let rest = x[1:].to_owned();
        #[expect(unused_mut, reason = "the attribute applies to this statement")]
        { let mut k = 3.0; x[1:] = k; }
        #[expect(unused_mut, reason = "the attribute applies to this statement")]
        if x[1:].len() == 2 { let mut k = 0.0; x[1:] += k; }
    }
    assert_eq!(x, array![7.0, 3.0, 3.0]);
    // Attributes on arguments, on elements of an array, and on the value of a block.
    let rust = count(&[
        x[0],
        #[cfg(any())]
        x[1],
        x[2],
    ]);
    assert_eq!(
        py!(count(&[x[:1].sum(), #[cfg(any())] x[1:].sum(), x[2:].sum()])),
        rust
    );
    assert_eq!(
        py!(count(#[cfg(any())] x[1:].as_slice().unwrap(), #[cfg(all())] x[2:].as_slice().unwrap())),
        1
    );
    let first = py!({ #[cfg(any())] x[1:].sum(); #[allow(unused)] x[0:1].sum() });
    assert_eq!(first.to_bits(), x[0].to_bits());
}

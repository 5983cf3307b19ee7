//! If another macro declares a variable in capitals, the variable must be in braces, as in the first slice. The
//! compiler must report the variable in the second slice.

use slice_core::s;

macro_rules! strided {
    ($name:ident) => {
        #[expect(non_snake_case)]
        pub fn strided($name: usize) {
            let _ = s![::{ $name }];
            let _ = s![::$name];
        }
    };
}

strided!(HOP);

fn main() {}

//! Checks every form of the grammar of `s![]` by comparing begin, end, strides and masks with values computed by hand.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use slice_core::{SliceSpec, s};

/// Checks the `begin`, `end` and stride of each item, and the masks, in the order begin, end, ellipsis, new axis,
/// shrink axis.
#[track_caller]
fn check<const M: usize, K>(spec: SliceSpec<M, K>, items: [[i64; 3]; M], masks: [u64; 5]) {
    assert_eq!(*spec.begin(), items.map(|[begin, _, _]| begin));
    assert_eq!(*spec.end(), items.map(|[_, end, _]| end));
    assert_eq!(*spec.strides(), items.map(|[_, _, stride]| stride));
    let spec_masks = [
        spec.begin_mask(),
        spec.end_mask(),
        spec.ellipsis_mask(),
        spec.new_axis_mask(),
        spec.shrink_axis_mask(),
    ];
    assert_eq!(spec_masks, masks);
}

pub fn main() {
    check(s![], [], [0; 5]);
    check(s!(), [], [0; 5]);
    check(s! {}, [], [0; 5]);

    check(s![3], [[3, 4, 1]], [0, 0, 0, 0, 1]);
    check(s![-1], [[-1, 0, 1]], [0, 0, 0, 0, 1]);
    check(s![-1,], [[-1, 0, 1]], [0, 0, 0, 0, 1]);
    check(s!(2, 3), [[2, 3, 1], [3, 4, 1]], [0, 0, 0, 0, 3]);
    check(s! { 2, 3, }, [[2, 3, 1], [3, 4, 1]], [0, 0, 0, 0, 3]);

    check(s![:], [[0, 0, 1]], [1, 1, 0, 0, 0]);
    check(s![::], [[0, 0, 1]], [1, 1, 0, 0, 0]);
    check(s![: :], [[0, 0, 1]], [1, 1, 0, 0, 0]);
    check(s![1:], [[1, 0, 1]], [0, 1, 0, 0, 0]);
    check(s![1::], [[1, 0, 1]], [0, 1, 0, 0, 0]);
    check(s![:2], [[0, 2, 1]], [1, 0, 0, 0, 0]);
    check(s![:-1], [[0, -1, 1]], [1, 0, 0, 0, 0]);
    check(s![:2:], [[0, 2, 1]], [1, 0, 0, 0, 0]);
    check(s![1:2], [[1, 2, 1]], [0; 5]);
    check(s![1:2:], [[1, 2, 1]], [0; 5]);
    check(s![1:2:3], [[1, 2, 3]], [0; 5]);
    check(s![-1:-2:-3], [[-1, -2, -3]], [0; 5]);
    check(s![::2], [[0, 0, 2]], [1, 1, 0, 0, 0]);
    check(s![::-1], [[0, 0, -1]], [1, 1, 0, 0, 0]);
    check(s![1::2], [[1, 0, 2]], [0, 1, 0, 0, 0]);
    check(s![1: :2], [[1, 0, 2]], [0, 1, 0, 0, 0]);
    check(s![:1:2], [[0, 1, 2]], [1, 0, 0, 0, 0]);
    check(s![:-3:-1], [[0, -3, -1]], [1, 0, 0, 0, 0]);
    check(s![ - 1 : - 2 : - 3 ], [[-1, -2, -3]], [0; 5]);

    check(s![...], [[0, 0, 1]], [0, 0, 1, 0, 0]);
    check(s![..., 0], [[0, 0, 1], [0, 1, 1]], [0, 0, 1, 0, 2]);
    check(s![0, ...], [[0, 1, 1], [0, 0, 1]], [0, 0, 2, 0, 1]);
    check(s![..., :], [[0, 0, 1], [0, 0, 1]], [2, 2, 1, 0, 0]);
    check(s![newaxis], [[0, 0, 1]], [0, 0, 0, 1, 0]);
    check(s![None], [[0, 0, 1]], [0, 0, 0, 1, 0]);
    check(s![newaxis, None], [[0, 0, 1], [0, 0, 1]], [0, 0, 0, 3, 0]);

    check(
        s![1, 2:4, None, ..., :-3:-1, :],
        [
            [1, 2, 1],
            [2, 4, 1],
            [0, 0, 1],
            [0, 0, 1],
            [0, -3, -1],
            [0, 0, 1],
        ],
        [48, 32, 8, 4, 1],
    );
    check(
        s![
            // the last row,
            -1,
            /* every other column */
            :
            :
            2
            ,
            ...
        ],
        [[-1, 0, 1], [0, 0, 2], [0, 0, 1]],
        [2, 2, 4, 0, 1],
    );

    // Literals of any radix, with underscores and suffixes, from `i64::MIN` to `i64::MAX`.
    check(
        s![0x10:0o17:0b11, 1_000:2_000_i64:3isize, 0xFF_u8, -1_i8, 1i128],
        [
            [16, 15, 3],
            [1000, 2000, 3],
            [255, 256, 1],
            [-1, 0, 1],
            [1, 2, 1],
        ],
        [0, 0, 0, 0, 28],
    );
    check(
        s![-9223372036854775808:9_223_372_036_854_775_807:-0x8000_0000_0000_0000, 9223372036854775807],
        [[i64::MIN, i64::MAX, i64::MIN], [i64::MAX, i64::MAX, 1]],
        [0, 0, 0, 0, 2],
    );

    // `slice_macro::s!`, for crates that depend on slice-macro directly.
    check(
        slice_macro::s![..., :-1],
        [[0, 0, 1], [0, -1, 1]],
        [2, 0, 1, 0, 0],
    );

    let sixty_four = s![
        ::2, 0, newaxis, :, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ..., 1:,
    ];
    assert_eq!(sixty_four.end_mask(), 1 << 63 | 1 << 3 | 1);
    assert_eq!(sixty_four.ellipsis_mask(), 1 << 62);
}

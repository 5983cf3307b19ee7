//! Checks bounds that are an `Option` of an integer. `Some(n)` must be equivalent to `n`, and `None` to an omitted
//! bound. The tests compare such slices with parsed slices, which the tests in `conformance/text` compare with NumPy.

use slice_core::{DynSliceSpec, SliceSpec, kind, s};

type Range = SliceSpec<1, (kind::Range, ())>;

fn text(begin: Option<i64>, end: Option<i64>, stride: Option<i64>) -> String {
    let text = |bound: Option<i64>| bound.map_or_else(String::new, |bound| bound.to_string());
    format!("{}:{}:{}", text(begin), text(end), text(stride))
}

#[track_caller]
fn assert_equal_to_parsed(spec: Range, begin: Option<i64>, end: Option<i64>, stride: Option<i64>) {
    let text = text(begin, end, stride);
    assert_eq!(
        spec.to_dyn(),
        text.parse::<DynSliceSpec>().unwrap(),
        "{text}"
    );
}

const BOUNDS: [Option<i64>; 7] = [
    None,
    Some(0),
    Some(1),
    Some(-1),
    Some(-3),
    Some(i64::MAX),
    Some(i64::MIN),
];
const STRIDES: [Option<i64>; 5] = [None, Some(1), Some(-1), Some(2), Some(i64::MIN)];

#[test]
fn every_bound_can_be_omitted_at_run_time() {
    for begin in BOUNDS {
        for end in BOUNDS {
            assert_equal_to_parsed(s![begin:end], begin, end, None);
            for stride in STRIDES {
                assert_equal_to_parsed(s![begin:end:stride], begin, end, stride);
                assert_equal_to_parsed(s![begin::stride], begin, None, stride);
                assert_equal_to_parsed(s![:end:stride], None, end, stride);
            }
        }
    }
}

/// As in NumPy, if the step is negative, an omitted `begin` is the last position, and an omitted end is the position
/// before the first.
#[test]
fn an_omitted_bound_depends_on_the_sign_of_the_step() {
    let selected = |begin: Option<i32>, end: Option<u8>, stride: Option<i64>| {
        let selection = s![begin:end:stride].resolve(&[5]).unwrap();
        selection.indices().collect::<Vec<_>>()
    };
    assert_eq!(selected(None, None, None), [0, 1, 2, 3, 4]);
    assert_eq!(selected(None, Some(2), None), [0, 1]);
    assert_eq!(selected(Some(-2), None, None), [3, 4]);
    assert_eq!(selected(None, None, Some(-1)), [4, 3, 2, 1, 0]);
    assert_eq!(selected(None, Some(2), Some(-1)), [4, 3]);
    assert_eq!(selected(Some(1), None, Some(-1)), [1, 0]);
    assert!(s![::Some(0)].resolve(&[5]).is_err());
}

#[test]
fn the_word_none_omits_a_bound() {
    assert_equal_to_parsed(s![None:3], None, Some(3), None);
    assert_equal_to_parsed(s![1:None], Some(1), None, None);
    assert_equal_to_parsed(s![None:None:-1], None, None, Some(-1));
    assert_equal_to_parsed(s![1:3:None], Some(1), Some(3), None);
}

macro_rules! check_every_type {
    ($($int:ty)*) => { $( {
        let (begin, end, stride) = (Some(<$int>::MAX), None::<$int>, Some(2 as $int));
        let spec = s![begin:end:stride];
        assert_eq!(spec.begin(), &[i64::try_from(<$int>::MAX).unwrap_or(i64::MAX)]);
        assert_eq!((spec.begin_mask(), spec.end_mask(), spec.strides()), (0, 1, &[2]));
        let spec = s![Some(<$int>::MIN):, end:, :, 0];
        assert_eq!(spec.begin()[0], i64::try_from(<$int>::MIN).unwrap_or(i64::MIN));
        assert_eq!((spec.begin_mask(), spec.end_mask()), (6, 7));
    } )* };
}

#[test]
fn an_option_may_hold_any_supported_integer_type() {
    check_every_type!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize);
}

#[test]
fn an_option_may_be_any_expression() {
    let list = [4, 5, 6];
    let (some_position, no_position) = (
        list.iter().position(|&n| n == 5),
        list.iter().position(|&n| n == 9),
    );
    let (a, b) = (Some(1), None::<u16>);
    #[expect(
        clippy::manual_map,
        reason = "a `match` is among the tested expressions"
    )]
    let spec = s![some_position:no_position, list.first().copied():a.or(Some(7)), if a.is_some() { b } else { None }:,
        ..., {b}:match a {
        Some(n) => Some(n + 1),
        None => None,
    }];
    assert_eq!(spec.begin(), &[1, 4, 0, 0, 0]);
    assert_eq!(spec.end(), &[0, 1, 0, 0, 2]);
    assert_eq!(
        (spec.begin_mask(), spec.end_mask(), spec.ellipsis_mask()),
        (20, 5, 8)
    );
}

const END: Option<usize> = None;
const STRIDE: Option<i8> = Some(-2);
/// A constant range whose bounds and step are `Option`s.
const CONSTANT: Range = s![Some(3):END:STRIDE];

#[test]
fn options_work_in_constants() {
    assert_equal_to_parsed(CONSTANT, Some(3), None, Some(-2));
}

#[test]
fn sixty_four_items_may_have_optional_bounds() {
    let (yes, no) = (Some(1), None::<i32>);
    let spec = s![
        yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes,
        yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes,
        yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes,
        yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes,
        yes:no, no:yes, yes:no, no:yes, yes:no, no:yes, yes:no, no:yes,
    ];
    assert_eq!(spec.begin_mask(), 0xaaaa_aaaa_aaaa_aaaa);
    assert_eq!(spec.end_mask(), 0x5555_5555_5555_5555);
}

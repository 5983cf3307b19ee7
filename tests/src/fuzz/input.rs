//! Defines the inputs of the fuzz targets, which are built from random bytes. Numbers are mostly small and near each
//! other, and sometimes large enough to make arithmetic overflow.

use arbitrary::{Arbitrary, Result, Unstructured};
use slice_core::Item;

/// A bound, an index or a step.
#[derive(Clone, Copy, Debug)]
pub struct BoundOrStep(pub i64);

/// Large numbers, many of them at a limit of 32-bit or 64-bit integers.
const NUMBERS: [i64; 10] = [
    i64::MIN,
    i64::MIN + 1,
    i64::MAX,
    i64::MAX - 1,
    i32::MIN as i64,
    i32::MAX as i64,
    i32::MAX as i64 + 1,
    -(1 << 40),
    1 << 40,
    1 << 62,
];

impl<'a> Arbitrary<'a> for BoundOrStep {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let tag = u8::arbitrary(u)?;
        Ok(BoundOrStep(match tag {
            0..=207 => i64::from(tag % 26) - 13,
            208..=227 => NUMBERS[usize::from(tag % 10)],
            228..=247 => i64::from(i16::arbitrary(u)?) % 300,
            _ => i64::arbitrary(u)?,
        }))
    }
}

/// The length of an axis.
#[derive(Clone, Copy, Debug)]
pub struct Size(pub usize);

/// Large axis lengths, some of them too large for any array.
const SIZES: [usize; 8] = [
    usize::MAX,
    usize::MAX - 1,
    isize::MAX as usize,
    isize::MAX as usize + 1,
    1 << (usize::BITS / 2),
    1 << (usize::BITS - 24),
    1 << (usize::BITS - 2),
    65_536,
];

impl<'a> Arbitrary<'a> for Size {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let tag = u8::arbitrary(u)?;
        Ok(Size(match tag {
            0..=207 => usize::from(tag % 13),
            208..=231 => 13 + usize::from(u8::arbitrary(u)?),
            232..=247 => SIZES[usize::from(tag % 8)],
            _ => usize::arbitrary(u)?,
        }))
    }
}

/// A shape, which may be too large for an array.
#[derive(Clone, Debug)]
pub struct Shape(pub Vec<usize>);

impl<'a> Arbitrary<'a> for Shape {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let rank = small_count(u, 70)?;
        let sizes = (0..rank).map(|_| Ok(Size::arbitrary(u)?.0));
        Ok(Shape(sizes.collect::<Result<_>>()?))
    }
}

/// The shape of an array with at most `MAX_ELEMENTS` elements.
#[derive(Clone, Debug)]
pub struct SmallShape<const MAX_ELEMENTS: usize>(pub Vec<usize>);

impl<'a, const MAX_ELEMENTS: usize> Arbitrary<'a> for SmallShape<MAX_ELEMENTS> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let rank = small_count(u, 40)?;
        let mut room = MAX_ELEMENTS;
        let sizes = (0..rank).map(|_| {
            let size = Size::arbitrary(u)?.0 % (room + 1);
            room /= size.max(1);
            Ok(size)
        });
        Ok(SmallShape(sizes.collect::<Result<_>>()?))
    }
}

/// The items of a slice, chosen without regard to a shape.
#[derive(Clone, Debug)]
pub struct Items(pub Vec<Item>);

impl<'a> Arbitrary<'a> for Items {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let count = small_count(u, 70)?;
        let mut has_ellipsis = false;
        let items = (0..count).map(|_| item(u, &mut has_ellipsis));
        Ok(Items(items.collect::<Result<_>>()?))
    }
}

/// The shape of a small array, and the items of a slice that is usually valid for the array.
#[derive(Clone, Debug)]
pub struct SliceOfSmallArray<const MAX_ELEMENTS: usize> {
    /// The shape of the array.
    pub shape: Vec<usize>,
    /// The items.
    pub items: Vec<Item>,
}

impl<'a, const MAX_ELEMENTS: usize> Arbitrary<'a> for SliceOfSmallArray<MAX_ELEMENTS> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let shape = SmallShape::<MAX_ELEMENTS>::arbitrary(u)?.0;
        let Items(mut items) = Items::arbitrary(u)?;
        if u8::arbitrary(u)? < 240 {
            let mut axes = shape.iter();
            items.retain_mut(|item| match item {
                Item::NewAxis | Item::Ellipsis => true,
                Item::Range { .. } => axes.next().is_some(),
                Item::Index(index) => match axes.next() {
                    Some(&size) if size > 0 => {
                        *index %= size as i64;
                        true
                    }
                    _ => false,
                },
                _ => unreachable!("these items have no lists"),
            });
        }
        Ok(SliceOfSmallArray { shape, items })
    }
}

fn item(u: &mut Unstructured<'_>, has_ellipsis: &mut bool) -> Result<Item> {
    let tag = u8::arbitrary(u)?;
    Ok(match tag {
        0..=47 => Item::Index(BoundOrStep::arbitrary(u)?.0),
        48..=79 => Item::NewAxis,
        // A second ellipsis is an error, so it is rare.
        80..=111 if !*has_ellipsis || tag == 111 => {
            *has_ellipsis = true;
            Item::Ellipsis
        }
        _ => Item::Range {
            begin: bound(u, tag & 1 != 0)?,
            end: bound(u, tag & 2 != 0)?,
            step: if tag & 12 == 0 { 1 } else { step(u)? },
        },
    })
}

fn bound(u: &mut Unstructured<'_>, is_omitted: bool) -> Result<Option<i64>> {
    Ok(if is_omitted {
        None
    } else {
        Some(BoundOrStep::arbitrary(u)?.0)
    })
}

/// Returns a step. Short steps are likely, because most programs use them.
pub(super) fn step(u: &mut Unstructured<'_>) -> Result<i64> {
    const SHORT_STEPS: [i64; 16] = [-1, -1, -1, 1, 1, 2, 2, -2, 3, -3, 4, -4, 5, 7, 8, -9];
    let tag = u8::arbitrary(u)?;
    Ok(match SHORT_STEPS.get(usize::from(tag % 20)) {
        Some(&step) => step,
        None => BoundOrStep::arbitrary(u)?.0,
    })
}

/// Returns a number from 0 to 7 or, rarely, a number from 0 to `max`.
pub(super) fn small_count(u: &mut Unstructured<'_>, max: usize) -> Result<usize> {
    match u8::arbitrary(u)? {
        tag @ 0..=247 => Ok(usize::from(tag % 8)),
        _ => u.int_in_range(0..=max),
    }
}

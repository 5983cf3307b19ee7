//! Represents small constants, and rearranges, combines and reduces their elements.

use std::sync::Arc;

use super::arithmetic::Arithmetic;
use super::element_type::ElementType;
use super::number::{MAX_CONSTANT_AXES, MAX_ELEMENTS, Number, element_count, small_count};

/// A small array of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// The type of the elements.
    pub element_type: ElementType,
    /// The length of each axis.
    pub shape: Arc<[usize]>,
    /// The elements, in row-major order.
    pub elements: Arc<[Number]>,
}

impl Constant {
    /// Creates an array. Returns `None` if there are more than [`MAX_ELEMENTS`] elements or more than
    /// [`MAX_CONSTANT_AXES`] axes, or if the number of elements does not fit the shape.
    pub fn new(
        element_type: ElementType,
        shape: impl Into<Arc<[usize]>>,
        elements: impl Into<Arc<[Number]>>,
    ) -> Option<Self> {
        let (shape, elements) = (shape.into(), elements.into());
        let is_small = shape.len() <= MAX_CONSTANT_AXES && elements.len() <= MAX_ELEMENTS;
        (is_small && element_count(&shape) == Some(elements.len())).then_some(Constant {
            element_type,
            shape,
            elements,
        })
    }

    /// Creates a scalar.
    pub fn scalar(element_type: ElementType, number: Number) -> Self {
        Constant {
            element_type,
            shape: [].into(),
            elements: [number].into(),
        }
    }

    /// Creates a vector. Returns `None` if there are more than [`MAX_ELEMENTS`] elements.
    pub fn vector(element_type: ElementType, elements: Vec<Number>) -> Option<Self> {
        Constant::new(element_type, [elements.len()], elements)
    }

    /// Returns whether the array is a scalar or a vector of integers, which may be an argument of an operation.
    pub fn is_argument(&self) -> bool {
        let is_integer = !self.element_type.is_float() && self.element_type != ElementType::Bool;
        is_integer && self.shape.len() <= 1
    }

    /// Returns the elements, if all of them are known integers.
    pub fn known(&self) -> Option<Vec<i64>> {
        self.elements.iter().map(Number::known).collect()
    }
}

/// Returns the indices of all elements of an array, in row-major order.
pub fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let count = element_count(shape).unwrap_or(0);
    (0..count).map(move |mut position| {
        let mut index = vec![0; shape.len()];
        for (at, &length) in index.iter_mut().zip(shape).rev() {
            *at = position % length;
            position /= length;
        }
        index
    })
}

/// Returns the row-major position of an element of an array of shape `shape`. The index on an axis of length 1 is ignored.
pub fn position(index: &[usize], shape: &[usize]) -> usize {
    index.iter().zip(shape).fold(0, |position, (&at, &length)| {
        position * length + if length == 1 { 0 } else { at }
    })
}

/// Creates an array of shape `shape`, whose element at `index` is the element of `array` at `source(index)`.
pub fn gathered(
    array: &Constant,
    shape: Vec<usize>,
    source: impl Fn(&[usize]) -> Vec<usize>,
) -> Option<Constant> {
    small_count(&shape)?;
    let element = |index: Vec<usize>| array.elements.get(position(&source(&index), &array.shape));
    let elements = indices(&shape).map(|index| element(index).cloned());
    Constant::new(
        array.element_type,
        shape.clone(),
        elements.collect::<Option<Vec<_>>>()?,
    )
}

/// Creates an array of shape `shape`, all of whose elements are the first element of `array`.
pub fn filled(array: &Constant, shape: Vec<usize>) -> Option<Constant> {
    let elements = vec![array.elements.first()?.clone(); small_count(&shape)?];
    Constant::new(array.element_type, shape, elements)
}

/// Returns the array with the shape `shape` and the same elements.
pub fn reshaped(array: &Constant, shape: Vec<usize>) -> Option<Constant> {
    Constant::new(array.element_type, shape, array.elements.clone())
}

/// Reduces the axes for which `is_reduced` is true. `combine` computes each element of the result from the elements of
/// the array, in order, that are reduced to it. The reduced axes are kept with length 1.
pub fn reduced(
    array: &Constant,
    is_reduced: &[bool],
    element_type: ElementType,
    combine: impl Fn(&[&Number]) -> Number,
) -> Option<Constant> {
    let lengths = array.shape.iter().zip(is_reduced);
    let shape: Vec<usize> = lengths
        .map(|(&length, &is_reduced)| if is_reduced { 1 } else { length })
        .collect();
    // The shape may be larger than that of an array without elements.
    let mut groups = vec![Vec::new(); small_count(&shape)?];
    for (index, element) in indices(&array.shape).zip(&array.elements[..]) {
        groups.get_mut(position(&index, &shape))?.push(element);
    }
    let elements = groups
        .iter()
        .map(|group| combine(group))
        .collect::<Vec<_>>();
    Constant::new(element_type, shape, elements)
}

/// Returns the sums of the elements up to each position of an axis, or before it if `is_exclusive`. If `is_reversed`,
/// the sums begin at the end of the axis.
pub fn cumulative_sums(
    array: &Constant,
    axis: usize,
    is_exclusive: bool,
    is_reversed: bool,
) -> Option<Constant> {
    let length = *array.shape.get(axis)?;
    let sum = |index: Vec<usize>| {
        let end = index[axis] + usize::from(!is_exclusive);
        let start = index[axis] + usize::from(is_exclusive);
        let summed = if is_reversed { start..length } else { 0..end };
        let mut sum = array.element_type.integer(0);
        for at in summed {
            let mut index = index.clone();
            index[axis] = at;
            let element = array.elements.get(position(&index, &array.shape))?;
            sum = Arithmetic::Add.apply(array.element_type, &sum, element);
        }
        Some(sum)
    };
    let sums = indices(&array.shape).map(sum).collect::<Option<Vec<_>>>()?;
    Constant::new(array.element_type, array.shape.clone(), sums)
}

/// Returns the indices of the elements that are not 0: an array with a row for each axis, and a column for each element.
pub fn nonzero(array: &Constant) -> Option<Constant> {
    let elements = array.known()?;
    let found: Vec<Vec<usize>> = indices(&array.shape)
        .zip(elements)
        .filter(|&(_, element)| element != 0)
        .map(|(index, _)| index)
        .collect();
    let row = |axis: usize| {
        found
            .iter()
            .map(move |index| i64::try_from(index[axis]).ok().into())
    };
    let numbers: Vec<Number> = (0..array.shape.len()).flat_map(row).collect();
    Constant::new(
        ElementType::I64,
        vec![array.shape.len(), found.len()],
        numbers,
    )
}

//! Computes constants from arrays of positions: gathers, scatters and one-hot arrays. Also sorts elements.

use slice_core::resolve::index;

use super::arithmetic::Arithmetic;
use super::array::{Constant, gathered, indices, position};
use super::element_type::ElementType;
use super::number::{Number, element_count, small_count};

/// Returns positions on an axis. Negative positions are counted from the end.
fn on_axis(positions: &Constant, length: usize) -> Option<Vec<usize>> {
    let positions = positions.known()?.into_iter();
    positions.map(|at| index(at, length)).collect()
}

/// Returns the lists on the last axis of `positions`, each of which contains a position on each of the axes `lengths`.
fn lists(positions: &Constant, lengths: &[usize]) -> Option<Vec<Vec<usize>>> {
    let count = *positions.shape.last().filter(|&&count| count > 0)?;
    let lengths = lengths.get(..count)?;
    let on_axes = |list: &[i64]| {
        list.iter()
            .zip(lengths)
            .map(|(&at, &length)| index(at, length))
            .collect()
    };
    positions
        .known()?
        .chunks_exact(count)
        .map(on_axes)
        .collect()
}

/// Returns `index` with the position on one axis replaced.
fn replaced(index: &[usize], axis: usize, position: usize) -> Vec<usize> {
    let mut index = index.to_vec();
    index[axis] = position;
    index
}

/// Returns whether a gather or scatter along an axis stays in an array of shape `shape`.
fn fits(shape: &[usize], positions: &[usize], axis: usize) -> bool {
    let mut lengths = positions.iter().zip(shape).enumerate();
    positions.len() == shape.len() && lengths.all(|(at, (one, other))| at == axis || one <= other)
}

/// Selects the position along an axis that `positions` contains for each element of the result.
pub fn gather_elements(array: &Constant, positions: &Constant, axis: usize) -> Option<Constant> {
    let listed = on_axis(positions, *array.shape.get(axis)?)?;
    fits(&array.shape, &positions.shape, axis).then_some(())?;
    gathered(array, positions.shape.to_vec(), |index| {
        replaced(index, axis, listed[position(index, &positions.shape)])
    })
}

/// Selects a position for each list on the last axis of `positions`.
pub fn gather_nd(array: &Constant, positions: &Constant, batch_axes: usize) -> Option<Constant> {
    let lists = lists(positions, array.shape.get(batch_axes..)?)?;
    let (&count, outer) = positions.shape.split_last()?;
    (outer.get(..batch_axes)? == &array.shape[..batch_axes]).then_some(())?;
    let shape = [outer, &array.shape[batch_axes + count..]].concat();
    gathered(array, shape, |index| {
        let (listed, rest) = index.split_at(outer.len());
        [&index[..batch_axes], &lists[position(listed, outer)], rest].concat()
    })
}

/// Replaces elements of an array, or combines them with the new elements. `axis` is described at
/// [`Kind::Scatter`](super::kind::Kind::Scatter). The result is unknown if an element is replaced twice.
pub fn scatter(
    array: &Constant,
    positions: &Constant,
    updates: &Constant,
    (axis, operation): (Option<usize>, Option<Arithmetic>),
) -> Option<Constant> {
    let targets: Vec<Vec<usize>> = match axis {
        Some(axis) => {
            let listed = on_axis(positions, *array.shape.get(axis)?)?;
            let is_valid =
                fits(&array.shape, &positions.shape, axis) && updates.shape == positions.shape;
            is_valid.then_some(())?;
            let targets = indices(&updates.shape).zip(listed);
            targets
                .map(|(index, at)| replaced(&index, axis, at))
                .collect()
        }
        None => {
            let lists = lists(positions, &array.shape)?;
            let (&count, outer) = positions.shape.split_last()?;
            ([outer, &array.shape[count..]].concat() == updates.shape[..]).then_some(())?;
            let target = |index: Vec<usize>| {
                let (listed, rest) = index.split_at(outer.len());
                [&lists[position(listed, outer)], rest].concat()
            };
            indices(&updates.shape).map(target).collect()
        }
    };
    let mut elements = array.elements.to_vec();
    let mut is_replaced = vec![false; elements.len()];
    for (target, update) in targets.iter().zip(&updates.elements[..]) {
        let at = position(target, &array.shape);
        let element = elements.get_mut(at)?;
        match operation {
            Some(operation) => *element = operation.apply(array.element_type, element, update),
            None if std::mem::replace(&mut is_replaced[at], true) => return None,
            None => *element = update.clone(),
        }
    }
    Constant::new(array.element_type, array.shape.clone(), elements)
}

/// Inserts an axis on which the element at the given position is `on`, and the others are `off`. Negative positions are
/// counted from the end if `counts_from_end` is true.
pub fn one_hot(
    positions: &Constant,
    (axis, length): (usize, usize),
    [off, on]: [&Number; 2],
    (element_type, counts_from_end): (ElementType, bool),
) -> Option<Constant> {
    let mut shape = positions.shape.to_vec();
    (axis <= shape.len()).then(|| shape.insert(axis, length))?;
    small_count(&shape)?;
    let listed = positions.known()?;
    let is_on = |at: i64, place: usize| match counts_from_end {
        true => index(at, length) == Some(place),
        false => usize::try_from(at) == Ok(place),
    };
    let element = |mut index: Vec<usize>| {
        let place = index.remove(axis);
        let at = listed[position(&index, &positions.shape)];
        if is_on(at, place) {
            on.clone()
        } else {
            off.clone()
        }
    };
    let elements: Vec<Number> = indices(&shape).map(element).collect();
    Constant::new(element_type, shape, elements)
}

/// Returns the `count` greatest or least elements along an axis, in order, and their positions. Equal elements keep their
/// order.
pub fn top(
    array: &Constant,
    (axis, count): (usize, usize),
    is_greatest: bool,
    position_type: ElementType,
) -> Option<[Constant; 2]> {
    let (length, known) = (*array.shape.get(axis)?, array.known()?);
    (count <= length).then_some(())?;
    let mut shape = array.shape.to_vec();
    shape[axis] = count;
    let mut positions = vec![Number::Unknown; element_count(&shape)?];
    for index in indices(&array.shape).filter(|index| index[axis] == 0) {
        let element = |at: &usize| known[position(&replaced(&index, axis, *at), &array.shape)];
        let mut order: Vec<usize> = (0..length).collect();
        match is_greatest {
            true => order.sort_by_key(|at| std::cmp::Reverse(element(at))),
            false => order.sort_by_key(element),
        }
        for (place, &at) in order[..count].iter().enumerate() {
            let number = position_type.integer(i128::try_from(at).ok()?);
            positions[position(&replaced(&index, axis, place), &shape)] = number;
        }
    }
    let positions = Constant::new(position_type, shape, positions)?;
    Some([gather_elements(array, &positions, axis)?, positions])
}

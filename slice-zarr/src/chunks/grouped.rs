//! Groups the positions of a list by chunk, and determines the output positions that they fill.
//!
//! The chunks are in ascending order, and the positions in a chunk are in the order of the output. If a position is
//! selected several times, its output positions are therefore in ascending order, and a write keeps the last value. A
//! list of single positions that is already in this order is not copied.

use alloc::vec::Vec;
use core::ops::Range;

use slice_core::{AxisPositions, AxisRange};

use crate::read_plan::error::{MAX_RUN_CUTS, PlanError};

/// The number of positions or runs after which a loop looks at the deadline again.
pub(crate) const CHECK_INTERVAL: usize = 4096;

/// Returns an error if a long computation must stop, for example because its deadline has passed.
pub(crate) type Check<'a, E> = &'a dyn Fn() -> Result<(), E>;

/// A list of positions, grouped by chunk. The runs of the list are cut into *pieces* at chunk boundaries. A single position
/// is a piece, too.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Grouped {
    /// The length of a chunk.
    len: usize,
    /// The pieces in the order of the groups. A piece is given by the index of its first position in the list, which is also
    /// the first output position that it fills. `None` if the pieces are single positions in the order of the list.
    pieces: Option<Vec<usize>>,
    /// The number of pieces before each group, followed by the total number; `None` if the pieces are single positions.
    piece_begins: Option<Vec<usize>>,
    is_in_order: bool,
    /// The number of positions before each group, followed by the total number.
    pub(crate) begins: Vec<usize>,
}

/// Positions with a constant step, and the consecutive output positions that they fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    /// The first position.
    pub(crate) from: usize,
    /// The first output position.
    pub(crate) to: usize,
    pub(crate) step: isize,
    pub(crate) len: usize,
}

impl Move {
    /// Returns the positions.
    pub(crate) fn positions(&self) -> AxisRange {
        AxisRange::new(self.from, self.step, self.len)
    }

    /// Returns the output positions.
    pub(crate) fn output(&self) -> AxisRange {
        AxisRange::new(self.to, 1, self.len)
    }
}

/// Consecutive groups of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Groups<'a> {
    list: &'a AxisPositions,
    grouped: &'a Grouped,
    /// The number of pieces before the groups, and in them.
    first: usize,
    /// The number of moves, one for each piece.
    pub(crate) move_count: usize,
    pub(crate) position_count: usize,
}

impl Grouped {
    /// Groups the positions of a list by chunk. `len` is the length of a chunk and must not be zero. Returns an error if
    /// the estimated number of cuts of the list's runs exceeds [`MAX_RUN_CUTS`]. Calls `check` every
    /// [`CHECK_INTERVAL`] positions, and returns its first error.
    pub(crate) fn new<E: From<PlanError>>(
        list: &AxisPositions,
        len: usize,
        check: Check<'_, E>,
    ) -> Result<Self, E> {
        if list.runs().len() == list.len() {
            let position = |n| list.run_from(n).start();
            let (order, begins) = by_chunk(list.len(), position, len, check)?;
            return Ok(Grouped {
                len,
                is_in_order: order.is_none(),
                pieces: order,
                piece_begins: None,
                begins,
            });
        }
        let cuts = list.runs().fold(0_usize, |cuts, run| {
            // An estimate: a run is cut once for each chunk boundary that it crosses, but at most once per position.
            let distance = run.step().unsigned_abs().saturating_mul(run.len() - 1);
            cuts.saturating_add((distance / len).min(run.len()))
        });
        if cuts > MAX_RUN_CUTS {
            return Err(PlanError::TooManyCuts { cuts }.into());
        }
        // The first position of each piece, and its index in the list.
        let (mut firsts, mut indices, mut index) = (Vec::new(), Vec::new(), 0);
        for (number, mut run) in list.runs().enumerate() {
            if number.is_multiple_of(CHECK_INTERVAL) {
                check()?;
            }
            while !run.is_empty() {
                firsts.push(run.start());
                indices.push(index);
                let count = count_in_chunk(run, len);
                index += count;
                run = AxisRange::new(run.position(count), run.step(), run.len() - count);
            }
        }
        let (order, piece_begins) = by_chunk(firsts.len(), |n| firsts[n], len, check)?;
        drop(firsts);
        let piece = |n: usize| order.as_ref().map_or(n, |order| order[n]);
        let end = |n: usize| indices.get(n + 1).copied().unwrap_or(index);
        let (mut begins, mut total) = (Vec::with_capacity(piece_begins.len()), 0);
        for group in piece_begins.windows(2) {
            begins.push(total);
            let pieces = (group[0]..group[1]).map(piece);
            total += pieces.map(|n| end(n) - indices[n]).sum::<usize>();
        }
        begins.push(total);
        let is_in_order = order.is_none();
        let pieces = match order {
            None => indices,
            Some(order) => order.into_iter().map(|n| indices[n]).collect(),
        };
        Ok(Grouped {
            len,
            pieces: Some(pieces),
            piece_begins: Some(piece_begins),
            is_in_order,
            begins,
        })
    }

    /// Returns the number of groups, one for each touched chunk.
    pub(crate) fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// Returns `true` if the positions are in the order of the list.
    pub(crate) fn is_in_order(&self) -> bool {
        self.is_in_order
    }

    /// Returns the memory, in bytes, held by the groups.
    #[cfg(feature = "zarrs")]
    pub(crate) fn held_bytes(&self) -> usize {
        let bytes = |list: &Option<Vec<usize>>| size_of_val(list.as_deref().unwrap_or_default());
        bytes(&self.pieces) + bytes(&self.piece_begins) + size_of_val(&self.begins[..])
    }

    /// Returns the groups with the given numbers. `list` must be the grouped list.
    pub(crate) fn groups<'a>(
        &'a self,
        list: &'a AxisPositions,
        numbers: Range<usize>,
    ) -> Groups<'a> {
        let Range { start, end } = numbers;
        let begins = self.piece_begins.as_ref().unwrap_or(&self.begins);
        Groups {
            list,
            grouped: self,
            first: begins[start],
            move_count: begins[end] - begins[start],
            position_count: self.begins[end] - self.begins[start],
        }
    }

    /// Returns the numbers of the groups of `positions`, which are indices into the grouped list and must begin and end at
    /// the boundaries of groups.
    pub(crate) fn numbers(&self, positions: Range<usize>) -> Range<usize> {
        let number = |position| self.begins.partition_point(|&begin| begin < position);
        number(positions.start)..number(positions.end)
    }

    /// Returns the [`Move`]s for the [groups](Self::numbers) of `positions`. `list` must be the grouped list.
    pub(crate) fn moves<'a>(
        &'a self,
        list: &'a AxisPositions,
        positions: Range<usize>,
    ) -> impl Iterator<Item = Move> + use<'a> {
        let groups = self.groups(list, self.numbers(positions));
        (0..groups.move_count).map(move |n| groups.nth_move(n))
    }
}

impl Groups<'_> {
    /// Returns the first position.
    pub(crate) fn first(&self) -> usize {
        self.nth_move(0).from
    }

    /// Returns the `n`-th move.
    #[inline]
    pub(crate) fn nth_move(&self, n: usize) -> Move {
        let n = self.first + n;
        let pieces = self.grouped.pieces.as_ref();
        let to = pieces.map_or(n, |pieces| pieces[n]);
        let run = self.list.run_from(to);
        Move {
            from: run.start(),
            to,
            step: run.step(),
            len: count_in_chunk(run, self.grouped.len),
        }
    }
}

/// Returns the number of positions at the beginning of a run that lie in one chunk of length `len`.
#[inline]
fn count_in_chunk(run: AxisRange, len: usize) -> usize {
    if run.step() == 0 || run.len() == 1 {
        return run.len();
    }
    let in_chunk = run.start() % len;
    let distance = match run.step() > 0 {
        true => len - 1 - in_chunk,
        false => in_chunk,
    };
    (distance / run.step().unsigned_abs() + 1).min(run.len())
}

/// Returns the indices of `total` positions, sorted by chunk and then by index, or `None` if they are already in this order.
/// Also returns the number of positions before each group, followed by the total number.
fn by_chunk<E>(
    total: usize,
    position: impl Fn(usize) -> usize + Copy,
    len: usize,
    check: Check<'_, E>,
) -> Result<(Option<Vec<usize>>, Vec<usize>), E> {
    if let Some(begins) = begins_in_order((0..total).map(position), len, check)? {
        return Ok((None, begins));
    }
    let (order, begins) = sorted_by_chunk(total, position, len, check)?;
    Ok((Some(order), begins))
}

/// Returns the number of positions before each group, followed by the total number. Returns `None` if the chunks are
/// not in ascending order.
fn begins_in_order<E>(
    positions: impl Iterator<Item = usize>,
    len: usize,
    check: Check<'_, E>,
) -> Result<Option<Vec<usize>>, E> {
    let (mut begins, mut chunk) = (Vec::new(), 0..0);
    let mut total = 0;
    for (at, position) in positions.enumerate() {
        if at.is_multiple_of(CHECK_INTERVAL) {
            check()?;
        }
        if !chunk.contains(&position) {
            if position < chunk.start {
                return Ok(None);
            }
            let start = position - position % len;
            // The sum does not overflow, because both terms are at most `isize::MAX`.
            chunk = start..start + len;
            begins.push(at);
        }
        total = at + 1;
    }
    begins.push(total);
    Ok(Some(begins))
}

/// Returns the indices of `total` positions, sorted by chunk and then by index. Also returns the number of positions before
/// each group, followed by the total number.
fn sorted_by_chunk<E>(
    total: usize,
    position: impl Fn(usize) -> usize + Copy,
    len: usize,
    check: Check<'_, E>,
) -> Result<(Vec<usize>, Vec<usize>), E> {
    let all_positions = || (0..total).map(position);
    let first_chunk = all_positions().min().map_or(0, |position| position / len);
    let last_chunk = all_positions().max().map_or(0, |position| position / len);
    let chunks = last_chunk - first_chunk + 1;
    if chunks <= total {
        let chunk_of = |index| position(index) / len - first_chunk;
        return counting_sort(total, chunk_of, chunks, check);
    }
    check()?;
    let mut indices: Vec<usize> = (0..total).collect();
    indices.sort_by_key(|&index| position(index) / len);
    let ordered = indices.iter().map(|&index| position(index));
    let begins = begins_in_order(ordered, len, check)?;
    Ok((indices, begins.expect("the chunks should be sorted")))
}

/// Implements [`sorted_by_chunk`] as a counting sort over `chunks` chunks. `chunk_of` returns the chunk of the position with
/// an index.
fn counting_sort<E>(
    total: usize,
    chunk_of: impl Fn(usize) -> usize,
    chunks: usize,
    check: Check<'_, E>,
) -> Result<(Vec<usize>, Vec<usize>), E> {
    let mut next = Vec::from_iter(core::iter::repeat_n(0_usize, chunks));
    for index in 0..total {
        if index.is_multiple_of(CHECK_INTERVAL) {
            check()?;
        }
        next[chunk_of(index)] += 1;
    }
    let (mut begins, mut before) = (Vec::new(), 0);
    for count in &mut next {
        if *count > 0 {
            begins.push(before);
        }
        before += core::mem::replace(count, before);
    }
    begins.push(total);
    let mut indices = Vec::from_iter(core::iter::repeat_n(0_usize, total));
    for index in 0..total {
        if index.is_multiple_of(CHECK_INTERVAL) {
            check()?;
        }
        let next = &mut next[chunk_of(index)];
        indices[*next] = index;
        *next += 1;
    }
    Ok((indices, begins))
}

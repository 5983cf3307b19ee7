//! Groups the positions of a list by chunk, and determines the output positions that they fill.
//!
//! The chunks are in ascending order, and the positions in a chunk are in the order of the output. If a position is
//! selected several times, its output positions are therefore in ascending order, and a write keeps the last value. A
//! list of single positions that is already in this order is not copied.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use slice_core::{AxisPositions, AxisRange};

/// The maximum number of times that the runs of a list may be cut, most often at chunk boundaries. The number of cuts
/// is estimated. No practical read touches this many chunks.
const MAX_RUN_CUTS: usize = 1 << 22;

/// The number of positions or runs after which a loop looks at the deadline again.
pub(crate) const CHECK_INTERVAL: usize = 4096;

/// Returns an error if a long computation must stop, for example because its deadline has passed.
pub(crate) type Check<'a, E> = &'a dyn Fn() -> Result<(), E>;

/// The maximum number of positions in a [`RunPiece`].
const MAX_PIECE_LEN: usize = u32::MAX as usize;

/// A list of positions, grouped by chunk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Grouped {
    order: Order,
    /// The number of positions before each group, followed by the total number.
    pub(crate) begins: Vec<usize>,
}

/// The positions in the order of the groups.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Order {
    /// Single positions, in the order of the list.
    Unchanged,
    /// Single positions in a different order. They are given by their indices in the list, which are also the output
    /// positions that they fill.
    Indices(Vec<usize>),
    /// Runs cut at chunk boundaries. `begins` contains the number of pieces before each group, followed by the total
    /// number. `in_order` is `true` if the pieces are in the order of the list.
    Pieces {
        pieces: Vec<RunPiece>,
        begins: Vec<usize>,
        in_order: bool,
    },
}

/// A run of positions in one chunk. The step and the length have 32 bits to save memory, because there may be millions
/// of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RunPiece {
    from: usize,
    to: usize,
    step: i32,
    len: u32,
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

/// A borrowed list of single positions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Singles<'a> {
    Narrow(&'a [u32]),
    Wide(&'a [usize]),
}

impl<'a> Singles<'a> {
    /// Returns the borrowed list of single positions in `positions`, or an empty list if there is none.
    pub(crate) fn of(positions: AxisPositions<'a>) -> Self {
        match positions {
            AxisPositions::Singles(Cow::Borrowed(list)) => Singles::Wide(list),
            AxisPositions::Narrow(Cow::Borrowed(list)) => Singles::Narrow(list),
            _ => Singles::Wide(&[]),
        }
    }

    fn len(self) -> usize {
        match self {
            Singles::Narrow(list) => list.len(),
            Singles::Wide(list) => list.len(),
        }
    }

    #[inline(always)]
    pub(crate) fn get(self, index: usize) -> usize {
        match self {
            Singles::Narrow(list) => list[index] as usize,
            Singles::Wide(list) => list[index],
        }
    }

    fn part(self, indices: Range<usize>) -> Self {
        match self {
            Singles::Narrow(list) => Singles::Narrow(&list[indices]),
            Singles::Wide(list) => Singles::Wide(&list[indices]),
        }
    }
}

/// Consecutive groups of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Groups<'a> {
    /// Positions that fill consecutive output positions, beginning at `begin`.
    Unchanged {
        positions: Singles<'a>,
        begin: usize,
    },
    /// Positions of `list`, given by their indices, which are also the output positions that they fill.
    Indices {
        list: Singles<'a>,
        indices: &'a [usize],
    },
    /// Runs, each in one chunk.
    Pieces(&'a [RunPiece]),
}

impl Grouped {
    /// Groups the positions of a list by chunk. `len` is the length of a chunk and must not be zero. Returns `None` if
    /// the estimated number of cuts of the list's runs exceeds [`MAX_RUN_CUTS`]. Calls `check` every
    /// [`CHECK_INTERVAL`] positions, and returns its first error.
    pub(crate) fn new<E>(
        list: &AxisPositions<'_>,
        len: usize,
        check: Check<'_, E>,
    ) -> Result<Option<Self>, E> {
        match list {
            AxisPositions::Singles(list) => {
                let list: &[usize] = list;
                Self::of_singles(list.len(), |k| list[k], len, check).map(Some)
            }
            AxisPositions::Narrow(list) => {
                let list: &[u32] = list;
                Self::of_singles(list.len(), |k| list[k] as usize, len, check).map(Some)
            }
            AxisPositions::Runs(runs) => Self::of_runs(runs, len, check),
            AxisPositions::Range(range) => {
                Self::of_runs(&[*range][..usize::from(!range.is_empty())], len, check)
            }
        }
    }

    /// Groups `count` single positions. `position` returns the position with an index.
    fn of_singles<E>(
        count: usize,
        position: impl Fn(usize) -> usize + Copy,
        len: usize,
        check: Check<'_, E>,
    ) -> Result<Self, E> {
        if let Some(begins) = begins_in_order((0..count).map(position), len, check)? {
            return Ok(Grouped {
                order: Order::Unchanged,
                begins,
            });
        }
        let (indices, begins) = sorted_by_chunk(count, position, len, check)?;
        Ok(Grouped {
            order: Order::Indices(indices),
            begins,
        })
    }

    fn of_runs<E>(runs: &[AxisRange], len: usize, check: Check<'_, E>) -> Result<Option<Self>, E> {
        let cuts = runs.iter().fold(0_usize, |cuts, run| {
            let distance = run.step().unsigned_abs().saturating_mul(run.len() - 1);
            // An estimate: a run is cut once for each chunk boundary that it crosses, but at most once per position. It
            // is also cut after every `MAX_PIECE_LEN` positions, or after each position if its step does not fit in a
            // piece.
            let chunks = (distance / len).min(run.len());
            let fits = i32::try_from(run.step()).is_ok();
            let length_cuts = if fits {
                run.len() / MAX_PIECE_LEN
            } else {
                run.len()
            };
            cuts.saturating_add(chunks.max(length_cuts))
        });
        if cuts > MAX_RUN_CUTS {
            return Ok(None);
        }
        let mut count = 0;
        for runs in runs.chunks(CHECK_INTERVAL) {
            check()?;
            for &run in runs {
                for_each_piece(run, len, |_, _| count += 1);
            }
        }
        let (mut pieces, mut to) = (Vec::with_capacity(count), 0);
        for runs in runs.chunks(CHECK_INTERVAL) {
            check()?;
            for &run in runs {
                for_each_piece(run, len, |from, count| {
                    push_pieces(&mut pieces, from, to, run.step(), count);
                    to += count;
                });
            }
        }
        check()?;
        let chunk = |piece: &RunPiece| piece.from / len;
        let in_order = pieces.is_sorted_by_key(chunk);
        if !in_order {
            // An unstable sort allocates no memory. The output position in the key keeps the pieces of a chunk in the
            // order of the output.
            pieces.sort_unstable_by_key(|piece| (chunk(piece), piece.to));
        }
        let (mut begins, mut positions, mut total) = (Vec::new(), Vec::new(), 0);
        let mut last = None;
        for (at, piece) in pieces.iter().enumerate() {
            if last.replace(chunk(piece)) != Some(chunk(piece)) {
                begins.push(at);
                positions.push(total);
            }
            total += piece.len as usize;
        }
        begins.push(pieces.len());
        positions.push(total);
        Ok(Some(Grouped {
            order: Order::Pieces {
                pieces,
                begins,
                in_order,
            },
            begins: positions,
        }))
    }

    /// Returns the number of groups, one for each touched chunk.
    pub(crate) fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// Returns `true` if the positions are in the order of the list.
    pub(crate) fn is_in_order(&self) -> bool {
        match self.order {
            Order::Unchanged => true,
            Order::Indices(_) => false,
            Order::Pieces { in_order, .. } => in_order,
        }
    }

    /// Returns the memory, in bytes, held by the groups.
    #[cfg(feature = "zarrs")]
    pub(crate) fn held_bytes(&self) -> usize {
        let order = match &self.order {
            Order::Unchanged => 0,
            Order::Indices(indices) => size_of_val(&indices[..]),
            Order::Pieces { pieces, begins, .. } => {
                size_of_val(&pieces[..]) + size_of_val(&begins[..])
            }
        };
        order + size_of_val(&self.begins[..])
    }

    /// Returns the groups with the given numbers. If the grouped list consists of single positions, `list` must be that
    /// list.
    pub(crate) fn groups<'a>(&'a self, list: Singles<'a>, numbers: Range<usize>) -> Groups<'a> {
        let Range { start, end } = numbers;
        let positions = self.begins[start]..self.begins[end];
        match &self.order {
            Order::Pieces { pieces, begins, .. } => {
                Groups::Pieces(&pieces[begins[start]..begins[end]])
            }
            Order::Unchanged => Groups::Unchanged {
                begin: positions.start,
                positions: list.part(positions),
            },
            Order::Indices(indices) => Groups::Indices {
                list,
                indices: &indices[positions],
            },
        }
    }

    /// Returns the [`Move`]s for `positions`, which are indices into the grouped list and must begin and end at the
    /// boundaries of groups. `list` must be as for [`groups`](Self::groups).
    pub(crate) fn moves<'a>(
        &'a self,
        list: Singles<'a>,
        positions: Range<usize>,
    ) -> impl Iterator<Item = Move> + use<'a> {
        let group = |position| self.begins.partition_point(|&begin| begin < position);
        let groups = self.groups(list, group(positions.start)..group(positions.end));
        (0..groups.move_count()).map(move |n| groups.nth_move(n))
    }
}

impl Groups<'_> {
    /// Returns the first position.
    pub(crate) fn first(&self) -> usize {
        self.nth_move(0).from
    }

    /// Returns the number of moves.
    pub(crate) fn move_count(&self) -> usize {
        match self {
            Groups::Unchanged { positions, .. } => positions.len(),
            Groups::Indices { indices, .. } => indices.len(),
            Groups::Pieces(pieces) => pieces.len(),
        }
    }

    /// Returns the `n`-th move.
    #[inline]
    pub(crate) fn nth_move(&self, n: usize) -> Move {
        let single = |from, to| Move {
            from,
            to,
            step: 1,
            len: 1,
        };
        match self {
            Groups::Unchanged { positions, begin } => single(positions.get(n), begin + n),
            Groups::Indices { list, indices } => single(list.get(indices[n]), indices[n]),
            Groups::Pieces(pieces) => {
                let RunPiece {
                    from,
                    to,
                    step,
                    len,
                } = pieces[n];
                Move {
                    from,
                    to,
                    step: step as isize,
                    len: len as usize,
                }
            }
        }
    }

    /// Returns the number of positions.
    pub(crate) fn position_count(&self) -> usize {
        match self {
            Groups::Pieces(pieces) => pieces.iter().map(|piece| piece.len as usize).sum(),
            singles => singles.move_count(),
        }
    }
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
    let bits = usize::BITS - total.leading_zeros();
    let indices: Vec<usize> = if chunks.leading_zeros() >= bits {
        // Each key combines a chunk and an index in one integer. Sorting integers takes half as long as sorting pairs.
        let keys = all_positions().enumerate();
        let keys = keys.map(|(index, position)| (position / len - first_chunk) << bits | index);
        let mut keys: Vec<usize> = keys.collect();
        keys.sort_unstable();
        keys.iter_mut()
            .for_each(|key| *key &= usize::MAX >> (usize::BITS - bits));
        keys
    } else {
        let mut indices: Vec<usize> = (0..total).collect();
        indices.sort_by_key(|&index| position(index) / len);
        indices
    };
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

/// Cuts a run at the boundaries of chunks of length `len`, and calls `piece` with the first position and the number of
/// positions of each piece.
fn for_each_piece(run: AxisRange, len: usize, mut piece: impl FnMut(usize, usize)) {
    let (mut position, mut remaining) = (run.start(), run.len());
    let step = run.step().unsigned_abs();
    while remaining > 0 {
        let position_in_chunk = position % len;
        let distance = match run.step() {
            0 => return piece(position, remaining),
            1.. => len - 1 - position_in_chunk,
            _ => position_in_chunk,
        };
        let count = (distance / step + 1).min(remaining);
        piece(position, count);
        remaining -= count;
        // The sum wraps around only after the last position.
        position = position.wrapping_add_signed(run.step().wrapping_mul(count as isize));
    }
}

/// Appends a run that lies in one chunk, as several pieces if its length or its step does not fit in one piece.
fn push_pieces(pieces: &mut Vec<RunPiece>, from: usize, to: usize, step: isize, len: usize) {
    let max_len = match i32::try_from(step) {
        Ok(_) => MAX_PIECE_LEN,
        Err(_) => 1,
    };
    let mut offset = 0;
    while offset < len {
        let count = (len - offset).min(max_len);
        pieces.push(RunPiece {
            from: from.wrapping_add_signed(step.wrapping_mul(offset as isize)),
            to: to + offset,
            // A step that does not fit is not used, because the piece has a single position.
            step: i32::try_from(step).unwrap_or(1),
            len: count as u32,
        });
        offset += count;
    }
}

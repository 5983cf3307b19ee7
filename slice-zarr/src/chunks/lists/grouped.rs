//! Groups a list by chunk: the positions in each touched chunk, and their places in the output.
//!
//! Chunks are in ascending order, and positions in a chunk are in the order of the output. If a position is selected
//! several times, its places are therefore in order, and a write keeps the last value. A list that is already in this
//! order is left unchanged.

use alloc::vec::Vec;

use slice_core::{AxisPositions, AxisRun};

/// The largest number of cuts of runs at the ends of chunks. No practical read touches this many chunks.
const MAX_CUTS: usize = 1 << 22;

/// The largest number of positions in a piece.
const MAX_LEN: usize = u32::MAX as usize;

/// A list of positions, grouped by chunk.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Grouped {
    order: Order,
    /// The number of positions before each group, and in all groups.
    begins: Vec<usize>,
}

/// The order of the positions, group by group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Order {
    /// The order of the list.
    Same,
    /// The places of single positions in the output.
    Places(Vec<usize>),
    /// Runs cut at the ends of chunks, and the number of runs before each group and in total.
    Pieces {
        pieces: Vec<Piece>,
        begins: Vec<usize>,
        same: bool,
    },
}

/// A run of positions in one chunk. Its fields are small, since there may be millions of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Piece {
    position: usize,
    place: usize,
    step: i32,
    len: u32,
}

/// Positions at a constant step, whose places in the output are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    /// The first position.
    pub(crate) from: usize,
    /// The place in the output.
    pub(crate) to: usize,
    pub(crate) step: isize,
    pub(crate) len: usize,
}

/// A borrowed list of single positions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum List<'a> {
    Narrow(&'a [u32]),
    Wide(&'a [usize]),
}

impl<'a> List<'a> {
    /// Returns the list of an axis, which is empty unless it is a list of single positions.
    pub(crate) fn of(positions: &'a AxisPositions<'_>) -> Self {
        match positions {
            AxisPositions::Singles(list) => List::Wide(list),
            AxisPositions::Narrow(list) => List::Narrow(list),
            AxisPositions::Range(_) | AxisPositions::Runs(_) => List::Wide(&[]),
        }
    }

    fn len(self) -> usize {
        match self {
            List::Narrow(list) => list.len(),
            List::Wide(list) => list.len(),
        }
    }

    #[inline(always)]
    fn get(self, at: usize) -> usize {
        match self {
            List::Narrow(list) => list[at] as usize,
            List::Wide(list) => list[at],
        }
    }

    fn part(self, begin: usize, end: usize) -> Self {
        match self {
            List::Narrow(list) => List::Narrow(&list[begin..end]),
            List::Wide(list) => List::Wide(&list[begin..end]),
        }
    }
}

/// A position in one of the integer types of a list.
trait Position: Copy {
    fn position(self) -> usize;
}

impl Position for u32 {
    #[inline(always)]
    fn position(self) -> usize {
        self as usize
    }
}

impl Position for usize {
    #[inline(always)]
    fn position(self) -> usize {
        self
    }
}

/// Consecutive groups of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Groups<'a> {
    /// Positions whose places start at `begin`.
    Same { positions: List<'a>, begin: usize },
    /// The places of positions in the list.
    Places { list: List<'a>, places: &'a [usize] },
    /// Runs.
    Pieces(Pieces<'a>),
}

/// Runs, each in one chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pieces<'a>(&'a [Piece]);

impl Grouped {
    /// Groups a list by chunks of `len` elements, which is not zero. Returns `None` if too many chunks are touched.
    pub(crate) fn new(list: &AxisPositions<'_>, len: usize) -> Option<Self> {
        match list {
            AxisPositions::Singles(positions) => Some(Self::of_singles(positions, len)),
            AxisPositions::Narrow(positions) => Some(Self::of_singles(positions, len)),
            AxisPositions::Runs(runs) => Self::of_runs(runs, len),
            AxisPositions::Range(range) => {
                let (start, step, len_) = (range.start(), range.step(), range.len());
                let run = AxisRun {
                    start,
                    step,
                    len: len_,
                };
                Self::of_runs(&[run][..usize::from(len_ > 0)], len)
            }
        }
    }

    fn of_singles<P: Position>(positions: &[P], len: usize) -> Self {
        if let Some(begins) = begins_in_order(positions.iter().map(|k| k.position()), len) {
            return Grouped {
                order: Order::Same,
                begins,
            };
        }
        let (places, begins) = sorted_by_chunk(positions, len);
        Grouped {
            order: Order::Places(places),
            begins,
        }
    }

    fn of_runs(runs: &[AxisRun], len: usize) -> Option<Self> {
        let cuts = runs.iter().fold(0_usize, |cuts, run| {
            let distance = run.step.unsigned_abs().saturating_mul(run.len - 1);
            // A run is cut at most once per position or per chunk, and where a piece would exceed its largest length.
            let chunks = (distance / len).min(run.len);
            let fits = i32::try_from(run.step).is_ok();
            let longest = if fits { run.len / MAX_LEN } else { run.len };
            cuts.saturating_add(chunks.max(longest))
        });
        if cuts > MAX_CUTS {
            return None;
        }
        let mut count = 0;
        for &run in runs {
            each_piece(run, len, |_, _| count += 1);
        }
        let (mut pieces, mut place) = (Vec::with_capacity(count), 0);
        for &run in runs {
            each_piece(run, len, |position, count| {
                push(&mut pieces, position, place, run.step, count);
                place += count;
            });
        }
        let chunk = |piece: &Piece| piece.position / len;
        let same = pieces.is_sorted_by_key(chunk);
        if !same {
            // An unstable sort needs no memory, and the place in the key keeps the order of the output within a chunk.
            pieces.sort_unstable_by_key(|piece| (chunk(piece), piece.place));
        }
        let (mut begins, mut positions, mut all) = (Vec::new(), Vec::new(), 0);
        let mut last = None;
        for (at, piece) in pieces.iter().enumerate() {
            if last.replace(chunk(piece)) != Some(chunk(piece)) {
                begins.push(at);
                positions.push(all);
            }
            all += piece.len as usize;
        }
        begins.push(pieces.len());
        positions.push(all);
        Some(Grouped {
            order: Order::Pieces {
                pieces,
                begins,
                same,
            },
            begins: positions,
        })
    }

    /// Returns the number of groups, one for each touched chunk.
    pub(crate) fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// Returns `true` if the positions are in the order of the list.
    pub(crate) fn is_in_order(&self) -> bool {
        match self.order {
            Order::Same => true,
            Order::Places(_) => false,
            Order::Pieces { same, .. } => same,
        }
    }

    /// Returns the number of positions before each group, and in all groups.
    pub(crate) fn begins(&self) -> &[usize] {
        &self.begins
    }

    /// Returns the size in memory, in bytes.
    #[cfg(feature = "zarrs")]
    pub(crate) fn held_bytes(&self) -> usize {
        let order = match &self.order {
            Order::Same => 0,
            Order::Places(places) => size_of_val(&places[..]),
            Order::Pieces { pieces, begins, .. } => {
                size_of_val(&pieces[..]) + size_of_val(&begins[..])
            }
        };
        order + size_of_val(&self.begins[..])
    }

    /// Returns the groups `from..to`; `list` is the grouped list if it has single positions.
    pub(crate) fn groups<'a>(&'a self, list: List<'a>, from: usize, to: usize) -> Groups<'a> {
        let (begin, end) = (self.begins[from], self.begins[to]);
        match &self.order {
            Order::Pieces { pieces, begins, .. } => {
                Groups::Pieces(Pieces(&pieces[begins[from]..begins[to]]))
            }
            Order::Same => Groups::Same {
                positions: list.part(begin, end),
                begin,
            },
            Order::Places(places) => Groups::Places {
                list,
                places: &places[begin..end],
            },
        }
    }

    /// Returns the first position of a group.
    pub(crate) fn first(&self, list: List<'_>, group: usize) -> usize {
        match &self.order {
            Order::Pieces { pieces, begins, .. } => pieces[begins[group]].position,
            Order::Same => list.get(self.begins[group]),
            Order::Places(places) => list.get(places[self.begins[group]]),
        }
    }
}

impl Groups<'_> {
    /// Returns the number of moves.
    pub(crate) fn len(&self) -> usize {
        match self {
            Groups::Same { positions, .. } => positions.len(),
            Groups::Places { places, .. } => places.len(),
            Groups::Pieces(Pieces(pieces)) => pieces.len(),
        }
    }

    /// Returns the move with this number.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> Move {
        let single = |from, to| Move {
            from,
            to,
            step: 1,
            len: 1,
        };
        match self {
            Groups::Same { positions, begin } => single(positions.get(at), begin + at),
            Groups::Places { list, places } => single(list.get(places[at]), places[at]),
            Groups::Pieces(Pieces(pieces)) => {
                let Piece {
                    position,
                    place,
                    step,
                    len,
                } = pieces[at];
                Move {
                    from: position,
                    to: place,
                    step: step as isize,
                    len: len as usize,
                }
            }
        }
    }

    /// Returns the number of positions.
    pub(crate) fn positions(&self) -> usize {
        match self {
            Groups::Pieces(Pieces(pieces)) => pieces.iter().map(|piece| piece.len as usize).sum(),
            singles => singles.len(),
        }
    }
}

/// Returns the begin of each group and the end of the last group, if the chunks are already in ascending order.
fn begins_in_order(positions: impl Iterator<Item = usize>, len: usize) -> Option<Vec<usize>> {
    let (mut begins, mut chunk) = (Vec::new(), 0..0);
    let mut all = 0;
    for (at, position) in positions.enumerate() {
        if !chunk.contains(&position) {
            if position < chunk.start {
                return None;
            }
            let start = position - position % len;
            // The sum does not overflow, because both terms are at most `isize::MAX`.
            chunk = start..start + len;
            begins.push(at);
        }
        all = at + 1;
    }
    begins.push(all);
    Some(begins)
}

/// Returns the places of the positions, sorted by chunk and then by place. Also returns the begin of each chunk and the
/// end of the last chunk.
fn sorted_by_chunk<P: Position>(positions: &[P], len: usize) -> (Vec<usize>, Vec<usize>) {
    let all = positions.len();
    let all_positions = || positions.iter().map(|k| k.position());
    let least = all_positions().min().map_or(0, |position| position / len);
    let most = all_positions().max().map_or(0, |position| position / len);
    let chunks = most - least + 1;
    if chunks <= all {
        return counted(positions, len, least, chunks);
    }
    let bits = usize::BITS - all.leading_zeros();
    let places: Vec<usize> = if chunks.leading_zeros() >= bits {
        // Sorting integers takes half the time of sorting pairs.
        let keys = all_positions().enumerate();
        let keys = keys.map(|(place, position)| (position / len - least) << bits | place);
        let mut keys: Vec<usize> = keys.collect();
        keys.sort_unstable();
        keys.iter_mut()
            .for_each(|key| *key &= usize::MAX >> (usize::BITS - bits));
        keys
    } else {
        let mut places: Vec<usize> = (0..all).collect();
        places.sort_by_key(|&place| positions[place].position() / len);
        places
    };
    let begins = begins_in_order(places.iter().map(|&place| positions[place].position()), len);
    (places, begins.expect("the chunks are sorted"))
}

/// Implements [`sorted_by_chunk`] as a counting sort over this number of chunks, beginning with the chunk `least`.
fn counted<P: Position>(
    positions: &[P],
    len: usize,
    least: usize,
    chunks: usize,
) -> (Vec<usize>, Vec<usize>) {
    let mut next = Vec::from_iter(core::iter::repeat_n(0_usize, chunks));
    for position in positions {
        next[position.position() / len - least] += 1;
    }
    let (mut begins, mut all) = (Vec::new(), 0);
    for count in &mut next {
        if *count > 0 {
            begins.push(all);
        }
        all += core::mem::replace(count, all);
    }
    begins.push(all);
    let mut places = Vec::from_iter(core::iter::repeat_n(0_usize, all));
    for (place, position) in positions.iter().enumerate() {
        let next = &mut next[position.position() / len - least];
        places[*next] = place;
        *next += 1;
    }
    (places, begins)
}

/// Calls `piece(position, count)` for the positions of a run in each chunk, one chunk after the other.
fn each_piece(run: AxisRun, len: usize, mut piece: impl FnMut(usize, usize)) {
    let (mut position, mut left) = (run.start, run.len);
    let step = run.step.unsigned_abs();
    while left > 0 {
        let inside = position % len;
        let distance = match run.step {
            0 => return piece(position, left),
            1.. => len - 1 - inside,
            _ => inside,
        };
        let count = (distance / step + 1).min(left);
        piece(position, count);
        left -= count;
        // The sum wraps around only after the last position.
        position = position.wrapping_add_signed(run.step.wrapping_mul(count as isize));
    }
}

/// Appends a run, cut into several pieces if it is too long for one piece.
fn push(pieces: &mut Vec<Piece>, position: usize, place: usize, step: isize, len: usize) {
    let most = match i32::try_from(step) {
        Ok(_) => MAX_LEN,
        Err(_) => 1,
    };
    let mut done = 0;
    while done < len {
        let count = (len - done).min(most);
        pieces.push(Piece {
            position: position.wrapping_add_signed(step.wrapping_mul(done as isize)),
            place: place + done,
            // The step of a single position is not used.
            step: i32::try_from(step).unwrap_or(1),
            len: count as u32,
        });
        done += count;
    }
}

//! Reads and writes slices with lists, masks and points, and runs their plans after serialization. The results are compared with the
//! results of simple loops. The fuzz target `serialized_plans` runs [`check`], and a test runs it on a bounded number
//! of inputs.

use std::fmt::Write;
use std::sync::Arc;

use ndarray::{ArrayD, IxDyn};
use slice_zarr::{AccessOptions, PlanSlice, ReadPlan, ReadSlice, WriteSlice};
use zarrs::array::codec::{GzipCodec, ShardingCodecBuilder};
use zarrs::array::{Array, ArrayBuilder, FillValue, data_type};
use zarrs::storage::store::MemoryStore;

type Memory = Array<MemoryStore>;

/// The maximum number of elements selected by the lists of a slice.
const MAX_ELEMENTS: usize = 4000;

/// The remaining bytes of an input, followed by an endless sequence of zeros.
struct InputBytes<'a>(&'a [u8]);

impl InputBytes<'_> {
    fn next(&mut self) -> usize {
        let Some((&first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        first.into()
    }

    fn below(&mut self, n: usize) -> usize {
        self.next() % n.max(1)
    }
}

/// Returns one item of a slice as a string, and the positions selected by the item. A list of positions has at most
/// `remaining` of them.
fn item(bytes: &mut InputBytes<'_>, size: usize, remaining: usize) -> (String, Vec<usize>) {
    let kind = bytes.below(8);
    if size == 0 || kind == 0 {
        return (":".into(), (0..size).collect());
    }
    if kind == 1 {
        let step = 1 + bytes.below(4);
        let descending = (0..size).rev().step_by(step).collect();
        return (format!("::-{step}"), descending);
    }
    if kind == 2 {
        let mask: Vec<bool> = (0..size).map(|_| bytes.next() & 1 == 1).collect();
        let values = mask
            .iter()
            .map(|&value| ["False", "True"][usize::from(value)]);
        let text = values.collect::<Vec<_>>().join(", ");
        let positions = (0..size).filter(|&position| mask[position]);
        return (format!("[{text}]"), positions.collect());
    }
    let mut positions: Vec<usize> = Vec::new();
    for _ in 0..bytes.below(6) {
        let (begin, step, len) = (bytes.below(size), bytes.below(5), 1 + bytes.below(9));
        let run = (0..len as isize).map(|k| begin as isize + k * (step as isize - 2));
        positions.extend(run.filter_map(|k| usize::try_from(k).ok().filter(|&k| k < size)));
    }
    positions.truncate(remaining);
    if kind == 3 {
        positions.sort_unstable();
    }
    let mut text = String::new();
    for position in &positions {
        let position = *position as i64;
        let number = match kind {
            4 => position - size as i64,
            _ => position,
        };
        write!(text, "{number}, ").unwrap();
    }
    (format!("[{text}]"), positions)
}

/// Creates an in-memory array with the shape `shape`. The input determines the chunks and the codecs.
/// Returns points, a mask or a list that applies to the axes with the lengths `sizes`, as a string; the selected positions
/// in C order over these axes; and the lengths of the axes of the result. At most `remaining` positions are selected.
fn joined(
    bytes: &mut InputBytes<'_>,
    sizes: &[usize],
    remaining: usize,
) -> (String, Vec<usize>, Vec<usize>) {
    let all: usize = sizes.iter().product();
    if sizes.len() > 1 && all <= remaining && bytes.below(3) == 0 {
        let is_true: Vec<bool> = (0..all).map(|_| bytes.next() & 1 == 1).collect();
        let mut elements = is_true
            .iter()
            .map(|&value| ["False", "True"][usize::from(value)].into());
        let text = nested(sizes, &mut elements);
        let positions: Vec<usize> = (0..all).filter(|&position| is_true[position]).collect();
        let len = positions.len();
        return (text, positions, vec![len]);
    }
    let mut lens: Vec<usize> = (0..1 + bytes.below(3))
        .map(|_| 1 + bytes.below(4))
        .collect();
    if lens.iter().product::<usize>() > remaining || sizes.len() == 1 && lens.len() == 1 {
        lens = vec![1, 1];
    }
    let count: usize = lens.iter().product();
    let positions: Vec<usize> = (0..count)
        .map(|_| (bytes.next() << 8 | bytes.next()) % all)
        .collect();
    let mut stride = all;
    let lists = sizes.iter().map(|&size| {
        stride /= size;
        let on_axis = positions.iter().map(|position| position / stride % size);
        let from_end = bytes.next() & 1 == 1;
        let mut elements = on_axis.map(|k| match from_end {
            true => format!("-{}", size - k),
            false => k.to_string(),
        });
        nested(&lens, &mut elements)
    });
    let lists: Vec<String> = lists.collect();
    let text = match &lists[..] {
        [list] => list.clone(),
        lists => format!("zip({})", lists.join(", ")),
    };
    (text, positions, lens)
}

/// Returns nested lists of shape `shape`.
fn nested(shape: &[usize], elements: &mut dyn Iterator<Item = String>) -> String {
    let Some((&len, inner)) = shape.split_first() else {
        return elements.next().unwrap();
    };
    let lists: Vec<String> = (0..len).map(|_| nested(inner, elements)).collect();
    format!("[{}]", lists.join(", "))
}

fn array(bytes: &mut InputBytes<'_>, shape: &[usize]) -> Memory {
    let inner: Vec<u64> = shape
        .iter()
        .map(|size| 1 + bytes.below(size + 1) as u64)
        .collect();
    let kind = bytes.below(4);
    let chunks: Vec<u64> = match kind {
        0 | 1 => inner.clone(),
        _ => inner
            .iter()
            .map(|len| len * (1 + bytes.below(3) as u64))
            .collect(),
    };
    let shape: Vec<u64> = shape.iter().map(|&size| size as u64).collect();
    let mut builder = ArrayBuilder::new(shape, chunks, data_type::uint16(), 7_u16);
    let gzip = Arc::new(GzipCodec::new(1).unwrap());
    let lengths = inner.iter().map(|&len| len.try_into().unwrap()).collect();
    let mut sharding = ShardingCodecBuilder::new(lengths, &data_type::uint16());
    match kind {
        0 => {}
        1 => drop(builder.bytes_to_bytes_codecs(vec![gzip])),
        2 => drop(builder.array_to_bytes_codec(sharding.build_arc())),
        _ => {
            sharding.bytes_to_bytes_codecs(vec![gzip]);
            builder.array_to_bytes_codec(sharding.build_arc());
        }
    }
    builder.build(Arc::new(MemoryStore::new()), "/").unwrap()
}

/// Builds an array and a slice from the input. Reads the slice, splits its plan, runs the resulting plans after
/// serialization, and writes the slice. Returns the number of selected elements.
///
/// Panics if a result differs from the one computed by simple loops over the positions.
pub fn check(input: &[u8]) -> usize {
    let mut bytes = InputBytes(input);
    let rank = 1 + bytes.below(3);
    let max_len = [40, 14, 7][rank - 1];
    let shape: Vec<usize> = (0..rank).map(|_| bytes.below(max_len)).collect();
    let array = array(&mut bytes, &shape);
    let mut remaining = MAX_ELEMENTS;
    let (mut texts, mut out_shape, mut indices) = (Vec::new(), Vec::new(), vec![0]);
    let mut axis = 0;
    while axis < rank {
        let joins = bytes.below(3) == 0;
        let (text, positions, count) = if joins && !shape[axis..].contains(&0) {
            let count = 1 + bytes.below(rank - axis);
            let (text, positions, lens) = joined(&mut bytes, &shape[axis..axis + count], remaining);
            out_shape.extend(lens);
            (text, positions, count)
        } else {
            let (text, positions) = item(&mut bytes, shape[axis], remaining);
            out_shape.push(positions.len());
            (text, positions, 1)
        };
        remaining /= positions.len().max(1);
        let size: usize = shape[axis..axis + count].iter().product();
        texts.push(text);
        axis += count;
        let next = indices
            .iter()
            .flat_map(|index| positions.iter().map(move |k| index * size + k));
        indices = next.collect();
    }
    let slice = texts.join(", ");

    let zeros = ArrayD::from_shape_fn(IxDyn(&shape), |_| 0_u16);
    let mut data: Vec<u16> = (0..zeros.len()).map(|k| (k * 7 + 1) as u16).collect();
    let whole = ArrayD::from_shape_vec(zeros.raw_dim(), data.clone()).unwrap();
    array.write_slice("...", &whole).unwrap();
    let expected = indices.iter().map(|&index| data[index]).collect();
    let expected = ArrayD::from_shape_vec(IxDyn(&out_shape), expected).unwrap();
    let options = AccessOptions::new()
        .workers(1 + bytes.below(2))
        .merge_gap([0, 8, u64::MAX][bytes.below(3)])
        .batch(1 + bytes.next() as u64);
    let read = |slice: &str| array.read_slice_with::<u16>(slice, &options).unwrap();
    let (out, stats) = read(&slice);
    assert_eq!(out, expected, "{slice} of shape {shape:?}");

    let plan = array.plan_slice(slice.as_str()).unwrap();
    assert!(
        stats.peak_bytes <= plan.peak_bytes(&options),
        "{slice} of shape {shape:?}"
    );
    assert!(!plan.to_string().is_empty());
    let count = 1 + bytes.below(9);
    let chunks: Vec<usize> = out_shape
        .iter()
        .map(|len| 1 + bytes.below(len + 1))
        .collect();
    let (mut result, mut filled) = (ArrayD::<u16>::zeros(IxDyn(&out_shape)), 0);
    for part in plan.split(count) {
        let part = serialized_and_deserialized(&part);
        let again: Vec<ReadPlan> = part.split(1 + count % 3).collect();
        for part in &again {
            let stats =
                serialized_and_deserialized(part).run_into(&array, result.view_mut(), &options);
            let context = || {
                let plan = serde_json::to_string(part).unwrap();
                format!("{slice} of shape {shape:?}: {plan}")
            };
            let stats = stats.unwrap_or_else(|error| panic!("{}: {error}", context()));
            assert!(
                stats.peak_bytes <= part.peak_bytes(&options),
                "{}",
                context()
            );
            filled += part.elements();
        }
    }
    assert_eq!(
        result, expected,
        "{slice} of shape {shape:?}, split into {count} plans"
    );
    assert_eq!(filled, indices.len());
    let builder = ArrayBuilder::new(
        out_shape.iter().map(|&len| len as u64).collect::<Vec<_>>(),
        chunks.iter().map(|&len| len as u64).collect::<Vec<_>>(),
        data_type::uint16(),
        FillValue::from(0_u16),
    );
    let output = builder.build(Arc::new(MemoryStore::new()), "/").unwrap();
    for part in plan.split_for(count, &chunks).unwrap() {
        assert_eq!(part.fills_whole(&chunks), Ok(true));
        let part = serialized_and_deserialized(&part);
        assert_eq!(part.fills_whole(&chunks), Ok(true));
        part.run_to(&array, &output, &options).unwrap();
    }
    assert_eq!(
        output.read_slice::<u16>("...").unwrap(),
        expected,
        "{slice} of shape {shape:?}"
    );
    run_modified_plans(&mut bytes, &plan, count, &array, &options);

    // If a list selects an element several times, the last value written to the element remains.
    for (k, &index) in indices.iter().enumerate() {
        data[index] = k as u16 ^ 0x5a5a;
    }
    let values = (0..indices.len()).map(|k| k as u16 ^ 0x5a5a).collect();
    let values = ArrayD::from_shape_vec(IxDyn(&out_shape), values).unwrap();
    array
        .write_slice_with(slice.as_str(), &values, &options)
        .unwrap();
    let (after, _) = read("...");
    assert!(
        after.iter().eq(&data),
        "after writing {slice} of shape {shape:?}"
    );
    indices.len()
}

/// Serializes and deserializes a plan, as if the plan were sent to another machine.
fn serialized_and_deserialized(plan: &ReadPlan) -> ReadPlan {
    let text = serde_json::to_string(plan).unwrap();
    let read: ReadPlan = serde_json::from_str(&text).unwrap();
    assert_eq!(&read, plan, "{text}");
    read
}

/// Deserializes plans from modified JSON, and runs the valid ones. No plan may cause a panic.
fn run_modified_plans(
    bytes: &mut InputBytes<'_>,
    plan: &ReadPlan,
    count: usize,
    array: &Memory,
    options: &AccessOptions<'_>,
) {
    for part in plan.split(count).take(3) {
        let mut text = serde_json::to_vec(&part).unwrap();
        for _ in 0..1 + bytes.below(3) {
            let at = (bytes.next() << 8 | bytes.next()) % text.len();
            match bytes.below(3) {
                0 => drop(text.remove(at)),
                1 => text[at] = b"0123456789-[],{"[bytes.below(15)],
                _ => text.insert(at, b"0123456789-[],{"[bytes.below(15)]),
            }
        }
        let Ok(plan) = serde_json::from_slice::<ReadPlan>(&text) else {
            continue;
        };
        let elements = plan
            .shape()
            .iter()
            .try_fold(1, |all: usize, &len| all.checked_mul(len));
        if elements.is_none_or(|elements| elements > 1 << 16) {
            continue;
        }
        let mut out = ArrayD::<u16>::zeros(plan.shape());
        let _ = plan.run_into(array, out.view_mut(), options);
        let _ = (plan.to_string(), plan.requests_and_bytes(options));
        for part in plan.split(3) {
            assert_eq!(serialized_and_deserialized(&part), part);
        }
    }
}

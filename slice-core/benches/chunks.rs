//! Measures how long it takes to iterate over the parts of chunk plans, and to compute the two selections of each part:
//! the selection in the chunk and the selection in the output. A plan contains one part for each chunk that its slice
//! touches. Each slice here touches a million chunks.

use std::hint::black_box;

use divan::Bencher;
use slice_core::s;
use slice_zarr::ChunkPlan;

fn main() {
    divan::main();
}

/// Returns a plan that touches a million chunks of an array with four axes.
fn plan() -> ChunkPlan {
    let selection = s![::-1, newaxis, ..., 1:-1:3, ::2]
        .resolve(&[40, 400, 1600, 1600])
        .unwrap();
    let plan = ChunkPlan::new(&selection, &[4, 40, 16, 16]).unwrap();
    assert_eq!(plan.len(), 1_000_000);
    plan
}

/// Returns a plan for a slice without negative steps. `chunks_peer.py` measures the same slice with ndindex.
fn forward_plan() -> ChunkPlan {
    let selection = s![:, :, 1:-1:3, ::2]
        .resolve(&[40, 400, 1600, 1600])
        .unwrap();
    let plan = ChunkPlan::new(&selection, &[4, 40, 16, 16]).unwrap();
    assert_eq!(plan.len(), 1_000_000);
    plan
}

/// Returns a plan that touches a million chunks along one axis.
fn one_axis_plan() -> ChunkPlan {
    let selection = s![::-100].resolve(&[100_000_000]).unwrap();
    ChunkPlan::new(&selection, &[64]).unwrap()
}

/// Reads the chunk index of each part. The selected positions are computed together with it.
fn read_parts(plan: &ChunkPlan) {
    for part in plan.parts() {
        for chunk in part.chunk() {
            black_box(chunk);
        }
        black_box(&part);
    }
}

#[divan::bench(sample_count = 20)]
fn a_million_parts(bencher: Bencher<'_, '_>) {
    let plan = plan();
    bencher.bench_local(|| read_parts(&plan));
}

#[divan::bench(sample_count = 20)]
fn a_million_parts_in_forward_order(bencher: Bencher<'_, '_>) {
    let plan = forward_plan();
    bencher.bench_local(|| read_parts(&plan));
}

#[divan::bench(sample_count = 20)]
fn a_million_parts_along_one_axis(bencher: Bencher<'_, '_>) {
    let plan = one_axis_plan();
    bencher.bench_local(|| read_parts(&plan));
}

#[divan::bench(sample_count = 10)]
fn a_million_parts_with_their_selections(bencher: Bencher<'_, '_>) {
    let plan = plan();
    bencher.bench_local(|| {
        plan.parts()
            .for_each(|part| drop(black_box((part.selection(), part.output()))));
    });
}

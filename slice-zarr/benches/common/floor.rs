//! A lower bound for the time to read compressed chunks: the time to decode them, without any other work.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use slice_core::Selection;
use slice_zarr::ChunkPlan;
use zstd::zstd_safe::DCtx;

use crate::common::{shortest, timed};

/// The encoded bytes of the chunks touched by a selection, in memory.
pub struct EncodedChunks {
    chunks: Vec<Vec<u8>>,
    /// The decoded size of each chunk, in bytes.
    bytes: usize,
}

impl EncodedChunks {
    /// Reads the touched zstd chunks of an array created by [`directory`](crate::common::directory). Each chunk is a
    /// file or an inner chunk of a shard. For a sharded array, `shape` is the shape of the shards, and `unit` the shape
    /// of the inner chunks. Otherwise, both are the shape of the chunks.
    pub fn read(directory: &Path, selection: &Selection, shape: &[usize], unit: &[usize]) -> Self {
        let plan = ChunkPlan::new(selection, unit).unwrap();
        let grid: Vec<usize> = shape
            .iter()
            .zip(unit)
            .map(|(len, unit)| len / unit)
            .collect();
        let pieces: usize = grid.iter().product();
        let (mut chunks, mut last) = (Vec::new(), (String::new(), Vec::new()));
        for part in plan.parts() {
            let indices: Vec<usize> = part.chunk().collect();
            let shard_indices = indices.iter().zip(&grid).map(|(k, grid)| k / grid);
            let name = shard_indices.fold("c".to_owned(), |name, k| format!("{name}/{k}"));
            if last.0 != name {
                let file = fs::read(directory.join(&name)).unwrap();
                last = (name, file);
            }
            let file = &last.1;
            if pieces == 1 {
                chunks.push(file.clone());
                continue;
            }
            // The index at the end of a shard contains the offset and the length of each inner chunk, and a checksum.
            let number = indices
                .iter()
                .zip(&grid)
                .fold(0, |number, (k, grid)| number * grid + k % grid);
            let index = file.len() - 4 - 16 * pieces;
            let index_value = |field: usize| {
                let begin = index + 16 * number + 8 * field;
                u64::from_le_bytes(file[begin..begin + 8].try_into().unwrap()) as usize
            };
            chunks.push(file[index_value(0)..index_value(0) + index_value(1)].to_vec());
        }
        let bytes = 4 * unit.iter().product::<usize>();
        EncodedChunks { chunks, bytes }
    }

    /// Decodes all chunks with `threads` threads. Each thread has one context and one buffer. Returns the shortest of
    /// `turns` times, in milliseconds.
    pub fn decode(&self, threads: usize, turns: usize) -> f64 {
        let times = (0..turns).map(|_| {
            let next = AtomicUsize::new(0);
            let work = || {
                let (mut context, mut buffer) = (DCtx::create(), vec![0; self.bytes]);
                while let Some(chunk) = self.chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = context.decompress(&mut buffer[..], chunk);
                    assert_eq!(result.ok(), Some(self.bytes));
                }
            };
            let decode = || {
                thread::scope(|scope| {
                    (1..threads).for_each(|_| drop(scope.spawn(work)));
                    work();
                });
            };
            timed(decode).0
        });
        shortest(&times.collect::<Vec<_>>())
    }
}

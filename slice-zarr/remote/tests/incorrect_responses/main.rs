//! Tests reads from a server that sends incorrect responses. Each read must return the correct data or an error, within
//! its time limit and with bounded memory.

#[path = "../../../tests/zarr/names.rs"]
#[expect(dead_code, reason = "other tests use directories")]
mod array_names;
mod fuzz_body;
#[path = "../common/run.rs"]
mod run;
mod server;
mod table;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ndarray::ArrayD;
use object_store::ClientOptions;
use object_store::http::HttpBuilder;
use peak_alloc::PeakAlloc;
use slice_cli::zarr::{self, remote::response};
use slice_core::{DynSliceSpec, StridedSliceExt};
use slice_zarr::{
    AccessOptions, AsyncReadSlice, ChunkError, Error, ObjectStorage, ReadSlice, WriteSlice,
};
use zarrs::array::codec::{GzipCodec, ShardingCodecBuilder};
use zarrs::array::{ArrayBuilder, data_type};
use zarrs::filesystem::FilesystemStore;

use run::example;
use server::{BUCKET, Server};
use table::{ROWS, Row};

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// The names of the three arrays, and the slice read from each.
const READS: [(&str, &str); 3] = [("gzip", "..."), ("raw", "1000:3000"), ("shard", "500:510")];
const FILL: u8 = 7;
/// The maximum memory of a read, in bytes. The data is only a few thousand bytes long, but the client also needs
/// buffers.
const MAX_MEMORY_BYTES: usize = 2 << 20;

fn element(index: usize) -> u8 {
    (index.wrapping_mul(2_654_435_761) >> 13) as u8
}

/// Returns the stored objects of the arrays, each of which has 5000 elements of one byte in a single chunk.
fn objects() -> HashMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let mut objects = HashMap::new();
    for (name, _) in READS {
        let path = folder.path().join(name);
        let store = Arc::new(FilesystemStore::new(&path).unwrap());
        let mut builder = ArrayBuilder::new(vec![5000], vec![5000], data_type::uint8(), FILL);
        match name {
            "gzip" => {
                builder.bytes_to_bytes_codecs(vec![Arc::new(GzipCodec::new(5).unwrap())]);
            }
            "shard" => {
                let inner = vec![100.try_into().unwrap()];
                let sharding = ShardingCodecBuilder::new(inner, &data_type::uint8());
                builder.array_to_bytes_codec(sharding.build_arc());
            }
            _ => {}
        }
        let array = builder.build(store, "/").unwrap();
        array.store_metadata().unwrap();
        let elements = ArrayD::from_shape_fn(vec![5000], |index| element(index[0]));
        array.write_slice("...", &elements).unwrap();
        for key in ["zarr.json", "c/0"] {
            objects.insert(
                format!("{name}/{key}"),
                std::fs::read(path.join(key)).unwrap(),
            );
        }
    }
    objects
}

/// Returns the outcome of a read as a letter (see [`Row`](table::Row)), and the error message.
fn outcome(
    read: Result<ArrayD<u8>, Error>,
    expected: &ArrayD<u8>,
    letter: char,
    responses: usize,
) -> (char, String) {
    let error = match read {
        Ok(out) if out == *expected => return ('r', String::new()),
        Ok(out) if out.iter().all(|&element| element == FILL) => return ('f', String::new()),
        Ok(out) => return ('!', format!("incorrect elements: {out:?}")),
        Err(error) => error,
    };
    let letter = match &error {
        // A read that is retried may fail for a reason other than its short deadline.
        _ if letter == 'l' => 'l',
        Error::TimedOut => 'l',
        _ if responses > 2 => 'l',
        Error::Chunk { source, .. } if matches!(**source, ChunkError::Changed) => 'c',
        _ => 'e',
    };
    (letter, error.to_string())
}

/// Calls `run`, and panics if the call uses too much memory or time. No other test may run at the same time.
fn check_usage<T>(
    label: &str,
    allowed: Duration,
    memory: usize,
    run: impl FnOnce(Instant) -> T,
) -> T {
    let initial_usage = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let start = Instant::now();
    let result = run(start + allowed);
    let elapsed = start.elapsed();
    let peak = ALLOCATED.peak_usage().saturating_sub(initial_usage);
    assert!(peak < memory, "{label}: too much memory: {peak} bytes");
    assert!(
        elapsed < allowed + Duration::from_secs(5),
        "{label}: too slow: {elapsed:?}"
    );
    result
}

/// Waits until no other test runs. Tests cannot run at the same time, because memory is measured for the whole process.
fn one_test_at_a_time() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the time limit of a read. It is short if the read is retried until the limit is reached.
fn time_limit(letter: char) -> Duration {
    match letter {
        'l' => Duration::from_millis(500),
        _ => Duration::from_secs(30),
    }
}

fn all_elements() -> ArrayD<u8> {
    ArrayD::from_shape_fn(vec![5000], |index| element(index[0]))
}

/// Checks that the three reads have the expected outcomes and error messages for each incorrect response.
fn check(
    server: &Server,
    expected: impl Fn(&Row) -> (&'static str, &'static str),
    read: impl Fn(&str, &str, Instant) -> Result<ArrayD<u8>, Error>,
) {
    let mut mismatches = Vec::new();
    for row in ROWS {
        let (letters, message) = expected(row);
        for ((name, slice), letter) in READS.into_iter().zip(letters.chars()) {
            let spec: DynSliceSpec = slice.parse().unwrap();
            let expected_elements = all_elements().at(&spec).to_owned();
            server.respond_with(row.response, false);
            let label = format!("{}: {name}", row.name);
            let read = check_usage(&label, time_limit(letter), MAX_MEMORY_BYTES, |deadline| {
                read(name, slice, deadline)
            });
            let (actual, error) = outcome(
                read,
                &expected_elements,
                letter,
                server.incorrect_responses(),
            );
            if actual != letter || !(error.contains(message) || "rl".contains(letter)) {
                mismatches.push(format!(
                    "{label}: outcome {actual} instead of {letter}: {error}"
                ));
            }
        }
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
}

#[test]
fn the_client_of_the_commands_handles_every_incorrect_response() {
    let _guard = one_test_at_a_time();
    let server = Server::start(objects());
    check(
        &server,
        |row| (row.client, row.message),
        |name, slice, deadline| {
            let url = format!("http://{}/{name}", server.address);
            let (array, _) = zarr::open(&url, Some(deadline)).unwrap();
            let options = AccessOptions::far_away().deadline(deadline);
            Ok(array.read_slice_with(slice, &options)?.0)
        },
    );
}

#[test]
fn object_storage_handles_every_incorrect_response() {
    let _guard = one_test_at_a_time();
    let server = Server::start(objects());
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = runtime.worker_threads(2).enable_all().build().unwrap();
    // The result is ignored, because the call fails only if a provider is already installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // The stores are built only once, because each client loads the system certificates.
    let stores = HashMap::from(READS.map(|(name, _)| {
        let options = ClientOptions::new().with_allow_http(true);
        let store = HttpBuilder::new()
            .with_url(format!("http://{}/{name}", server.address))
            .with_client_options(options)
            .build();
        (name, Arc::new(ObjectStorage::new(store.unwrap())))
    }));
    check(
        &server,
        |row| (row.objects, ""),
        |name, slice, deadline| {
            runtime.block_on(async {
                let array = slice_zarr::open_async(stores[name].clone(), "/").await;
                let options = AccessOptions::far_away().deadline(deadline);
                Ok(array.unwrap().read_slice_with(slice, &options).await?.0)
            })
        },
    );
}

/// Opening an array must succeed with the correct metadata or fail, within its time limit and with less than 40 MiB of
/// memory.
#[test]
fn incorrect_responses_for_metadata_give_correct_metadata_or_an_error() {
    let _guard = one_test_at_a_time();
    let server = Server::start(objects());
    let (mut opened, mut rejected) = (0, 0);
    for row in ROWS {
        server.respond_with(row.response, true);
        let letter = row.client.chars().next().unwrap();
        let result = check_usage(row.name, time_limit(letter), 40 << 20, |deadline| {
            let url = format!("http://{}/raw", server.address);
            zarr::open(&url, Some(deadline)).map_err(|error| error.to_string())
        });
        match result {
            Ok((array, _)) => {
                assert_eq!(array.shape(), [5000], "{}", row.name);
                opened += 1;
            }
            Err(error) => {
                assert!(error.contains("array"), "{}: {error}", row.name);
                rejected += 1;
            }
        }
    }
    assert!(
        opened > 20 && rejected > 60,
        "too few arrays: {opened} were opened, and {rejected} were not"
    );
}

/// The names contain characters with a special meaning in URLs. The server sends correct responses.
#[test]
fn arrays_with_special_names_are_read() {
    let _guard = one_test_at_a_time();
    for recorded in array_names::recorded_arrays() {
        let files = recorded
            .files()
            .map(|(path, bytes)| (path.to_owned(), bytes));
        let server = Server::start(files.collect());
        let mut path = String::new();
        for byte in recorded.path.bytes() {
            match byte {
                b'a'..=b'z' | b'0'..=b'9' | b'/' => path.push(byte.into()),
                byte => path.push_str(&format!("%{byte:02x}")),
            }
        }
        let url = format!("http://{}/{path}", server.address);
        let (array, _) = zarr::open(&url, None).unwrap();
        let out: ArrayD<i16> = array.read_slice("::-1").unwrap();
        let mut expected = array_names::ELEMENTS;
        expected.reverse();
        assert_eq!(
            out,
            ndarray::arr1(&expected).into_dyn(),
            "{}",
            recorded.path
        );
    }
}

/// Checks that the `slice zarr` command, which signs its requests, writes the correct data or fails within its time
/// limit.
#[test]
fn a_command_that_reads_from_s3_handles_every_incorrect_response() {
    let _guard = one_test_at_a_time();
    let server = Server::start(objects());
    let expected_elements = all_elements().slice_move(ndarray::s![500..510]).to_vec();
    for row in ROWS {
        server.respond_with(row.response, false);
        let letter = row.client.chars().next_back().unwrap();
        let allowed = time_limit(letter).as_secs_f64().to_string();
        let start = Instant::now();
        let output = example("slice")
            .args(["zarr", &format!("s3://{BUCKET}/shard"), "500:510", "-"])
            .args(["--timeout", &allowed])
            .env("AWS_ENDPOINT_URL", format!("http://{}", server.address))
            .env("AWS_ACCESS_KEY_ID", "key")
            .env("AWS_SECRET_ACCESS_KEY", "secret")
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        let label = format!("{}: {stderr}", row.name);
        match letter {
            'r' => assert!(output.stdout.ends_with(&expected_elements), "{label}"),
            'f' => assert!(output.stdout.ends_with(&[FILL; 10]), "{label}"),
            _ => {
                assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
                assert!(
                    stderr.starts_with("error: ") && !stderr.contains("panicked"),
                    "{label}"
                );
                assert!(letter == 'l' || stderr.contains(row.message), "{label}");
            }
        }
        assert!(
            start.elapsed() < time_limit(letter) + Duration::from_secs(10),
            "{label}"
        );
    }
}

/// Runs the body of the fuzz target `responses` on seeds and on modified copies of the seeds. If `SLICE_ZARR_SEEDS`
/// names a directory, also writes the seeds to files in the folder `responses` of this directory.
#[test]
fn accepted_responses_contain_exactly_the_requested_bytes() {
    let _guard = one_test_at_a_time();
    let body = [7; 300];
    let heads = [
        "\0bytes 2-6/9\n\u{1}5",
        "\0bytes 4-8/9\n\u{1}5\n\u{5}\"tag\"",
        "\0bytes 0-4/5\n\u{3}identity",
        "\0bytes 2-6/*",
        "\u{1}300",
        "\u{4}chunked",
        "\u{1}300\n\u{3}gzip",
        "\u{2}multipart/byteranges\n\0bytes 2-6/9",
        "\u{7}5",
        "",
    ];
    let mut seeds = Vec::new();
    for (number, head) in heads.iter().enumerate() {
        for kind in 0..4 {
            for status in 0..12 {
                let flags = (number % 4) as u8;
                let len = [5, 250, 300][usize::from(kind + status) % 3];
                let request = [kind, 2 * (kind & 2) / 2, 5, 100, status, flags];
                let bytes = &body[..if head.starts_with('\0') { 5 } else { len }];
                seeds.push([&request, head.as_bytes(), b"\n\n", bytes].concat());
            }
        }
    }
    if let Some(directory) = std::env::var_os("SLICE_ZARR_SEEDS") {
        let directory = std::path::Path::new(&directory).join("responses");
        std::fs::create_dir_all(&directory).unwrap();
        for (number, seed) in seeds.iter().enumerate() {
            std::fs::write(directory.join(number.to_string()), seed).unwrap();
        }
    }
    let (mut state, mut outcomes) = (32_u64, [0; 3]);
    let mut random_below = |n: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % n
    };
    for seed in &seeds {
        for round in 0..100 {
            let mut input = seed.clone();
            for _ in 0..round.min(1 + random_below(3)) {
                // Modifies only the first bytes, because most of these bytes determine the request and the head of the
                // response.
                let index = random_below(input.len().min(40));
                match random_below(4) {
                    0 => input[index] = random_below(256) as u8,
                    1 => input[index] = b"0123456789-/* \n"[random_below(15)],
                    2 => drop(input.remove(index)),
                    _ => input.insert(index, input[index]),
                }
            }
            outcomes[fuzz_body::check(&input) as usize] += 1;
        }
    }
    let [missing, rejected, read] = outcomes;
    assert!(
        missing > 500 && rejected > 5000 && read > 1000,
        "an outcome is too rare; missing, rejected, read: {outcomes:?}"
    );
}

//! Checks that untrusted keys in metadata and links in directories cannot cause reads or writes outside the store.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use ndarray::{ArrayD, arr1};
use slice_zarr::{AccessOptions, Error, FileStorage, PlanSlice, ReadSlice, WriteSlice};
use zarrs::array::Array;
use zarrs::filesystem::FilesystemStore;
use zarrs::storage::store::MemoryStore;
use zarrs::storage::{ReadableWritableStorageTraits, StoreKey, WritableStorageTraits};

use crate::requests::counting_store;

/// Returns the metadata of an array with a single chunk of four bytes. The key of the chunk ends in `suffix`.
fn metadata(suffix: &str, sharded: bool) -> String {
    let bytes = r#"{"name": "bytes"}"#;
    let codec = if sharded {
        format!(
            r#"{{"name": "sharding_indexed", "configuration": {{"chunk_shape": [4], "codecs": [{bytes}],
                "index_codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}]}}}}"#
        )
    } else {
        bytes.to_owned()
    };
    let suffix = serde_json::to_string(suffix).unwrap();
    format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "uint8", "fill_value": 7,
            "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": [4]}}}},
            "chunk_key_encoding": {{"name": "zarrs.default_suffix", "configuration": {{"separator": "/", "suffix": {suffix}}}}},
            "codecs": [{codec}]}}"#
    )
}

/// Unsafe suffixes of chunk keys. Some of the keys lead out of the store.
const UNSAFE_SUFFIXES: [&str; 17] = [
    "/../../../secret/key",
    "/../../../../secret/key",
    "/../../../../../../../../../../secret/key",
    "/..",
    "/.",
    "/",
    "//x",
    "/./x",
    "/../../zarr.json",
    "/.. /../secret",
    "/... /x",
    "\\..\\..\\..\\secret\\key",
    "/C:/secret/key",
    ":stream",
    "/\0",
    "/a\r\nHost: b",
    "\u{7f}",
];

/// Checks that reads, writes and runs of plans fail with an error that states the reason.
fn check_all_rejected<S: ?Sized + ReadableWritableStorageTraits + 'static>(array: &Array<S>) {
    let mut errors = vec![
        array.read_slice::<u8>("...").unwrap_err(),
        array.read_slice::<u8>("1").unwrap_err(),
        array
            .write_slice("...", &arr1(&[1_u8, 2, 3, 4]))
            .unwrap_err(),
        array.write_slice("1:3", &arr1(&[1_u8, 2])).unwrap_err(),
        // Writes only fill values, which erases the chunk.
        array.write_slice("...", &arr1(&[7_u8])).unwrap_err(),
    ];
    let plan = array.plan_slice("...").unwrap();
    let plan: slice_zarr::ReadPlan =
        serde_json::from_str(&serde_json::to_string(&plan).unwrap()).unwrap();
    let mut out = ArrayD::<u8>::zeros(plan.shape());
    let options = AccessOptions::new();
    errors.push(plan.run_into(array, out.view_mut(), &options).unwrap_err());
    errors.push(plan.run_to(array, array, &options).unwrap_err());
    for error in errors {
        let text = error.to_string();
        assert!(matches!(error, Error::Chunk { .. }), "{text}");
        assert!(text.contains("chunk key encoding is not safe"), "{text}");
    }
}

#[test]
fn unsafe_chunk_keys_are_rejected() {
    for suffix in UNSAFE_SUFFIXES {
        for sharded in [false, true] {
            let parent = tempfile::tempdir().unwrap();
            let store = parent.path().join("a/store");
            let secret = parent.path().join("secret/key");
            for folder in [
                store.join("c/0"),
                parent.path().join("secret"),
                parent.path().join("a/secret"),
            ] {
                fs::create_dir_all(folder).unwrap();
            }
            fs::write(&secret, "1234").unwrap();
            fs::write(parent.path().join("a/secret/key"), "1234").unwrap();
            fs::write(store.join("zarr.json"), metadata(suffix, sharded)).unwrap();
            let before = files(parent.path());

            let file_store = || Arc::new(FilesystemStore::new(&store).unwrap());
            check_all_rejected(&Array::open(file_store(), "/").unwrap());
            let any: Arc<dyn ReadableWritableStorageTraits> = file_store();
            check_all_rejected(&Array::open(any, "/").unwrap());
            let confined = Arc::new(FileStorage::new(&store).unwrap());
            check_all_rejected(&Array::open(confined, "/").unwrap());
            assert_eq!(files(parent.path()), before, "{suffix:?}");

            // An in-memory store must receive no requests for chunks.
            let memory = Arc::new(MemoryStore::new());
            let key = StoreKey::new("a/b/zarr.json").unwrap();
            memory.set(&key, metadata(suffix, sharded).into()).unwrap();
            check_all_rejected(&Array::open(memory.clone(), "/a/b").unwrap());
            let counting_store = counting_store(memory);
            let array = Array::open(counting_store.clone(), "/a/b").unwrap();
            counting_store.watcher.take();
            array.read_slice::<u8>("...").unwrap_err();
            assert_eq!(counting_store.watcher.take(), (0, 0, 0), "{suffix:?}");
        }
    }
}

/// Returns the paths and the contents of all regular files below a folder. Links are not followed.
fn files(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut contents = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() {
            contents.extend(files(&path));
        } else if kind.is_file() {
            contents.push((path.clone(), fs::read(path).unwrap()));
        }
    }
    contents.sort();
    contents
}

#[test]
fn arrays_with_safe_chunk_keys_are_read_and_written() {
    for suffix in ["", ".tiff", "/x", "/..x", "/x..", ".é", " x"] {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("zarr.json"), metadata(suffix, false)).unwrap();
        let store = Arc::new(FileStorage::new(directory.path()).unwrap());
        let array = Array::open(store, "/").unwrap();
        array.write_slice("1:3", &arr1(&[1_u8, 2])).unwrap();
        let files = FilesystemStore::new(directory.path()).unwrap();
        let out: ArrayD<u8> = Array::open(Arc::new(files), "/")
            .unwrap()
            .read_slice("...")
            .unwrap();
        assert_eq!(out, arr1(&[7, 1, 2, 7]).into_dyn());
        assert_eq!(
            fs::read(directory.path().join(format!("c/0{suffix}"))).unwrap(),
            [7, 1, 2, 7]
        );
    }
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::path::PathBuf;
    use std::process::Command;
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use zarrs::storage::storage_adapter::atomic_write::AtomicWriteStorageAdapter;
    use zarrs::storage::{
        AtomicRenameStorageTraits, ListableStorageTraits, ReadableStorageTraits, StorePrefix,
    };

    use super::*;

    struct Folders {
        _temporary: tempfile::TempDir,
        store: PathBuf,
        outside: PathBuf,
    }

    /// Creates a store that contains the metadata of an array and the folder `real`, and creates a folder outside the
    /// store. The tests add links to these folders. The store and the two folders each contain a chunk with the bytes
    /// "1234".
    fn folders() -> Folders {
        let temporary = tempfile::tempdir().unwrap();
        let (store, outside) = (
            temporary.path().join("store"),
            temporary.path().join("outside"),
        );
        for folder in [&store, &outside, &store.join("real")] {
            fs::create_dir_all(folder).unwrap();
            fs::write(folder.join("0"), "1234").unwrap();
        }
        fs::write(store.join("zarr.json"), metadata("", false)).unwrap();
        Folders {
            _temporary: temporary,
            store,
            outside,
        }
    }

    fn read_and_write(
        array: &Array<impl ReadableWritableStorageTraits + 'static>,
    ) -> [Result<(), String>; 3] {
        let read = array
            .read_slice::<u8>("...")
            .map(|out| assert_eq!(out, arr1(b"1234").into_dyn()));
        let part = array.write_slice("1", &ndarray::arr0(b'2'));
        let whole = array.write_slice("...", &arr1(b"1234"));
        [read, part, whole].map(|result| result.map_err(|error| error.to_string()))
    }

    /// Returns the outcomes of reads and writes with [`FileStorage`], and with zarrs' [`FilesystemStore`].
    fn outcomes(folders: &Folders) -> [Result<(), String>; 6] {
        let confined = FileStorage::new(&folders.store).unwrap();
        let files = FilesystemStore::new(&folders.store).unwrap();
        let [a, b, c] = read_and_write(&Array::open(Arc::new(confined), "/").unwrap());
        let [d, e, f] = read_and_write(&Array::open(Arc::new(files), "/").unwrap());
        [a, b, c, d, e, f]
    }

    /// A function that adds a link to the store.
    type AddLink = fn(&Folders);

    #[test]
    fn links_into_the_store_are_followed() {
        let links: [AddLink; 5] = [
            |folders| symlink("real", folders.store.join("c")).unwrap(),
            |folders| symlink(folders.store.join("real"), folders.store.join("c")).unwrap(),
            |folders| symlink("../store/real", folders.store.join("c")).unwrap(),
            |folders| {
                fs::create_dir(folders.store.join("c")).unwrap();
                symlink("../real/0", folders.store.join("c/0")).unwrap();
            },
            // The directory of the store is a link.
            |folders| {
                let real = folders.store.with_extension("real");
                fs::rename(&folders.store, &real).unwrap();
                symlink(&real, &folders.store).unwrap();
                symlink("real", folders.store.join("c")).unwrap();
            },
        ];
        for (number, add_link) in links.iter().enumerate() {
            let folders = folders();
            add_link(&folders);
            for outcome in outcomes(&folders) {
                assert_eq!(outcome, Ok(()), "link {number}");
            }
        }
    }

    #[test]
    fn links_out_of_the_store_are_rejected() {
        let out = "leads out of the store through a symbolic link";
        let nowhere = "leads through a symbolic link to a missing file";
        let links: [(AddLink, &str); 8] = [
            (
                |folders| symlink(&folders.outside, folders.store.join("c")).unwrap(),
                out,
            ),
            (
                |folders| symlink("../outside", folders.store.join("c")).unwrap(),
                out,
            ),
            (
                |folders| symlink("real/../../outside", folders.store.join("c")).unwrap(),
                out,
            ),
            (
                |folders| {
                    symlink(&folders.outside, folders.store.join("real/link")).unwrap();
                    symlink("real/link", folders.store.join("c")).unwrap();
                },
                out,
            ),
            (
                |folders| {
                    fs::create_dir(folders.store.join("c")).unwrap();
                    symlink(folders.outside.join("0"), folders.store.join("c/0")).unwrap();
                },
                out,
            ),
            // The name of the linked folder begins with the name of the store.
            (
                |folders| {
                    let storehouse = folders.store.with_file_name("storehouse");
                    fs::rename(&folders.outside, &storehouse).unwrap();
                    symlink(&storehouse, folders.store.join("c")).unwrap();
                    fs::create_dir(&folders.outside).unwrap();
                    fs::write(folders.outside.join("0"), "1234").unwrap();
                },
                out,
            ),
            // A write would create a file outside the store.
            (
                |folders| {
                    fs::create_dir(folders.store.join("c")).unwrap();
                    symlink("../../outside/new", folders.store.join("c/0")).unwrap();
                },
                nowhere,
            ),
            (
                |folders| symlink("../outside/new", folders.store.join("c")).unwrap(),
                nowhere,
            ),
        ];
        for (number, (add_link, expected)) in links.iter().enumerate() {
            let folders = folders();
            add_link(&folders);
            let before = files(folders.store.parent().unwrap());
            for outcome in outcomes(&folders) {
                let error = outcome.unwrap_err();
                assert!(error.contains(expected), "link {number}: {error}");
            }
            assert_eq!(
                files(folders.store.parent().unwrap()),
                before,
                "link {number}"
            );
            assert!(!folders.outside.join("new").exists());
        }
    }

    #[test]
    fn links_into_an_allowed_directory_are_followed() {
        let folders = folders();
        symlink(&folders.outside, folders.store.join("c")).unwrap();
        let store = FileStorage::new(&folders.store).unwrap();
        let store = store
            .allow(folders.store.join("absent"))
            .allow(&folders.outside);
        for outcome in read_and_write(&Array::open(Arc::new(store), "/").unwrap()) {
            assert_eq!(outcome, Ok(()));
        }
    }

    /// Opens a file in a folder, and then replaces the folder with a link that leads out of the store. All later
    /// operations in the folder must fail.
    #[test]
    fn folders_replaced_by_links_are_rejected() {
        let folders = folders();
        let inside = folders.store.join("d");
        let outside = folders.outside.join("d");
        for folder in [&inside, &outside] {
            fs::create_dir_all(folder.join("e")).unwrap();
            fs::write(folder.join("e/0"), "1234").unwrap();
            fs::write(folder.join("e/1"), "5678").unwrap();
        }
        let store = FileStorage::new(&folders.store).unwrap();
        let key = |key: &str| StoreKey::new(key).unwrap();
        // Replaces the folder that contains the file, and then the parent of that folder.
        for folder in ["d/e", "d"] {
            store.get(&key("d/e/0")).unwrap().unwrap();
            store.set(&key("d/e/0"), "abcd".into()).unwrap();
            let (original, aside) = (folders.store.join(folder), folders.store.join("aside"));
            fs::rename(&original, &aside).unwrap();
            symlink(folders.outside.join(folder), &original).unwrap();
            let before = files(&folders.outside);
            let errors = [
                store.get(&key("d/e/0")).unwrap_err(),
                store.get(&key("d/e/1")).unwrap_err(),
                store.size_key(&key("d/e/1")).unwrap_err(),
                store.set(&key("d/e/0"), "evil".into()).unwrap_err(),
                store.set(&key("d/e/new"), "evil".into()).unwrap_err(),
                store.erase(&key("d/e/1")).unwrap_err(),
                store.rename(&key("0"), &key("d/e/1")).unwrap_err(),
            ];
            for error in errors {
                let error = error.to_string();
                assert!(error.contains("leads out of the store"), "{error}");
            }
            assert_eq!(files(&folders.outside), before, "{folder}");
            fs::remove_file(&original).unwrap();
            fs::rename(&aside, &original).unwrap();
        }
    }

    #[test]
    fn erasing_a_prefix_that_is_a_link_erases_only_the_link() {
        let folders = folders();
        symlink(&folders.outside, folders.store.join("allowed")).unwrap();
        symlink("real", folders.store.join("here")).unwrap();
        let store = FileStorage::new(&folders.store).unwrap();
        let store = store.allow(&folders.outside);
        let prefix = |text: &str| StorePrefix::new(text).unwrap();
        for name in ["allowed", "here"] {
            store.erase_prefix(&prefix(&format!("{name}/"))).unwrap();
            assert!(fs::symlink_metadata(folders.store.join(name)).is_err());
        }
        assert_eq!(fs::read(folders.outside.join("0")).unwrap(), b"1234");
        assert_eq!(fs::read(folders.store.join("real/0")).unwrap(), b"1234");
        store.erase_prefix(&prefix("here/")).unwrap();
        assert!(store.erase_prefix(&prefix("zarr.json/")).is_err());
        assert!(folders.store.join("zarr.json").exists());
    }

    #[test]
    fn every_operation_stays_in_the_store() {
        let folders = folders();
        symlink(&folders.outside, folders.store.join("c")).unwrap();
        let store = Arc::new(FileStorage::new(&folders.store).unwrap());
        let key = |key: &str| StoreKey::new(key).unwrap();
        let errors = [
            store.erase(&key("c/0")).unwrap_err(),
            store.erase(&key("../outside/0")).unwrap_err(),
            store
                .erase_prefix(&StorePrefix::new("c/").unwrap())
                .unwrap_err(),
            store
                .erase_prefix(&StorePrefix::new("../outside/").unwrap())
                .unwrap_err(),
            store.set_partial(&key("c/0"), 1, "x".into()).unwrap_err(),
            store.size_key(&key("c/0")).unwrap_err(),
            store.get(&key("../outside/0")).unwrap_err(),
        ];
        for error in errors {
            assert!(error.to_string().contains('"'), "{error}");
        }
        assert_eq!(fs::read(folders.outside.join("0")).unwrap(), b"1234");
        store
            .erase_prefix(&StorePrefix::new("real/").unwrap())
            .unwrap();
        assert!(!folders.store.join("real").exists());

        fs::remove_file(folders.store.join("c")).unwrap();
        let atomic = Arc::new(AtomicWriteStorageAdapter::new(store));
        let array = Array::open(atomic, "/").unwrap();
        array.write_slice("1", &ndarray::arr0(5_u8)).unwrap();
        assert_eq!(fs::read(folders.store.join("c/0")).unwrap(), [7, 5, 7, 7]);
    }

    /// Checks that the errors are returned without delay, even for a pipe without a writer.
    #[test]
    fn pipes_sockets_and_folders_are_rejected() {
        for kind in ["pipe", "socket", "folder", "link"] {
            let (sender, receiver) = channel();
            thread::spawn(move || {
                let folders = folders();
                fs::create_dir(folders.store.join("c")).unwrap();
                let chunk = folders.store.join("c/0");
                let pipe = |path: &Path| {
                    assert!(Command::new("mkfifo").arg(path).status().unwrap().success())
                };
                match kind {
                    "pipe" => pipe(&chunk),
                    "socket" => drop(UnixListener::bind(&chunk).unwrap()),
                    "folder" => fs::create_dir(&chunk).unwrap(),
                    _ => {
                        pipe(&folders.store.join("pipe"));
                        symlink("../pipe", &chunk).unwrap();
                    }
                }
                sender.send(outcomes(&folders)).unwrap();
            });
            let outcomes = receiver.recv_timeout(Duration::from_secs(60)).expect(kind);
            for outcome in outcomes {
                let error = outcome.unwrap_err();
                assert!(error.contains("is not a regular file"), "{kind}: {error}");
            }
        }
    }

    #[test]
    fn only_readable_keys_are_listed() {
        let folders = folders();
        fs::create_dir_all(folders.store.join("real/deep")).unwrap();
        fs::write(folders.store.join("real/deep/1"), "56").unwrap();
        symlink("../outside/0", folders.store.join("elsewhere")).unwrap();
        symlink("../outside", folders.store.join("folder")).unwrap();
        symlink("0", folders.store.join("real/same")).unwrap();
        let pipe = folders.store.join("pipe");
        assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());

        let store = FileStorage::new(&folders.store).unwrap();
        let names = |keys: Vec<StoreKey>| keys.iter().map(ToString::to_string).collect::<Vec<_>>();
        let prefix = |text: &str| StorePrefix::new(text).unwrap();
        let all_keys = ["0", "real/0", "real/deep/1", "real/same", "zarr.json"];
        assert_eq!(names(store.list().unwrap()), all_keys);
        let listed = store.list_dir(&prefix("real/")).unwrap();
        assert_eq!(names(listed.keys().clone()), ["real/0", "real/same"]);
        assert_eq!(listed.prefixes(), &[prefix("real/deep/")]);
        assert_eq!(store.size_prefix(&prefix("real/")).unwrap(), 4 + 2 + 4);
        assert!(store.list_prefix(&prefix("folder/")).is_err());
        assert!(store.list_prefix(&prefix("nothing/")).unwrap().is_empty());
    }

    /// Checks that zarrs' [`Array::open`] cannot read metadata through a link out of the store either.
    #[test]
    fn metadata_is_confined_to_the_store() {
        let folders = folders();
        fs::rename(
            folders.store.join("zarr.json"),
            folders.outside.join("zarr.json"),
        )
        .unwrap();
        symlink("../outside/zarr.json", folders.store.join("zarr.json")).unwrap();
        let store = Arc::new(FileStorage::new(&folders.store).unwrap());
        let error = Array::open(store, "/").unwrap_err().to_string();
        assert!(error.contains("leads out of the store"), "{error}");
    }
}

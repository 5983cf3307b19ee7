//! Checks keys before they are requested from a store, because untrusted metadata may determine the keys of chunks.

use zarrs::array::Array;
use zarrs::storage::{StorageError, StoreKey};

use crate::array::error::{ChunkError, Error, catch_panic};

/// Returns the key of a chunk, after checking it.
pub(crate) fn chunk_key<S: ?Sized>(array: &Array<S>, indices: &[u64]) -> Result<StoreKey, Error> {
    let unsafe_key = |key: &str, why| {
        let why = format!("the key {why}: the metadata's chunk key encoding is not safe");
        ChunkError::Broken(why).of_chunk(indices.to_vec(), key)
    };
    // With debug assertions, zarrs panics on some invalid keys.
    let panicked = || unsafe_key("", "contains an empty segment");
    let key = catch_panic(|| Ok(array.chunk_key(indices)), panicked)?;
    let path = array.path().as_str().trim_start_matches('/');
    match check_below(path, key.as_str()) {
        Ok(()) => Ok(key),
        Err(why) => Err(unsafe_key(key.as_str(), why)),
    }
}

/// Checks that a key names an object below `path` in every type of store.
///
/// The caller chose `path`, so it may contain backslashes and colons. The rest of the key may come from untrusted
/// metadata.
pub(crate) fn check_below(path: &str, key: &str) -> Result<(), &'static str> {
    let relative = match path {
        "" => Some(key),
        path => key
            .strip_prefix(path)
            .and_then(|relative| relative.strip_prefix('/')),
    };
    let relative = relative.ok_or("is not below the array's path")?;
    check_segments(key)?;
    if relative.contains(['\\', ':']) {
        return Err("contains a backslash or a colon");
    }
    Ok(())
}

/// Checks that a key does not lead out of the folder to which it is relative, and contains no control characters.
pub(crate) fn check_segments(key: &str) -> Result<(), &'static str> {
    for segment in key.split('/') {
        if segment.is_empty() {
            return Err("contains an empty segment");
        }
        // Windows ignores dots and spaces at the end of a name, so `.. ` may also lead out of the folder.
        if segment.trim_end_matches([' ', '.']).is_empty() {
            return Err("contains a segment that consists of dots and spaces");
        }
    }
    if key.chars().any(char::is_control) {
        return Err("contains a control character");
    }
    Ok(())
}

/// Returns the error for a key that must not be requested.
pub(crate) fn key_error(key: &str, why: &str) -> StorageError {
    StorageError::Other(format!("key {key:?} {why}"))
}

#[cfg(test)]
mod tests {
    use super::check_below;

    #[test]
    fn keys_must_be_below_the_path() {
        for (path, key) in [
            ("", "c/0/1"),
            ("", "0.1"),
            ("", "c.tiff"),
            ("", "c/0..1"),
            ("a/b", "a/b/c/0"),
            ("t:0", "t:0/c/0"),
            ("données", "données/c/0"),
        ] {
            assert_eq!(check_below(path, key), Ok(()), "{key:?}");
        }
        for (path, key) in [
            ("", ""),
            ("", "/c/0"),
            ("", "c//0"),
            ("", "c/0/"),
            ("", "c/.."),
            ("", "../c"),
            ("", "c/./0"),
            ("", "c/.. /0"),
            ("", "c/ /0"),
            ("", "c/.../0"),
            ("", "c\\0"),
            ("", "C:/0"),
            ("", "c/0:stream"),
            ("", "c/0\0"),
            ("", "c/0\r\n"),
            ("a", "a"),
            ("a", "ab/c/0"),
            ("a", "b/c/0"),
            ("a", "a/../b"),
            ("..", "../c/0"),
        ] {
            assert!(check_below(path, key).is_err(), "{key:?}");
        }
    }
}

"""The stores in which arrays are kept, and their addresses."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, runtime_checkable

from . import _engine


@runtime_checkable
class Store(Protocol):
    """A store of your own, which can be passed to `open`.

    The methods are called in several threads at the same time. To send the array to another process, the store must pickle.
    """

    def get(self, key: str, start: int | None, end: int | None) -> bytes | None:
        """Returns the bytes `start:end` of an object (all if both are `None`, the last ones if `start` is negative), or
        `None` if there is no such object."""

    def set(self, key: str, value: bytes) -> object:
        """Replaces an object as a whole."""

    def delete(self, key: str) -> object:
        """Removes an object, if it exists."""


# The options of fsspec's stores that contain no credentials, and may therefore be pickled.
_PUBLIC_OPTIONS = {"anon", "endpoint_url", "region_name", "requester_pays", "default_block_size", "use_ssl", "project",
                   "account_name", "protocol", "timeout"}  # fmt: skip


def without_secrets(address: str) -> str:
    """Returns an address without user name, password and query, for messages."""
    if "//" not in address:
        return address
    from urllib.parse import urlsplit, urlunsplit

    parts = urlsplit(address)
    if not parts.scheme:
        return address
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def _texts(value: Any) -> Iterator[str]:
    """Returns all texts in the values of options."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)


class FsspecStore:
    """The objects below a URL, read and written with fsspec."""

    def __init__(self, url: str, options: dict[str, Any], fs: Any = None) -> None:
        self.url = url
        self.options = options
        self._fs = fs
        self._pid = os.getpid()
        self._root = url
        if fs is not None:
            self._root = fs._strip_protocol(url)

    def _open(self) -> Any:
        # A file system of fsspec has a thread, which a fork does not copy.
        if self._fs is None or self._pid != os.getpid():
            try:
                import fsspec  # type: ignore[import-untyped,unused-ignore]
            except ImportError:
                raise ImportError("URLs need fsspec: pip install fsspec, and s3fs, gcsfs, adlfs or aiohttp") from None
            self._fs, self._root = fsspec.core.url_to_fs(self.url, **self.options)
            self._pid = os.getpid()
        return self._fs

    def _path(self, key: str) -> str:
        from urllib.parse import urlsplit, urlunsplit

        parts = urlsplit(self._root) if "://" in self._root else None
        if parts is not None and parts.query:
            return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{key}"))
        return f"{self._root.rstrip('/')}/{key}"

    @contextmanager
    def _without_secrets(self) -> Iterator[None]:
        """Removes credentials from the messages of errors, which may contain the address."""
        try:
            yield
        except Exception as error:
            text = message = str(error)
            from urllib.parse import urlsplit

            parts = urlsplit(self.url)
            private = {name: value for name, value in self.options.items() if name not in _PUBLIC_OPTIONS}
            for secret in [parts.query, parts.netloc.rpartition("@")[0], parts.password or "", *_texts(private)]:
                if len(secret) > 3:
                    message = message.replace(secret, "...")
            if message == text:
                raise
            raise OSError(message) from None

    def get(self, key: str, start: int | None, end: int | None) -> bytes | None:
        with self._without_secrets():
            fs = self._open()
            try:
                return bytes(fs.cat_file(self._path(key), start=start, end=end))
            except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
                return None

    def set(self, key: str, value: bytes) -> None:
        with self._without_secrets():
            self._open().pipe_file(self._path(key), value)

    def delete(self, key: str) -> None:
        with self._without_secrets():
            try:
                self._open().rm_file(self._path(key))
            except FileNotFoundError:
                pass


class ZarrStore:
    """The objects below a path in a store of zarr-python."""

    def __init__(self, store: Any) -> None:
        self.store = store

    def get(self, key: str, start: int | None, end: int | None) -> bytes | None:
        from zarr.abc.store import OffsetByteRequest, RangeByteRequest, SuffixByteRequest
        from zarr.core.buffer import default_buffer_prototype
        from zarr.core.sync import sync

        wanted: Any
        if start is None:
            wanted = None
        elif start < 0:
            wanted = SuffixByteRequest(-start)
        elif end is None:
            wanted = OffsetByteRequest(start)
        else:
            wanted = RangeByteRequest(start, end)
        response = sync(self.store.get(key, default_buffer_prototype(), wanted))
        return None if response is None else response.to_bytes()

    def set(self, key: str, value: bytes) -> None:
        from zarr.core.buffer import default_buffer_prototype
        from zarr.core.sync import sync

        sync(self.store.set(key, default_buffer_prototype().buffer.from_bytes(value)))

    def delete(self, key: str) -> None:
        from zarr.core.sync import sync

        sync(self.store.delete(key))


class Source(NamedTuple):
    """Where an array is: in a folder, below a URL, or in a store."""

    address: str
    folder: str | None = None
    store: Any = None
    path: str = ""
    # Whether requests take long.
    remote: bool = False
    # Distinguishes stores that have the same address, such as two stores in memory.
    token: str = ""

    @property
    def label(self) -> str:
        return without_secrets(self.address)

    def open(self) -> _engine.Array:
        if self.folder is not None:
            return _engine.Array.open_directory(self.folder, "/", self.label)
        return _engine.Array.open_store(self.store, "/" + self.path, self.label, self.remote)

    def key(self, name: str) -> str:
        return f"{self.path}/{name}" if self.path else name

    def read_object(self, name: str) -> bytes | None:
        """Returns an object below the array, such as `zarr.json`."""
        if self.folder is None:
            value: bytes | None = self.store.get(self.key(name), None, None)
            return value
        try:
            with open(os.path.join(self.folder, name), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def write_object(self, name: str, value: bytes) -> None:
        """Replaces an object below the array as a whole."""
        if self.folder is None:
            self.store.set(self.key(name), value)
            return
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        temporary = f"{path}.{os.getpid()}.tmp"
        with open(temporary, "wb") as file:
            file.write(value)
        os.replace(temporary, path)

    def delete_object(self, name: str) -> None:
        if self.folder is None:
            self.store.delete(self.key(name))
            return
        try:
            os.remove(os.path.join(self.folder, name))
        except FileNotFoundError:
            pass

    def to_pickle(self) -> tuple[Any, ...]:
        """Returns what is needed to open the array in another process, without credentials."""
        if self.folder is not None:
            return ("folder", self.folder)
        if isinstance(self.store, FsspecStore):
            if without_secrets(self.store.url) != self.store.url:
                raise ValueError(
                    f"the address of {self.label} contains a user name, a password or a query, which are not pickled; pass "
                    "the credentials in the environment"
                )
            options = {name: value for name, value in self.store.options.items() if name in _PUBLIC_OPTIONS}
            return ("url", self.store.url, options)
        if isinstance(self.store, ZarrStore):
            kind = type(self.store.store).__name__
            if kind == "MemoryStore":
                # Its objects are sent, too.
                return ("store", self.store, self.path, self.token)
            raise TypeError(
                f"an array in a {kind} of zarr-python cannot be sent to another process; open it from a folder or a URL"
            )
        return ("store", self.store, self.path, self.token)


def from_pickle(state: tuple[Any, ...]) -> Source:
    kind, first, *rest = state
    if kind == "folder":
        return source_of_folder(first)
    if kind == "url":
        return source_of(first, rest[0])
    return Source(address=type(first).__name__, store=first, path=rest[0], token=rest[1])


def source_of_folder(folder: str) -> Source:
    folder = os.path.abspath(folder)
    return Source(address=folder, folder=folder)


def source_of(where: Any, options: dict[str, Any] | None = None, path: str = "") -> Source:
    """Returns the source of a path, a URL, a store, or an array of zarr-python."""
    path = path.strip("/")
    if isinstance(where, os.PathLike):
        where = os.fspath(where)
    if isinstance(where, bytes):
        where = os.fsdecode(where)
    if isinstance(where, str):
        scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]+)://", where) if "://" in where else None
        if scheme is None or scheme[1] == "file":
            folder = where[len("file://") :] if scheme else where
            return source_of_folder(os.path.join(folder, path) if path else folder)
        url = f"{where.rstrip('/')}/{path}" if path else where
        is_memory = scheme[1] == "memory"
        return Source(address=url, store=FsspecStore(url, dict(options or {})), remote=not is_memory)
    store_path = getattr(where, "store_path", None)
    if store_path is not None:
        inner = f"{store_path.path}/{path}" if path else store_path.path
        return _source_of_zarr(store_path.store, inner)
    if hasattr(where, "supports_writes") and hasattr(where, "list_dir"):
        return _source_of_zarr(where, path)
    if isinstance(where, Store):
        return Source(address=type(where).__name__, store=where, path=path, token=os.urandom(16).hex())
    raise TypeError(
        f"cannot open a {type(where).__name__}; pass a folder, a URL, an array of zarr-python, or an object with the methods "
        "get, set and delete"
    )


def _source_of_zarr(store: Any, path: str) -> Source:
    path = path.strip("/")
    kind = type(store).__name__
    if kind == "LocalStore":
        return source_of_folder(os.path.join(os.fspath(store.root), path))
    if kind == "FsspecStore":
        url = f"{store.fs.unstrip_protocol(store.path)}/{path}".rstrip("/")
        return Source(address=url, store=ZarrStore(store), path=path, remote=True)
    token = f"{os.getpid()}-{id(store)}"
    return Source(address=f"{kind}/{path}", store=ZarrStore(store), path=path, token=token)

"""The engine `slice_zarr` of `xarray.open_dataset`.

xarray and zarr-python read the metadata. Arrays are read by this package, or by zarr-python if this package does not support
their data type or codecs.
"""

from __future__ import annotations

import asyncio
import os
from inspect import signature
from typing import Any

from xarray.backends import BackendArray, StoreBackendEntrypoint, ZarrBackendEntrypoint, ZarrStore
from xarray.core import indexing
from xarray.core.variable import Variable

from ._array import Array, open


class _LazyArray(BackendArray):
    """An array of which xarray reads slices."""

    def __init__(self, array: Array) -> None:
        self._array = array
        self.shape = array.shape
        self.dtype = array.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        read = self._read_lists if isinstance(key, indexing.OuterIndexer) else self._read
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.VECTORIZED, read)

    def _read(self, key: tuple[Any, ...]) -> Any:
        return self._array[key]

    def _read_lists(self, key: tuple[Any, ...]) -> Any:
        return self._array.oindex[key]

    async def async_getitem(self, key: indexing.ExplicitIndexer) -> Any:
        return await asyncio.to_thread(self.__getitem__, key)


class _Store(ZarrStore):
    """A group whose arrays are read by this package."""

    __slots__ = ()

    def open_store_variable(self, name: str) -> Variable:
        variable: Variable = super().open_store_variable(name)  # type: ignore[no-untyped-call]
        try:
            array = open(self.members[name], mode="r")
        except (TypeError, ValueError, NotImplementedError):
            return variable
        data = indexing.LazilyIndexedArray(_LazyArray(array))
        return Variable(variable.dims, data, variable.attrs, variable.encoding)


class SliceZarrBackendEntrypoint(ZarrBackendEntrypoint):
    """Opens groups of Zarr arrays. The parameters are those of xarray's engine `zarr`."""

    description = "Open zarr files (.zarr) using slice-zarr in Xarray"
    url = ""
    open_dataset_parameters = tuple(name for name in signature(ZarrBackendEntrypoint.open_dataset).parameters if name != "self")

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """Returns `False`: this engine is used only if it is named."""
        return False

    def open_dataset(self, filename_or_obj: Any, *, store: Any = None, **parameters: Any) -> Any:
        """Opens a group as a dataset."""
        if store is None:
            names = ("group", "consolidated", "storage_options", "zarr_format", "cache_members", "mode")
            chosen = {name: parameters[name] for name in names if name in parameters}
            chosen = {"consolidated": None, "mode": "r"} | chosen
            store = _Store.open_group(_normalized(filename_or_obj), consolidate_on_close=False, **chosen)
        return super().open_dataset(filename_or_obj, store=store, **parameters)

    def open_groups_as_dict(self, filename_or_obj: Any, *, group: str | None = None, **parameters: Any) -> Any:
        """Opens a group, and all groups below it, as datasets."""
        names = ("consolidated", "storage_options", "zarr_format", "mode")
        chosen: dict[str, Any] = {"consolidated": None, "mode": "r"}
        chosen |= {name: parameters.pop(name) for name in names if name in parameters}
        parent = "/" + (group or "").strip("/")
        stores = _Store.open_store(_normalized(filename_or_obj), group=parent, consolidate_on_close=False, **chosen)
        prefix = parent.rstrip("/")
        return {
            path.removeprefix(prefix) or "/": StoreBackendEntrypoint().open_dataset(store, **parameters)
            for path, store in stores.items()
        }


def _normalized(where: Any) -> Any:
    return os.path.expanduser(os.fspath(where)) if isinstance(where, os.PathLike) else where

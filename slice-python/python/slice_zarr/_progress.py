"""Progress bars."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ._options import ProgressFunction

# A bar is shown only if a read takes longer than this time, in seconds.
_DELAY = 0.5


@contextmanager
def show_progress(progress: bool | ProgressFunction | None) -> Iterator[ProgressFunction | None]:
    """Returns the function to which the engine reports its progress: `progress` itself, or that of a progress bar."""
    if progress is None or progress is False:
        yield None
    elif progress is not True:
        yield progress
    else:
        bar = _Bar()
        try:
            yield bar
        finally:
            bar.close()


class _Bar:
    """A bar by tqdm, or a line of text if tqdm is not installed."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._bar: object = None
        self._text = False

    def __call__(self, chunks: int, of: int) -> None:
        if time.monotonic() - self._begin < _DELAY or of == 0:
            return
        if self._bar is None and not self._text:
            try:
                from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]

                self._bar = tqdm(total=of, unit="chunk")
            except ImportError:
                self._text = True
        if self._text:
            sys.stderr.write(f"\r{chunks} of {of} chunks")
            sys.stderr.flush()
        else:
            bar = self._bar
            bar.update(chunks - bar.n)  # type: ignore[attr-defined]

    def close(self) -> None:
        if self._text:
            sys.stderr.write("\n")
        elif self._bar is not None:
            self._bar.close()  # type: ignore[attr-defined]

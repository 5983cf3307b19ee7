"""Random brackets."""

import numpy as np


def random_slice(rng, n):
    bound = lambda: None if rng.random() < 0.4 else int(rng.integers(-n - 3, n + 4))  # noqa: E731
    step = rng.choice([None, 1, 2, 3, -1, -2, -5, 10**9, -(2**63), 2**63 - 1])
    return slice(bound(), bound(), None if step is None else int(step))


def random_list(rng, n):
    """Returns a list of positions on an axis, or a mask, as a list or an array."""
    if rng.random() < 0.3:
        mask = rng.random(n) < rng.random()
        return mask if rng.random() < 0.7 else mask.tolist()
    count = int(rng.integers(0, 8)) if n else 0
    positions = rng.integers(-n, max(n, 1), count) if n else np.zeros(0, int)
    if rng.random() < 0.3:
        positions = np.sort(positions)
    kind = rng.integers(4)
    if kind == 0:
        return positions.tolist()
    if kind == 1:
        return positions.astype(np.int16)
    return positions


def random_lists(rng, shape):
    """Returns brackets that select from each axis by itself."""
    items = []
    for n in shape:
        kind = rng.random()
        if kind < 0.4 or n == 0:
            items.append(random_slice(rng, n))
        elif kind < 0.55:
            items.append(int(rng.integers(-n, n)))
        else:
            items.append(random_list(rng, n))
    if rng.random() < 0.2:
        at = int(rng.integers(0, len(items) + 1))
        items[at : at + int(rng.integers(0, 3))] = [Ellipsis]
    elif rng.random() < 0.2:
        items = items[: int(rng.integers(0, len(items) + 1))]
    return tuple(items)


def broadcastable(rng, n, shape):
    """Returns an array of positions whose shape broadcasts to `shape`."""
    own = [1 if rng.random() < 0.25 else k for k in shape]
    own = own[int(rng.integers(0, len(own) + 1)) :]
    return rng.integers(-n, n, own) if n else np.zeros(own, int)


def random_numpy(rng, shape):
    """Returns brackets of any kind, some of which are invalid."""
    items, axis = [], 0
    points = [int(rng.integers(0, 4)) for _ in range(int(rng.integers(1, 4)))]
    style = rng.random()
    while axis < len(shape):
        n = shape[axis]
        kind = rng.random()
        if rng.random() < 0.1:
            items.append(None)
        if rng.random() < 0.02:
            items.append(bool(rng.random() < 0.7))
        if style < 0.3 or kind < 0.35:
            items.append(random_slice(rng, n))
        elif kind < 0.5:
            items.append(int(rng.integers(-n, n)) if n and rng.random() < 0.98 else n)
        elif kind < 0.6 and axis + 2 <= len(shape):
            k = int(rng.integers(2, len(shape) - axis + 1))
            items.append(rng.random(shape[axis : axis + k]) < rng.random() * 0.5)
            axis += k - 1
        elif kind < 0.9:
            items.append(broadcastable(rng, n, points))
        else:
            items.append(random_list(rng, n))
        axis += 1
    if rng.random() < 0.2:
        at = int(rng.integers(0, len(items) + 1))
        items[at : at + int(rng.integers(0, 3))] = [Ellipsis]
    elif rng.random() < 0.2:
        items = items[: int(rng.integers(0, len(items) + 1))]
    if rng.random() < 0.02:
        items.append(0)
    return items[0] if len(items) == 1 and rng.random() < 0.5 else tuple(items)

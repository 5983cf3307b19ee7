"""Defines the PyTorch networks that are exported to several formats. Each network slices its tensors as a well-known
network does."""

import torch
from torch import nn


class Focus(nn.Module):
    """YOLOv5's first layer: selects every other pixel at four offsets, and concatenates the patches as channels."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(12, 4, 1)

    def forward(self, x):
        patches = [x[..., ::2, ::2], x[..., 1::2, ::2], x[..., ::2, 1::2], x[..., 1::2, 1::2]]
        return self.conv(torch.cat(patches, 1))


class KeyValueCache(nn.Module):
    """A layer of a language model: appends the new keys to the old keys, keeps the last positions, and cuts a mask to
    one row for each query and one column for each key."""

    def __init__(self, window=6, max_length=16):
        super().__init__()
        self.window = window
        self.register_buffer("mask", torch.tril(torch.ones(max_length, max_length)))

    def forward(self, query, past, new):
        keys = torch.cat([past, new], dim=2)[:, :, -self.window :, :]
        length = keys.shape[2]
        query_length = query.shape[2]
        mask = self.mask[length - query_length : length, :length]
        scores = query @ keys.transpose(-1, -2) + mask
        return scores.softmax(-1) @ keys, keys


class ShiftedWindows(nn.Module):
    """Swin's shifted windows: rolls the input, divides it into windows, and rolls it back. The elements of the windows
    are not put back in their original order."""

    def forward(self, x):
        shifted = torch.roll(x, shifts=(-2, -2), dims=(1, 2))
        b, h, w, c = shifted.shape
        windows = shifted.view(b, h // 4, 4, w // 4, 4, c).permute(0, 1, 3, 2, 4, 5)
        windows = windows.reshape(-1, 4, 4, c) * 2
        return torch.roll(windows.view(b, h, w, c), shifts=(2, 2), dims=(1, 2))


class Framing(nn.Module):
    """Divides a signal into overlapping frames, as for a short-time Fourier transform. Returns the lower half of the
    spectrum of every frame but the first, the reversed signal, and the last sample of the first frame. The identity
    matrix stands in for the Fourier matrix."""

    def forward(self, signal):
        frames = torch.stack([signal[:, start : start + 8] for start in range(0, 24, 4)], 1)
        spectrum = frames @ torch.eye(8)
        # The first output is a slice of a slice.
        return spectrum[:, :, :5][:, 1:, :], signal.flip(-1), frames[:, 0, -1]

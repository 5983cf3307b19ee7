"""Writes the models of this folder that litert-torch exports.

    python3.11 -m venv litert
    litert/bin/pip install ai-edge-litert==2.3.0 litert-converter==0.5.0 litert-torch==0.10.0 numpy==2.4.6 torch==2.14.1
    litert/bin/python litert_models.py
"""

import pathlib

import litert_torch
import torch
from torch import nn

HERE = pathlib.Path(__file__).parent
torch.manual_seed(0)


class Focus(nn.Module):
    """YOLOv5's first layer: gathers every second pixel, four times, and joins the four patches as channels."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(12, 4, 1)

    def forward(self, x):
        patches = [x[..., ::2, ::2], x[..., 1::2, ::2], x[..., ::2, 1::2], x[..., 1::2, 1::2]]
        return self.conv(torch.cat(patches, 1))


class KeyValueCache(nn.Module):
    """A layer of a language model: appends new keys to old keys, keeps the last positions, and slices a mask to their
    number."""

    def __init__(self, window=6, most=16):
        super().__init__()
        self.window = window
        self.register_buffer("mask", torch.tril(torch.ones(most, most)))

    def forward(self, query, past, new):
        keys = torch.cat([past, new], dim=2)[:, :, -self.window :, :]
        length = keys.shape[2]
        here = query.shape[2]
        mask = self.mask[length - here : length, :length]
        scores = query @ keys.transpose(-1, -2) + mask
        return scores.softmax(-1) @ keys, keys


class ShiftedWindows(nn.Module):
    """Swin's shifted windows: rolls the input, divides it into windows, and reverses both steps."""

    def forward(self, x):
        shifted = torch.roll(x, shifts=(-2, -2), dims=(1, 2))
        b, h, w, c = shifted.shape
        windows = shifted.view(b, h // 4, 4, w // 4, 4, c).permute(0, 1, 3, 2, 4, 5)
        windows = windows.reshape(-1, 4, 4, c) * 2
        return torch.roll(windows.view(b, h, w, c), shifts=(2, 2), dims=(1, 2))


class Rotary(nn.Module):
    """Rotary position embedding, which slices halves, and even and odd elements."""

    def forward(self, x):
        half = x.shape[-1] // 2
        turned = torch.cat([-x[..., half:], x[..., :half]], dim=-1)
        pairs = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).flatten(-2)
        return turned + pairs


class Framing(nn.Module):
    """Overlapping frames of a signal, as for a short-time Fourier transform, and the lower half of the spectrum."""

    def forward(self, signal):
        frames = torch.stack([signal[:, start : start + 8] for start in range(0, 24, 4)], 1)
        spectrum = frames @ torch.eye(8)
        # Here a slice is sliced again.
        return spectrum[:, :, :5][:, 1:, :], signal.flip(-1), frames[:, 0, -1]


tensors = (torch.zeros(1, 2, 1, 4), torch.zeros(1, 2, 9, 4), torch.zeros(1, 2, 1, 4))
for name, model, inputs in [
    ("torch_focus", Focus(), (torch.zeros(1, 3, 8, 8),)),
    ("torch_cache", KeyValueCache(), tensors),
    ("torch_windows", ShiftedWindows(), (torch.zeros(1, 8, 8, 2),)),
    ("rotary", Rotary(), (torch.zeros(1, 2, 3, 8),)),
    ("torch_framing", Framing(), (torch.zeros(1, 32),)),
]:
    litert_torch.convert(model.eval(), inputs).export(str(HERE / f"{name}.tflite"))

"""Exports some of the LiteRT models in this folder with litert-torch.

    python3.11 -m venv litert
    litert/bin/pip install ai-edge-litert==2.3.0 litert-converter==0.5.0 litert-torch==0.10.0 numpy==2.4.6 torch==2.14.1
    litert/bin/python litert_models.py
"""

import pathlib

import litert_torch
import torch
from networks import Focus, Framing, KeyValueCache, ShiftedWindows
from torch import nn

HERE = pathlib.Path(__file__).parent
torch.manual_seed(0)


class Rotary(nn.Module):
    """Rotary position embedding, which selects the two halves of an axis, and its even and odd positions."""

    def forward(self, x):
        half = x.shape[-1] // 2
        turned = torch.cat([-x[..., half:], x[..., :half]], dim=-1)
        pairs = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).flatten(-2)
        return turned + pairs


tensors = (torch.zeros(1, 2, 1, 4), torch.zeros(1, 2, 9, 4), torch.zeros(1, 2, 1, 4))
for name, model, inputs in [
    ("torch_focus", Focus(), (torch.zeros(1, 3, 8, 8),)),
    ("torch_cache", KeyValueCache(), tensors),
    ("torch_windows", ShiftedWindows(), (torch.zeros(1, 8, 8, 2),)),
    ("rotary", Rotary(), (torch.zeros(1, 2, 3, 8),)),
    ("torch_framing", Framing(), (torch.zeros(1, 32),)),
]:
    litert_torch.convert(model.eval(), inputs).export(str(HERE / f"{name}.tflite"))

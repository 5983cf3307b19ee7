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


class Rotary(nn.Module):
    """Rotary position embedding, which slices halves, and even and odd elements."""

    def forward(self, x):
        half = x.shape[-1] // 2
        turned = torch.cat([-x[..., half:], x[..., :half]], dim=-1)
        pairs = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).flatten(-2)
        return turned + pairs


model = litert_torch.convert(Rotary().eval(), (torch.zeros(1, 2, 3, 8),))
model.export(str(HERE / "rotary.tflite"))

"""Demonstrates a bug in the older exporter of torch.onnx: x.narrow(0, -1, 1) should return the last element, but its
result is empty."""

import io
import warnings

import onnxruntime
import torch

warnings.simplefilter("ignore")


class Last(torch.nn.Module):
    def forward(self, x):
        return x.narrow(0, -1, 1)


data = torch.arange(1.0, 5.0)
print("PyTorch", Last()(data).numpy())
file = io.BytesIO()
torch.onnx.export(Last(), (data,), file, dynamo=False)
session = onnxruntime.InferenceSession(file.getvalue())
print("ONNX   ", session.run(None, {session.get_inputs()[0].name: data.numpy()})[0])

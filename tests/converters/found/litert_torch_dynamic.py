"""Demonstrates a bug in litert-torch: x[-1:] should select the last element, but is empty if the length of the axis is
dynamic."""

import litert_torch
import numpy as np
import torch
from ai_edge_litert.interpreter import Interpreter


class Last(torch.nn.Module):
    def forward(self, x):
        return x[-1:]


data = torch.arange(1.0, 5.0)
print("PyTorch     ", Last()(data).numpy())
converted = litert_torch.convert(Last().eval(), (torch.ones(7),), dynamic_shapes=({0: torch.export.Dim("n")},))
converted.export("/tmp/last.tflite")
interpreter = Interpreter("/tmp/last.tflite")
detail = interpreter.get_input_details()[0]
print("shape signature of the input", detail["shape_signature"], "and of the output", interpreter.get_output_details()[0]["shape_signature"])
interpreter.resize_tensor_input(detail["index"], [4])
interpreter.allocate_tensors()
interpreter.set_tensor(detail["index"], data.numpy())
interpreter.invoke()
print("litert-torch", interpreter.get_output_details()[0]["shape"])

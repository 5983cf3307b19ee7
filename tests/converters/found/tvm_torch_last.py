"""Demonstrates a bug in TVM: x[:, -1] in a PyTorch model reads the element before each row instead of the row's last
element. For the first row, the element that is read is outside x."""

import torch
import tvm
from tvm import relax
from tvm.relax.frontend.torch import from_exported_program


class Last(torch.nn.Module):
    def forward(self, x):
        return x[:, -1]


data = torch.arange(1.0, 13.0).reshape(3, 4)
print("PyTorch", Last()(data).numpy())
with torch.no_grad():
    module = from_exported_program(torch.export.export(Last(), (data,)))
machine = relax.VirtualMachine(tvm.compile(module, target="llvm"), tvm.cpu())
print("TVM    ", machine["main"](tvm.runtime.tensor(data.numpy()))[0].numpy())

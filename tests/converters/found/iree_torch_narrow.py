"""Demonstrates a bug in IREE: x.narrow(0, -1, 1) in a PyTorch model should return the last element, but reads memory
before x."""

import torch
from iree import compiler, runtime
from iree.turbine import aot


class Last(torch.nn.Module):
    def forward(self, x):
        return x.narrow(0, -1, 1)


data = torch.arange(1.0, 5.0)
print("PyTorch", Last()(data).numpy())
text = str(aot.export(torch.export.export(Last(), (data,))).mlir_module)
flags = ["--iree-llvmcpu-target-cpu=generic"]
bytecode = compiler.compile_str(text, input_type="torch", target_backends=["llvm-cpu"], extra_args=flags)
config = runtime.Config("local-sync")
module = runtime.load_vm_module(runtime.VmModule.copy_buffer(config.vm_instance, bytecode), config)
print("IREE   ", module.main(data.numpy()).to_host())

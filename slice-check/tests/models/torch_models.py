"""Exports the PyTorch models in this folder with torch.export.

    python3.11 -m venv torch
    torch/bin/pip install numpy==2.4.6 torch==2.15.0
    torch/bin/python torch_models.py
"""

import pathlib
import shutil
import zipfile

import torch
from torch import nn

HERE = pathlib.Path(__file__).parent
torch.manual_seed(0)


class Focus(nn.Module):
    """YOLOv5's first layer: selects every other pixel at four offsets, and concatenates the patches as channels."""

    def forward(self, x):
        patches = [x[..., ::2, ::2], x[..., 1::2, ::2], x[..., ::2, 1::2], x[..., 1::2, 1::2]]
        return torch.cat(patches, 1)


class Everything(nn.Module):
    """Slices an array with a list in a buffer, a list in the code, splits, axes counted from the end, a flip, an index,
    and inserted and dropped axes."""

    def __init__(self):
        super().__init__()
        self.register_buffer("order", torch.tensor([0, 2, 1]))

    def forward(self, x):
        first, second, _, _ = x.unbind(1)
        left, right = x.chunk(2, dim=2)
        even, odd = x.split([1, 3], dim=1)
        picked = x[..., [0, 2, 5]] + x.index_select(2, self.order)
        return (
            x[:, -1] + first - second, left * right, even + odd[:, :1], picked, x.flip(-1, 1),
            x[:, None, :3].narrow(-1, -4, 3), x.squeeze(0)[1:, 1:-1],
        )


class Batches(nn.Module):
    """Slices an array with bounds computed from lengths that are known only at run time."""

    def forward(self, x, past):
        length = x.shape[0]
        return x[: length // 2, 1:], x[: length - 1], x[:, past.shape[0] :], x[-1]


class Positions(nn.Module):
    """Selects positions with arrays and masks, some of which are known only at run time."""

    def forward(self, x, rows, mask):
        table = x[torch.tensor([[0, 1], [2, 0]])]
        columns = x[:, torch.tensor([True, False, True, False])]
        pairs = x[torch.tensor([0, 1]), torch.tensor([2, 3])]
        flags = torch.tensor([[True, False, False, False]] * 3)
        return table, columns, pairs, x[flags], x[mask], x[rows], x.index_select(0, rows), x.gather(1, table[:, 0, :2].long())


def save_model(name, model, inputs, **options):
    program = torch.export.export(model.eval(), inputs, **options)
    # Removes the source locations of the nodes, which refer to lines of this script.
    for node in program.graph.nodes:
        for key in ("stack_trace", "nn_module_stack", "source_fn_stack", "from_node"):
            node.meta.pop(key, None)
    path = HERE / f"{name}.pt2"
    torch.export.save(program, path)
    # Omits the sample inputs, which `slice check` does not read.
    kept = HERE / f"{name}.kept"
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(kept, "w") as smaller:
        for info in archive.infolist():
            if "sample_inputs" not in info.filename:
                smaller.writestr(zipfile.ZipInfo(info.filename), archive.read(info))
    shutil.move(kept, path)


save_model("focus", Focus(), (torch.zeros(1, 3, 8, 8),))
save_model("everything", Everything(), (torch.zeros(1, 4, 8),))
auto = {0: torch.export.Dim.AUTO}
save_model("batches", Batches(), (torch.zeros(6, 8), torch.zeros(3, 8)), dynamic_shapes=(auto, auto))
save_model("positions", Positions(), (torch.zeros(3, 4), torch.tensor([0, 1]), torch.tensor([True, False, True])))
print(f"PyTorch {torch.__version__}")

"""Runs a system on models, and writes the files `*.jsonl.gz` in this folder."""

import collections
import gzip
import json
import multiprocessing
import pathlib
import re

import numpy as np

HERE = pathlib.Path(__file__).parent


class Given:
    """An operand that is a constant."""

    def __init__(self, value, kind="int32"):
        self.array = np.array(value, dtype=kind)


class Fed:
    """An operand that is an input of the model, with a declared shape."""

    def __init__(self, value, kind="int32"):
        self.array = np.array(value, dtype=kind)


def axis_of(shape, kind="float32"):
    return Fed(np.zeros(shape, kind), kind)


def judge_all(judge, models, results):
    for model in models:
        results.send(judge(*model))


def verdicts(judge, models):
    """Returns the verdict and its detail for each model. The system runs in a second process, because it may crash."""
    judged = []
    while len(judged) < len(models):
        ours, theirs = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.Process(target=judge_all, args=(judge, models[len(judged):], theirs))
        process.start()
        theirs.close()
        try:
            while len(judged) < len(models):
                judged.append(ours.recv())
        except EOFError:
            judged.append(("crashed", None))
        process.join()
    return judged


def write(name, versions, judges, models):
    """Writes `NAME.jsonl.gz`: a line with the versions, and then one for each model: its bytes, and the verdict of each
    judge, with the message or the number of elements of each result.

    Each model is a tuple whose first element is its bytes. The functions in `judges` are called with the elements of the
    tuple, and return the verdict and this detail.
    """
    models = list({model[0]: model for model in models}.values())
    records = [{"model": model[0].hex()} for model in models]
    for judge, function in judges.items():
        judged = verdicts(function, models)
        for record, (verdict, detail) in zip(records, judged):
            # Addresses of objects and paths of source files differ from one machine to another.
            if isinstance(detail, str):
                detail = re.sub(r"0x[0-9a-f]+|/[\w/.+-]+/", "", detail.replace("\n", " "))[:160]
            record[judge] = [verdict] if detail is None else [verdict, detail]
        print(name, judge, dict(collections.Counter(verdict for verdict, _ in judged)))
    text = "\n".join([json.dumps(versions), *map(json.dumps, records), ""])
    (HERE / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))

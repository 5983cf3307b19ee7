"""Uses a Dask cluster to run the plans in a directory.

    python with_dask.py target/release/examples/slice_plan plans out.zarr --workers 4

Each task calls `slice_plan run` for one plan. Without --scheduler, the tasks run in processes on this machine. If a
worker is lost, Dask runs its task again. At the end, `slice_plan check` reports whether every plan has run.
"""

import argparse
import subprocess
from pathlib import Path

from distributed import Client, LocalCluster, as_completed


def run(plan, program, output):
    """Runs one plan. The task contains the text of the plan, so a worker does not need the folder of the plans."""
    path = Path(output).with_suffix(f".{plan[0]}")
    path.write_text(plan[1])
    result = subprocess.run([program, "run", "--again", str(path), output], capture_output=True, text=True)
    path.unlink()
    if result.returncode:
        raise RuntimeError(f"plan {plan[0]}: {result.stderr}")
    return plan[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="the path to the slice_plan program")
    parser.add_argument("plans", type=Path, help="the directory that contains the plans")
    parser.add_argument("output", help="the directory of the output array")
    parser.add_argument("--workers", type=int, default=4, help="the number of processes without --scheduler")
    parser.add_argument("--scheduler", help="the address of the scheduler of an existing cluster")
    arguments = parser.parse_args()
    plans = [(path.name, path.read_text()) for path in sorted(arguments.plans.glob("*.json"))]
    cluster = arguments.scheduler or LocalCluster(
        n_workers=arguments.workers, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with Client(cluster) as client:
        program = str(Path(arguments.program).resolve())
        output = str(Path(arguments.output).resolve())
        tasks = client.map(run, plans, program=program, output=output, pure=False, retries=2)
        for number, task in enumerate(as_completed(tasks), 1):
            print(f"{number} of {len(plans)}: {task.result()}")
    subprocess.run([program, "check", output, "--plans", str(arguments.plans)], check=True)


if __name__ == "__main__":
    main()

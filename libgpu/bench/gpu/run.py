#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: run.py --program build/kit/bin/gpu_bench [options]        (make bench-gpu)

Runs gpu_bench, then the same rows in CuPy, PyTorch and JAX, where Python has them, and writes
docs/benchmarks/beside-cupy.md and beside-cupy.svg: some minutes.
  --out FOLDER       where the two files go (docs/benchmarks)
  --json FILE        what was measured, as numbers
  --from FILE        makes the page and chart of such a file again, and runs nothing
  --python PROGRAM   a Python that has CuPy; unless named, the first of this one, python3 and python that has it
  --without-cupy     libgpu alone
  --only-cupy        neither PyTorch nor JAX
  --growth WHICH     coarse (2^10, 2^13, ...), all sizes, or none
  --elements N, --most N   logarithms: of the table's arrays (28), of the largest (31)
  --on-host          on the host backend: small sizes, to see that everything works
Exit codes: 0 done, 1 a result was wrong, 2 a wrong option, 3 there is no GPU, 4 there is no CuPy: the page has libgpu's
column alone, 5 a program failed.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import report  # noqa: E402

KEPT = ("seconds", "bytes_per_s", "operations_per_s", "share_of_limit")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("--program", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=HERE.parents[2] / "docs/benchmarks")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--from", type=pathlib.Path, dest="recorded")
    parser.add_argument("--python")
    parser.add_argument("--without-cupy", action="store_true")
    parser.add_argument("--only-cupy", action="store_true")
    parser.add_argument("--growth", default="coarse", choices=("coarse", "all", "none"))
    parser.add_argument("--elements", type=int, default=28)
    parser.add_argument("--most", type=int, default=31)
    parser.add_argument("--on-host", action="store_true")
    given = parser.parse_args()
    if given.recorded is None and given.program is None:
        parser.error("--program names gpu_bench, or --from a file of results")
    return given


def python_with_cupy(named):
    """A Python that has CuPy, and why none was found."""
    tried = {}
    for name in [named] if named else [sys.executable, "python3", "python"]:
        path = shutil.which(name)
        if path is None or path in tried:
            continue
        done = subprocess.run([path, "-c", "import cupy; cupy.zeros(1).sum().item()"], capture_output=True, text=True)
        if done.returncode == 0:
            return path, ""
        tried[path] = (done.stderr.strip().splitlines() or ["failed"])[-1]
    return None, "; ".join(f"{path}: {why}" for path, why in tried.items()) or f"{named} isn't a program"


def gathered(measured):
    """Google Benchmark's JSON as rows, growth, shapes and calls that were drawn."""
    results = {"limits": {}, "rows": {}, "growth": {}, "shapes": {}, "drawn": {}}
    for entry in measured["benchmarks"]:
        name = entry["name"].split("/iterations:")[0]
        row = {"error": entry["error_message"]} if entry.get("error_occurred") else \
            {"seconds": entry["real_time"] * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[entry["time_unit"]]}
        row |= {key: entry[key] for key in KEPT if key in entry and "error" not in row}
        if entry.get("label"):
            row["label"] = entry["label"]
        topic, _, rest = name.partition("/")
        if topic == "limit":
            if "error" not in row:
                results["limits"][rest] = row["bytes_per_s"]
        elif topic == "growth":
            what, _, size = rest.rpartition("/2^")
            results["growth"].setdefault(what, {})[size] = row
        elif topic in ("shapes", "drawn"):
            results[topic][name] = row
        else:
            results["rows"][name] = row
    return results


def driver():
    try:
        asked = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                               capture_output=True, text=True)
    except OSError:
        return ""
    return asked.stdout.split("\n")[0].strip() if asked.returncode == 0 else ""


def write(results, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("beside-cupy.md", report.page(results)), ("beside-cupy.svg", report.chart(results))):
        (folder / name).write_text(text)
        print(f"Wrote {folder / name}")


def wrong_rows(results):
    lists = [results[part].items() for part in ("rows", "shapes", "drawn")]
    lists += [[(f"{name} 2^{size}", row) for size, row in sizes.items()] for name, sizes in results["growth"].items()]
    return [f"{name}: {row['error']}" for rows in lists for name, row in rows if "error" in row]


def measure_peer(library, python, elements, theirs, results):
    """Adds PyTorch's or JAX's rows to the results, if this Python has it."""
    if subprocess.run([python, "-c", f"import {library}"], capture_output=True).returncode != 0:
        print(f"{report.PEERS[library]} isn't measured: {python} doesn't have it")
        return
    print(report.PEERS[library], flush=True)
    failed = subprocess.run([python, HERE / "peer_rows.py", library, theirs, str(elements)]).returncode
    if failed or not theirs.exists():
        print(f"peer_rows.py {library} ended with {failed}")
        return
    their = json.loads(theirs.read_text())
    results[library] = their["rows"]
    results["about"] |= {library: their["about"][library]}
    results["missing"] |= {f"{library} {name}": why for name, why in their["missing"].items()}


def measure(given, scratch):
    """Everything measured, and the exit code that is due."""
    start = time.monotonic()
    about = subprocess.run([given.program, "--about"], capture_output=True, text=True)
    if about.returncode != 0:
        sys.exit(print(f"{given.program} --about failed:\n{about.stderr}") or 5)
    device, card, why = (about.stdout.split("\n") + ["", ""])[:3]
    if not device.startswith("cuda") and not given.on_host:
        sys.exit(print(f"There is no GPU: {why or 'LIBGPU_DEVICE chooses the host backend'}. "
                       "--on-host runs small sizes on the host backend.") or 3)
    python, why_not = (None, "left out") if given.without_cupy or given.on_host else python_with_cupy(given.python)
    if python is None:
        print(f"CuPy isn't measured: {why_not}")
    print(f"{card} ({device}): libgpu", flush=True)
    ours = scratch / "libgpu.json"
    ran = subprocess.run([given.program, f"--elements={given.elements}", f"--most={given.most}",
                          f"--growth={given.growth}", f"--benchmark_out={ours}", "--benchmark_out_format=json"])
    if ran.returncode not in (0, 1) or not ours.exists():
        sys.exit(print(f"gpu_bench ended with {ran.returncode}") or 5)
    results = gathered(json.loads(ours.read_text()))
    results |= {"cupy": {}, "torch": {}, "jax": {}, "numpy": {}, "missing": {}}
    results["about"] = {"card": card, "device": device, "driver": driver(), "table_elements": given.elements,
                        "day": time.strftime("%d %B %Y").lstrip("0"), "command": "make bench-gpu"}
    code = ran.returncode
    if python is not None:
        theirs = scratch / "cupy.json"
        print("CuPy and NumPy", flush=True)
        failed = subprocess.run([python, HERE / "cupy_rows.py", theirs, str(given.elements),
                                 *results["drawn"]]).returncode
        if failed or not theirs.exists():
            print(f"cupy_rows.py ended with {failed}")
            code = code or 5
        else:
            their = json.loads(theirs.read_text())
            results |= {key: their[key] for key in ("cupy", "numpy", "missing")}
            cuda = their["about"]["cuda"]
            results["about"] |= {"cupy": their["about"]["cupy"], "numpy": their["about"]["numpy"],
                                 "cuda": f"{cuda // 1000}.{cuda % 1000 // 10}"}
        for library in () if given.only_cupy else ("torch", "jax"):
            measure_peer(library, python, given.elements, scratch / f"{library}.json", results)
    elif not given.without_cupy and not given.on_host:
        code = code or 4
    results["about"]["seconds"] = time.monotonic() - start
    return results, code


def main():
    given = arguments()
    if given.recorded:
        write(json.loads(given.recorded.read_text()), given.out)
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        results, code = measure(given, pathlib.Path(scratch))
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n")
    write(results, given.out)
    for line in wrong_rows(results):
        print(f"ERROR {line}")
    for name, sizes in results["growth"].items():
        for cliff in report.cliffs(sizes):
            print(f"Cliff: {name}, {cliff}")
    print(report.summary(results))
    return code


if __name__ == "__main__":
    sys.exit(main())

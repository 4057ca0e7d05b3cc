# SPDX-License-Identifier: MIT
"""What speed_lines and speed_verdicts share: the naive answers, and a copy of the course that times them. (What kernels
must do is judged after the timing.)"""
import json
import shutil
import tomllib

# Of each speed line the naive answers that it is there for, by exercise and task. docs/benchmarks/exercise-speed.md says
# why some have none.
NAIVE = {(2, "norm"): ["lazy/on-cpu"],
         (4, "power"): ["lazy/on-cpu"],
         (6, "squared_diff"): [],
         (7, "distance"): ["wrong/one-array-many-kernels", "wrong/kernel-per-operator"],
         (8, "add"): ["lazy/block-of-one"],
         (8, "mul"): ["wrong/uncoalesced"],
         (9, "column_sums"): ["wrong/piece-per-thread"],
         (10, "padded"): ["lazy/naive-again"],
         (12, "tree"): ["wrong/atomic-everywhere"],
         (12, "two_passes"): ["wrong/tree-each-round"],
         (13, "norms"): ["lazy/row-by-row"],
         (14, "softmax"): ["wrong/thread-per-row"],
         (15, "private"): ["wrong/atomic-everything"],
         (16, "tiled"): [],
         (17, "escape"): ["lazy/on-cpu"],
         (18, "naive"): [], (18, "tiled"): [], (18, "library"): [], (18, "registers"): [],
         (19, "batch"): ["lazy/a-call-each"],
         (22, "whole"): ["wrong/launch-per-step"]}


def faults_of_naive_answers(root):
    """What NAIVE misses of the course's speed lines, or has too much."""
    lines = {}
    for file in sorted((root / "exercises").glob("*/exercise.toml")):
        manifest = tomllib.loads(file.read_text())
        for task in manifest["task"]:
            if "speed" in task:
                lines[int(file.parent.name[:2]), task["id"]] = file.parent
    yield from (f"NAIVE has nothing of exercise {one[0]}, task {one[1]}" for one in lines if one not in NAIVE)
    for (number, task), answers in NAIVE.items():
        if (number, task) not in lines:
            yield f"exercise {number}, task {task} has no speed line"
        else:
            yield from (f"exercise {number} has no {answer}" for answer in answers
                        if not (lines[number, task] / f"{answer}.patch").is_file())


def toml(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def copy_without_budgets(root, to, lines=False):
    """The course in another folder, in which slow answers are timed: without budgets of calls, which they exceed, and
    without the speed lines unless `lines`."""
    for folder in ("exercises", "solutions", "lessons"):
        shutil.copytree(root / folder, to / folder)
    for file in (to / "exercises").glob("*/exercise.toml"):
        manifest = tomllib.loads(file.read_text())
        for task in manifest["task"]:
            task.pop("budgets", None)
            if "speed" in task and not lines:
                task["speed"] = {"at_least": 0.0, "elements": task["speed"]["elements"]}
        file.write_text("".join(f"{key} = {toml(value)}\n" for key, value in manifest.items()))

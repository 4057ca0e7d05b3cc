# SPDX-License-Identifier: MIT
"""A copy of the course for speed_lines and speed_verdicts. (What kernels must do is judged after the timing.)"""
import json
import shutil
import tomllib


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

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: tasks.py FOLDER

Runs the tasks of .vscode/tasks.json, and looks for a finding of a wrong answer with the pattern of *Run and check*."""
import json
import re
import subprocess
import sys
from pathlib import Path

folder = Path(sys.argv[1])
text = re.sub(r"^\s*//.*$", "", (folder / ".vscode/tasks.json").read_text(), flags=re.MULTILINE)
tasks = json.loads(text)["tasks"]
for task in tasks:
    subprocess.run([task["command"], *task.get("args", [])], cwd=folder, check=True)
(checks,) = (task for task in tasks if task["label"] == "Run and check")
source = folder / "add.cu"
right = source.read_text()
source.write_text(right.replace("if (i < n) ", ""))
said = subprocess.run([checks["command"], *checks["args"]], cwd=folder, capture_output=True, text=True)
source.write_text(right)
pattern = re.compile(checks["problemMatcher"]["pattern"]["regexp"])
found = [match for match in map(pattern.match, (said.stdout + said.stderr).splitlines()) if match]
assert any(match.group(2, 3) == ("add.cu", "8") and "out of bounds" in match.group(1) for match in found), said
assert all((folder / match.group(2)).is_file() for match in found), found
print(f"tasks: {len(tasks)}")

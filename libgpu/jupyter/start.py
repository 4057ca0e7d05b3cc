# SPDX-License-Identifier: MIT
"""Starts the kernel. It lies beside kernel.json, in PREFIX/share/jupyter/kernels/gpu-course."""

import runpy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "gpu-notebook"))
runpy.run_module("gpu_notebook", run_name="__main__")

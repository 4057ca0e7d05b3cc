#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Gradescope runs this once, as root, when it makes the image. The zip holds this folder's two files, `assignment` with
# the course's part of the program, and `kit`.
set -euo pipefail
cd /autograder/source/kit
./setup --student
make install-gpucc PREFIX=/usr/local

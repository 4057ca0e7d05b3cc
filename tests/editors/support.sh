# SPDX-License-Identifier: MIT
# For check and kernels: a course of its own in a scratch folder, and clangd without CUDA.
# shellcheck shell=sh disable=SC2034

failures=0
complain() { echo "FAILED: $*"; failures=$((failures + 1)); }

# Where clangd is: any release will do.
find_clangd() {
  for clangd in "${KIT_CLANGD:-clangd}" clangd-22 clangd-19 clangd-18 clangd-16 clangd-15 clangd-14; do
    clangd=$(command -v "$clangd") && return
  done
  echo "SKIP: clangd is missing: run ./setup --editors"
  exit 77
}

# usage: without_cuda COMMAND...     As on a machine without a toolkit: nothing of the environment says where one is.
without_cuda() {
  env -i PATH=/usr/bin:/bin HOME="$scratch/home" TMPDIR="$scratch" LC_ALL=C "$@"
}

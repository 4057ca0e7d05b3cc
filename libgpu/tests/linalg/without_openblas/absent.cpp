// SPDX-License-Identifier: MIT
// A library under a name by which no file is found: what libopenblas is where it was uninstalled.
int gpu_absent_function() { return 0; }

// SPDX-License-Identifier: MIT
// A library that can't be opened, because absent.cpp's isn't found.
int gpu_absent_function();
int gpu_uses_what_is_absent() { return gpu_absent_function(); }

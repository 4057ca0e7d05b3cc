// SPDX-License-Identifier: MIT
// Arithmetic of halves by its names, for the host's half of a program.
#pragma once

inline bool __hisnan(__half h) { return (h.__x & 0x7fff) > 0x7c00; }
inline __half __hneg(__half h) { return -h; }
inline __half __habs(__half h) { return gpu_half_of_bits(h.__x & 0x7fffu); }
#define GPUCC_HALF_ARITHMETIC(name, op)                              \
    inline __half name(__half a, __half b) { return a op b; }        \
    inline __half2 name##2(__half2 a, __half2 b) { return a op b; }
GPUCC_HALF_ARITHMETIC(__hadd, +)
GPUCC_HALF_ARITHMETIC(__hsub, -)
GPUCC_HALF_ARITHMETIC(__hmul, *)
#undef GPUCC_HALF_ARITHMETIC
inline __half __hdiv(__half a, __half b) { return a / b; }
inline __half2 __h2div(__half2 a, __half2 b) { return a / b; }
#define GPUCC_HALF_COMPARISON(name, op) \
    inline bool name(__half a, __half b) { return a op b; }
GPUCC_HALF_COMPARISON(__heq, ==)
GPUCC_HALF_COMPARISON(__hne, !=)
GPUCC_HALF_COMPARISON(__hlt, <)
GPUCC_HALF_COMPARISON(__hle, <=)
GPUCC_HALF_COMPARISON(__hgt, >)
GPUCC_HALF_COMPARISON(__hge, >=)
#undef GPUCC_HALF_COMPARISON

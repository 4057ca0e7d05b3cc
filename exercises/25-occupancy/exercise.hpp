// SPDX-License-Identifier: MIT
#pragma once

// The functions to write in exercise 25. Leave this file as it is: paper goes into occupancy.cpp, your kernel into
// add_four.cu.

#include <gpu/gpu.hpp>

/// How many blocks of a kernel a multiprocessor of compute capability 9.0 works on at once; 0 if not even one fits.
///
/// A block has `threads` threads, 1 to 1024, with `registers` registers each, and `shared` bytes of shared memory.
/// A warp that is begun needs the place and the registers of a whole one. Registers are handed out to each thread by
/// eights, and a warp's all lie in one of the multiprocessor's four quarters, which has a fourth of the registers. Each
/// block needs 1024 bytes of shared memory besides its own, and gets the sum by 128 bytes. occupancy.cpp says what a
/// multiprocessor has.
int blocks_at_once(int threads, int registers, int shared);

/// The kernel's occupancy in percent: its warps at once, as a part of the most that a multiprocessor holds.
double occupancy(int threads, int registers, int shared);

/// How many loads of 4 bytes each thread must have under way, at least, to keep memory busy.
///
/// Memory answers after `latency` ns and delivers `bandwidth` GB/s, which are bytes per ns. The GPU has
/// `multiprocessors`, with `threads` threads on each.
int loads_per_thread(double latency, double bandwidth, int multiprocessors, int threads);

/// x + y, four elements for each thread, in blocks of 256 threads: as many blocks as it takes, and no more. x and y
/// have the same shape (n,); n may be 0.
///
/// A warp's requests are as in exercise 8: neighbouring threads take neighbouring elements (or float4s).
gpu::Array<float> add_four(const gpu::Array<float>& x, const gpu::Array<float>& y);

// SPDX-License-Identifier: MIT
#pragma once

// The functions of exercise 10. Leave this file as it is: your kernels go into transpose.cu, one name into
// transpose.cpp. Matrices have 1 to 100,000 rows, as many columns, and at most 1,000,000,000 elements.

#include <gpu/gpu.hpp>

/// The transpose of a, of shape (rows, columns): an array of shape (columns, rows). Both are row-major.
///
/// Part a: the kernel `naive`, with a thread for each element; each of them reads one and writes one.
gpu::Array<float> transpose_naive(const gpu::Array<float>& a);

/// The same, through a tile.
///
/// Part b: the kernel `tiled<32>`, in blocks of 32 x 32 threads. A block puts a tile of a into shared memory, waits at
/// one barrier, and writes the tile's transpose. Neighbouring threads read and write neighbouring elements of global
/// memory.
gpu::Array<float> transpose_tiled(const gpu::Array<float>& a);

/// The same, without bank conflicts.
///
/// Part c: the kernel `tiled` again, with a tile whose rows are longer than 32.
gpu::Array<float> transpose_padded(const gpu::Array<float>& a);

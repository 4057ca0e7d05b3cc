// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "gpucc/runtime/program.hpp"

// Memory as the functions of the API, and those of arrays and graphs, handle it.
namespace gpucc {

/// A copy of rows; a plain one has one row.
struct Rows {
    void* to;
    std::size_t to_pitch;
    const void* from;
    std::size_t from_pitch, width, height;
};

/// "managed memory", for messages.
[[nodiscard]] const char* name_of(Space space);
cudaError_t allocate_memory(void** pointer, std::size_t bytes, Space space, const Call& call);
/// What cudaFree() does.
cudaError_t free_memory(void* pointer, const Call& call);
cudaError_t copy_rows(const Rows& rows, cudaMemcpyKind kind, cudaStream_t stream, bool waits, const Call& call);
cudaError_t fill_rows(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      cudaStream_t stream, const Call& call);

}  // namespace gpucc

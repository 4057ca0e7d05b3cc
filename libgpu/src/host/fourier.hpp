// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backend/fft.hpp"
#include "host/linear_algebra.hpp"

// The part of libgpu_host_linalg.so that transforms lines: see host/linear_algebra.hpp.
namespace gpu::detail::host {

class ThreadPool;

/// Lines of a dense array that is seen as (before, n, inner): line k goes through its middle axis at (k / inner, k %
/// inner). A line of a real transform's complex array has n / 2 + 1 numbers.
struct FourierLines {
    FourierKind kind;
    const void* from;
    void* to;  ///< may be `from` if both are complex
    std::int64_t n, inner;
    std::int64_t first, last;  ///< the lines to transform: up to, but not including, the last
};

struct FourierModule {
    int version;
    void (*float32)(const FourierLines& lines);
    void (*float64)(const FourierLines& lines);
    std::int64_t max_points;  ///< of a line
};

inline constexpr int fourier_module_version = 1;
inline constexpr const char* fourier_module_entry = "gpu_host_fourier_module";
using FourierModuleEntry = const FourierModule* (*)();

/// Opens the first one of this libgpu's version; it stays open. @throws LibraryNotFound
const FourierModule& open_fourier_module(const std::vector<std::string>& candidates);

/// Fourier transforms in the order of the host's streams: queued, axis by axis, with the lines divided among threads.
std::unique_ptr<FourierTransforms> make_fourier_transforms(const FourierModule& module, ThreadPool& pool,
                                                           Submit submit);

}  // namespace gpu::detail::host

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "build/compile.hpp"

namespace course {

/// libgpu's compiled kernels on this machine's disk.
struct KernelCacheFacts {
    std::string folder;       ///< empty: there is no cache
    std::uint64_t limit = 0;  ///< bytes; 0: none
    std::uint64_t files = 0, bytes = 0;
};

/// What course-probe says of the device.
struct ProbeAnswer {
    std::string text;          ///< all that it has printed, for parse_probe()
    std::string error;         ///< why there is no answer: no such device, say; then the rest is empty
    std::string backend;       ///< "cuda" or "host"
    std::string device, name;  ///< "cuda:0", "NVIDIA H200"
    std::string uuid;          ///< of a GPU: "GPU-5d1e..."; empty: not known
    std::string why_no_gpu;    ///< empty if one is usable
    int devices = 1;           ///< of this backend
    int multiprocessors = 0;
    std::uint64_t total_memory = 0;
    int compute_capability = 0;
    std::string canary;                ///< of --measure and --canary: what was wrong with a tiny kernel; empty: nothing
    double copy_bytes_per_second = 0;  ///< read and written by a copy on the device; 0: not measured
    double host_bytes_per_second = 0;  ///< of --measure: read and written when all CPU threads copy
    double link_bytes_per_second = 0;  ///< of --measure: to a GPU, from page-locked memory
    KernelCacheFacts cache;            ///< of --measure
};

/// Runs course-probe for a device as LIBGPU_DEVICE names it; empty is libgpu's own choice. While a GPU is measured it
/// is held alone.
/// @param measure "--measure", "--bandwidth" of a GPU alone, "--canary", or nothing
/// @param gpus CUDA_VISIBLE_DEVICES for it; empty: as this program has it
ProbeAnswer probe(const Toolchain& toolchain, const std::string& device, const std::string& measure = {},
                  const std::string& gpus = {});

/// "/home/ada/.cache/libgpu: 12 kernels, 0.4 of 256 MiB", or "off".
std::string cache_text(const KernelCacheFacts& cache);

/// The lines "probe FACT VALUE" in the probe's output, understood; output without any becomes an `error`.
ProbeAnswer parse_probe(const std::string& output);

/// "0.1.0"
std::string kit_version();

/// What computes here when no GPU does: "AMD EPYC 9654, 2 threads".
std::string machine_text();

}  // namespace course

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "build/compile.hpp"

namespace course {

/// libgpu's cache of compiled kernels on this machine's disk.
struct KernelCacheFacts {
    std::string folder;       ///< empty: there is no cache
    std::uint64_t limit = 0;  ///< bytes; 0: none
    std::uint64_t files = 0, bytes = 0;
};

/// What course-probe reports about the device.
struct ProbeAnswer {
    std::string text;          ///< everything that it printed, for parse_probe()
    std::string error;         ///< why there is no answer: no such device, for example; then the rest is empty
    std::string backend;       ///< "cuda" or "host"
    std::string device, name;  ///< "cuda:0", "NVIDIA H200"
    std::string uuid;          ///< a GPU's: "GPU-5d1e..."; empty: not known
    std::string why_no_gpu;    ///< empty if one is usable
    int devices = 1;           ///< of this backend
    int multiprocessors = 0;
    std::uint64_t total_memory = 0;
    int compute_capability = 0;
    std::string canary;                ///< from --measure and --canary: a tiny kernel's fault; empty: none
    double copy_bytes_per_second = 0;  ///< read and written by a copy on the device; 0: not measured
    double host_bytes_per_second = 0;  ///< from --measure: read and written when all CPU threads copy
    double link_bytes_per_second = 0;  ///< from --measure: to a GPU, from page-locked memory
    double peer_bytes_per_second = 0;  ///< from --measure: from the first GPU to the second
    KernelCacheFacts cache;            ///< from --measure
};

/// Runs course-probe for a device, named as in LIBGPU_DEVICE; empty: libgpu's own choice. A GPU is held exclusively
/// while it is measured.
/// @param measure "--measure", "--bandwidth" for a GPU only, "--canary", or nothing
/// @param gpus CUDA_VISIBLE_DEVICES for it; empty: this program's own
ProbeAnswer probe(const Toolchain& toolchain, const std::string& device, const std::string& measure = {},
                  const std::string& gpus = {});

/// "/home/ada/.cache/libgpu: 12 kernels, 0.4 of 256 MiB", or "off".
std::string cache_text(const KernelCacheFacts& cache);

/// Parses the lines "probe FACT VALUE" of the probe's output; output without any becomes an `error`.
ProbeAnswer parse_probe(const std::string& output);

/// "0.1.0"
std::string kit_version();

/// The processor, if no GPU computes: "AMD EPYC 9654, 2 threads".
std::string machine_text();

}  // namespace course

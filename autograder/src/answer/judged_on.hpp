// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "kit/probe.hpp"
#include "manifest/manifest.hpp"

namespace course {

/// What an answer is judged on: known before anything of it runs, and the same for its usual cases and its hidden ones.
/// Results and screens report it; nothing is decided by what they hold.
struct JudgedOn {
    std::string backend;      ///< "cuda" or "host"
    std::string device;       ///< as runners take it: "cuda:0"
    std::string name;         ///< "NVIDIA H200"
    std::string uuid;         ///< a GPU's; empty: not known
    std::string unused_gpu;   ///< why no GPU is used; empty if one is
    std::string note;         ///< for the screen; empty: none
    double copy_bytes_per_second = 0;   ///< 0: not measured

    [[nodiscard]] bool on_gpu() const { return backend == "cuda"; }
};

/// The found device, or the host backend where the exercise can't use it: a plain CUDA program, or one that takes more
/// GPUs than there are. Pure.
JudgedOn judged_on(const ProbeAnswer& found, const Manifest& manifest);

}  // namespace course

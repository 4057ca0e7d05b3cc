// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course {

/// How the workers of a batch see GPUs: each has one of them, as CUDA_VISIBLE_DEVICES.
struct SharedGpus {
    std::vector<std::string> gpus;
    std::string device;  ///< for LIBGPU_DEVICE: where one of several was asked for, it's the only one that shows
};

/// Given this program's own CUDA_VISIBLE_DEVICES (null: not set), how many GPUs that shows, and the device that was
/// asked for ("cuda:1"; empty: any). Pure.
SharedGpus gpus_to_share(const char* visible, int count, const std::string& device);

}  // namespace course

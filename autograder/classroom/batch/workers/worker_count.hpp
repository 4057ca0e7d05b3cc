// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// How many answers are graded in parallel: one per core, as far as the memory suffices for each one's limit, and at
/// most eight per GPU, beyond which they would only wait (docs/benchmarks/class-grading.md); at least one. Pure.
/// @param gpus 0: answers run on the host
int workers_for(unsigned cores, std::size_t available_bytes, std::size_t bytes_of_each, std::size_t gpus = 0);

/// The same for this machine: the cores that this process may use, and the memory that is free or can be freed, of the
/// machine and of this container.
int workers_for_this_machine(std::size_t gpus);

/// How a batch's workers see GPUs: each gets one of them, as CUDA_VISIBLE_DEVICES.
struct SharedGpus {
    std::vector<std::string> gpus;
    std::string device;  ///< for LIBGPU_DEVICE: if one of several was requested, it is the only visible one
};

/// Given this program's own CUDA_VISIBLE_DEVICES (null: not set), how many GPUs that shows, and the requested device
/// ("cuda:1"; empty: any). Pure.
SharedGpus gpus_to_share(const char* visible, int count, const std::string& device);

}  // namespace course

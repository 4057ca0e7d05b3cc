// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// How many answers are graded at once: one for each core, as far as each may take its memory limit, and at most eight
/// for each GPU, which more would keep waiting (docs/benchmarks/class-grading.md); at least one. Pure.
/// @param gpus 0: answers run on the host
int workers_for(unsigned cores, std::size_t available_bytes, std::size_t bytes_of_each, std::size_t gpus = 0);

/// The same for this machine: the cores that this process may use, and the memory that is free or can be freed, in the
/// whole machine and in this container.
int workers_for_this_machine(std::size_t gpus);

/// How the workers of a batch see GPUs: each has one of them, as CUDA_VISIBLE_DEVICES.
struct SharedGpus {
    std::vector<std::string> gpus;
    std::string device;  ///< for LIBGPU_DEVICE: where one of several was asked for, it's the only one that shows
};

/// Given this program's own CUDA_VISIBLE_DEVICES (null: not set), how many GPUs that shows, and the device that was
/// asked for ("cuda:1"; empty: any). Pure.
SharedGpus gpus_to_share(const char* visible, int count, const std::string& device);

}  // namespace course

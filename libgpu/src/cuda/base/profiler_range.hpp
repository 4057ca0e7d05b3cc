// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <nvtx3/nvToolsExt.h>

namespace gpu::detail::cuda {

/// Names what this thread does in a profiler's timeline ("NVTX" there). Without a profiler it costs a look at a
/// pointer.
class ProfilerRange {
public:
    explicit ProfilerRange(const char* name) { ::nvtxRangePushA(name); }
    explicit ProfilerRange(const std::string& name) : ProfilerRange(name.c_str()) {}
    ~ProfilerRange() { ::nvtxRangePop(); }
    ProfilerRange(const ProfilerRange&) = delete;
    ProfilerRange& operator=(const ProfilerRange&) = delete;
};

}  // namespace gpu::detail::cuda

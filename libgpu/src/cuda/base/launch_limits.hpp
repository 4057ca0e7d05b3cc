// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.hpp"

namespace gpu::detail::cuda {

/// The limits of a device for launches.
struct DeviceLimits {
    Extent3 grid, block;                  ///< maxima along each axis
    int threads = 1024;                   ///< maximum in a block
    std::size_t shared = 48 << 10;        ///< maximum bytes of a block without opting in
    std::size_t shared_opt_in = 48 << 10; ///< maximum bytes of a block after opting in
    bool begins_early = false;            ///< a launch can begin while the previous one still runs
};

/// The additional limits of a kernel's machine code.
struct KernelNeeds {
    std::string name;
    int threads = 1024;                   ///< maximum in a block, given its registers
    int registers = 0;
    std::size_t static_shared = 0;
    int parameters = -1;                  ///< -1: unknown
    std::vector<int> wide = {};           ///< parameters of 8 bytes, which may be pointers; counted from 0
};

/// @throws LaunchError that names the first value that exceeds its limit, and the limit.
void check_launch(const DeviceLimits& device, const KernelNeeds& kernel, const LaunchShape& shape, int argument_count);

/// An argument that may be a pointer: one of 8 bytes.
struct WideArgument {
    int position;  ///< from 1
    std::uintptr_t value;
};

/// The last kernels launched by this process, for the message of an error that surfaces later.
class LaunchHistory {
public:
    void add(std::string_view kernel, std::span<const WideArgument> arguments = {});
    /// "add, fill, sum": newest first; empty if nothing was launched.
    [[nodiscard]] std::string to_string() const;
    /// "kernel add: the argument 1 points to host memory; bring it over with gpu::to_device", of the newest launch with
    /// an argument for which that is so; empty if there is none.
    [[nodiscard]] std::string host_pointer(const std::function<bool(std::uintptr_t)>& is_host_memory) const;

private:
    static constexpr std::size_t kept = 8;
    struct Launch {
        std::string kernel;
        std::vector<WideArgument> arguments;
    };
    [[nodiscard]] const Launch& back(std::size_t launches) const { return launches_[(count_ - launches) % kept]; }

    mutable std::mutex mutex_;
    std::array<Launch, kept> launches_;
    std::size_t count_ = 0;
};

LaunchHistory& launch_history();

}  // namespace gpu::detail::cuda

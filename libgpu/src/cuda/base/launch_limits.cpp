// SPDX-License-Identifier: MIT
#include "cuda/base/launch_limits.hpp"

#include <algorithm>

#include <gpu/error.hpp>

namespace gpu::detail::cuda {

namespace {

std::string text(const Extent3& extent) {
    return "(" + std::to_string(extent.x) + "," + std::to_string(extent.y) + "," + std::to_string(extent.z) + ")";
}

[[noreturn]] void refuse(const KernelNeeds& kernel, const std::string& why) {
    throw LaunchError("kernel " + kernel.name + ": " + why);
}

void check_extent(const KernelNeeds& kernel, const char* what, const Extent3& extent, const Extent3& max) {
    if (extent.x == 0 || extent.y == 0 || extent.z == 0) {
        refuse(kernel, std::string(what) + " " + text(extent) + " is empty: every length must be at least 1");
    }
    if (extent.x > max.x || extent.y > max.y || extent.z > max.z) {
        refuse(kernel, std::string(what) + " " + text(extent) + " is larger than the device's limit " + text(max));
    }
}

}  // namespace

void check_launch(const DeviceLimits& device, const KernelNeeds& kernel, const LaunchShape& shape, int argument_count) {
    if (kernel.parameters >= 0 && argument_count != kernel.parameters) {
        refuse(kernel, "it takes " + std::to_string(kernel.parameters) + " arguments, but " +
                           std::to_string(argument_count) + " were given");
    }
    check_extent(kernel, "grid", shape.grid, device.grid);
    check_extent(kernel, "block", shape.block, device.block);
    const std::size_t threads = std::size_t{shape.block.x} * shape.block.y * shape.block.z;
    const auto block = [&] {
        return "block " + text(shape.block) + " has " + std::to_string(threads) + " threads; ";
    };
    if (threads > static_cast<std::size_t>(device.threads)) {
        refuse(kernel, block() + "the device allows " + std::to_string(device.threads));
    }
    if (threads > static_cast<std::size_t>(kernel.threads)) {
        refuse(kernel, block() + "with " + std::to_string(kernel.registers) +
                           " registers a thread this kernel allows " + std::to_string(kernel.threads));
    }
    const std::size_t shared = kernel.static_shared + shape.shared_bytes;
    if (shared > device.shared_opt_in) {
        refuse(kernel, "a block needs " + std::to_string(shared) + " bytes of shared memory (" +
                           std::to_string(kernel.static_shared) + " static, " + std::to_string(shape.shared_bytes) +
                           " dynamic); the device allows " + std::to_string(device.shared_opt_in));
    }
}

void LaunchHistory::add(std::string_view kernel, std::span<const WideArgument> arguments) {
    const std::lock_guard lock(mutex_);
    Launch& launch = launches_[count_++ % kept];
    launch.kernel = kernel;  // reuses an older entry's memory, as the next line does
    launch.arguments.assign(arguments.begin(), arguments.end());
}

std::string LaunchHistory::to_string() const {
    const std::lock_guard lock(mutex_);
    std::string list;
    for (std::size_t k = 1; k <= std::min(count_, kept); ++k) {
        if (!list.empty()) list += ", ";
        list += back(k).kernel;
    }
    return list;
}

std::string LaunchHistory::host_pointer(const std::function<bool(std::uintptr_t)>& is_host_memory) const {
    const std::lock_guard lock(mutex_);
    for (std::size_t k = 1; k <= std::min(count_, kept); ++k)
        for (const WideArgument& argument : back(k).arguments)
            if (is_host_memory(argument.value))
                return "kernel " + back(k).kernel + ": the argument " + std::to_string(argument.position) +
                       " points to host memory; bring it over with gpu::to_device";
    return {};
}

LaunchHistory& launch_history() {
    static auto* const instance = new LaunchHistory;  // leaked: errors may be reported while the process ends
    return *instance;
}

}  // namespace gpu::detail::cuda

// SPDX-License-Identifier: MIT
#include "cuda/base/recent_launches.hpp"

#include <algorithm>

namespace gpu::detail::cuda {

void RecentLaunches::add(std::string_view kernel, std::span<const WideArgument> arguments) {
    const std::lock_guard lock(mutex_);
    Launch& launch = launches_[count_++ % kept];
    launch.kernel = kernel;  // in the room of an earlier one, as the next line's
    launch.arguments.assign(arguments.begin(), arguments.end());
}

std::string RecentLaunches::to_string() const {
    const std::lock_guard lock(mutex_);
    std::string list;
    for (std::size_t k = 1; k <= std::min(count_, kept); ++k) {
        if (!list.empty()) list += ", ";
        list += back(k).kernel;
    }
    return list;
}

std::string RecentLaunches::host_pointer(const std::function<bool(std::uintptr_t)>& is_host_memory) const {
    const std::lock_guard lock(mutex_);
    for (std::size_t k = 1; k <= std::min(count_, kept); ++k)
        for (const WideArgument& argument : back(k).arguments)
            if (is_host_memory(argument.value))
                return "kernel " + back(k).kernel + ": the argument " + std::to_string(argument.position) +
                       " points to host memory; bring it over with gpu::to_device";
    return {};
}

RecentLaunches& recent_launches() {
    static auto* const instance = new RecentLaunches;  // leaked: errors may be reported while the process ends
    return *instance;
}

}  // namespace gpu::detail::cuda

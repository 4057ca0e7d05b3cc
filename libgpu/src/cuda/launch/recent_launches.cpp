// SPDX-License-Identifier: MIT
#include "cuda/launch/recent_launches.hpp"

#include <algorithm>

namespace gpu::detail::cuda {

void RecentLaunches::add(const std::string& kernel) {
    const std::lock_guard lock(mutex_);
    names_[count_++ % kept] = kernel;
}

std::string RecentLaunches::to_string() const {
    const std::lock_guard lock(mutex_);
    std::string list;
    for (std::size_t back = 1; back <= std::min(count_, kept); ++back) {
        if (!list.empty()) list += ", ";
        list += names_[(count_ - back) % kept];
    }
    return list;
}

RecentLaunches& recent_launches() {
    static auto* const instance = new RecentLaunches;  // leaked: errors may be reported while the process ends
    return *instance;
}

}  // namespace gpu::detail::cuda

// SPDX-License-Identifier: MIT
#include "counts_of_work.hpp"

namespace gpu {

WorkCounts& WorkCounts::operator+=(const WorkCounts& more) noexcept {
    for (const auto& [name, value] : detail::work_counts) this->*value += more.*value;
    return *this;
}

}  // namespace gpu

// SPDX-License-Identifier: MIT
#include "counts.hpp"

#include <gpu/profiler.hpp>

namespace gpu {

namespace detail {

Counters& counters() noexcept {
    static auto* const instance = new Counters;  // leaked: buffers of static arrays are counted at exit too
    return *instance;
}

}  // namespace detail

Counts counts() noexcept {
    const auto& now = detail::counters();
    return {.copies_to_device = now.copies_to_device, .copies_to_host = now.copies_to_host,
            .copies_on_device = now.copies_on_device, .bytes_to_device = now.bytes_to_device,
            .bytes_to_host = now.bytes_to_host, .bytes_on_device = now.bytes_on_device,
            .allocations = now.allocations, .bytes_allocated = now.bytes_allocated,
            .synchronizations = now.synchronizations, .launches = now.launches,
            .barriers = now.barriers, .atomics = now.atomics};
}

Counts operator-(const Counts& later, const Counts& earlier) noexcept {
    return {.copies_to_device = later.copies_to_device - earlier.copies_to_device,
            .copies_to_host = later.copies_to_host - earlier.copies_to_host,
            .copies_on_device = later.copies_on_device - earlier.copies_on_device,
            .bytes_to_device = later.bytes_to_device - earlier.bytes_to_device,
            .bytes_to_host = later.bytes_to_host - earlier.bytes_to_host,
            .bytes_on_device = later.bytes_on_device - earlier.bytes_on_device,
            .allocations = later.allocations - earlier.allocations,
            .bytes_allocated = later.bytes_allocated - earlier.bytes_allocated,
            .synchronizations = later.synchronizations - earlier.synchronizations,
            .launches = later.launches - earlier.launches,
            .barriers = later.barriers - earlier.barriers,
            .atomics = later.atomics - earlier.atomics};
}

}  // namespace gpu

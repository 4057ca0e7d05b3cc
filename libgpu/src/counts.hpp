// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>

namespace gpu::detail {

/// The process's counters behind gpu::counts().
struct Counters {
    std::atomic<std::uint64_t> copies_to_device{0}, copies_to_host{0}, copies_on_device{0};
    std::atomic<std::uint64_t> bytes_to_device{0}, bytes_to_host{0}, bytes_on_device{0};
    std::atomic<std::uint64_t> allocations{0}, bytes_allocated{0};
    std::atomic<std::uint64_t> synchronizations{0}, launches{0}, barriers{0}, atomics{0};
    std::atomic<std::uint64_t> prints{0};
};

/// Never destroyed, so that counting works in destructors of static objects too. Of a thread that prints, others that
/// nobody reads: what is printed is free.
Counters& counters() noexcept;

/// True while this thread prints an array.
bool is_printing() noexcept;

}  // namespace gpu::detail

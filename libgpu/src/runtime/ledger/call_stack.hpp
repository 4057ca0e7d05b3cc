// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace gpu::detail {

/// The host code that called into libgpu: instructions, innermost first, each within its call.
struct CallStack {
    std::array<std::uintptr_t, 24> instructions{};
    std::size_t size = 0;

    [[nodiscard]] std::span<const std::uintptr_t> span() const noexcept { return {instructions.data(), size}; }
};

/// This thread's, without libgpu's own functions where those lie in a shared library.
[[nodiscard]] CallStack call_stack() noexcept;

}  // namespace gpu::detail

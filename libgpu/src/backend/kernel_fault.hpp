// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <gpu/error.hpp>

namespace gpu::detail {

/// What ended a kernel before its end, as CUDA's error codes tell it apart.
enum class KernelEnd : std::uint8_t {
    illegal_address,      ///< outside of all memory, or outside of an array
    misaligned_address,
    illegal_instruction,
    invalid_call,         ///< of a function through a pointer to none
    stack_overflow,
    assertion,
    timeout,              ///< it took too long, or waited for what can't come
    other
};

/// A kernel that failed while it ran.
class GPU_API KernelFault : public LaunchError {
public:
    KernelFault(KernelEnd end, const std::string& message) : LaunchError(message), end_(end) {}
    ~KernelFault() override;

    [[nodiscard]] KernelEnd end() const noexcept { return end_; }

private:
    KernelEnd end_;
};

}  // namespace gpu::detail

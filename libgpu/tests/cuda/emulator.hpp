// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cuda/launch/elementwise_space.hpp"
#include "cuda/launch/kernel_space.hpp"

/// Runs generated CUDA texts on the CPU: the system's C++ compiler gets them behind a page of macros, and the threads
/// of a block are contexts that take turns at `__syncthreads()`. So the values that skeletons compute are tested
/// where there is no GPU. It plays what the skeletons use, no more.
class Emulator {
public:
    /// @throws std::runtime_error with the compiler's output
    explicit Emulator(const gpu::detail::KernelSource& source);
    /// A reduction, and what joins its partial results once there are any.
    explicit Emulator(const gpu::detail::ReductionText& text);
    ~Emulator();
    Emulator(const Emulator&) = delete;
    Emulator& operator=(const Emulator&) = delete;

    /// In launches of no more than `most` elements.
    void elementwise(const gpu::detail::ElementwiseSpace& space, const std::vector<gpu::detail::Argument>& arguments,
                     std::int64_t most = gpu::detail::cuda::largest_part);
    void reduction(const gpu::detail::ReductionSpace& space, const std::vector<gpu::detail::Argument>& arguments);

    /// A kernel for blocks of 256 threads in a line; arguments as for cudaLaunchKernel.
    void raw(unsigned blocks, void* const* arguments) { launch_(blocks, 1, arguments); }

    /// True if there is a compiler to use.
    static bool available();

private:
    using Launch = void (*)(unsigned blocks, unsigned lines, void* const* arguments);
    void* library_ = nullptr;
    gpu::detail::ThreadWork work_;
    Launch launch_ = nullptr;
    gpu::detail::ReductionText reduction_;
    std::unique_ptr<Emulator> join_;
};

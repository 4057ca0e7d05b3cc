// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include "cuda/compile/skeletons.hpp"
#include "cuda/launch/kernel_space.hpp"
#include "cuda/plan/thread_mapping.hpp"
#include "texts.hpp"

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
                     const gpu::Strides& index_steps = {}, std::int64_t most = gpu::detail::cuda::max_part);
    void reduction(const gpu::detail::ReductionSpace& space, const std::vector<gpu::detail::Argument>& arguments,
                   std::int64_t row = 0);

    /// A kernel for blocks of 256 threads in a line; arguments as for cudaLaunchKernel.
    void raw(unsigned blocks, void* const* arguments) { launch_(blocks, 1, arguments); }

    /// True if there is a compiler to use.
    static bool available();

private:
    using Launch = void (*)(unsigned blocks, unsigned lines, void* const* arguments);
    void* library_ = nullptr;
    gpu::detail::cuda::ThreadWork work_;
    Launch launch_ = nullptr;
    gpu::detail::ReductionText reduction_;
    std::unique_ptr<Emulator> join_;
};

// What the tests of emulated kernels share.

using gpu::detail::Argument;

inline bool with_compiler(const char* name) {
    if (Emulator::available()) return true;
    std::printf("SKIP: %s: no C++ compiler to run the generated text with\n", name);
    return false;
}

using texts::walking;

/// The ways in which a GPU's threads may walk through a reduction.
inline constexpr gpu::detail::cuda::ReductionWalk walks[] = {{false, 1}, {false, 2}, {false, 4}, {false, 8},
                                                       {true, 1},  {true, 2},  {true, 4},  {true, 8},
                                                       {.pack = 4, .deep_unroll = true}};
inline gpu::detail::ReductionSpace space_of(gpu::Shape kept, gpu::Shape reduced) {
    return {.outputs = kept.size(), .reduced = reduced.size(), .kept = kept, .reduced_shape = reduced};
}

/// A reduction in one walk: the kernel that reads packs at once, and the one for arguments that don't allow it.
class WalkedReduction {
public:
    WalkedReduction(const gpu::detail::ReductionText& text, gpu::detail::cuda::ReductionWalk walk)
        : walk_(walk), element_by_element_(walking(text, walk)) {
        walk.is_packed = true;
        if (walk.pack > 1) packed_.emplace(walking(text, walk));
        walk.is_short = true;
        if (walk.pack > 1 && !walk.by_column) short_.emplace(walking(text, walk));
    }

    void operator()(const gpu::detail::ReductionSpace& space, const std::vector<Argument>& arguments) {
        gpu::detail::cuda::ReductionWalk walk = walk_;
        walk.is_packed = gpu::detail::cuda::fits_packs(space, walk, arguments);
        walk.is_short = gpu::detail::cuda::has_short_rows(space, walk);
        if (walk.is_packed) ++packed_launches_;
        if (walk.is_short) ++short_launches_;
        (walk.is_short ? *short_ : walk.is_packed ? *packed_ : element_by_element_)
            .reduction(space, arguments, gpu::detail::cuda::row_of(space, arguments));
    }

    [[nodiscard]] int packed_launches() const { return packed_launches_; }
    [[nodiscard]] int short_launches() const { return short_launches_; }

private:
    gpu::detail::cuda::ReductionWalk walk_;
    Emulator element_by_element_;
    std::optional<Emulator> packed_, short_;
    int packed_launches_ = 0, short_launches_ = 0;
};

template <class T>
Argument array(T* data, std::initializer_list<std::int64_t> strides = {}) {
    Argument argument;
    argument.array.data = const_cast<std::remove_const_t<T>*>(data);
    std::copy(strides.begin(), strides.end(), argument.array.strides);
    if (strides.size() > 0) argument.item = sizeof(T);
    return argument;
}

template <class T>
Argument raw_array(T* data, std::initializer_list<std::int64_t> lengths, std::initializer_list<std::int64_t> strides) {
    Argument argument = array(data, strides);
    argument.is_raw = true;
    std::copy(lengths.begin(), lengths.end(), argument.array.lengths);
    return argument;
}

template <class T>
Argument number(T value) {
    Argument argument;
    argument.is_array = false;
    std::memcpy(argument.scalar, &value, sizeof value);
    return argument;
}

/// 0, 1, 2, ... 12, 0, 1, ...: sums of them are exact in float and double.
template <class T>
std::vector<T> small_numbers(std::int64_t n) {
    std::vector<T> values(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<T>((k * 7) % 13);
    return values;
}

// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <vector>

#include "cuda/compile/skeletons.hpp"
#include "emulator.hpp"
#include "launch/reduction_walk.hpp"
#include "texts.hpp"

// What the tests of emulated kernels share.

using gpu::detail::Argument;

inline bool with_compiler(const char* name) {
    if (Emulator::available()) return true;
    std::printf("SKIP: %s: no C++ compiler to run the generated text with\n", name);
    return false;
}

using texts::walking;

/// The ways in which a GPU's threads may walk through a reduction.
inline constexpr gpu::detail::ReductionWalk walks[] = {{false, 1}, {false, 2}, {false, 4}, {false, 8},
                                                       {true, 1},  {true, 2},  {true, 4},  {true, 8},
                                                       {.pack = 4, .has_many_packs = true}};
inline gpu::detail::ReductionSpace space_of(gpu::Shape kept, gpu::Shape reduced) {
    return {.outputs = kept.size(), .reduced = reduced.size(), .kept = kept, .reduced_shape = reduced};
}

/// A reduction in one walk: the kernel that reads packs at once, and the one for arguments that don't allow it.
class WalkedReduction {
public:
    WalkedReduction(const gpu::detail::ReductionText& text, gpu::detail::ReductionWalk walk)
        : walk_(walk), element_by_element_(walking(text, walk)) {
        walk.is_packed = true;
        if (walk.pack > 1) packed_.emplace(walking(text, walk));
        walk.is_short = true;
        if (walk.pack > 1 && !walk.by_column) short_.emplace(walking(text, walk));
    }

    void operator()(gpu::detail::ReductionSpace space, const std::vector<Argument>& arguments) {
        space.walk = walk_;
        space.walk.is_packed = gpu::detail::fits_packs(space, arguments);
        space.row = gpu::detail::row_of(space, arguments);
        space.walk.is_short = gpu::detail::has_short_rows(space);
        if (space.walk.is_packed) ++packed_launches_;
        if (space.walk.is_short) ++short_launches_;
        (space.walk.is_short ? *short_ : space.walk.is_packed ? *packed_ : element_by_element_)
            .reduction(space, arguments);
    }

    [[nodiscard]] int packed_launches() const { return packed_launches_; }
    [[nodiscard]] int short_launches() const { return short_launches_; }

private:
    gpu::detail::ReductionWalk walk_;
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

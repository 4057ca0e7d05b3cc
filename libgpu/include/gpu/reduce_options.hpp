// SPDX-License-Identifier: MIT
#pragma once

#include <initializer_list>
#include <span>

#include <gpu/operand.hpp>

namespace gpu {

/// Which axes a reduction runs over; `{}` means all of them. Negative axes count from the last.
/// @snippet public/facts_test.cpp axes
class GPU_API Axes {
public:
    Axes() = default;
    Axes(int axis) { add(axis); }  // NOLINT(google-explicit-constructor): {.axis = 0}
    Axes(std::initializer_list<int> axes) {
        for (int axis : axes) add(axis);
    }
    /// As many as are known at run time only.
    explicit Axes(std::span<const int> axes) {
        for (int axis : axes) add(axis);
    }

    [[nodiscard]] bool all() const noexcept { return count_ == 0; }
    [[nodiscard]] int count() const noexcept { return count_; }
    [[nodiscard]] int operator[](int k) const noexcept { return axes_[k]; }

private:
    void add(int axis);
    int axes_[max_rank] = {};
    int count_ = 0;
};

/// How a reduction is made: `sum(a, {.axis = 0, .keepdims = true})`.
struct ReduceOptions {
    Axes axis = {};
    bool keepdims = false;  ///< reduced axes stay, with length 1
};

/// The same into an existing array or view, of exactly the result's shape and type:
/// `sum(a, {.axis = 0, .out = gpu::out(y)})`. It may overlap the input. Nothing is returned.
struct ReduceInto {
    Axes axis = {};
    bool keepdims = false;
    Output out;
};

}  // namespace gpu

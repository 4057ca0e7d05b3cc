// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>

#include <gpu/export.hpp>

namespace gpu {

/// The maximum number of axes of an array.
inline constexpr int max_rank = 8;

/// A short list of integers, one per axis; the base of Shape and Strides.
class GPU_API Extents {
public:
    Extents() = default;

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] std::int64_t operator[](int axis) const noexcept { return values_[axis]; }
    [[nodiscard]] std::int64_t& operator[](int axis) noexcept { return values_[axis]; }
    [[nodiscard]] const std::int64_t* begin() const noexcept { return values_; }
    [[nodiscard]] const std::int64_t* end() const noexcept { return values_ + rank_; }

    /// Adds one axis at the end. @throws ShapeError beyond `max_rank` axes.
    void push_back(std::int64_t value);

    friend GPU_API bool operator==(const Extents& a, const Extents& b) noexcept;

protected:
    std::int64_t values_[max_rank] = {};
    int rank_ = 0;
};

/// The number of elements of an array along each axis; `{}` is a scalar's.
/// @snippet public/expression_test.cpp shapes
class GPU_API Shape : public Extents {
public:
    Shape() = default;

    /// From any integers: `{2, n}`. @throws ShapeError for a negative length or more than `max_rank` axes.
    template <std::integral... I>
    Shape(I... lengths) {  // NOLINT(google-explicit-constructor): {2, 3} is how a shape is written
        (append(static_cast<std::int64_t>(lengths)), ...);
    }

    /// The number of elements. @throws ShapeError if it doesn't fit 63 bits.
    [[nodiscard]] std::int64_t size() const;

    /// Adds an axis of this length. @throws ShapeError if it is negative.
    void append(std::int64_t length);
};

/// Yes or no, in options: a bool that no number converts to, so that `{0, 1}` never is an axis and a flag.
/// @snippet public/reduction_test.cpp flag
class Flag {
public:
    template <std::same_as<bool> B>
    constexpr Flag(B value) noexcept : value_(value) {}  // NOLINT(google-explicit-constructor): {.keepdims = true}
    constexpr operator bool() const noexcept { return value_; }  // NOLINT(google-explicit-constructor)

private:
    bool value_;
};

/// The type of `gpu::none`: an open end of a slice, as in `gpu::slice(gpu::none, gpu::none, -1)`, the whole axis
/// backwards, and no axis, as in `{.axis = gpu::none}`, the flat array.
struct None {};
inline constexpr None none;

/// The argument of reshape(): a shape in which one length may be -1, to be computed from the others.
class GPU_API TargetShape : public Extents {
public:
    TargetShape() = default;
    template <std::integral... I>
    TargetShape(I... lengths) {  // NOLINT(google-explicit-constructor): reshape({2, -1})
        (push_back(static_cast<std::int64_t>(lengths)), ...);
    }
    TargetShape(const Shape& shape) : Extents(shape) {}  // NOLINT(google-explicit-constructor)

    /// The resulting shape for an array of this shape. @throws ShapeError if the number of elements would differ.
    [[nodiscard]] Shape resolved(const Shape& source) const;
};

/// The distance between neighbours along each axis, in elements; 0 for a broadcast axis.
class GPU_API Strides : public Extents {
public:
    Strides() = default;
    Strides(std::initializer_list<std::int64_t> steps) {
        for (std::int64_t step : steps) push_back(step);
    }
};

/// The order in which a dense array's elements lie in memory.
enum class Layout : std::uint8_t { row_major, column_major };

/// "(2,3)", "(5,)", "()": as NumPy prints it.
[[nodiscard]] GPU_API std::string to_string(const Extents& extents);

/// The strides of a dense array.
[[nodiscard]] GPU_API Strides dense_strides(const Shape& shape, Layout layout = Layout::row_major);

/// NumPy's broadcasting: aligned at the last axis, lengths equal or 1.
/// @throws ShapeError that names both shapes.
[[nodiscard]] GPU_API Shape broadcast(const Shape& a, const Shape& b);

}  // namespace gpu

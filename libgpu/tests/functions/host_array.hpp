// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include <gpu/gpu.hpp>

/// Arrays on the host, for references that are loops over indices.
using Index = std::vector<std::int64_t>;

template <class T>
struct HostArray {
    gpu::Shape shape;
    std::vector<T> values;  // row-major

    HostArray() = default;
    explicit HostArray(const gpu::Shape& lengths) : shape(lengths), values(static_cast<std::size_t>(lengths.size())) {}
    template <gpu::Element U>
        requires std::is_same_v<T, U>
    explicit HostArray(const gpu::Array<U>& array) : shape(array.shape()) {
        for (const auto& value : gpu::to_host(array)) values.push_back(static_cast<U>(value));
    }

    [[nodiscard]] std::size_t place(const Index& index) const {
        std::int64_t at = 0;
        for (int axis = 0; axis < shape.rank(); ++axis) at = at * shape[axis] + index[static_cast<std::size_t>(axis)];
        return static_cast<std::size_t>(at);
    }
    [[nodiscard]] T operator()(const Index& index) const { return values[place(index)]; }
};

/// Calls a function for each index of a shape, in row-major order.
template <class F>
void for_each_index(const gpu::Shape& shape, const F& function) {
    if (shape.size() == 0) return;
    Index index(static_cast<std::size_t>(shape.rank()), 0);
    while (true) {
        function(index);
        int axis = shape.rank() - 1;
        for (; axis >= 0; --axis) {
            const auto k = static_cast<std::size_t>(axis);
            if (++index[k] < shape[axis]) break;
            index[k] = 0;
        }
        if (axis < 0) return;
    }
}

/// Numbers without a pattern, the same in every run; small whole ones for integers.
class Drawn {
public:
    explicit Drawn(unsigned seed) : generator_(seed) {}

    [[nodiscard]] int integer(int low, int high) {  // both included
        return low + static_cast<int>(generator_() % static_cast<unsigned>(high - low + 1));
    }
    [[nodiscard]] double number() { return static_cast<double>(integer(-100000, 100000)) / 32768; }

    template <class T>
    [[nodiscard]] T element() {
        if constexpr (std::is_same_v<T, bool>)
            return integer(0, 1) == 1;
        else if constexpr (gpu::is_complex(gpu::dtype_of<T>))
            return T(static_cast<decltype(T().real())>(number()), static_cast<decltype(T().real())>(number()));
        else if constexpr (std::is_integral_v<T>)
            return static_cast<T>(integer(0, 200) - (std::is_signed_v<T> ? 100 : 0));
        else
            return T(static_cast<float>(number()));
    }
    template <class T>
    [[nodiscard]] gpu::Array<T> array(const gpu::Shape& shape) {
        std::vector<T> values;
        for (std::int64_t k = 0; k < shape.size(); ++k) values.push_back(element<T>());
        return gpu::to_device(values).reshape(gpu::TargetShape(shape));
    }
    [[nodiscard]] gpu::Shape shape(int min_rank, int max_rank, int min_length, int max_length) {
        gpu::Shape made;
        const int rank = integer(min_rank, max_rank);
        for (int axis = 0; axis < rank; ++axis) made.append(integer(min_length, max_length));
        return made;
    }

private:
    std::mt19937 generator_;
};

inline std::complex<double> as_complex(const std::complex<double>& value) { return value; }
template <class T>
std::complex<double> as_complex(const T& value) {
    if constexpr (gpu::is_complex(gpu::dtype_of<T>))
        return {static_cast<double>(value.real()), static_cast<double>(value.imag())};
    else
        return static_cast<double>(value);
}

/// True if all are within the tolerance, or equal; NaN where NaN is wanted.
template <class T, class W>
bool is_close(const gpu::Array<T>& array, const HostArray<W>& want, double tolerance) {
    const HostArray<T> got(array);
    if (!(got.shape == want.shape)) return false;
    for (std::size_t k = 0; k < want.values.size(); ++k) {
        const std::complex<double> a = as_complex(got.values[k]), b = as_complex(want.values[k]);
        const bool both_nan = std::isnan(a.real()) && std::isnan(b.real());
        if (!(a == b) && !both_nan && !(std::abs(a - b) <= tolerance)) return false;
    }
    return true;
}
template <class T, class W>
bool is_equal(const gpu::Array<T>& array, const HostArray<W>& want) {
    return is_close(array, want, 0);
}

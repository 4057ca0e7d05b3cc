// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gpu/expression.hpp>
#include <gpu/kernel_options.hpp>

namespace gpu {

/// @cond internal
namespace detail {
struct PlainCall;
inline std::vector<const Operand*> addresses_of(std::initializer_list<Operand> operands) {
    std::vector<const Operand*> addresses;
    addresses.reserve(operands.size());
    for (const Operand& operand : operands) addresses.push_back(&operand);
    return addresses;
}
template <std::size_t... k>
std::array<AnyArray, sizeof...(k)> as_array(std::vector<AnyArray>&& all, std::index_sequence<k...>) {
    return {{std::move(all[k])...}};
}
template <class... T, std::size_t... k>
std::tuple<Array<T>...> as_tuple(std::vector<AnyArray>&& all, std::index_sequence<k...>) {
    return {Array<T>(std::move(all[k]))...};
}
}  // namespace detail
/// @endcond

/// A kernel that runs once per element, made from a few strings; compiled on its first call.
///
/// `ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff")`: a one-letter type is a placeholder,
/// others are fixed (float, double, int, float32, int64, ...), and the body can use these names too. Arrays determine
/// placeholders (outputs first, then inputs), numbers never do. Inputs broadcast, and are `const`; an output can be
/// read too: it holds its old value. `i` is the element's index in row-major order, `_ind.size()` the number of
/// elements, `_ind.get()[axis]` the index along an axis. So no parameter is called `i` or `n`.
///
/// A `raw` parameter gives every element access to the whole array: `y[j]` counts in row-major order whatever the
/// layout, `y[{i, j}]` by its axes; `y.size()`, `y.shape()[axis]`. It doesn't broadcast. An input that shares memory
/// with an output keeps the values that it had before the call.
/// @snippet public/raw_module_test.cpp elementwise_kernel
/// @snippet public/elementwise_kernel_test.cpp raw
class GPU_API ElementwiseKernel {
public:
    /// @throws Error if a parameter list, the name or an included file can't be read.
    ElementwiseKernel(std::string inputs, std::string outputs, std::string operation, std::string name,
                      KernelOptions options = {}, const char* caller = __builtin_FILE());
    // A copy is the same kernel; moving copies, so that there are no kernels without one.
    ElementwiseKernel(const ElementwiseKernel&) = default;
    ElementwiseKernel& operator=(const ElementwiseKernel&) = default;
    ~ElementwiseKernel() = default;

    /// Runs the kernel: inputs in order, then `out(array)` for each output, or nothing. Returns at once.
    ///
    /// Returns the first output: the one passed, or a new array. If all arrays are raw, `{.size = n}` gives the number
    /// of elements.
    /// @throws DTypeError, ShapeError, DeviceError, CompileError; Error for a wrong number of operands
    AnyArray operator()(const ElementwiseLaunch& launch) const { return first({}, launch); }
    AnyArray operator()(const Operand& a, const ElementwiseLaunch& launch = {}) const { return first({&a}, launch); }
    AnyArray operator()(const Operand& a, const Operand& b, const ElementwiseLaunch& launch = {}) const {
        return first({&a, &b}, launch);
    }
    AnyArray operator()(const Operand& a, const Operand& b, const Operand& c,
                        const ElementwiseLaunch& launch = {}) const {
        return first({&a, &b, &c}, launch);
    }
    AnyArray operator()(const Operand& a, const Operand& b, const Operand& c, const Operand& d,
                        const ElementwiseLaunch& launch = {}) const {
        return first({&a, &b, &c, &d}, launch);
    }
    AnyArray operator()(const Operand& a, const Operand& b, const Operand& c, const Operand& d, const Operand& e,
                        const ElementwiseLaunch& launch = {}) const {
        return first({&a, &b, &c, &d, &e}, launch);
    }
    AnyArray operator()(const Operand& a, const Operand& b, const Operand& c, const Operand& d, const Operand& e,
                        const Operand& f, const ElementwiseLaunch& launch = {}) const {
        return first({&a, &b, &c, &d, &e, &f}, launch);
    }
    /// With any number of operands, in braces.
    AnyArray operator()(std::initializer_list<Operand> operands, const ElementwiseLaunch& launch = {}) const {
        return first(detail::addresses_of(operands), launch);
    }

    /// Runs the kernel and returns all N outputs: `auto [q, r] = divide.all<2>({x, y})`.
    /// @snippet public/elementwise_kernel_test.cpp all
    /// @throws Error if the kernel doesn't have N outputs, and what a call throws
    template <std::size_t N>
    [[nodiscard]] std::array<AnyArray, N> all(std::initializer_list<Operand> operands,
                                              const ElementwiseLaunch& launch = {}) const {
        return detail::as_array(run(detail::addresses_of(operands), launch, N), std::make_index_sequence<N>{});
    }
    /// The same with the outputs' element types: `auto [q, r] = divide.all<int, int>({x, y})`.
    /// @throws DTypeError if an output has another type
    template <Element... T>
        requires(sizeof...(T) > 0)
    [[nodiscard]] std::tuple<Array<T>...> all(std::initializer_list<Operand> operands,
                                              const ElementwiseLaunch& launch = {}) const {
        return detail::as_tuple<T...>(run(detail::addresses_of(operands), launch, sizeof...(T)),
                                      std::index_sequence_for<T...>{});
    }

private:
    struct Definition;
    AnyArray first(const std::vector<const Operand*>& operands, const ElementwiseLaunch& launch) const;
    // All outputs; `expected` of them unless that is 0. A plain call is cached for later ones like it.
    std::vector<AnyArray> run(const std::vector<const Operand*>& operands, const ElementwiseLaunch& launch,
                              std::size_t expected, const detail::PlainCall* plain = nullptr) const;
    std::shared_ptr<const Definition> definition_;
};

}  // namespace gpu

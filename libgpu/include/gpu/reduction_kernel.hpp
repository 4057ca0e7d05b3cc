// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <gpu/elementwise_kernel.hpp>
#include <gpu/reduction_call.hpp>

namespace gpu {

/// The options of one call of a reduction kernel: `l2norm(x, {.axis = 1, .out = gpu::out(y)})`.
/// @snippet public/reduction_kernel_test.cpp launch
struct ReductionLaunch {
    Axes axis = {};                  ///< all, unless named
    Flag keepdims = false;           ///< reduced axes stay, with length 1
    std::optional<Output> out = {};  ///< of a kernel with one output: where the result goes; it may overlap an input
    StreamRef stream = {};           ///< the current stream unless named
};

/// A map-reduce kernel made from a few strings; compiled on its first call.
///
/// `ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")`: every element is mapped, `a` and
/// `b` are combined in a fixed order, with the same bits on every run (the result must not depend on that order), and
/// finally the outputs are assigned from `a`. The identity enters once, whatever the size. An empty string means none:
/// then the first mapped element starts, and an empty input is an error.
///
/// `a` and `b` have the first output's type, but integers have 64 bits and halves become floats;
/// KernelOptions::reduce_type names another type. In the map, `_J` is the element's index among those of its result, in
/// row-major order. Map and post see `raw` inputs as in an ElementwiseKernel, numbers, `_in_ind.size()` (the number of
/// elements of all results together) and `_out_ind.size()` (the number of results).
/// @snippet public/raw_module_test.cpp reduction_kernel
/// @snippet public/reduction_kernel_test.cpp more
class GPU_API ReductionKernel {
public:
    /// @throws Error if a parameter list, the name or an included file can't be read.
    ReductionKernel(std::string inputs, std::string outputs, std::string map, std::string reduce, std::string post,
                    std::string identity, std::string name, KernelOptions options = {},
                    const char* caller = __builtin_FILE());
    /// @cond internal
    template <class Number>
        requires std::is_arithmetic_v<Number>
    ReductionKernel(std::string, std::string, std::string, std::string, std::string, Number, std::string,
                    KernelOptions = {}) {
        static_assert(sizeof(Number) == 0, "the identity is a string, as the other parts are: put it into quotes");
    }
    // Without it, g++ takes the options in braces for the name if a string is missing.
    ReductionKernel(std::string, std::string, std::string, std::string, std::string, std::string,
                    KernelOptions) = delete;
    /// @endcond
    // A copy is the same kernel; moving copies, so that there are no kernels without one.
    ReductionKernel(const ReductionKernel&) = default;
    ReductionKernel& operator=(const ReductionKernel&) = default;
    ~ReductionKernel() = default;

    /// Reduces over the axes (all, by default): inputs, which broadcast, then `out(array)` for each output, or nothing.
    /// Returns at once.
    ///
    /// Returns the first output: the one passed, or a new array.
    /// @throws DTypeError, ShapeError, AxisError, DeviceError, CompileError; Error for a wrong number of operands
    AnyArray operator()(const Operand& a, const ReductionLaunch& launch = {}) const { return first({&a}, launch); }
    AnyArray operator()(const Operand& a, const Operand& b, const ReductionLaunch& launch = {}) const {
        return first({&a, &b}, launch);
    }
    AnyArray operator()(const Operand& a, const Operand& b, const Operand& c,
                        const ReductionLaunch& launch = {}) const {
        return first({&a, &b, &c}, launch);
    }
    AnyArray operator()(const Operand& a, const Operand& b, const Operand& c, const Operand& d,
                        const ReductionLaunch& launch = {}) const {
        return first({&a, &b, &c, &d}, launch);
    }
    /// With any number of operands, in braces.
    AnyArray operator()(std::initializer_list<Operand> operands, const ReductionLaunch& launch = {}) const {
        return first(detail::addresses_of(operands), launch);
    }

    /// Reduces and returns all N outputs: `auto [least, most] = extremes.all<2>({x}, {.axis = 0})`.
    /// @snippet public/reduction_kernel_test.cpp all
    /// @throws Error if the kernel doesn't have N outputs, and what a call throws
    template <std::size_t N>
    [[nodiscard]] std::array<AnyArray, N> all(std::initializer_list<Operand> operands,
                                              const ReductionLaunch& launch = {}) const {
        return detail::as_array(run(detail::addresses_of(operands), launch, N), std::make_index_sequence<N>{});
    }
    /// The same with the outputs' element types: `extremes.all<float, float>({x})`.
    /// @throws DTypeError if an output has another type
    template <Element... T>
        requires(sizeof...(T) > 0)
    [[nodiscard]] std::tuple<Array<T>...> all(std::initializer_list<Operand> operands,
                                              const ReductionLaunch& launch = {}) const {
        return detail::as_tuple<T...>(run(detail::addresses_of(operands), launch, sizeof...(T)),
                                      std::index_sequence_for<T...>{});
    }

private:
    struct Definition;
    AnyArray first(const std::vector<const Operand*>& operands, const ReductionLaunch& launch) const;
    // All outputs; `expected` of them unless that is 0. A plain call is cached for later ones like it.
    std::vector<AnyArray> run(const std::vector<const Operand*>& operands, const ReductionLaunch& launch,
                              std::size_t expected, const detail::PlainCall* plain = nullptr) const;
    std::shared_ptr<const Definition> definition_;
};

}  // namespace gpu

// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gpu/elementwise_kernel.hpp>
#include <gpu/reductions.hpp>

namespace gpu {

/// A map-reduce kernel from a few strings; compiled at its first call.
///
/// `ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm")`: every element is mapped, `a` and
/// `b` are combined in a fixed order, at last the output is assigned from `a`. An empty identity means none: then the
/// first mapped element starts, and an empty input is an error. `a` and `b` have the output's type, but integers
/// 64 bits and halves those of a float. In the map `_J` is the element's place in the reduced axes, in row-major order.
/// @snippet public/kernel_test.cpp reduction_kernel
class GPU_API ReductionKernel {
public:
    /// @throws Error if a parameter list or the name can't be read.
    ReductionKernel(std::string inputs, std::string output, std::string map, std::string reduce, std::string post,
                    std::string identity, std::string name, KernelOptions options = {});

    /// Reduces over the axes (all, unless named); inputs broadcast. Returns at once.
    /// @throws DTypeError, ShapeError, AxisError, DeviceError, CompileError; Error for a wrong number of operands
    AnyArray operator()(const Operand& a, const ReduceOptions& options = {}) const { return call({a}, options); }
    AnyArray operator()(const Operand& a, const Operand& b, const ReduceOptions& options = {}) const {
        return call({a, b}, options);
    }
    AnyArray operator()(const Operand& a, const Operand& b, const Operand& c, const ReduceOptions& options = {}) const {
        return call({a, b, c}, options);
    }

private:
    struct Definition;
    AnyArray call(std::vector<Operand> operands, const ReduceOptions& options) const;
    std::shared_ptr<const Definition> definition_;
};

}  // namespace gpu

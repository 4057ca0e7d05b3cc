// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gpu/operand.hpp>

namespace gpu {

/// What else an elementwise or reduction kernel can be given.
struct KernelOptions {
    std::string preamble = {};  ///< CUDA C++ before the kernel: device functions, say
};

/// A kernel that runs once for each element, from a few strings; compiled at its first call.
///
/// `ElementwiseKernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff")`: a one-letter type is a placeholder,
/// others are fixed (float, double, int, float32, int64, ...). Arrays decide placeholders (outputs first, then inputs),
/// numbers never do. Inputs broadcast. `i` is the element's index, `_ind.size()` how many there are.
/// @snippet public/kernel_test.cpp elementwise_kernel
class GPU_API ElementwiseKernel {
public:
    /// @throws Error if a parameter list or the name can't be read.
    ElementwiseKernel(std::string inputs, std::string outputs, std::string operation, std::string name,
                      KernelOptions options = {});

    /// Runs the kernel: inputs in their order, then `out(array)` for the outputs or nothing. Returns at once.
    ///
    /// Gives the (first) output: the one passed, or a new array.
    /// @throws DTypeError, ShapeError, DeviceError, CompileError; Error for a wrong number of operands
    AnyArray operator()(const Operand& a) const { return call({a}); }
    AnyArray operator()(const Operand& a, const Operand& b) const { return call({a, b}); }
    AnyArray operator()(const Operand& a, const Operand& b, const Operand& c) const { return call({a, b, c}); }
    AnyArray operator()(const Operand& a, const Operand& b, const Operand& c, const Operand& d) const {
        return call({a, b, c, d});
    }
    AnyArray operator()(const Operand& a, const Operand& b, const Operand& c, const Operand& d,
                        const Operand& e) const {
        return call({a, b, c, d, e});
    }
    AnyArray operator()(const Operand& a, const Operand& b, const Operand& c, const Operand& d, const Operand& e,
                        const Operand& f) const {
        return call({a, b, c, d, e, f});
    }

private:
    struct Definition;
    AnyArray call(std::vector<Operand> operands) const;
    std::shared_ptr<const Definition> definition_;
};

}  // namespace gpu

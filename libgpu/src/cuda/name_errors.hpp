// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "codegen/kernel_text.hpp"

namespace gpu::detail::cuda {

/// A `__global__` function found in CUDA C++ text.
struct KernelDeclaration {
    std::string name;        ///< "mul"
    std::string parameters;  ///< "(const T* x, T* y, int n)", white space as single blanks
};

/// The kernels that a source defines, found without a parser: for messages only.
[[nodiscard]] std::vector<KernelDeclaration> find_kernels(const std::string& source);

/// A name expression taken apart: "(void(*)(const float*, int))mul<float>".
struct NameExpression {
    std::string signature;   ///< "(const float*, int)"; empty if there is none
    std::string name;        ///< "mul<float>"
};
[[nodiscard]] NameExpression parse_name_expression(const std::string& expression);

/// Puts one line in front of NVRTC's log if all it refused is the kernel's name or signature:
///
/// `libgpu:no-kernel: it has add, mul`, or
/// `libgpu:signature: expected (const float*, int), the source has (float* x, int n)`.
/// Lines about our own name lookup are dropped where the source has errors of its own.
[[nodiscard]] std::string explain_name_errors(const std::string& log, const KernelSource& source);

}  // namespace gpu::detail::cuda

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace gpu::detail {

/// A `__global__` function found in CUDA C++ text.
struct KernelDeclaration {
    std::string name;        ///< "mul"
    std::string parameters;  ///< "(const T* x, T* y, int n)", white space as single blanks
};

/// A source with comments and strings as blanks, so that neither hides nor fakes a kernel.
[[nodiscard]] std::string blanked_source(const std::string& source);

/// The kernels that a source defines, found without a parser: for messages only.
[[nodiscard]] std::vector<KernelDeclaration> find_kernels(const std::string& source);

/// One line that says why a source has no such kernel:
///
/// `libgpu:no-kernel: it has add, mul`, or
/// `libgpu:signature: expected (const float*, int), the source has (float* x, int n)`.
[[nodiscard]] std::string unresolved_kernel(const std::string& source, const std::string& name,
                                            const std::string& signature);

}  // namespace gpu::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

/// A `__global__` function found in CUDA C++ text.
struct KernelDeclaration {
    std::string name;        ///< "mul"
    std::string parameters;  ///< "(const T* x, T* y, int n)", white space as single blanks
};

/// The kernels that a source defines, found without a parser: for messages only.
[[nodiscard]] std::vector<KernelDeclaration> find_kernels(const std::vector<Token>& tokens);
[[nodiscard]] std::vector<KernelDeclaration> find_kernels(std::string_view source);

/// What a source has instead of a kernel of that name and signature.
[[nodiscard]] Unresolved unresolved_kernel(const std::vector<KernelDeclaration>& kernels, const std::string& name,
                                           const std::string& signature);

/// The kernels that a module has without being told: those that need no template arguments, with their namespaces
/// ("ns::add"). What stands between #if and #endif, or has overloads, isn't among them.
[[nodiscard]] std::vector<std::string> plain_kernels(const std::string& source);

/// Kernels that a module may have, too: those between #if and #endif, and those that a macro makes where it is used.
/// Only a compiler knows.
[[nodiscard]] std::vector<std::string> possible_kernels(const std::string& source);

}  // namespace gpu::detail

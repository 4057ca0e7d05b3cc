// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "codegen/kernel_text.hpp"

namespace gpu::detail::cuda {

/// A name expression taken apart: "(void(*)(const float*, int))mul<float>".
struct NameExpression {
    std::string signature;   ///< "(const float*, int)"; empty if there is none
    std::string name;        ///< "mul<float>"
};
[[nodiscard]] NameExpression parse_name_expression(const std::string& expression);

/// Puts unresolved_kernel()'s line in front of NVRTC's log if all it refused is the kernel's name or signature.
///
/// Lines about our own name lookup are dropped where the source has errors of its own.
[[nodiscard]] std::string explain_name_errors(const std::string& log, const KernelSource& source);

}  // namespace gpu::detail::cuda

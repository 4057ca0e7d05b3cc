// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "backend/backend.hpp"

namespace gpu::detail::cuda {

/// A name expression taken apart: "(void(*)(const float*, int))mul<float>".
struct NameExpression {
    std::string signature;   ///< "(const float*, int)"; empty if there is none
    std::string name;        ///< "mul<float>"
};
[[nodiscard]] NameExpression parse_name_expression(const std::string& expression);

/// What NVRTC's log tells: if all it refused is the kernel's name or signature, what there is instead.
///
/// Lines about our own name lookup are dropped where the source has errors of its own.
[[nodiscard]] CompileFailure without_name_errors(const std::string& log, const KernelSource& source);

}  // namespace gpu::detail::cuda

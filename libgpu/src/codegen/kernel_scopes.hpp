// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace gpu::detail {

/// The kernels of a source that need no template arguments, with their namespaces ("ns::add"): those that a module
/// has without being told. What stands between #if and #endif, or has overloads, isn't among them.
[[nodiscard]] std::vector<std::string> plain_kernels(const std::string& source);

}  // namespace gpu::detail

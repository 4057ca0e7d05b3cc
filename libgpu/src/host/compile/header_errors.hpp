// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace gpu::detail::host {

/// A compiler's log with each complaint about a header moved to the learner's own #include line: kernels have only a
/// few headers. Only the compiler knows which lines are active, so its log decides; if its set-up finds system headers
/// anyway, it complains about what these include, however deep.
[[nodiscard]] std::string explain_headers(const std::string& log, std::string_view source);

}  // namespace gpu::detail::host

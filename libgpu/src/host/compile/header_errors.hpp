// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace gpu::detail::host {

/// A compiler's log with each complaint about a header as one about the learner's own #include line: kernels have no
/// headers but a few. The compiler says what is missing, since only it knows which lines are in force; where its set-up
/// brings system headers in nevertheless, it complains of what these include, however deep.
[[nodiscard]] std::string explain_headers(const std::string& log, std::string_view source);

}  // namespace gpu::detail::host

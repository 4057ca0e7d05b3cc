// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace gpu::detail::trace {

/// What a page of pictures looks like, besides the pictures themselves.
std::string_view page_style() noexcept;

/// What it does: choose a launch, a window, a request, a thread.
std::string_view page_script() noexcept;

}  // namespace gpu::detail::trace

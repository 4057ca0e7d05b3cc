// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace gpu::detail {

/// `complex<float>` and `complex<double>` for kernels, in CUDA C++ that every backend's compiler takes.
extern const std::string_view kernel_complex;

/// True if a kernel's text names `complex<...>` and doesn't define it itself. A word in a comment counts too.
[[nodiscard]] bool names_complex(std::string_view source);

}  // namespace gpu::detail

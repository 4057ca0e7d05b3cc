// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/dtype.hpp>

#include "codegen/kernel_text.hpp"

namespace gpu::detail {

/// histogram(const T* x, const T* edges, unsigned long long* counts, long long n, long long bins): adds to counts.
/// `element` is float32 or float64.
RawText histogram_text(DType element);

}  // namespace gpu::detail

// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace gpu::host_linalg {

/// True if A = U diag(s) V^H and the columns of U and V are orthonormal, to a few roundings. For real matrices.
template <class T>
bool is_svd(std::int64_t m, std::int64_t n, const void* a, std::int64_t u_columns, const void* u, const void* s,
            const void* v);

}  // namespace gpu::host_linalg

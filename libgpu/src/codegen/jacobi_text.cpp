// SPDX-License-Identifier: MIT
#include "codegen/jacobi_text.hpp"

#include <string>

#include <embedded/codegen.hpp>

namespace gpu::detail {

RawText jacobi_text(DType element) {
    const std::string real = real_dtype(element) == DType::float64 ? text::jacobi_double : text::jacobi_float;
    return own_text("svd_jacobi",
                    real + (is_complex(element) ? text::jacobi_complex : text::jacobi_real) + text::jacobi);
}

std::uint32_t jacobi_threads(std::int64_t n) {
    const std::int64_t threads = 8 * ((n + 1) / 2);
    return static_cast<std::uint32_t>((threads + 31) / 32 * 32);
}

std::int64_t jacobi_bytes(DType element, std::int64_t m, std::int64_t n, bool vectors) {
    const auto number = static_cast<std::int64_t>(size_of(element)), real = number / (is_complex(element) ? 2 : 1);
    return (n * (m | 1) + n + (vectors ? n * (n | 1) : 0)) * number + m * real;
}

}  // namespace gpu::detail

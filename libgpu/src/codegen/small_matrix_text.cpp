// SPDX-License-Identifier: MIT
#include "codegen/small_matrix_text.hpp"

#include <algorithm>
#include <string>

#include <embedded/codegen.hpp>

namespace gpu::detail {

namespace {

std::string numbers_text(DType element) {
    const std::string real = real_dtype(element) == DType::float64 ? text::reals_double : text::reals_float;
    return real + (is_complex(element) ? text::numbers_complex : text::numbers_real);
}

std::string team_text(int team) { return "enum { team = " + std::to_string(team) + " };\n"; }

}  // namespace

RawText jacobi_text(DType element) { return own_text("svd_jacobi", numbers_text(element) + text::jacobi); }

std::uint32_t jacobi_threads(std::int64_t n) {
    const std::int64_t threads = 8 * ((n + 1) / 2);
    return static_cast<std::uint32_t>((threads + 31) / 32 * 32);
}

std::int64_t jacobi_bytes(DType element, std::int64_t m, std::int64_t n, bool vectors) {
    const auto number = static_cast<std::int64_t>(size_of(element)), real = number / (is_complex(element) ? 2 : 1);
    return (n * (m | 1) + n + (vectors ? n * (n | 1) : 0)) * number + m * real;
}

RawText warp_eigh_text(DType element, std::int64_t n) {
    return own_text("warp_eigh", numbers_text(element) + team_text(small_team(n)) +
                                     "enum { rows = " + std::to_string(n + n % 2) + " };\n" + text::warp_eigh);
}

RawText block_eigh_text(DType element) { return own_text("block_eigh", numbers_text(element) + text::block_eigh); }

std::uint32_t block_eigh_threads(std::int64_t n) { return static_cast<std::uint32_t>((4 * n + 31) / 32 * 32); }

std::int64_t block_eigh_bytes(DType element, std::int64_t n, bool vectors) {
    const std::int64_t rows = n + n % 2;
    return rows * (rows + 2) * (vectors ? 2 : 1) * static_cast<std::int64_t>(size_of(element));
}

int small_team(std::int64_t n) {
    int team = 4;
    while (team < n) team *= 2;
    return team;
}

RawText small_solve_text(DType element, int team, int sides) {
    return own_text("small_solve", numbers_text(element) + team_text(team) + "enum { sides = " + std::to_string(sides) +
                                       " };\n" + text::elimination + text::small_solve);
}

RawText small_det_text(DType element, int team) {
    return own_text("small_det", numbers_text(element) + team_text(team) + text::elimination + text::small_det);
}

}  // namespace gpu::detail

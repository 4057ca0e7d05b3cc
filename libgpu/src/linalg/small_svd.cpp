// SPDX-License-Identifier: MIT
#include "linalg/small_svd.hpp"

#include <limits>
#include <string>
#include <vector>

#include "codegen/jacobi_text.hpp"
#include "launch/builtin_kernel.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

constexpr std::int64_t static_memory = 2048;  // the kernel's own variables, and what a GPU keeps for itself

}  // namespace

bool is_small_svd(DType dtype, std::int64_t m, std::int64_t n, bool vectors, std::size_t block_memory) {
    constexpr std::int64_t most_rows = 1024;
    return n <= jacobi_columns && m <= most_rows &&
           jacobi_bytes(dtype, m, n, vectors) + static_memory <= static_cast<std::int64_t>(block_memory);
}

LinearAlgebra::Info small_svd(const MatrixStack& a, const MatrixStack* u, const ArrayCore& s, const MatrixStack* vh) {
    const MatrixProblem problem = a.problem();
    const Device device = s.storage->device();
    const auto m = static_cast<std::int32_t>(a.rows()), n = static_cast<std::int32_t>(a.columns());
    const std::int32_t vectors = u != nullptr ? 1 : 0;
    const ArrayCore info = make_array(DType::int32, Shape{problem.batch});
    void* const pointers[] = {a.data(), u != nullptr ? u->data() : nullptr, data_of(s),
                              vh != nullptr ? vh->data() : nullptr, data_of(info)};
    const auto pointer = [&](int k) { return const_cast<void**>(&pointers[k]); };
    void* const arguments[] = {pointer(0),
                               pointer(1),
                               pointer(2),
                               pointer(3),
                               pointer(4),
                               const_cast<std::int32_t*>(&m),
                               const_cast<std::int32_t*>(&n),
                               const_cast<std::int32_t*>(&vectors)};
    launch_builtin_blocks(
        device, std::string("svd_jacobi") + static_cast<char>('a' + static_cast<int>(problem.dtype)),
        [&] { return jacobi_text(problem.dtype); },
        {.blocks = problem.batch,
         .threads = jacobi_threads(n),
         .shared = jacobi_bytes(problem.dtype, m, n, vectors),
         .counts = false},
        arguments, 8);
    std::vector<std::int32_t> codes(static_cast<std::size_t>(problem.batch));
    backend(device).copy(device.index(), codes.data(), pointers[4], codes.size() * sizeof codes[0],
                         CopyKind::device_to_host, problem.stream);
    return {codes.begin(), codes.end()};
}

}  // namespace gpu::detail

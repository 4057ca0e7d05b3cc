// SPDX-License-Identifier: MIT
#include "linalg/svd.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gpu/error.hpp>

#include "codegen/small_matrix_text.hpp"
#include "launch/builtin_kernel.hpp"
#include "linalg/factors.hpp"
#include "linalg/logged_linear_algebra.hpp"
#include "linalg/matrix_stack.hpp"
#include "linalg/products.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

// The singular value decomposition: drivers, wide and tall matrices, and failure to converge.
namespace gpu::detail {

namespace {

using linalg::SvdDriver;

/// The matrices to decompose, with at least as many rows as columns.
struct Problem {
    const char* operation;
    Shape given;  ///< the caller's
    DType type;
    Shape batch;
    std::int64_t m, n;
    SvdVectors vectors;
    Device device;
};

/// Windows in any layout; u and vh have no storage unless vectors are wanted.
struct Parts {
    ArrayCore u, s, vh;
};

SvdPlan fastest(const Problem& problem, const MatrixProblem& seam) {
    return linear_algebra_of(problem.device).fastest_svd(seam, problem.m, problem.n, problem.vectors);
}

SvdMethod method_of(SvdDriver driver, const Problem& problem, const MatrixProblem& seam) {
    switch (driver) {
        case SvdDriver::QR: return SvdMethod::qr;
        case SvdDriver::Jacobi: return SvdMethod::jacobi;
        case SvdDriver::Polar: return SvdMethod::polar;
        case SvdDriver::Auto:
        case SvdDriver::TallQR: break;
    }
    return fastest(problem, seam).method;
}

// One attempt, which destroys the matrices. Without convergence, returns nothing and sets `failed` to the matrix.
std::optional<Parts> attempt(const Problem& problem, const MatrixStack& a, SvdMethod method, std::int64_t& failed) {
    const bool none = problem.vectors == SvdVectors::none;
    const std::int64_t u_columns = none ? 0 : problem.vectors == SvdVectors::full ? problem.m : problem.n;
    const MatrixStack u(problem.type, problem.batch, problem.m, u_columns);
    const MatrixStack vh(problem.type, problem.batch, problem.n, none ? 0 : problem.n);
    const ArrayCore s = make_array(real_dtype(problem.type), with_vector(problem.batch, problem.n));
    const LinearAlgebra::Info info = LoggedLinearAlgebra(problem.device)
                                         .svd(a.problem(), problem.m, problem.n, a.data(), problem.vectors, method,
                                              none ? nullptr : u.data(), address_of(s), none ? nullptr : vh.data());
    a.mark_written();
    u.mark_written();
    vh.mark_written();
    mark_written(s);
    failed = first_failure(problem.operation, info);
    if (failed >= 0) return std::nullopt;
    if (none) return Parts{{}, s, {}};
    return Parts{u.matrices(), s, vh.matrices()};
}

// True if libgpu's own kernel tries first: it uses Jacobi's method and is the fastest for small matrices.
bool begins_small(const Problem& problem, SvdDriver driver) {
    if (driver != SvdDriver::Auto && driver != SvdDriver::Jacobi) return false;
    if (problem.vectors == SvdVectors::full && problem.m != problem.n) return false;
    constexpr std::int64_t max_rows_of_one = 256;  // the library uses more than one block for a tall matrix
    if (problem.batch.size() == 1 && problem.m > max_rows_of_one) return false;
    return is_small_svd(problem.type, problem.m, problem.n, problem.vectors != SvdVectors::none,
                        linear_algebra_of(problem.device).block_memory(problem.device.index()));
}

// One attempt with that kernel, which leaves the matrices unchanged.
std::optional<Parts> attempt_small(const Problem& problem, const MatrixStack& a) {
    const bool none = problem.vectors == SvdVectors::none;
    const MatrixStack u(problem.type, problem.batch, problem.m, none ? 0 : problem.n);
    const MatrixStack vh(problem.type, problem.batch, problem.n, none ? 0 : problem.n);
    const ArrayCore s = make_array(real_dtype(problem.type), with_vector(problem.batch, problem.n));
    LinearAlgebra::Info info;
    LoggedLinearAlgebra(problem.device).run(a.problem(), "svd", problem.m, problem.n, [&] {
        info = small_svd(a, none ? nullptr : &u, s, none ? nullptr : &vh);
    });
    u.mark_written();
    vh.mark_written();
    mark_written(s);
    if (first_failure(problem.operation, info) >= 0) return std::nullopt;
    if (none) return Parts{{}, s, {}};
    return Parts{u.matrices(), s, vh.matrices()};
}

using Source = std::function<MatrixStack()>;

// If a driver fails, the next one tries: QR is the last, and Jacobi is faster where Polar gives up. `fresh` returns
// another copy of the matrices.
Parts decomposed(const Problem& problem, const MatrixStack& first, const Source& fresh, SvdDriver driver) {
    const SvdMethod method = method_of(driver, problem, first.problem());
    std::int64_t failed = -1;
    std::optional<Parts> parts;
    if (begins_small(problem, driver)) parts = attempt_small(problem, first);
    if (!parts) parts = attempt(problem, first, method, failed);
    if (!parts && method == SvdMethod::polar) parts = attempt(problem, fresh(), SvdMethod::jacobi, failed);
    if (!parts && method != SvdMethod::qr) parts = attempt(problem, fresh(), SvdMethod::qr, failed);
    if (!parts) {
        throw LinAlgError(std::string(problem.operation) + ": the singular values of " +
                          matrix_text(problem.given, failed) + " did not converge");
    }
    return *parts;
}

ArrayCore columns_of(ArrayCore matrices, std::int64_t first, std::int64_t count) {
    const int axis = matrices.shape.rank() - 1;
    matrices.offset += first * matrices.strides[axis];
    matrices.shape[axis] = count;
    return matrices;
}

// A = Q R; R's decomposition gives A's.
Parts by_tall_qr(const Problem& problem, const MatrixStack& a) {
    const bool none = problem.vectors == SvdVectors::none, full = problem.vectors == SvdVectors::full;
    const std::int64_t q_columns = none ? 0 : full ? problem.m : problem.n;
    const QrFactors factors = qr_factors(a, problem.batch, q_columns);
    ArrayCore r = factors.r;
    r.shape[r.shape.rank() - 2] = problem.n;
    Problem small = problem;
    small.m = problem.n;
    if (full) small.vectors = SvdVectors::thin;
    const Source copy = [&] { return MatrixStack(problem.type, problem.batch, leaf(r)); };
    Parts parts = decomposed(small, copy(), copy, SvdDriver::Auto);
    if (none) return parts;
    const ArrayCore q = factors.q.matrices();
    const ArrayCore thin = matmul(problem.type, leaf(columns_of(q, 0, problem.n)), leaf(parts.u));
    if (!full) {
        parts.u = thin;
        return parts;
    }
    parts.u = make_array(problem.type, with_matrix(problem.batch, problem.m, problem.m));
    ArrayCore left = columns_of(parts.u, 0, problem.n), right = columns_of(parts.u, problem.n, problem.m - problem.n);
    assign(left, leaf(thin), false);
    if (problem.m > problem.n) assign(right, leaf(columns_of(q, problem.n, problem.m - problem.n)), false);
    return parts;
}

SvdCores svd_of_nothing(DType type, const Shape& shape, const linalg::SvdOptions& options) {
    const Shape batch = batch_of(shape);
    const std::int64_t m = from_end(shape, 2), n = from_end(shape, 1), k = std::min(m, n);
    const ArrayCore s = make_array(real_dtype(type), with_vector(batch, k));
    if (!options.compute_uv) return {no_elements(type), s, no_elements(type)};
    if (options.full_matrices) return {identities(type, batch, m), s, identities(type, batch, n)};
    return {make_array(type, with_matrix(batch, m, k)), s, make_array(type, with_matrix(batch, k, n))};
}

ArrayCore in_rows(const NodePointer& value) {
    if (value->op == Op::leaf && is_dense(value->array, Layout::row_major)) return value->array;
    ArrayCore result = make_array(value->dtype, value->shape);
    assign(result, value, false);
    return result;
}

}  // namespace

SvdCores singular_values(const char* operation, DType type, const NodePointer& a, const linalg::SvdOptions& options) {
    const Shape& shape = a->shape;
    const Device device = a->array.storage->device();
    const DeviceGuard guard(device);
    if (shape.size() == 0) return svd_of_nothing(type, shape, options);
    const bool wide = from_end(shape, 2) < from_end(shape, 1);
    const NodePointer tall = wide ? adjoint(a) : a;
    SvdVectors vectors = SvdVectors::none;
    if (options.compute_uv) vectors = options.full_matrices ? SvdVectors::full : SvdVectors::thin;
    const Problem problem{.operation = operation,
                          .given = shape,
                          .type = type,
                          .batch = batch_of(shape),
                          .m = from_end(tall->shape, 2),
                          .n = from_end(tall->shape, 1),
                          .vectors = vectors,
                          .device = device};
    const Source copy = [&] { return MatrixStack(type, problem.batch, tall); };
    const MatrixStack work = copy();
    work.check_finite(operation, shape);
    const bool tall_qr = options.driver == SvdDriver::TallQR ||
                         (options.driver == SvdDriver::Auto && fastest(problem, work.problem()).tall_qr);
    const Parts parts = tall_qr ? by_tall_qr(problem, work) : decomposed(problem, work, copy, options.driver);
    if (!options.compute_uv) return {no_elements(type), parts.s, no_elements(type)};
    if (!wide) return {in_rows(leaf(parts.u)), parts.s, in_rows(leaf(parts.vh))};
    return {in_rows(adjoint(leaf(parts.vh))), parts.s, in_rows(adjoint(leaf(parts.u)))};
}

SvdCores svd(DType type, const NodePointer& a, const linalg::SvdOptions& options) {
    check_matrices("svd", a->shape, type);
    return singular_values("svd", type, in_memory(type, a), options);
}

namespace {

constexpr std::int64_t static_memory = 2048;  // the kernel's own variables, and what a GPU reserves

}  // namespace

bool is_small_svd(DType dtype, std::int64_t m, std::int64_t n, bool vectors, std::size_t block_memory) {
    constexpr std::int64_t max_rows = 1024;
    return n <= jacobi_columns && m <= max_rows &&
           jacobi_bytes(dtype, m, n, vectors) + static_memory <= static_cast<std::int64_t>(block_memory);
}

LinearAlgebra::Info small_svd(const MatrixStack& a, const MatrixStack* u, const ArrayCore& s, const MatrixStack* vh) {
    const MatrixProblem problem = a.problem();
    const Device device = s.storage->device();
    const auto m = static_cast<std::int32_t>(a.rows()), n = static_cast<std::int32_t>(a.columns());
    const std::int32_t vectors = u != nullptr ? 1 : 0;
    const ArrayCore info = make_array(DType::int32, Shape{problem.batch});
    void* const pointers[] = {a.data(), u != nullptr ? u->data() : nullptr, address_of(s),
                              vh != nullptr ? vh->data() : nullptr, address_of(info)};
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

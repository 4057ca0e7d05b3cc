// SPDX-License-Identifier: MIT
#include <gpu/linalg_results.hpp>

#include <algorithm>

#include <gpu/create.hpp>
#include <gpu/diagonals.hpp>
#include <gpu/error.hpp>

#include "linalg/batches.hpp"
#include "linalg/factors.hpp"
#include "linalg/logged_linear_algebra.hpp"
#include "linalg/non_finite.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

// A window on the first rows of each matrix.
ArrayCore first_rows(ArrayCore matrices, std::int64_t rows) {
    matrices.shape[matrices.shape.rank() - 2] = rows;
    return matrices;
}

// Q's columns, if there are any, are those of the identity: the matrices have no elements, or there are none of them.
CorePair qr_of_nothing(DType type, const Shape& shape, linalg::QrMode mode) {
    const Shape batch = batch_of(shape);
    const std::int64_t m = from_end(shape, 2), n = from_end(shape, 1);
    const std::int64_t columns = mode == linalg::QrMode::complete ? m : std::min(m, n);
    const ArrayCore r =
        full(type, with_matrix(batch, columns, n), scalar_node(type, std::int64_t{0}), Layout::row_major);
    if (mode == linalg::QrMode::r) return {no_elements(type), r};
    if (mode == linalg::QrMode::complete) return {identities(type, batch, m), r};
    return {make_array(type, with_matrix(batch, m, columns)), r};
}

}  // namespace

QrFactors qr_factors(const MatrixStack& a, const Shape& batch, std::int64_t q_columns) {
    const DType type = a.problem().dtype;
    QrFactors factors{{}, MatrixStack(type, batch, a.rows(), std::max<std::int64_t>(q_columns, 0))};
    const Device device = factors.q.matrices().storage->device();
    const LinearAlgebra::Info info = LoggedLinearAlgebra(device).qr(
        a.problem(), a.rows(), a.columns(), a.data(), q_columns, q_columns > 0 ? factors.q.data() : nullptr);
    a.mark_written();
    factors.q.mark_written();
    if (first_failure("qr", info) >= 0) throw LinAlgError("qr: the solver failed");
    const std::int64_t rows = q_columns > 0 ? q_columns : std::min(a.rows(), a.columns());
    factors.r = triangle(leaf(first_rows(a.matrices(), rows)), 0, false);
    return factors;
}

CorePair qr(DType type, const NodePointer& a, linalg::QrMode mode) {
    check_matrices("qr", a->shape, type);
    const NodePointer first = in_memory(type, a);
    const DeviceGuard guard(first->array.storage->device());
    if (a->shape.size() == 0) return qr_of_nothing(type, a->shape, mode);
    const Shape batch = batch_of(a->shape);
    const MatrixStack work(type, batch, first);
    const NonFinite non_finite(work);
    std::int64_t columns = 0;
    if (mode == linalg::QrMode::reduced) columns = std::min(work.rows(), work.columns());
    if (mode == linalg::QrMode::complete) columns = work.rows();
    const QrFactors factors = qr_factors(work, batch, columns);
    const ArrayCore r = non_finite.marked(factors.r);
    return {columns > 0 ? non_finite.marked(factors.q.row_major()) : no_elements(type), r};
}

}  // namespace gpu::detail

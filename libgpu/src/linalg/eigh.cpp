// SPDX-License-Identifier: MIT
#include <gpu/linalg_results.hpp>

#include <gpu/diagonals.hpp>
#include <gpu/error.hpp>

#include "linalg/batches.hpp"
#include "linalg/logged_linear_algebra.hpp"
#include "linalg/matrix_stack.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

CorePair eigh(DType type, const NodePointer& a, bool upper, bool vectors) {
    const char* const operation = vectors ? "eigh" : "eigvalsh";
    check_square_matrices(operation, a->shape, type);
    const NodePointer first = in_memory(type, a);
    const Device device = first->array.storage->device();
    const DeviceGuard guard(device);
    const Shape batch = batch_of(a->shape);
    const ArrayCore values = make_array(real_dtype(type), with_vector(batch, from_end(a->shape, 1)));
    if (a->shape.size() == 0) return {values, make_array(type, a->shape)};
    // The other triangle may hold anything, NaN too.
    const MatrixStack work(type, batch, leaf(triangle(upper ? adjoint(first) : first, 0, true)));
    work.check_finite(operation, a->shape);
    const LinearAlgebra::Info info =
        LoggedLinearAlgebra(device).eigh(work.problem(), work.rows(), work.data(), data_of(values), vectors);
    work.mark_written();
    mark_written(values);
    if (const std::int64_t failed = first_failure(operation, info); failed >= 0) {
        throw LinAlgError(std::string(operation) + ": the iteration for " + matrix_text(a->shape, failed) +
                          " did not converge");
    }
    return {values, vectors ? work.row_major() : no_elements(type)};
}

}  // namespace gpu::detail

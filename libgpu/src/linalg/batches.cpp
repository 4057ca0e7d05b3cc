// SPDX-License-Identifier: MIT
#include "linalg/batches.hpp"

#include <gpu/error.hpp>

namespace gpu::detail {

Shape batch_of(const Shape& shape) {
    Shape batch;
    for (int axis = 0; axis + 2 < shape.rank(); ++axis) batch.append(shape[axis]);
    return batch;
}

Shape with_vector(Shape batch, std::int64_t length) {
    batch.append(length);
    return batch;
}

Shape with_matrix(Shape batch, std::int64_t rows, std::int64_t columns) {
    batch.append(rows);
    batch.append(columns);
    return batch;
}

void check_matrices(const std::string& operation, const Shape& shape, DType type) {
    if (type == DType::float16) {
        throw DTypeError(operation + ": float16 is unsupported in factorisations: write x.astype<float>()");
    }
    if (shape.rank() < 2) {
        throw LinAlgError(operation + ": an array of shape " + to_string(shape) +
                          " holds no matrix: it has fewer than 2 axes");
    }
}

void check_square_matrices(const std::string& operation, const Shape& shape, DType type) {
    check_matrices(operation, shape, type);
    if (from_end(shape, 2) != from_end(shape, 1)) {
        throw LinAlgError(operation + ": the matrices must be square, but the last two axes of shape " +
                          to_string(shape) + " differ");
    }
}

std::string operation_text(const std::string& operation, const Shape& a, const Shape& b) {
    return operation + ": " + to_string(a) + " x " + to_string(b);
}

Shape common_batch(const std::string& operation, const Shape& a, const Shape& b) {
    try {
        return broadcast(batch_of(a), batch_of(b));
    } catch (const ShapeError&) {
        throw LinAlgError(operation_text(operation, a, b) + ": the batches " + to_string(batch_of(a)) + " and " +
                          to_string(batch_of(b)) + " don't broadcast");
    }
}

std::string matrix_text(const Shape& shape, std::int64_t item) {
    const Shape batch = batch_of(shape);
    if (batch.rank() == 0) return "the matrix of shape " + to_string(shape);
    Shape place = batch;
    for (int axis = batch.rank() - 1; axis >= 0; --axis) {
        place[axis] = item % batch[axis];
        item /= batch[axis];
    }
    return "matrix " + to_string(place) + " of the batch of shape " + to_string(shape);
}

}  // namespace gpu::detail

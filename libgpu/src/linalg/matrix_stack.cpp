// SPDX-License-Identifier: MIT
#include "linalg/matrix_stack.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include <gpu/create.hpp>
#include <gpu/error.hpp>
#include <gpu/reduction_call.hpp>

#include "launch/builtin_kernel.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/graph.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

std::atomic<LinearAlgebra*> replacement{nullptr};

}  // namespace

LinearAlgebra& linear_algebra_of(Device device) {
    refuse_in_capture("linear algebra");
    if (LinearAlgebra* const other = replacement.load()) return *other;
    return backend(device).linear_algebra(device.index());
}

void replace_linear_algebra(LinearAlgebra* other) noexcept { replacement.store(other); }

MatrixStack::MatrixStack(DType type, const Shape& batch, std::int64_t rows, std::int64_t columns)
    : batch_(batch), rows_(rows), columns_(columns), buffer_(make_array(type, with_matrix(batch, columns, rows))) {}

MatrixStack::MatrixStack(DType type, const Shape& batch, const NodePointer& value)
    : MatrixStack(type, batch, from_end(value->shape, 2), from_end(value->shape, 1)) {
    ArrayCore window = matrices();
    assign(window, cast_node(type, value), false);
}

MatrixProblem MatrixStack::problem() const {
    const Device device = buffer_.storage->device();
    return {.device = device.index(), .stream = native_stream({}, device), .dtype = buffer_.dtype, .batch = count()};
}

ArrayCore MatrixStack::matrices() const { return axes_swapped(buffer_, -1, -2); }

ArrayCore MatrixStack::row_major() const {
    const Shape shape = with_matrix(batch_, rows_, columns_);
    if (rows_ == 1 || columns_ == 1) return reshaped(buffer_, TargetShape(shape));  // the same order
    ArrayCore result = make_array(buffer_.dtype, shape);
    assign(result, leaf(matrices()), false);
    return result;
}

namespace {

ArrayCore are_finite(const ArrayCore& buffer, const ReduceOptions& over) {
    const NodePointer finite = node(Op::isfinite, DType::boolean, leaf(buffer));
    return reduce({.kind = Reduction::all, .element = DType::boolean, .result = DType::boolean}, finite, over);
}

}  // namespace

ArrayCore MatrixStack::all_finite() const { return are_finite(buffer_, {}); }

ArrayCore MatrixStack::each_finite() const { return are_finite(buffer_, {.axis = {-2, -1}, .keepdims = false}); }

void MatrixStack::check_finite(const std::string& operation, const Shape& given) const {
    bool fine = false;
    read_item(all_finite(), &fine);
    if (fine) return;
    ArrayCore one = each_finite();
    one.shape = Shape{};
    one.strides = {};
    std::int64_t item = 0;
    for (; item < count() - 1; ++item, ++one.offset) {
        read_item(one, &fine);
        if (!fine) break;
    }
    throw_not_finite(operation, given, item);
}

void throw_not_finite(const std::string& operation, const Shape& given, std::int64_t item) {
    throw LinAlgError(operation + ": " + matrix_text(given, item) + " has a NaN or an infinity");
}

std::int64_t first_failure(const std::string& operation, const LinearAlgebra::Info& info) {
    std::int64_t first = -1;
    for (std::size_t k = 0; k < info.size(); ++k) {
        if (info[k] < 0) {
            throw Error(operation + ": the solver refused its argument number " + std::to_string(-info[k]));
        }
        if (info[k] > 0 && first < 0) first = static_cast<std::int64_t>(k);
    }
    return first;
}

NodePointer in_memory(DType type, const NodePointer& value) { return leaf(array_value(cast_node(type, value))); }

NodePointer adjoint(const NodePointer& value) {
    const NodePointer turned = leaf(axes_swapped(array_value(value), -1, -2));
    return is_complex(value->dtype) ? node(Op::conj, value->dtype, turned) : turned;
}

ArrayCore identities(DType type, const Shape& batch, std::int64_t n) {
    const ArrayCore one = eye(type, n, n, 0);
    if (batch.rank() == 0) return one;
    ArrayCore all = make_array(type, with_matrix(batch, n, n));
    assign(all, leaf(one), false);
    return all;
}

ArrayCore no_elements(DType type) { return make_array(type, Shape{0}); }

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
    if (is_short_float(type)) {
        throw DTypeError(operation + ": " + std::string(name(type)) +
                         " is unsupported in factorisations: write x.astype<float>()");
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

MatrixBatch first_matrix(const ArrayCore& array) {
    const int rank = array.shape.rank();
    MatrixBatch matrix{.data = address_of(array),
                       .rows = array.shape[rank - 2],
                       .columns = array.shape[rank - 1],
                       .row_stride = array.strides[rank - 2],
                       .column_stride = array.strides[rank - 1]};
    if (matrix.rows == 1 && matrix.columns == 1) {
        matrix.row_stride = matrix.column_stride = 1;
    } else if (matrix.columns == 1) {
        matrix.column_stride = matrix.row_stride == 1 ? matrix.rows : 1;
    } else if (matrix.rows == 1) {
        matrix.row_stride = matrix.column_stride == 1 ? matrix.columns : 1;
    }
    return matrix;
}

bool is_plain(const ArrayCore& array) {
    for (int axis = 0; axis + 2 < array.shape.rank(); ++axis) {
        if (array.strides[axis] < 0 && array.shape[axis] > 1) return false;
    }
    const MatrixBatch matrix = first_matrix(array);
    return (matrix.row_stride == 1 && matrix.column_stride >= matrix.rows) ||
           (matrix.column_stride == 1 && matrix.row_stride >= matrix.columns);
}

std::vector<BatchAxis> batch_axes(const ArrayCore& left, const ArrayCore& right, const ArrayCore& result) {
    const int rank = result.shape.rank();
    const auto stride = [&](const ArrayCore& array, int axis) -> std::int64_t {
        const int own = axis - (rank - array.shape.rank());
        return own < 0 || array.shape[own] == 1 ? 0 : array.strides[own];
    };
    const auto continues = [](const BatchAxis& outer, const BatchAxis& inner) {
        for (int k = 0; k < 3; ++k) {
            if (outer.strides[k] != inner.strides[k] * inner.length) return false;
        }
        return true;
    };
    std::vector<BatchAxis> axes;
    for (int axis = 0; axis + 2 < rank; ++axis) {
        if (result.shape[axis] == 1) continue;
        BatchAxis next{result.shape[axis], {stride(left, axis), stride(right, axis), stride(result, axis)}};
        if (!axes.empty() && continues(axes.back(), next)) {
            next.length *= axes.back().length;
            axes.pop_back();
        }
        axes.push_back(next);
    }
    return axes;
}

bool are_rows_of_one(const BatchAxis& axis, const MatrixBatch& left, const MatrixBatch& result) {
    return axis.strides[1] == 0 && left.column_stride == 1 && result.column_stride == 1 &&
           axis.strides[0] == left.rows * left.row_stride && axis.strides[2] == result.rows * result.row_stride;
}

namespace {

// One value per matrix, with axes of length 1 appended up to this rank.
NodePointer along(ArrayCore each, int rank) {
    while (each.shape.rank() < rank) each = expanded(each, each.shape.rank());
    return leaf(each);
}

NodePointer nan_of(DType type) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return is_complex(type) ? scalar_node(type, nan, nan) : scalar_node(type, nan);
}

}  // namespace

NonFinite::NonFinite(const MatrixStack& matrices) : finite_(matrices.each_finite()) {
    ArrayCore window = matrices.matrices();
    const NodePointer identity = leaf(eye(window.dtype, matrices.rows(), matrices.columns(), 0));
    assign(window, where_node(window.dtype, along(*finite_, window.shape.rank()), leaf(window), identity), false);
}

ArrayCore NonFinite::marked(const ArrayCore& result) const {
    if (!finite_) return result;
    return evaluate(where_node(result.dtype, along(*finite_, result.shape.rank()), leaf(result), nan_of(result.dtype)));
}

}  // namespace gpu::detail

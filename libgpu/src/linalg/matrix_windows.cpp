// SPDX-License-Identifier: MIT
#include "linalg/matrix_windows.hpp"

#include <algorithm>

namespace gpu::detail {

MatrixBatch first_matrix(const ArrayCore& array) {
    const int rank = array.shape.rank();
    MatrixBatch matrix{.data = data_of(array),
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

}  // namespace gpu::detail

// SPDX-License-Identifier: MIT
// Host memory of other shapes than a span: lists, packed bits, matrices.
#include <algorithm>
#include <string>
#include <vector>

#include <gpu/error.hpp>
#include <gpu/transfer.hpp>

#include "runtime/array_buffers.hpp"

namespace gpu::detail {

ArrayCore to_device(DType dtype, const Shape& shape, const void* from, std::size_t count, Layout layout) {
    const ArrayCore array = make_array(dtype, shape, layout);
    copy_from_host_dense(array, from, static_cast<std::int64_t>(count));
    return array;
}

void check_row(std::size_t first, std::size_t other) {
    if (first == other) return;
    throw ShapeError("to_device: a list's rows have " + std::to_string(first) + " and " + std::to_string(other) +
                     " elements; they must be of one length");
}

void copy_from_bits(const ArrayCore& target, const std::vector<bool>& host) {
    const std::vector<unsigned char> bytes(host.begin(), host.end());
    copy_from_host(target, bytes.data(), std::ssize(bytes));
}

void copy_to_bits(const ArrayCore& source, std::vector<bool>& host) {
    std::vector<unsigned char> bytes(host.size());
    copy_to_host(source, bytes.data(), std::ssize(bytes));
    std::transform(bytes.begin(), bytes.end(), host.begin(), [](unsigned char byte) { return byte != 0; });
}

void check_eigen_shape(const Shape& shape, std::int64_t rows, std::int64_t columns, const char* operation) {
    const bool is_vector = shape.rank() == 1 && (rows == 1 || columns == 1) && shape[0] == rows * columns;
    const bool is_matrix = shape.rank() == 2 && shape[0] == rows && shape[1] == columns;
    if (is_vector || is_matrix || (shape.rank() == 0 && rows == 1 && columns == 1)) return;
    throw ShapeError(std::string(operation) + ": the array has shape " + to_string(shape) + ", the Eigen object " +
                     std::to_string(rows) + " x " + std::to_string(columns));
}

}  // namespace gpu::detail

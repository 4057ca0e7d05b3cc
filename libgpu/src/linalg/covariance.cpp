// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include <gpu/error.hpp>
#include <gpu/join.hpp>
#include <gpu/matmul.hpp>
#include <gpu/statistics.hpp>

#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/evaluate.hpp"
#include "runtime/storage.hpp"

// Covariances and correlations: a product of deviations from the means.
namespace gpu::detail {

namespace {

// Variables as rows: a vector is one, of a matrix it is the rows or the columns.
ArrayCore variables(const char* operation, const NodePointer& value, bool rowvar) {
    const int rank = value->shape.rank();
    if (rank > 2) {
        throw ShapeError(std::string(operation) + ": an array of shape " + to_string(value->shape) +
                         " has more than 2 axes; rows are variables, columns their observations");
    }
    ArrayCore made = array_value(value);
    while (made.shape.rank() < 2) made = expanded(made, 0);
    return rank == 2 && !rowvar ? transposed(made) : made;
}

ArrayCore joined(const char* operation, const CovarianceRequest& request, const NodePointer& a, const NodePointer& b) {
    const ArrayCore first = variables(operation, a, request.rowvar);
    if (b == nullptr) return first;
    const ArrayCore second = variables(operation, b, request.rowvar);
    (void)common_device({&first, &second}, operation);
    if (first.shape[1] != second.shape[1]) {
        throw ShapeError(std::string(operation) + ": variables with " + std::to_string(first.shape[1]) + " and with " +
                         std::to_string(second.shape[1]) + " observations; they must be observed equally often");
    }
    return concatenate({leaf(first), leaf(second)}, 0);
}

NodePointer clamped(DType real, const NodePointer& value) {
    return node(Op::minimum, real, real, node(Op::maximum, real, real, value, scalar_node(real, -1.)),
                scalar_node(real, 1.));
}

// Covariances divided by the deviations of both variables.
NodePointer correlations(const ArrayCore& covariances) {
    const DType type = covariances.dtype, real = real_dtype(type);
    const ArrayCore own = diagonal(covariances, 0, 0, 1);
    const NodePointer variance = is_complex(type) ? node(Op::real, real, leaf(own)) : leaf(own);
    const ArrayCore deviation = evaluate(node(Op::sqrt, real, variance));
    NodePointer value = leaf(covariances);
    for (const int axis : {1, 0}) value = node(Op::divide, type, type, value, leaf(expanded(deviation, axis)));
    if (!is_complex(type)) return clamped(real, value);
    const NodePointer i = scalar_node(type, 0., 1.);
    const NodePointer imaginary = node(Op::multiply, type, type, clamped(real, node(Op::imag, real, value)), i);
    return node(Op::add, type, type, clamped(real, node(Op::real, real, value)), imaginary);
}

}  // namespace

ArrayCore covariance(const CovarianceRequest& request, const NodePointer& a, const NodePointer& b) {
    const char* const operation = request.normalised ? "corrcoef" : "cov";
    const ArrayCore rows = joined(operation, request, a, b);
    const DeviceGuard guard(rows.storage->device());
    const DType type = is_complex(rows.dtype) ? DType::complex128 : DType::float64;
    const std::int64_t count = rows.shape[0], observations = rows.shape[1];
    if (count == 0) return make_array(request.result, Shape{0, 0});
    const ArrayCore mean =
        reduce({.kind = Reduction::mean, .element = type, .result = type}, leaf(rows), {.axis = 1, .keepdims = true});
    const ArrayCore deviations = evaluate(node(Op::subtract, type, type, leaf(rows), leaf(mean)));
    const NodePointer others = leaf(transposed(deviations));
    const ArrayCore products =
        product(Product::matmul, type, leaf(deviations), is_complex(type) ? node(Op::conj, type, others) : others);
    const double degrees = std::max(0., static_cast<double>(observations) - static_cast<double>(request.ddof));
    NodePointer value = node(Op::divide, type, type, leaf(products), scalar_node(type, degrees));
    if (request.normalised) value = correlations(evaluate(value));
    const ArrayCore made = evaluate(cast_node(request.result, value));
    return count == 1 ? reshaped(made, TargetShape{}) : made;
}

}  // namespace gpu::detail

// SPDX-License-Identifier: MIT
// Filters by passes along one axis each, and signals with one axis: convolutions of matrices with one row or column.
#include <cmath>
#include <string>
#include <vector>

#include <gpu/error.hpp>
#include <gpu/indexing.hpp>

#include "array/shape.hpp"
#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/evaluate.hpp"
#include "runtime/storage.hpp"
#include "signal/convolve.hpp"

namespace gpu::detail {

namespace {

using signal::Boundary;
using signal::ConvolveOptions;
using signal::Mode;

NodePointer as_row(const ArrayCore& vector) { return leaf(expanded(vector, 0)); }
NodePointer as_column(const ArrayCore& vector) { return leaf(expanded(vector, 1)); }

// Filters each line along one axis, as a row of a matrix; along the first axis as a column, which moves no elements.
// The result has the image's shape and may be a window with other strides.
ArrayCore filtered(const ArrayCore& image, const ArrayCore& weights, int axis, const Convolution& how,
                   const ConvolveOptions& options) {
    const int last = image.shape.rank() - 1;
    const bool by_columns = axis == 0 && last > 0;
    const ArrayCore lines = by_columns || axis == last ? image : axes_moved(image, {&axis, 1}, {&last, 1});
    const std::int64_t n = image.shape[axis], others = image.shape.size() / n;
    const ArrayCore matrix =
        reshaped_or_copied(lines, by_columns ? TargetShape{n, others} : TargetShape{others, n}, Layout::row_major);
    const ArrayCore made =
        reshaped(convolved(how, image.dtype, leaf(matrix), by_columns ? as_column(weights) : as_row(weights), options),
                 TargetShape(lines.shape));
    return by_columns || axis == last ? made : axes_moved(made, {&last, 1}, {&axis, 1});
}

// An array of its own, row-major and of this type, from the last pass over `value`.
ArrayCore finished(DType result, const ArrayCore& passed, const NodePointer& value) {
    const bool is_new = value->op != Op::leaf || passed.storage != value->array.storage;
    if (passed.dtype == result && is_new && is_dense(passed, Layout::row_major)) return passed;
    return evaluate(cast_node(result, leaf(passed)));
}

ArrayCore weights_of(Device device, DType type, std::initializer_list<std::int64_t> numbers) {
    return evaluate(cast_node(type, leaf(positions_array(device, numbers))));
}

// exp(-x^2 / (2 sigma^2)) at whole numbers up to the radius, divided by the sum. Nothing for a radius of 0.
std::vector<double> gaussian_weights(double sigma, double truncate) {
    constexpr double max_radius = 1e8;
    const double reach = truncate * sigma + 0.5;
    if (!(sigma >= 0 && truncate >= 0 && reach < max_radius)) {
        const auto text = [](double number) { return number_text(*scalar_node(DType::float64, number)); };
        throw Error("gaussian_filter: a sigma of " + text(sigma) + " and a truncate of " + text(truncate) +
                    ": neither may be negative, and their product is at most 1e8");
    }
    const auto radius = static_cast<std::int64_t>(reach);
    std::vector<double> weights;
    if (radius == 0 || sigma == 0) return weights;
    double sum = 0;
    for (std::int64_t x = -radius; x <= radius; ++x) {
        weights.push_back(std::exp(-0.5 / (sigma * sigma) * static_cast<double>(x * x)));
        sum += weights.back();
    }
    for (double& weight : weights) weight /= sum;
    return weights;
}

void check_vector(const char* operation, const char* what, const Shape& shape) {
    if (shape.rank() == 1 && shape.size() > 0) return;
    throw ShapeError(std::string(operation) + ": the " + what + " has shape " + to_string(shape) +
                     "; it must have one axis, with elements");
}

}  // namespace

ArrayCore convolve(DType result, const NodePointer& x, const NodePointer& filter, Mode mode, bool correlates) {
    const char* const operation = correlates ? "correlate" : "convolve";
    check_vector(operation, "signal", x->shape);
    check_vector(operation, "filter", filter->shape);
    ArrayCore weights = array_value(filter);
    if (correlates) {  // a convolution with the filter mirrored: so is the middle of Mode::same where SciPy has it
        weights = flipped(weights);
        if (is_complex(weights.dtype)) weights = evaluate(node(Op::conj, weights.dtype, leaf(weights)));
    }
    const ArrayCore made = convolved({.operation = operation, .correlates = false, .method = {}}, result,
                                     as_row(array_value(x)), as_row(weights), {.mode = mode});
    return reshaped(made, TargetShape{made.shape[1]});
}

ArrayCore separable(DType result, const NodePointer& image, const NodePointer& column, const NodePointer& row,
                    const signal::SeparableOptions& options) {
    check_vector("separable", "column", column->shape);
    check_vector("separable", "row", row->shape);
    const Shape &shape = image->shape, filter = Shape{column->shape[0], row->shape[0]};
    if (shape.rank() != 2 || shape.size() == 0) {
        throw ShapeError("separable: an image of shape " + to_string(shape) + "; it must have two axes, with elements");
    }
    if (options.mode == Mode::valid && (shape[0] < filter[0] || shape[1] < filter[1])) {
        throw ShapeError("separable: an image of shape " + to_string(shape) + " and a filter of shape " +
                         to_string(filter) + ": in mode valid the filter can't be larger");
    }
    const Convolution how{.operation = "separable", .correlates = false, .method = {}};
    const ConvolveOptions pass{.mode = options.mode, .boundary = options.boundary};
    const DType type = computed_dtype(result);  // floats of 16 bits are floats until the last pass
    const auto value = [type](const NodePointer& any) { return array_value(cast_node(type, any)); };
    const ArrayCore down = convolved(how, type, leaf(value(image)), as_column(value(column)), pass);
    return convolved(how, result, leaf(down), as_row(value(row)), pass);
}

ArrayCore gaussian_filter(DType result, const NodePointer& image, const std::vector<double>& sigma,
                          const signal::GaussianOptions& options) {
    const Shape& shape = image->shape;
    const auto rank = static_cast<std::size_t>(shape.rank());
    if (sigma.size() != 1 && sigma.size() != rank) {
        throw ShapeError("gaussian_filter: " + std::to_string(sigma.size()) +
                         " standard deviations for an array of shape " + to_string(shape) +
                         ": give one for each axis, or one for all");
    }
    const DType type = computed_dtype(result);
    const NodePointer value = cast_node(type, image);
    ArrayCore made = array_value(value);
    const DeviceGuard guard(made.storage->device());
    const Convolution how{.operation = "gaussian_filter", .correlates = true, .method = {}};
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const std::vector<double> numbers = gaussian_weights(sigma[sigma.size() == 1 ? 0 : axis], options.truncate);
        if (numbers.empty() || shape.size() == 0) continue;
        const ArrayCore doubles = make_array(DType::float64, Shape{numbers.size()});
        copy_from_host(doubles, numbers.data(), std::ssize(numbers));
        const ArrayCore weights = evaluate(cast_node(type, leaf(doubles)));
        made = filtered(made, weights, static_cast<int>(axis), how,
                        {.mode = Mode::same, .boundary = options.boundary, .fillvalue = options.fillvalue});
    }
    return finished(result, made, value);
}

ArrayCore sobel(const NodePointer& image, const signal::SobelOptions& options) {
    const Shape& shape = image->shape;
    const int along = checked_axis(options.axis, shape.rank(), shape, "sobel");
    const DType result = image->dtype, type = computed_dtype(result);
    const NodePointer value = cast_node(type, image);
    ArrayCore made = array_value(value);
    if (shape.size() == 0) return finished(result, made, value);
    const Device device = made.storage->device();
    const DeviceGuard guard(device);
    const Convolution how{.operation = "sobel", .correlates = true, .method = {}};
    const ConvolveOptions pass{.mode = Mode::same, .boundary = options.boundary, .fillvalue = options.fillvalue};
    made = filtered(made, weights_of(device, type, {-1, 0, 1}), along, how, pass);
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (axis != along) made = filtered(made, weights_of(device, type, {1, 2, 1}), axis, how, pass);
    }
    return finished(result, made, value);
}

}  // namespace gpu::detail

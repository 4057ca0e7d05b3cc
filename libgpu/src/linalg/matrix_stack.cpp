// SPDX-License-Identifier: MIT
#include "linalg/matrix_stack.hpp"

#include <atomic>

#include <gpu/diagonals.hpp>
#include <gpu/error.hpp>
#include <gpu/reduction_call.hpp>

#include "launch/builtin_kernel.hpp"
#include "linalg/batches.hpp"
#include "runtime/capture.hpp"
#include "runtime/devices/context.hpp"
#include "runtime/devices/registry.hpp"
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

std::optional<ArrayCore> MatrixStack::finite_ones() const {
    const auto are_finite = [&](const ReduceOptions& over) {
        const NodePointer finite = node(Op::isfinite, DType::boolean, leaf(buffer_));
        return reduce({.kind = Reduction::all, .element = DType::boolean, .result = DType::boolean}, finite, over);
    };
    bool fine = false;
    read_item(are_finite({}), &fine);
    if (fine) return std::nullopt;
    return are_finite({.axis = {-2, -1}, .keepdims = false});
}

void MatrixStack::check_finite(const std::string& operation, const Shape& given) const {
    const std::optional<ArrayCore> each = finite_ones();
    if (!each) return;
    std::int64_t item = 0;
    for (; item < count() - 1; ++item) {
        ArrayCore one = *each;
        one.shape = Shape{};
        one.strides = {};
        one.offset += item;
        bool fine = false;
        read_item(one, &fine);
        if (!fine) break;
    }
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

}  // namespace gpu::detail

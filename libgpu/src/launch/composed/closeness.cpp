// SPDX-License-Identifier: MIT
// allclose, isclose and array_equal.
#include <cstdint>

#include <gpu/create.hpp>
#include <gpu/reductions.hpp>

#include "codegen/node.hpp"
#include "launch/evaluate.hpp"
#include "launch/reductions.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

NodePointer both(const NodePointer& a, const NodePointer& b) {
    return node(Op::logical_and, DType::boolean, DType::boolean, a, b);
}
NodePointer either(const NodePointer& a, const NodePointer& b) {
    return node(Op::logical_or, DType::boolean, DType::boolean, a, b);
}
NodePointer both_nan(const NodePointer& a, const NodePointer& b) {
    return both(node(Op::isnan, DType::boolean, a), node(Op::isnan, DType::boolean, b));
}

}  // namespace

NodePointer close_node(DType type, const NodePointer& a, const NodePointer& b, const Closeness& options) {
    const DType real = real_dtype(type);
    const NodePointer x = cast_node(type, a), y = cast_node(type, b);
    const auto size = [&](const NodePointer& value) {
        return node(is_complex(type) ? Op::magnitude : Op::abs, real, value);
    };
    const NodePointer relative = node(Op::multiply, real, real, scalar_node(real, options.rtol), size(y));
    const NodePointer limit = node(Op::add, real, real, scalar_node(real, options.atol), relative);
    const NodePointer within =
        node(Op::less_equal, DType::boolean, real, size(node(Op::subtract, type, type, x, y)), limit);
    // The tolerance for an infinity would be infinite too.
    const NodePointer close =
        either(both(within, node(Op::isfinite, DType::boolean, y)), node(Op::equal, DType::boolean, type, x, y));
    return options.equal_nan ? either(close, both_nan(x, y)) : close;
}

ArrayCore array_equal(DType type, const NodePointer& a, const NodePointer& b, const EqualOptions& options) {
    if (!(a->shape == b->shape)) {
        const NodePointer whole = split_large_tree(a);
        const DeviceGuard guard(common_device(arrays_in(flatten(*whole)), "array_equal"));
        return full(DType::boolean, Shape{}, scalar_node(DType::boolean, std::int64_t{0}));
    }
    NodePointer equal = node(Op::equal, DType::boolean, type, a, b);
    if (options.equal_nan && (is_floating(type) || is_complex(type)))
        equal = either(equal, both_nan(cast_node(type, a), cast_node(type, b)));
    return reduce({.kind = Reduction::all, .element = DType::boolean, .result = DType::boolean}, equal, {});
}

}  // namespace gpu::detail

// SPDX-License-Identifier: MIT
#include <limits>

#include <gpu/rounding.hpp>

#include "codegen/node.hpp"

namespace gpu::detail {

namespace {

double largest(DType type) {
    if (type == DType::float16) return 65504;
    if (type == DType::bfloat16) return 0x1.fep127;
    return type == DType::float32 ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
}

NodePointer finite_part(const NodePointer& a, const NanToNumOptions& options) {
    const DType type = a->dtype;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto number = [type](double value) { return scalar_node(type, value); };
    const auto replaced = [&](double what, double by, const NodePointer& rest) {
        return where_node(type, node(Op::equal, DType::boolean, type, a, number(what)), number(by), rest);
    };
    return where_node(type, node(Op::isnan, DType::boolean, a), number(options.nan),
                      replaced(infinity, options.posinf.value_or(largest(type)),
                               replaced(-infinity, options.neginf.value_or(-largest(type)), a)));
}

}  // namespace

NodePointer finite_node(const NodePointer& a, const NanToNumOptions& options) {
    const DType type = a->dtype, real = real_dtype(type);
    if (is_floating(type)) return finite_part(a, options);
    if (!is_complex(type)) return a;
    const NodePointer i = scalar_node(type, 0., 1.);
    const NodePointer imaginary =
        node(Op::multiply, type, type, finite_part(node(Op::imag, real, a), options), i);
    const NodePointer whole = node(Op::add, type, type, finite_part(node(Op::real, real, a), options), imaginary);
    return where_node(type, node(Op::isfinite, DType::boolean, a), a, whole);
}

}  // namespace gpu::detail

// SPDX-License-Identifier: MIT
#include <cmath>

#include "property/operations.hpp"

namespace property {

namespace {

enum class Order : std::uint8_t { less, equal, greater, unordered, open };

// Open where the two balls touch: rounding decides.
Order order_of(const Element& x, const Element& y) {
    if (!is_known(x) || !is_known(y)) return Order::open;
    if (std::isnan(x.re + x.im) || std::isnan(y.re + y.im)) return Order::unordered;
    if (x.im != 0 || y.im != 0) {  // complex numbers are equal or not
        if (x.re == y.re && x.im == y.im && x.error == 0 && y.error == 0) return Order::equal;
        return std::hypot(x.re - y.re, x.im - y.im) > x.error + y.error ? Order::less : Order::open;
    }
    if (x.re == y.re && x.error == 0 && y.error == 0) return Order::equal;
    if (x.re + x.error < y.re - y.error) return Order::less;
    if (x.re - x.error > y.re + y.error) return Order::greater;
    return Order::open;
}

template <bool less, bool equal, bool greater, bool unordered>
Element compared(gpu::DType, const Element& x, const Element& y) {
    const Order order = order_of(x, y);
    if (order == Order::open) return unknown();
    const bool holds = order == Order::less      ? less
                       : order == Order::equal   ? equal
                       : order == Order::greater ? greater
                                                 : unordered;
    return {holds ? 1.0L : 0.0L, 0, 0};
}

Element both(gpu::DType, const Element& x, const Element& y) {
    if ((is_known(x) && x.re == 0) || (is_known(y) && y.re == 0)) return {};
    return is_known(x) && is_known(y) ? Element{1, 0, 0} : unknown();
}
Element either(gpu::DType, const Element& x, const Element& y) {
    if ((is_known(x) && x.re != 0) || (is_known(y) && y.re != 0)) return {1, 0, 0};
    return is_known(x) && is_known(y) ? Element{} : unknown();
}
Element negation(gpu::DType, const Element& x) { return is_known(x) ? Element{x.re == 0 ? 1.0L : 0.0L, 0, 0} : x; }

}  // namespace

void add_comparisons(Table& table) {
    const std::size_t first = table.size();
    PROPERTY_BINARY(a == b, Domain::all, Working::common, 0, (compared<false, true, false, false>))
    PROPERTY_BINARY(a != b, Domain::all, Working::common, 0, (compared<true, false, true, true>))
    PROPERTY_BINARY(a < b, Domain::real, Working::common, 0, (compared<true, false, false, false>))
    PROPERTY_BINARY(a <= b, Domain::real, Working::common, 0, (compared<true, true, false, false>))
    PROPERTY_BINARY(a > b, Domain::real, Working::common, 0, (compared<false, false, true, false>))
    PROPERTY_BINARY(a >= b, Domain::real, Working::common, 0, (compared<false, true, true, false>))
    for (std::size_t k = first; k < table.size(); ++k) table[k].gives_boolean = true, table[k].weight = 5;
    PROPERTY_BINARY(a && b, Domain::real, Working::boolean, 0, both)
    PROPERTY_BINARY(a || b, Domain::real, Working::boolean, 0, either)
    PROPERTY_UNARY(!a, Domain::real, Working::boolean, 0, negation)

    table.push_back({"gpu::where(a, b, c)", 3, Working::common, false, 0, 60, false, false,
                     +[](gpu::DType, const Element* operands) -> Element {
                         if (!is_known(operands[0])) return unknown();
                         return operands[0].re != 0 ? operands[1] : operands[2];
                     },
                     choice_makers([](const auto& a, const auto& b, const auto& c) { return gpu::where(a, b, c); })});
}

}  // namespace property

// SPDX-License-Identifier: MIT
// Elements that change their places along an axis of any window: sort(), argsort() and roll().
#include <algorithm>
#include <numeric>
#include <vector>

#include "property/operations.hpp"
#include "property/trial.hpp"
#include "property/typed.hpp"

namespace property {

namespace {

using gpu::DType;
using List = std::vector<Element>;

// NaN is larger than anything.
bool goes_before(const Element& a, const Element& b) { return a.re < b.re || (b.re != b.re && a.re == a.re); }

// For each element of a line where it comes from.
std::vector<std::int64_t> sources(const List& line, bool sorts, std::int64_t shift) {
    std::vector<std::int64_t> from(line.size());
    std::iota(from.begin(), from.end(), 0);
    if (sorts) {
        std::stable_sort(from.begin(), from.end(), [&](std::int64_t a, std::int64_t b) {
            return goes_before(line[static_cast<std::size_t>(a)], line[static_cast<std::size_t>(b)]);
        });
    } else if (!line.empty()) {
        const auto n = static_cast<std::int64_t>(line.size());
        std::rotate(from.begin(), from.begin() + ((-shift % n) + n) % n, from.end());
    }
    return from;
}

}  // namespace

void sorting_case(Trial& trial, Random& plan, Random& draw, int size) {
    const int way = plan.below(3);  // sort, argsort, roll
    const int rank = 1 + plan.below(4), axis = plan.below(rank), written = plan.chance(40) ? axis - rank : axis;
    // Complex types come last, and have no order.
    const auto type = static_cast<DType>(plan.below(way == 2 ? dtype_count : dtype_count - 2));
    const gpu::Shape shape = draw_shape(rank, draw, size);
    const Input x = draw_input("x", type, shape, {false, draw.chance(50), false, false}, plan, draw);
    const std::int64_t shift = draw.between(-70, 70);
    const char* const names[] = {"sort", "argsort", "roll"};
    trial.program = "  " + x.definition + "\n  auto z = gpu::" + names[way] + "(" + x.spelling + ", " +
                    (way == 2 ? std::to_string(shift) + ", " : "") + "{.axis = " + std::to_string(written) + "});";

    trial.want = x.elements;
    if (way == 1) trial.want.dtype = DType::int64;
    gpu::Shape lines = shape;
    lines[axis] = std::min<std::int64_t>(shape[axis], 1);
    for_each_position(lines, [&](const std::vector<std::int64_t>& at) {
        std::vector<std::size_t> places;
        List line;
        std::vector<std::int64_t> there = at;
        for (std::int64_t k = 0; k < shape[axis]; ++k) {
            there[static_cast<std::size_t>(axis)] = k;
            places.push_back(number_of(shape, there));
            line.push_back(x.elements.values[places.back()]);
        }
        const std::vector<std::int64_t> from = sources(line, way < 2, shift);
        for (std::size_t k = 0; k < line.size(); ++k) {
            const Element position{static_cast<Real>(from[k]), 0, 0};
            trial.want.values[places[k]] = way == 1 ? position : line[static_cast<std::size_t>(from[k])];
        }
    });
    const gpu::detail::NodePointer node = gpu::detail::leaf(x.window);
    trial.got = to_elements(way == 0   ? gpu::detail::sort(node, written)
                            : way == 1 ? gpu::detail::argsort(node, written)
                                       : gpu::detail::roll(node, shift, written));
}

}  // namespace property

// SPDX-License-Identifier: MIT
// Forty random shapes and strides, the same in each run: elementwise kernels on permuted, sliced and broadcast windows,
// and reductions over random axes of such windows. Nobody chose them, so nothing is tuned for them.
#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "checks.hpp"

namespace bench {

namespace {

constexpr unsigned seed = 2026;
constexpr int elementwise_count = 20, reduction_count = 20, max_axes = 4;

/// Draws that no standard library changes: its engines are specified, its distributions aren't.
class Draw {
public:
    explicit Draw(unsigned number) : engine_(seed + number) {}
    int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
    bool chance(int percent) { return below(100) < percent; }
    std::vector<int> permutation(int n) {
        std::vector<int> order;
        for (int k = 0; k < n; ++k) order.insert(order.begin() + below(k + 1), k);
        return order;
    }

private:
    std::mt19937 engine_;
};

/// A window on a buffer of its own: an axis may lie anywhere in memory, be every second element of it, or have no
/// extent there at all.
struct Layout {
    std::vector<int> order;          ///< the axes from the outermost in memory to the innermost
    std::vector<bool> every_second;  ///< by axis
    std::vector<bool> repeated;      ///< by axis: broadcast
    int offset = 0;                  ///< elements that the window begins behind the buffer's start
};

struct Shaped {
    gpu::Shape shape;
    Layout x, y, z;
    std::vector<int> axes;  ///< of a reduction
};

// Lengths that are short, or of middle size; the last one to be drawn takes what is left of n.
gpu::Shape draw_shape(Draw& draw, std::int64_t n) {
    const int rank = 2 + draw.below(max_axes - 1);
    std::vector<std::int64_t> lengths;
    std::int64_t left = n;
    for (int axis = 1; axis < rank; ++axis) {
        const std::int64_t most = std::max<std::int64_t>(1, left / 4);
        const std::int64_t length = draw.chance(40) ? 2 + draw.below(30) : 33 + draw.below(1000);
        lengths.push_back(std::min(length, most));
        left /= lengths.back();
    }
    lengths.insert(lengths.begin() + draw.below(rank), std::max<std::int64_t>(1, left));
    gpu::Shape shape;
    for (const std::int64_t length : lengths) shape.append(length);
    return shape;
}

Layout draw_layout(Draw& draw, int rank, bool may_repeat) {
    Layout layout;
    layout.order = draw.permutation(rank);
    if (draw.chance(50)) std::sort(layout.order.begin(), layout.order.end());
    for (int axis = 0; axis < rank; ++axis) {
        layout.every_second.push_back(draw.chance(10));
        layout.repeated.push_back(may_repeat && draw.chance(25));
    }
    layout.offset = draw.chance(30) ? 1 + draw.below(3) : 0;
    return layout;
}

// The buffer's elements, and the window on them.
struct Buffer {
    Floats memory;
    gpu::Shape lying;  ///< the lengths in memory, in its order
};

std::int64_t length_in_memory(const Layout& layout, const gpu::Shape& shape, int axis) {
    const auto k = static_cast<std::size_t>(axis);
    if (layout.repeated[k]) return 1;
    return layout.every_second[k] ? 2 * shape[axis] : shape[axis];
}

Buffer buffer_of(const Layout& layout, const gpu::Shape& shape, bool random) {
    Buffer buffer;
    for (const int axis : layout.order) buffer.lying.append(length_in_memory(layout, shape, axis));
    const gpu::Shape flat{buffer.lying.size() + layout.offset};
    buffer.memory = random ? gpu::random::uniform<float>(flat) : gpu::empty<float>(flat);
    return buffer;
}

gpu::View<float> window_of(Buffer& buffer, const Layout& layout, const gpu::Shape& shape) {
    gpu::View<float> window =
        buffer.memory(gpu::slice(layout.offset, gpu::none)).reshape(gpu::TargetShape(buffer.lying));
    // Axis by axis to its place: of those before it in the shape, all stand in front already.
    std::vector<int> order = layout.order;
    gpu::View<float> ordered = window;
    std::vector<gpu::View<float>> steps{ordered};
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const auto at = static_cast<int>(std::find(order.begin(), order.end(), axis) - order.begin());
        steps.push_back(steps.back().moveaxis(at, axis));
        order.erase(order.begin() + at);
        order.insert(order.begin() + axis, axis);
    }
    for (int axis = 0; axis < shape.rank(); ++axis) {
        if (!layout.every_second[static_cast<std::size_t>(axis)] || layout.repeated[static_cast<std::size_t>(axis)])
            continue;
        const gpu::View<float>& last = steps.back();
        const auto half = gpu::slice(0, gpu::none, 2);
        switch (axis) {
            case 0: steps.push_back(last(half)); break;
            case 1: steps.push_back(last(gpu::all, half)); break;
            case 2: steps.push_back(last(gpu::all, gpu::all, half)); break;
            default: steps.push_back(last(gpu::all, gpu::all, gpu::all, half)); break;
        }
    }
    return steps.back();
}

/// The bytes of an operand that must move: memory comes in sectors of 32 bytes, so a gap that holds no whole sector
/// moves with its neighbours.
double bytes_of(const Window& window) {
    constexpr std::int64_t sector = 8;                        // elements
    std::vector<std::pair<std::int64_t, std::int64_t>> axes;  // stride and length, the innermost first
    for (int axis = 0; axis < window.rank(); ++axis)
        if (window.strides()[axis] != 0 && window.shape()[axis] > 1)
            axes.emplace_back(window.strides()[axis], window.shape()[axis]);
    std::sort(axes.begin(), axes.end());
    std::int64_t span = 1, spans = 1;
    for (const auto& [stride, length] : axes) {
        if (stride - span < sector)
            span += (length - 1) * stride;
        else
            spans *= length;
    }
    if (spans > 1) span = (span + sector - 1) / sector * sector;
    return 4 * static_cast<double>(spans) * static_cast<double>(span);
}

/// The same of a result whose elements have gaps between them that lie in the same sectors.
double gap_bytes_of(const Window& window) {
    std::int64_t least = 8;
    for (int axis = 0; axis < window.rank(); ++axis)
        if (window.shape()[axis] > 1) least = std::min(least, window.strides()[axis]);
    return least > 1 && least < 8 ? bytes_of(window) : 0;
}

std::string described(const char* name, const Layout& layout) {
    std::string text = std::string(" ") + name + ":";
    for (const int axis : layout.order) {
        const auto k = static_cast<std::size_t>(axis);
        text += layout.repeated[k] ? '-' : static_cast<char>('0' + axis);
        if (layout.every_second[k] && !layout.repeated[k]) text += "'";
    }
    if (layout.offset != 0) text += "+" + std::to_string(layout.offset);
    return text;
}

std::string numbered(const char* topic, int number) {
    return std::string(topic) + (number < 10 ? "0" : "") + std::to_string(number);
}

struct Operands {
    Buffer x, y, z;
    Floats result;
};

Shaped drawn(int number, std::int64_t n, bool reduces) {
    Draw draw(static_cast<unsigned>(number));
    Shaped shaped;
    shaped.shape = draw_shape(draw, n);
    const int rank = shaped.shape.rank();
    shaped.x = draw_layout(draw, rank, false);
    shaped.y = draw_layout(draw, rank, true);
    shaped.z = draw_layout(draw, rank, false);
    if (!reduces) return shaped;
    for (int axis = 0; axis < rank; ++axis)
        if (draw.chance(50)) shaped.axes.push_back(axis);
    if (shaped.axes.empty()) shaped.axes.push_back(draw.below(rank));
    return shaped;
}

std::string description(const Shaped& s, bool has_y, bool reduces) {
    std::string text = gpu::to_string(s.shape) + described("x", s.x);
    if (has_y) text += described("y", s.y);
    if (!reduces) return text + described("z", s.z);
    text += " over";
    for (const int axis : s.axes) text += " " + std::to_string(axis);
    return text;
}

Row elementwise(int number) {
    const auto make = [number](Bench&, std::int64_t n) {
        static const gpu::ElementwiseKernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff");
        const Shaped s = drawn(number, n, false);
        const auto o = std::make_shared<Operands>();
        o->x = buffer_of(s.x, s.shape, true);
        o->y = buffer_of(s.y, s.shape, true);
        o->z = buffer_of(s.z, s.shape, false);
        const auto x = window_of(o->x, s.x, s.shape), y = window_of(o->y, s.y, s.shape),
                   z = window_of(o->z, s.z, s.shape);
        return Case{.call = [=] { squared_diff(x, y, gpu::out(z)); },
                    .wrong = [=] { return wrong_elements(Function::squared_difference, x, y, z); },
                    .bytes = bytes_of(x) + bytes_of(y) + bytes_of(z),
                    .gap_bytes = gap_bytes_of(z),
                    .limit = Limit::stream,
                    .description = description(s, true, false)};
    };
    return {numbered("shapes/elementwise_", number), make, false, 0};
}

Row reduction(int number) {
    const auto make = [number](Bench&, std::int64_t n) {
        const Shaped s = drawn(number, 2 * n, true);
        const auto o = std::make_shared<Operands>();
        const bool products = number % 4 == 3;
        o->x = buffer_of(s.x, s.shape, true);
        if (products) o->y = buffer_of(s.y, s.shape, true);
        const gpu::View<float> x = window_of(o->x, s.x, s.shape), y = products ? window_of(o->y, s.y, s.shape) : x;
        const gpu::Axes axes{std::span<const int>(s.axes)};
        const auto call = [=] { o->result = products ? gpu::sum(x * y, {.axis = axes}) : gpu::sum(x, {.axis = axes}); };
        std::int64_t outputs = x.size();
        for (const int axis : s.axes) outputs /= x.shape()[axis];
        return Case{.call = call,
                    .wrong =
                        [=] {
                            return wrong_sums(products ? Function::product : Function::copy, x, y, o->result,
                                              {.axes = s.axes});
                        },
                    .bytes = bytes_of(x) + (products ? bytes_of(y) : 0) + 4 * static_cast<double>(outputs),
                    .limit = Limit::read,
                    .description = description(s, products, true)};
    };
    return {numbered("shapes/reduction_", number), make, false, 0};
}

}  // namespace

std::vector<Row> shape_rows() {
    std::vector<Row> rows;
    for (int number = 0; number < elementwise_count; ++number) rows.push_back(elementwise(number));
    for (int number = elementwise_count; number < elementwise_count + reduction_count; ++number)
        rows.push_back(reduction(number));
    return rows;
}

}  // namespace bench

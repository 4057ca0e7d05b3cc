// SPDX-License-Identifier: MIT
// Random shapes, windows, axes and modes of indexing, masks and scans against loops over host memory.
#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using Values = std::vector<int>;

class Draw {
public:
    explicit Draw(unsigned seed) : engine_(seed) {}
    int number(int least, int most) {
        return least + static_cast<int>(engine_() % static_cast<unsigned>(most - least + 1));
    }
    Values numbers(std::int64_t count, int least, int most) {
        Values values;
        for (std::int64_t k = 0; k < count; ++k) values.push_back(number(least, most));
        return values;
    }

private:
    std::mt19937 engine_;
};

// A 2-D window of `base`: whole, turned, backwards, or every second column.
gpu::View<int> window(gpu::Array<int>& base, int kind) {
    switch (kind) {
        case 0: return base(gpu::all, gpu::all);
        case 1: return base.transpose();
        case 2: return base(gpu::slice(gpu::none, gpu::none, -1), gpu::all);
        default: return base(gpu::all, gpu::slice(gpu::none, gpu::none, 2));
    }
}

std::int64_t resolved(std::int64_t index, std::int64_t length, gpu::IndexMode mode) {
    if (mode == gpu::IndexMode::clip) return index < 0 ? 0 : index >= length ? length - 1 : index;
    const std::int64_t rest = index % length;
    return rest < 0 ? rest + length : rest;   // raise: the indices are drawn inside
}

}  // namespace

TEST_CASE("random takes and puts agree with loops") {
    for (unsigned seed = 1; seed <= 150; ++seed) {
        Draw draw(seed);
        const int rows = draw.number(1, 5), columns = draw.number(1, 6);
        auto base = gpu::to_device(draw.numbers(rows * columns, 0, 99)).reshape({rows, columns});
        auto x = window(base, draw.number(0, 3));
        const Values before = gpu::to_host(x);
        const std::int64_t height = x.shape()[0], width = x.shape()[1];
        const auto mode = static_cast<gpu::IndexMode>(draw.number(0, 2));
        const int axis = draw.number(-1, 1);   // -1: flat
        const std::int64_t length = axis < 0 ? height * width : x.shape()[axis];
        const int reach = mode == gpu::IndexMode::raise ? static_cast<int>(length) : 40;
        const Values index = draw.numbers(draw.number(0, 4), -reach, reach - 1);
        const auto count = static_cast<std::int64_t>(index.size());
        const gpu::IndexOptions options{axis < 0 ? gpu::OptionalAxis{} : gpu::OptionalAxis(axis), mode};

        // Where each element of the result is, in the window's row-major order.
        std::vector<std::size_t> places;
        const std::int64_t lines = axis == 1 ? height : 1, inner = axis == 0 ? width : 1;
        for (std::int64_t line = 0; line < lines; ++line) {
            for (const int at : index) {
                for (std::int64_t k = 0; k < inner; ++k) {
                    const std::int64_t place = resolved(at, length, mode);
                    places.push_back(static_cast<std::size_t>(axis == 1 ? line * width + place : place * inner + k));
                }
            }
        }
        Values taken, after = before;
        for (const std::size_t place : places) {
            taken.push_back(before[place]);
            after[place] = 100 + before[place];   // the same for every index of a place
        }
        CAPTURE(seed);
        const auto device_index = gpu::to_device(index);
        const auto result = x.take(device_index, options);
        CHECK(gpu::to_host(result) == taken);
        x.put(device_index, result + 100, options);
        CHECK(gpu::to_host(x) == after);
        if (axis == 0) CHECK(result.shape() == gpu::Shape{count, width});
    }
}

TEST_CASE("random masks choose what a loop chooses") {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        Draw draw(seed);
        const int n = draw.number(0, 3) == 0 ? draw.number(0, 3) : draw.number(100, 700), bound = draw.number(0, 10);
        const Values values = draw.numbers(n, 0, 9);
        auto x = gpu::to_device(values);
        const gpu::Array<bool> mask = x < bound;
        Values kept, negated = values;
        for (int& value : negated) {
            if (value >= bound) continue;
            kept.push_back(value);
            value = -value;
        }
        CAPTURE(seed);
        const auto found = x[mask].compress();
        CHECK(gpu::to_host(found) == kept);
        auto y = x, z = x;
        y[mask] = -y[mask];
        z[mask] = -found;
        CHECK(gpu::to_host(y) == negated);
        CHECK(gpu::to_host(z) == negated);
    }
}

TEST_CASE("random scans agree with a serial sum") {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        Draw draw(seed);
        const int lines = draw.number(1, 3), n = draw.number(1, 400), inner = draw.number(1, 3);
        const Values values = draw.numbers(static_cast<std::int64_t>(lines) * n * inner, -1000, 1000);
        std::vector<std::int64_t> sums(values.begin(), values.end());
        for (std::size_t k = 0; k < sums.size(); ++k) {
            const std::size_t step = static_cast<std::size_t>(inner);
            if (k / step % static_cast<std::size_t>(n) != 0) sums[k] += sums[k - step];
        }
        const auto x = gpu::to_device(values).reshape({lines, n, inner});
        CAPTURE(seed);
        CHECK(gpu::to_host(gpu::cumsum(x, {.axis = 1})) == sums);
    }
}

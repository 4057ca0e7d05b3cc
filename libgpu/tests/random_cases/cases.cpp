// SPDX-License-Identifier: MIT
#include "random_cases/cases.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>

#include "support/on_host.hpp"

namespace random_cases {

namespace {

std::int64_t number_from(const char* variable, std::int64_t otherwise) {
    const char* const text = std::getenv(variable);
    return text == nullptr ? otherwise : std::atoll(text);
}

constexpr std::size_t max_failures = 5;

std::uint64_t stream_of(const char* kind) {
    std::uint64_t sum = 14695981039346656037u;
    for (; *kind != 0; ++kind) sum = (sum ^ static_cast<unsigned char>(*kind)) * 1099511628211u;
    return sum;
}

// Mostly few elements, and sometimes many: on a GPU up to 2^22. RANDOM_ELEMENTS is a limit to that.
std::int64_t drawn_limit(Random& draw) {
    const bool on_host = support::on_host(), many = draw.chance(1);
    const std::int64_t power = many      ? (on_host ? 18 : 22)
                               : on_host ? draw.between(10, 15)
                                         : draw.between(12, 18);
    return std::min(std::int64_t{1} << power, number_from("RANDOM_ELEMENTS", std::int64_t{1} << power));
}

gpu::Shape shape_of(const std::vector<std::int64_t>& lengths) {
    gpu::Shape shape;
    for (const std::int64_t length : lengths) shape.append(length);
    return shape;
}

}  // namespace

void check_cases(const char* kind, Call call, std::int64_t cases_of_a_plan) {
    const std::int64_t count = number_from("RANDOM_CASES", 40), only = number_from("RANDOM_CASE", -1);
    const auto seed = static_cast<std::uint64_t>(number_from("RANDOM_SEED", 1));
    std::atomic<std::int64_t> next{0}, elements{0}, done{0};
    std::mutex mutex;
    std::vector<std::string> failures;
    const auto run = [&](std::int64_t number) {
        const std::uint64_t stream = stream_of(kind);
        Case one{.plan = Random(seed, stream + static_cast<std::uint64_t>(number / cases_of_a_plan) * 2 + 1),
                 .draw = Random(seed ^ 0x5DEECE66Du, stream + static_cast<std::uint64_t>(number) * 2),
                 .max_elements = 0};
        one.max_elements = drawn_limit(one.draw);
        std::string problem;
        try {
            problem = call(one);
        } catch (const std::exception& error) {
            problem = std::string("threw: ") + error.what();
        }
        elements += one.elements;
        ++done;
        if (problem.empty()) return;
        const std::lock_guard lock(mutex);
        failures.push_back(std::string(kind) + ", case " + std::to_string(number) + " of seed " +
                           std::to_string(seed) + ": " + problem + "\n  " + one.text);
    };
    const auto work = [&] {
        for (std::int64_t number = next++; number < count; number = next++) {
            run(number);
            const std::lock_guard lock(mutex);
            if (failures.size() >= max_failures) return;
        }
    };
    if (only >= 0) {
        run(only);
    } else {
        std::vector<std::thread> threads;
        const std::int64_t at_once = number_from("RANDOM_THREADS", support::on_host() ? 2 : 8);
        for (std::int64_t k = 0; k < at_once; ++k) threads.emplace_back(work);
        for (std::thread& thread : threads) thread.join();
    }
    for (const std::string& failure : failures) FAIL_CHECK(failure);
    std::printf("%s, seed %llu: %lld cases, %lld elements, %zu wrong\n", kind, static_cast<unsigned long long>(seed),
                static_cast<long long>(done), static_cast<long long>(elements), failures.size());
    if (failures.empty()) CHECK(done == (only >= 0 ? 1 : count));
}

std::int64_t drawn_length(Random& draw, std::int64_t most) {
    constexpr std::int64_t tiles[] = {16,   32,   64,   128,  256,  512,   1024,  2048,
                                      3840, 4096, 5760, 7296, 8192, 12288, 16384, 65536};
    const auto length = [&]() -> std::int64_t {
        switch (draw.below(8)) {
            case 0: return draw.below(2);
            case 1:
            case 2: return draw.between(2, 40);
            case 3:
            case 4: return tiles[draw.below(16)] * draw.between(1, 3) + draw.between(-1, 1);
            case 5: return draw.between(1, 3000);
            case 6: return draw.between(1, std::min<std::int64_t>(most, 70000));
            default: return draw.between(most / 2, most);
        }
    }();
    return std::min(length, most);
}

gpu::Shape drawn_shape(Case& one, int rank, int along) {
    Random& draw = one.draw;
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(rank), 1);
    std::int64_t left = one.max_elements;
    for (int axis = 0; axis < rank; ++axis) {
        if (axis == along) continue;
        const int way = draw.below(20);
        std::int64_t length = way == 0 ? 0 : way < 4 ? draw.between(1, 300) : draw.between(1, 7);
        length = std::min(length, left);
        lengths[static_cast<std::size_t>(axis)] = length;
        left /= std::max<std::int64_t>(length, 1);
    }
    lengths[static_cast<std::size_t>(along)] = drawn_length(draw, std::max<std::int64_t>(left, 1));
    return shape_of(lengths);
}

int written_axis(Random& draw, int axis, int rank) { return draw.chance(40) ? axis - rank : axis; }

LinesAlong::LinesAlong(const gpu::Shape& shape, int axis) : n(shape[axis]) {
    for (int k = 0; k < axis; ++k) count *= shape[k];
    for (int k = axis + 1; k < shape.rank(); ++k) inner *= shape[k];
    count *= inner;
}

const char* name_of(Data data) noexcept {
    constexpr const char* names[] = {"any bits",  "few values", "skewed",      "equal",
                                     "ascending", "descending", "not numbers", "zeros"};
    return names[static_cast<int>(data)];
}

Placing::Placing(const gpu::Shape& wanted, Random& plan, Random& draw) : shape(wanted) {
    const int rank = shape.rank();
    dense = plan.chance(35) || rank == 0;
    const bool reorders = plan.chance(50), has_gaps = plan.chance(60), turns = plan.chance(50);
    if (dense) return;
    std::vector<int> order;
    for (int axis = 0; axis < rank; ++axis) order.push_back(axis);
    if (reorders)
        for (int k = rank - 1; k > 0; --k)
            std::swap(order[static_cast<std::size_t>(k)], order[static_cast<std::size_t>(plan.below(k + 1))]);
    std::vector<std::int64_t> lengths, before(static_cast<std::size_t>(rank), 0);
    steps.assign(static_cast<std::size_t>(rank), 1);
    text = "axes in the order";
    for (const int axis : order) {
        std::int64_t& step = steps[static_cast<std::size_t>(axis)];
        if (has_gaps && draw.chance(60)) step = draw.between(1, rank > 2 ? 2 : 3);
        before[static_cast<std::size_t>(axis)] = draw.below(3);
        lengths.push_back(before[static_cast<std::size_t>(axis)] + draw.below(2) +
                          std::max<std::int64_t>((shape[axis] - 1) * step + 1, 1));
        if (turns && draw.chance(60)) {
            if (shape[axis] > 0) before[static_cast<std::size_t>(axis)] += (shape[axis] - 1) * step;
            step = -step;
        }
        text += ' ' + std::to_string(axis) + " with step " + std::to_string(step);
    }
    whole = shape_of(lengths);
    std::int64_t stride = 1;
    for (std::size_t k = order.size(); k-- > 0;) {
        const auto axis = static_cast<std::size_t>(order[k]);
        offset += before[axis] * stride;
        steps[axis] *= stride;
        stride *= lengths[k];
    }
}

std::vector<std::size_t> Placing::places() const {
    std::vector<std::size_t> made(static_cast<std::size_t>(shape.size()));
    std::vector<std::int64_t> at(static_cast<std::size_t>(shape.rank()), 0);
    std::int64_t place = offset;
    for (std::size_t& one : made) {
        one = static_cast<std::size_t>(place);
        for (int axis = shape.rank() - 1; axis >= 0; --axis) {
            const auto k = static_cast<std::size_t>(axis);
            place += steps[k];
            if (++at[k] < shape[axis]) break;
            place -= at[k] * steps[k];
            at[k] = 0;
        }
    }
    return made;
}

ArrayCore Placing::view_of(ArrayCore array) const {
    array.offset += offset;
    array.shape = shape;
    array.strides = {};
    for (const std::int64_t step : steps) array.strides.push_back(step);
    return array;
}

}  // namespace random_cases

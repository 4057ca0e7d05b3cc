// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <cstdint>
#include <random>

#include "cuda/launch/kernel_space.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace {

constexpr std::int64_t largest = 0x7fffffff;

/// What the kernels' `_cut` computes.
std::int64_t divided(std::uint32_t n, const AxisArgument& axis) {
    const auto high = static_cast<std::uint32_t>((std::uint64_t{n} * axis.magic) >> 32);
    return (high + n) >> axis.shift;
}

Argument array_with(std::initializer_list<std::int64_t> strides) {
    Argument argument;
    std::copy(strides.begin(), strides.end(), argument.array.strides);
    return argument;
}

ReductionSpace space_of(gpu::Shape kept, gpu::Shape reduced) {
    return {.outputs = kept.size(), .reduced = reduced.size(), .kept = kept, .reduced_shape = reduced};
}

}  // namespace

TEST_CASE("the multiplication that replaces a division is exact below 2^31") {
    std::mt19937_64 random(7);
    std::vector<std::int64_t> lengths{1, 2, 3, 5, 7, 10, 31, 32, 33, 641, 65535, 65536, 65537, largest - 1, largest};
    for (int k = 0; k < 2000; ++k) lengths.push_back(1 + static_cast<std::int64_t>(random() % largest));
    for (const std::int64_t length : lengths) {
        const AxisArgument axis = make_axis(length);
        std::vector<std::int64_t> numbers{0, 1, length - 1, length, length + 1, 2 * length - 1, 2 * length, largest - 1,
                                          largest, largest / length * length, largest / length * length - 1};
        for (int k = 0; k < 200; ++k) numbers.push_back(static_cast<std::int64_t>(random() % (largest + 1ull)));
        for (const std::int64_t n : numbers) {
            if (n < 0 || n > largest) continue;
            REQUIRE_MESSAGE(divided(static_cast<std::uint32_t>(n), axis) == n / length, n << " / " << length);
        }
    }
}

TEST_CASE("a reduction's layout covers every element once, within a grid's limits") {
    for (const bool by_column : {false, true}) {
        for (const std::int64_t outputs : {1ll, 2ll, 3ll, 31ll, 33ll, 1000ll, 16384ll, 1ll << 25}) {
            for (const std::int64_t reduced : {1ll, 2ll, 3ll, 8ll, 31ll, 33ll, 257ll, 1009ll, 16384ll, 1ll << 28}) {
                const ReductionPlan plan = plan_reduction(outputs, reduced, by_column, true);
                CHECK((plan.width & (plan.width - 1)) == 0);
                CHECK(plan.width <= reduction_block);
                CHECK(plan.tiles * (reduction_block / plan.width) >= outputs);
                CHECK(plan.splits * plan.chunk >= reduced);
                CHECK((plan.splits - 1) * plan.chunk < reduced);  // no block without elements
                CHECK(plan.tiles * plan.splits <= largest);
                CHECK(outputs * (plan.splits > 1 ? plan.splits : 0) <= 1 << 20);  // scratch memory stays small
                CHECK(plan_reduction(outputs, reduced, by_column, false).splits == 1);
            }
        }
    }
}

TEST_CASE("large reductions are split over many blocks, short rows share one") {
    CHECK(plan_reduction(1, 1 << 28, false, true).splits == 4096);
    CHECK(plan_reduction(16384, 16384, true, true).splits > 1);
    CHECK(plan_reduction(1 << 25, 8, false, true) ==
          ReductionPlan{.width = 8, .by_column = false, .splits = 1, .chunk = 8, .tiles = 1 << 20});
    CHECK(plan_reduction(1, 100, false, true).tiles == 1);
}

TEST_CASE("threads run along the axis where memory is contiguous") {
    const auto matrix = space_of({100}, {200});
    CHECK(prefers_columns(matrix, {array_with({1, 100}), array_with({1})}));
    CHECK_FALSE(prefers_columns(matrix, {array_with({200, 1}), array_with({1})}));
    CHECK_FALSE(prefers_columns(matrix, {Argument{}, array_with({1})}));  // a linear input has no strides
    CHECK_FALSE(prefers_columns(space_of({}, {200}), {array_with({1}), Argument{}}));
    Argument scalar;
    scalar.is_array = false;
    CHECK(prefers_columns(matrix, {scalar, array_with({1, 100}), array_with({1})}));
}

TEST_CASE("a reduction of nothing launches no first kernel, one of no outputs nothing at all") {
    CHECK(plan_launch(space_of({0}, {5}), {Argument{}, Argument{}}).steps == 0);
    const auto identities = plan_launch(space_of({300}, {0}), {Argument{}, Argument{}});
    CHECK(identities.steps == 1);
    CHECK(identities.step[0].kernel == 1);
    CHECK(identities.step[0].blocks == 2);
}
#endif

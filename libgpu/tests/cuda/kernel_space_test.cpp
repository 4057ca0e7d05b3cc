// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <cstdint>
#include <random>

#include "cuda/launch/kernel_space.hpp"
#include "cuda/plan/thread_mapping.hpp"

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
        for (const int pack : {1, 2, 4, 8}) {
            for (const std::int64_t outputs : {1ll, 2ll, 3ll, 31ll, 33ll, 1000ll, 16384ll, 1ll << 25}) {
                for (const std::int64_t reduced : {1ll, 2ll, 3ll, 8ll, 31ll, 33ll, 257ll, 1009ll, 16384ll, 1ll << 28}) {
                    for (const auto& [is_packed, row] :
                         {std::pair{false, 0}, {pack > 1, 0}, {pack > 1, 8}, {false, 3}}) {
                        const ReductionSizes sizes{outputs, reduced, outputs, {by_column, pack, is_packed}, row};
                        const ReductionLayout plan = plan_reduction(sizes);
                        const std::int64_t places = reduction_block / plan.width * (by_column ? pack : 1);
                        CHECK((plan.width & (plan.width - 1)) == 0);
                        CHECK(plan.width <= reduction_block);
                        CHECK(plan.tiles * places >= outputs);
                        CHECK((plan.tiles - 1) * places < outputs);
                        CHECK(plan.splits * plan.chunk >= reduced);
                        CHECK((plan.splits - 1) * plan.chunk < reduced);  // no block without elements
                        CHECK((plan.splits == 1 || by_column || plan.chunk % 8 == 0));  // packs stay whole
                        CHECK(plan.tiles <= largest);
                        CHECK(plan.splits <= 0xffff);
                        CHECK(outputs * (plan.splits > 1 ? plan.splits : 0) <= 1 << 21);  // scratch memory stays small
                        const ReductionLayout join = plan_join(sizes, plan.splits);
                        CHECK(join.splits == 1);
                        CHECK(join.chunk == plan.splits);
                        CHECK(plan.splits <= join.width * 16);  // no lane joins many, one after the other
                    }
                }
            }
        }
    }
}

TEST_CASE("large reductions are split over many blocks, short rows share one") {
    const ReductionWalk row{false, 4, true}, ragged{false, 4}, column{true, 4, true};
    CHECK(plan_reduction({.reduced = 1 << 28, .walk = row}).splits == 512);
    CHECK(plan_reduction({16384, 16384, 16384, column}).splits > 1);
    // Rows of 8 floats: a thread has one to itself, or where they are ragged two threads share it.
    CHECK(plan_reduction({1 << 25, 8, 1 << 25, row}) == ReductionLayout{.width = 1, .tiles = 1 << 17, .chunk = 8});
    CHECK(plan_reduction({1 << 25, 7, 1 << 25, ragged}).width == 2);
    // 8 rows: a thread has a pack of columns to itself.
    CHECK(plan_reduction({1 << 25, 8, 1 << 25, column}) ==
          ReductionLayout{.width = 1, .tiles = 1 << 15, .chunk = 8});
    CHECK(plan_reduction({.reduced = 100, .walk = row}).tiles == 1);
}

TEST_CASE("by column a thread has four outputs, or two with large accumulators") {
    const auto columns = std::vector<Argument>{array_with({1, 64}), array_with({1})};
    CHECK(walk_of(space_of({64}, {1000}), columns, 4).pack == 4);
    CHECK(walk_of(space_of({64}, {1000}), columns, 4, 16).pack == 4);
    CHECK(walk_of(space_of({64}, {1000}), columns, 4, 40).pack == 2);
    CHECK(walk_of(space_of({64}, {1000}), {array_with({1000, 1}), array_with({1})}, 4, 40).pack == 4);
}

TEST_CASE("outputs with few packs have a thread for four") {
    const auto matrix = space_of({1000}, {8});
    const ReductionWalk walk = walk_of(matrix, {array_with({8, 1}), array_with({1})}, 4);
    CHECK(walk == ReductionWalk{.pack = 4, .is_packed = true, .is_short = true});
    CHECK(plan_reduction({1000, 8, 1000, walk}) == ReductionLayout{.width = 1, .tiles = 1, .chunk = 8});
    CHECK(plan_reduction({1025, 8, 1025, walk}).tiles == 2);
    CHECK_FALSE(walk_of(space_of({1000}, {20}), {array_with({20, 1}), array_with({1})}, 4).is_short);
    CHECK_FALSE(walk_of(space_of({1000}, {7}), {array_with({7, 1}), array_with({1})}, 4).is_short);
    CHECK_FALSE(walk_of(space_of({}, {8}), {array_with({1}), Argument{}}, 4).is_short);
}

TEST_CASE("a row has no more lanes than read something, where there are many outputs") {
    const ReductionWalk packed{false, 4, true}, ragged{false, 4};
    CHECK(plan_reduction({4364804, 123, 4364804, ragged}).width == 8);
    CHECK(plan_reduction({602548, 891, 602548, ragged}).width == 32);
    CHECK(plan_reduction({1000, 891, 1000, ragged}).width == 256);  // few outputs: other lanes have nothing to do
    // Rows of four elements that follow each other, 362 times: four lanes of an output, and its neighbours beside it.
    CHECK(plan_reduction({624 * 594, 362 * 4, 594, ragged, 4}).width == 4);
    CHECK(plan_reduction({624 * 594, 362 * 8, 594, packed, 8}).width == 2);
    CHECK(plan_reduction({624 * 594, 362 * 7, 594, ragged, 7}).width == 4);
    CHECK(plan_reduction({594, 362 * 4, 594, ragged, 4}).width == 256);
    CHECK(plan_reduction({1010, 986 * 539, 1010, ragged, 539}).width == 256);
}

TEST_CASE("a row is what lies in memory in front of the next output's row") {
    const auto row = [](ReductionSpace space, std::vector<Argument> arguments) {
        arguments.push_back(array_with({1}));
        return row_of(space, arguments);
    };
    const auto space = space_of({624, 594}, {362, 4});
    CHECK(row(space, {array_with({860112, 4, 2376, 1})}) == 4);
    CHECK(row(space, {array_with({1720224, 8, 4752, 2})}) == 4);  // every second element
    CHECK(row(space, {array_with({860112, 5, 2376, 1})}) == 0);
    CHECK(row(space, {array_with({860112, 4, 2376, 1}), array_with({0, 0, 4, 1})}) == 4);  // a second one is broadcast
    CHECK(row(space, {array_with({860112, 4, 2376, 1}), array_with({1, 624, 1, 900})}) == 0);
    CHECK(row(space, {array_with({0, 0, 4, 1})}) == 0);
    CHECK(row(space_of({}, {7}), {array_with({1})}) == 0);
    CHECK(row(space_of({3}, {0}), {array_with({1, 1})}) == 0);  // rows of no elements
    CHECK(row(space_of({0}, {3}), {array_with({3, 1})}) == 3);
}

TEST_CASE("2^31 outputs or more, or elements of one, have indices of 64 bits") {
    const std::vector<Argument> arguments{array_with({1, 0}), array_with({1})};
    CHECK_FALSE(walk_of(space_of({100}, {largest}), arguments, 4).is_wide);
    CHECK(walk_of(space_of({100}, {largest + 1}), arguments, 4).is_wide);
    CHECK_FALSE(walk_of(space_of({largest}, {2}), arguments, 4).is_wide);
    CHECK(walk_of(space_of({largest + 1}, {2}), arguments, 4).is_wide);
    // An output's elements may lie as far apart; packs are addressed in 64 bits anyway.
    const auto apart = [](std::int64_t step) {
        return std::vector<Argument>{array_with({1, step, 1}), array_with({1})};
    };
    CHECK_FALSE(walk_of(space_of({100}, {3, 7}), apart(largest / 2 - 3), 4).is_wide);
    CHECK(walk_of(space_of({100}, {3, 7}), apart(largest / 2), 4).is_wide);
    CHECK(walk_of(space_of({100}, {3, 7}), apart(-largest / 2), 4).is_wide);
    const std::vector<Argument> packs{array_with({1, std::int64_t{1} << 30}), array_with({1})};
    CHECK(walk_of(space_of({100}, {100}), packs, 4) == ReductionWalk{.by_column = true, .pack = 4, .is_packed = true});
}

TEST_CASE("offsets in a chunk fit 32 bits, whatever is broadcast") {
    const ReductionLayout plan = plan_reduction({1 << 20, std::int64_t{1} << 34, 1 << 20, {false, 4}});
    CHECK(plan.chunk <= 1 << 30);
    CHECK(plan.splits >= 16);
}

TEST_CASE("threads run along the axis where memory is contiguous") {
    const auto matrix = space_of({100}, {200});
    CHECK(walk_of(matrix, {array_with({1, 100}), array_with({1})}, 4) == ReductionWalk{true, 4, true});
    CHECK(walk_of(matrix, {array_with({200, 1}), array_with({1})}, 8) == ReductionWalk{false, 2, true});
    CHECK(walk_of(matrix, {array_with({201, 1}), array_with({1})}, 8) == ReductionWalk{false, 2, false});
    CHECK(walk_of(matrix, {Argument{}, array_with({1})}, 1) == ReductionWalk{false, 8});  // a linear input
    CHECK(walk_of(space_of({}, {200}), {array_with({1}), Argument{}}, 16) == ReductionWalk{false, 1});
    Argument scalar;
    scalar.is_array = false;
    CHECK(walk_of(space_of({100}, {8192}), {array_with({8192, 1}), array_with({1})}, 4) ==
          ReductionWalk{.pack = 4, .is_packed = true, .deep_unroll = true});  // each thread of a block has eight packs
    CHECK_FALSE(walk_of(space_of({100}, {8188}), {array_with({8188, 1}), array_with({1})}, 4).deep_unroll);
    CHECK_FALSE(walk_of(space_of({100}, {8192}), {array_with({8193, 1}), array_with({1})}, 4).deep_unroll);
    CHECK(walk_of(matrix, {scalar, array_with({1, 100}), array_with({1})}, 2) == ReductionWalk{true, 8, false});
    // Rows of three elements: threads take neighbouring rows.
    CHECK(walk_of(space_of({100}, {3}), {array_with({3, 1}), array_with({1})}, 4).by_column);
    CHECK_FALSE(walk_of(space_of({100}, {4}), {array_with({4, 1}), array_with({1})}, 4).by_column);
}

TEST_CASE("packs are read at once only where each lies in memory as the index counts, at a multiple of 16 bytes") {
    alignas(16) static float data[8];
    const auto at = [](const float* from, std::initializer_list<std::int64_t> strides) {
        Argument argument = array_with(strides);
        argument.array.data = const_cast<float*>(from);
        return argument;
    };
    const auto fits = [](const ReductionSpace& space, const ReductionWalk& walk, std::vector<Argument> arguments) {
        arguments.push_back(array_with({1}));
        return fits_packs(space, walk, arguments);
    };
    const ReductionWalk row{false, 4}, column{true, 4};
    CHECK(fits(space_of({}, {7}), row, {at(data, {1})}));
    CHECK_FALSE(fits(space_of({}, {7}), row, {at(data + 1, {1})}));
    CHECK_FALSE(fits(space_of({}, {7}), row, {at(data, {-1})}));
    CHECK_FALSE(fits(space_of({}, {7}), row, {at(data, {2})}));
    CHECK_FALSE(fits(space_of({}, {7}), {false, 1}, {at(data, {1})}));
    CHECK(fits(space_of({9}, {7}), row, {at(data, {8, 1})}));
    CHECK_FALSE(fits(space_of({9}, {7}), row, {at(data, {7, 1})}));
    CHECK(fits(space_of({9}, {7}), row, {at(data, {8, 1}), at(data + 1, {1, 0})}));  // one element repeated
    CHECK_FALSE(fits(space_of({9}, {7}), row, {at(data + 1, {1, 0})}));
    CHECK_FALSE(fits(space_of({9}, {7}), row, {at(data, {8, 1}), at(data, {1, 9})}));
    CHECK(fits(space_of({9}, {5, 8}), row, {at(data, {80, 16, 1})}));
    CHECK_FALSE(fits(space_of({9}, {5, 7}), row, {at(data, {80, 16, 1})}));  // packs would cross from row to row
    CHECK(fits(space_of({8}, {7}), column, {at(data, {1, 8})}));
    CHECK_FALSE(fits(space_of({7}, {7}), column, {at(data, {1, 8})}));
    CHECK_FALSE(fits(space_of({8}, {7}), column, {at(data, {1, 9})}));
}

TEST_CASE("a reduction of nothing is launched for its identities, one of no outputs not at all") {
    CHECK(plan_launch(space_of({0}, {5})).steps == 0);
    const auto identities = plan_launch(space_of({300}, {0}));
    CHECK(identities.steps == 1);
    CHECK(identities.step[0].tiles == 2);
}
#endif

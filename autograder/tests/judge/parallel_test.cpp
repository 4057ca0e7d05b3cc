// SPDX-License-Identifier: MIT
#include "support/parallel.hpp"

#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <course/bytes.hpp>

using namespace course;

TEST_CASE("pieces cover everything once, whatever the number of threads") {
    for (const int threads : {0, 1, 3, 40}) {
        for (const std::int64_t count : {0, 1, 9, 10, 11, 95}) {
            std::vector<int> seen(static_cast<std::size_t>(count));
            in_pieces(
                count, 10,
                [&](std::int64_t begin, std::int64_t end) {
                    CHECK(begin % 10 == 0);
                    CHECK(end == std::min(begin + 10, count));
                    for (std::int64_t i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
                },
                threads);
            CHECK(seen == std::vector<int>(static_cast<std::size_t>(count), 1));
        }
    }
}

TEST_CASE("of several pieces that fail the first one is reported, and all others are done") {
    std::vector<int> seen(10);
    const auto run = [&] {
        in_pieces(
            10, 1,
            [&](std::int64_t begin, std::int64_t) {
                ++seen[static_cast<std::size_t>(begin)];
                if (begin == 3 || begin == 7) throw std::runtime_error(std::to_string(begin));
            },
            4);
    };
    CHECK_THROWS_WITH_AS(run(), "3", std::runtime_error);
    CHECK(std::accumulate(seen.begin(), seen.end(), 0) == 10);
}

TEST_CASE("large copies are whole") {
    std::vector<std::uint32_t> from(5'000'001), to(from.size());
    std::iota(from.begin(), from.end(), 7U);
    copy_bytes(to.data(), from.data(), from.size() * sizeof from[0]);
    CHECK(from == to);
    copy_bytes(nullptr, nullptr, 0);
}

TEST_CASE("bytes are copied, moved and compared by value") {
    const std::byte four[] = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
    Bytes bytes(four, four + 4);
    Bytes copy = bytes;
    CHECK(copy == bytes);
    copy[2] = std::byte{9};
    CHECK_FALSE(copy == bytes);
    CHECK(bytes[2] == std::byte{3});
    copy.resize(2);
    CHECK(copy == Bytes(four, four + 2));
    const Bytes moved = std::move(bytes);
    CHECK(moved.size() == 4);
    CHECK(bytes.empty());  // NOLINT: what was moved from is empty
    bytes = moved;
    CHECK(bytes == moved);
    CHECK(Bytes() == Bytes(0));
}

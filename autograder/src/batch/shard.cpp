// SPDX-License-Identifier: MIT
#include "batch/shard.hpp"

#include <charconv>
#include <cstdint>

#include <fmt/format.h>

#include "kit/kit.hpp"
#include "support/files.hpp"
#include "support/number.hpp"

namespace course {

namespace {

constexpr int max_shards = 100'000;

}  // namespace

bool Shard::has(const std::string& submission, const std::string& folder) const {
    const std::string hexadecimal = digest(submission + '/' + folder).substr(0, 16);
    std::uint64_t value = 0;
    std::from_chars(hexadecimal.data(), hexadecimal.data() + hexadecimal.size(), value, 16);
    return value % static_cast<std::uint64_t>(of) == static_cast<std::uint64_t>(number - 1);
}

std::string Shard::name() const { return fmt::format("{}-of-{}", number, of); }

Shard parse_shard(std::string_view text) {
    const std::optional<Share> share = share_from(text, max_shards);
    if (!share)
        throw UsageError(fmt::format(
            "--shard {}: K/N is the K-th of N shares, 2/8 for instance: two whole numbers, K from 1 to N, N up to {}",
            text, max_shards));
    return {static_cast<int>(share->number), static_cast<int>(share->of)};
}

}  // namespace course

// SPDX-License-Identifier: MIT
#include "batch/shard.hpp"

#include <charconv>
#include <cstdint>
#include <system_error>

#include <fmt/format.h>

#include "kit/kit.hpp"
#include "support/files.hpp"

namespace course {

namespace {

constexpr int max_shards = 100'000;

/// -1: the text isn't a whole number.
int whole_number(std::string_view text) {
    int number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? number : -1;
}

}  // namespace

bool Shard::has(const std::string& submission, const std::string& folder) const {
    const std::string hexadecimal = digest(submission + '/' + folder).substr(0, 16);
    std::uint64_t value = 0;
    std::from_chars(hexadecimal.data(), hexadecimal.data() + hexadecimal.size(), value, 16);
    return value % static_cast<std::uint64_t>(of) == static_cast<std::uint64_t>(number - 1);
}

std::string Shard::name() const { return fmt::format("{}-of-{}", number, of); }

Shard parse_shard(std::string_view text) {
    const std::size_t slash = text.find('/');
    Shard shard{-1, -1};
    if (slash != text.npos) shard = {whole_number(text.substr(0, slash)), whole_number(text.substr(slash + 1))};
    if (shard.number < 1 || shard.number > shard.of || shard.of > max_shards)
        throw UsageError(fmt::format(
            "--shard {}: K/N is the K-th of N shares, 2/8 for instance: two whole numbers, K from 1 to N, N up to {}",
            text, max_shards));
    return shard;
}

}  // namespace course

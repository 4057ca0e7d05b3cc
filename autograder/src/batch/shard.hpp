// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace course {

/// A share of a class: number `number` of `of`. An answer's share follows from its own name alone, so it is the same on
/// every machine, in every order, and whoever else hands in something.
struct Shard {
    int number = 1, of = 1;

    /// @param submission "ada-1"  @param folder "08-raw-add"
    [[nodiscard]] bool has(const std::string& submission, const std::string& folder) const;
    /// "2-of-8"
    [[nodiscard]] std::string name() const;
};

/// "2/8", as --shard has it. Pure. @throws UsageError with the rule
Shard parse_shard(std::string_view text);

}  // namespace course

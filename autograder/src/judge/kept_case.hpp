// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <course/check_host.hpp>

#include "judge/values/compare.hpp"
#include "manifest/manifest.hpp"
#include "run/caller.hpp"

namespace course {

/// A small case that can be called again: its own copy of what goes in and of what must come out.
struct KeptCase {
    std::size_t index = 0;      ///< in TaskResult::cases
    std::int64_t elements = 0;  ///< of its arguments and results, all in all
    const Function* function = nullptr;
    std::vector<Value> arguments;
    std::vector<std::optional<Expected>> expected;  ///< of each result; none where a property was looked at
};

/// The same expectation with values of its own: it outlives the check.
Expected keep(const Expected& expected);

/// Compares result `k` of another call of this case with what was expected of it. @pre it has an expectation
Comparison compare_result(const KeptCase& one, const CallReply& reply, std::size_t k,
                          FreshMemory fresh = FreshMemory::stayed);

}  // namespace course

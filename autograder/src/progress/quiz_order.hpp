// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "progress/answers.hpp"

namespace course {

/// Which of these questions comes next, counted from 0; nothing if there are none. A question that was answered wrong
/// comes back after two others, or the next day; one that was answered right after 3, 7, 16 and 35 days; and new ones
/// in between, in their order. Never the same twice running, unless it is the only one.
/// @param ids full ids, in the course's order
/// @param answers all that were given, oldest first
std::optional<std::size_t> next_question(const std::vector<std::string>& ids,
                                         const std::vector<RecordedAnswer>& answers, long today);

}  // namespace course

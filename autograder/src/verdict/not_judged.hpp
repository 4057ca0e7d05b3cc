// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "verdict/verdict.hpp"

namespace course {

/// The result of a task that wasn't judged.
inline TaskResult not_judged(const Task& task, Verdict verdict, std::string message = "") {
    TaskResult result;
    result.id = task.id;
    result.title = task.title;
    result.max_points = task.points;
    result.star = task.star;
    result.verdict = verdict;
    result.message = std::move(message);
    return result;
}

}  // namespace course

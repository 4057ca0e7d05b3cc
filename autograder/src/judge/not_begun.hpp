// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "manifest/manifest.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// A task that nobody has begun, and the functions that are to be written for it.
struct NotBegun {
    std::size_t task = 0;   ///< its place among the manifest's
    std::vector<std::string> functions;
};

/// The tasks with points that failed because nobody has begun them: all functions that the student writes for them
/// alone are the stub's. A task's functions are those that its check has called, and its kernels. A failure that says
/// something about the stub isn't among them: right values at too high a cost, a mistake that check mode found, or a
/// task that is about repairing what is given. Where nothing is begun there are none: the answer differs from the stub
/// elsewhere. Pure.
/// @param functions_begun of each function with a part for the student: whether it differs from the stub's
std::vector<NotBegun> tasks_not_begun(const Manifest& manifest, const std::map<std::string, bool>& functions_begun,
                                      const std::vector<TaskResult>& results);

}  // namespace course

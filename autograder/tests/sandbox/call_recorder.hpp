// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sandbox/syscall_filter.hpp"

namespace test {

/// What the processes of a command have asked of the kernel, allowed or not.
struct RecordedCalls {
    std::map<course::CallList, std::set<std::string>> of;   ///< names, or numbers that libseccomp doesn't know
    int status = 0;                                     ///< the command's own, as waitpid gives it
};

/// Runs a command and watches, as a debugger does, all that it starts: `course-runner` and compilers. What `course` and
/// `course-probe` ask themselves isn't recorded. Nothing where processes can't be watched. The output is thrown away.
std::optional<RecordedCalls> record_calls(const std::vector<std::string>& arguments,
                                          const std::vector<std::string>& environment);

}  // namespace test

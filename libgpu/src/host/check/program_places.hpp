// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gpu::detail::host {

/// A place in the program's own source.
struct ProgramPlace {
    std::string file;  ///< without its folders; empty if it isn't known
    int line = 0;
    std::string function;  ///< without parameters; empty if it isn't known
};

/// For each stack of instructions, innermost first: the first place that is neither in a header of the system's nor of
/// the kit's. Looked up by addr2line in the objects' debug information, as far as there is any.
std::vector<ProgramPlace> learners_places(const std::vector<std::vector<std::uintptr_t>>& stacks);

/// What addr2line -f -i -C says of one address: functions, each with its place. The first that is the learner's; without
/// a file if there is none. Pure.
ProgramPlace place_in(const std::string& lines);

}  // namespace gpu::detail::host

// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base.hpp"

namespace gpu::detail {

/// A running addr2line (binutils) for one file: it reads the file's debug information once, and answers as long as this
/// exists. Without such a program, every answer is empty.
class Addr2line {
public:
    explicit Addr2line(const std::string& object);
    ~Addr2line();
    Addr2line(const Addr2line&) = delete;
    Addr2line& operator=(const Addr2line&) = delete;

    /// Its answer for an address in the file: pairs of lines, a function and its place, the innermost first.
    [[nodiscard]] std::string ask(std::uintptr_t offset);

private:
    void stop() noexcept;

    UniqueFd socket_;
    pid_t child_ = -1;
    pid_t owner_;  ///< a forked child of this process can't use the socket
};

/// A place in the program's own source.
struct ProgramPlace {
    std::string file;  ///< without its folders; empty if it isn't known
    int line = 0;
    std::string function;  ///< without parameters; empty if it isn't known
};

/// Finds lines in the learner's own source, with addr2line in the objects' debug information, if there is any; caches
/// what it has found.
class PlaceFinder {
public:
    /// The first place in a stack of instructions, innermost first, that is neither in a system header nor libgpu's
    /// own.
    [[nodiscard]] ProgramPlace find(std::span<const std::uintptr_t> stack);

private:
    using ObjectOffset = std::pair<std::string, std::uintptr_t>;
    const ProgramPlace& place_of(const ObjectOffset& at);

    std::map<ObjectOffset, ProgramPlace> known_;
    std::map<std::string, std::unique_ptr<Addr2line>> objects_;
    pid_t owner_ = -1;
};

/// The same for several stacks; the first frames of each count.
std::vector<ProgramPlace> learners_places(const std::vector<std::vector<std::uintptr_t>>& stacks);

/// The learner's innermost place in the output of addr2line -f -i -C for one address: functions, each with its place;
/// without a file if there is none. Pure.
ProgramPlace place_in(const std::string& lines);

}  // namespace gpu::detail

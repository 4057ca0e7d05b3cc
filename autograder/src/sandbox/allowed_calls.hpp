// SPDX-License-Identifier: MIT
#pragma once

// Which system calls there are for code that isn't trusted: data alone. SyscallFilter (syscall_filter.hpp) puts it in
// force, and looks at the arguments of some.

#include <span>
#include <string_view>
#include <vector>

namespace course {

/// What runs in a sandbox. Each has the calls of those before it: a runner compiles kernels under its own filter.
enum class CallList {
    compiler,      ///< g++ or clang++, with what they start: the compiler proper, the assembler, the linker
    runner,        ///< an answer on the host backend: libgpu, threads, fibers, check mode, a student's C++
    cuda_runner,   ///< an answer on a GPU: that, and CUDA's driver
};

/// System calls that are allowed for one reason.
struct CallGroup {
    std::string_view kept_for;   ///< why, though no run in the tests has to make them; empty: the tests see each made
    std::string_view names;      ///< as libseccomp spells them, with a space between two
};

/// What this list has beyond the one before it.
std::span<const CallGroup> calls_added_for(CallList list);

/// All that it has, sorted. Some of the names are those of another kernel or processor than this machine's.
std::vector<std::string_view> allowed_calls(CallList list);

/// Those of them that this machine's libseccomp knows by number for its processor, sorted by number.
std::vector<int> allowed_numbers(CallList list);

}  // namespace course

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace gpu::detail::host {

/// The name of a function of the system's libraries that a compiled kernel calls, but no kernel has: CUDA's compiler
/// has none of these, and check mode doesn't see what they read and write. Empty: there is none.
std::string foreign_function(std::string_view object);

/// True for a function of the C library's that kernels have, of numbers alone: it reads and writes no memory.
bool is_function_of_numbers(std::string_view name);

/// True if code of the kernel's file runs when it is loaded, or when it goes: constructors, and resolvers of functions.
/// Check mode sees none of it.
bool runs_when_loaded(std::string_view object);

/// True if the text puts words together by macros (##): what comes of it is known once they are expanded.
bool pastes_words(std::string_view text);

/// An instruction of this CPU that a kernel's text names, with its macros expanded; those of the prelude are left out.
/// Empty: there is none.
std::string instruction_of_cpu(std::string_view expanded);

/// What a checked kernel may not have, and why: "`memcmp` can't be used in a kernel: ...".
struct ForeignCode {
    std::string name, why;
    explicit operator bool() const { return !name.empty(); }
};

/// What stands in a checked kernel's object file, before it is linked with `instrumentation`, that code of a kernel's
/// doesn't have. A kernel may call what `instrumentation` defines and functions of numbers, by name; everything else
/// that it calls, it defines. Its sections are those that a compiler makes of C++, nothing of it runs when it is
/// loaded, and an endbr64, which marks where a pointer may call, stands where a function begins.
ForeignCode foreign_code(std::string_view object, std::string_view instrumentation);

/// Where g++ passes memory to a function by value, or stores a function's result, without telling check mode: a name
/// of such a function in what -fdump-tree-optimized-uid writes. Empty: there is none.
std::string unseen_argument(std::string_view dump);

}  // namespace gpu::detail::host

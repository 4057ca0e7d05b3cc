// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace gpu::detail::host {

/// The name of a system library's function that a compiled kernel calls but kernels don't have: CUDA has none of these,
/// and check mode doesn't see what they read and write. Empty: there is none.
std::string foreign_function(std::string_view object);

/// True for a C library function that kernels have and that only computes numbers: it reads and writes no memory.
bool is_function_of_numbers(std::string_view name);

/// True if code in the kernel's file runs when it is loaded or unloaded: constructors, and resolvers of functions.
/// Check mode sees none of it.
bool runs_when_loaded(std::string_view object);

/// True if the text pastes words in macros (##): the result is known only after expansion.
bool pastes_words(std::string_view text);

/// An instruction of this CPU that a kernel's text, after macro expansion, names; those of the prelude are ignored.
/// Empty: there is none.
std::string instruction_of_cpu(std::string_view expanded);

/// Code that a checked kernel may not contain, and why: "`memcmp` can't be used in a kernel: ...".
struct ForeignCode {
    std::string name, why;
    explicit operator bool() const { return !name.empty(); }
};

/// What a checked kernel's object file, before it is linked with `instrumentation`, contains beyond a kernel's code. A
/// kernel may call functions that `instrumentation` defines and functions of numbers, by name; it must define all
/// others itself. Its sections must be those that a compiler makes from C++, nothing in it may run when it is loaded,
/// and an endbr64, which marks a target of calls through pointers, must stand where a function begins.
ForeignCode foreign_code(std::string_view object, std::string_view instrumentation);

/// Finds where g++ passes memory to a function by value, or stores a function's result, without a check mode call:
/// returns the function's name in the output of -fdump-tree-optimized-uid. Empty: there is none.
std::string unseen_argument(std::string_view dump);

}  // namespace gpu::detail::host

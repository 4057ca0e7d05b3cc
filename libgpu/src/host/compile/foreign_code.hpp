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

}  // namespace gpu::detail::host

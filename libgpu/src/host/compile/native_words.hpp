// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "codegen/kernel_tokens.hpp"

// Words by which a kernel's text could ask the host's compiler for more than CUDA C++ has, since it is native code
// where its work is counted. The check is an allow-list: CUDA's and C++'s words may be used, whatever else the compiler
// knows.
namespace gpu::detail::host {

/// Anything in a text for check mode that isn't CUDA C++, as compiler messages at the learner's lines ("" if nothing):
/// the compiler's own names, and attributes and pragmas that change what is compiled.
std::string native_words(const RawText& text);

/// The same for the pieces of a generated kernel, which may neither name what surrounds them nor leave their place.
std::string native_words(const ElementwiseText& text);
std::string native_words(const ReductionText& text);

/// True if only the preprocessor knows a text's words: it pastes, spells or stores them in unusual ways.
bool hides_words(std::string_view text);

/// A source's text with a line `mark` wherever a learner's piece begins or ends, for expansion.
std::string with_piece_marks(const KernelSource& source, std::string_view mark);
/// The first word of such a text, after expansion, that native_words() would refuse; "" if there is none.
std::string native_word_of_pieces(std::string_view expanded, std::string_view mark, const KernelSource& source);

}  // namespace gpu::detail::host

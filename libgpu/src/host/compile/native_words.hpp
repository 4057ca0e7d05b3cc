// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "codegen/kernel_tokens.hpp"

// Words by which a kernel's text could ask the host's compiler for more than CUDA C++ has: it is native code where its
// work is counted. Words are known, not unknown: CUDA's and C++'s may be used, whatever else the compiler knows not.
namespace gpu::detail::host {

/// What isn't CUDA C++ in a text for check mode, as compiler messages at the learner's lines; "" if nothing: names of
/// the compiler's, attributes and pragmas that change what is compiled.
std::string native_words(const RawText& text);

/// The same for what a generated kernel is made of, which may neither name what stands around it nor leave its place.
std::string native_words(const ElementwiseText& text);
std::string native_words(const ReductionText& text);

/// True if only the preprocessor knows a text's words: it pastes, spells or stores them in unusual ways.
bool hides_words(std::string_view text);

/// A text of marks with a line `mark` wherever a learner's piece begins or ends, to be expanded.
std::string with_piece_marks(const KernelSource& source, std::string_view mark);
/// The first word of such a text, expanded, that native_words() would refuse; "" if there is none.
std::string native_word_of_pieces(std::string_view expanded, std::string_view mark, const KernelSource& source);

}  // namespace gpu::detail::host

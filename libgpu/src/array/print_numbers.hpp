// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <gpu/dtype.hpp>
#include <gpu/print.hpp>

namespace gpu::detail {

/// What print_text() puts between the brackets: one word an element, all of one width, as NumPy chooses it for these
/// elements together.
std::vector<std::string> element_words(DType dtype, const void* elements, std::size_t count,
                                       const PrintOptions& options);

/// The one element of an array without axes, with all its digits.
std::string scalar_word(DType dtype, const void* element);

}  // namespace gpu::detail

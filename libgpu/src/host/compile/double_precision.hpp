// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"

// Where a kernel computes in double precision. On a GPU for games that is 1/32 to 1/64 of the speed of float, and
// `2.0 * x` is enough. The compiler knows where a float is promoted, and says so only while it compiles: its warnings
// travel behind the object's last byte, where no loader looks, so that objects from a cache have them too.
namespace gpu::detail::host {

/// What makes the compilers say where a float becomes a double.
inline constexpr const char* double_precision_flag = "-Wdouble-promotion";

/// The object with the promotions that a compiler's log tells of behind it.
std::string with_promotions(std::string object, std::string_view log);

/// The lines of the learner's text where `kernel`, or a function that isn't a kernel, promotes a float or says
/// `double`; one for each place, in order.
std::vector<int> double_precision_lines(std::string_view object, const Snippet& learners, std::string_view kernel);

}  // namespace gpu::detail::host

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace gpu::detail::host {

/// A kernel's text with a `;` in place of the body of each function template, and of each function of a class
/// template, that nothing in it names: NVRTC looks up no name there, g++ and clang do. Every other character keeps its
/// place. "" if there is no such template.
[[nodiscard]] std::string without_unused_templates(std::string_view text);

/// True if the first error of a compiler's log is a name that isn't declared.
[[nodiscard]] bool begins_with_undeclared_name(std::string_view log);

}  // namespace gpu::detail::host

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "gpucc/split/declarations.hpp"
#include "gpucc/split/preprocessed_text.hpp"

namespace gpucc {

/// The name of the static variable by which a kernel's stub is known; one an instance of a template.
inline constexpr std::string_view stub_variable = "gpucc_kernel";

/// The host's half of a program file.
struct HostText {
    std::string text;    ///< C++: launches as calls, kernels as stubs that hand their parameters on
    std::string errors;  ///< what was refused, as a compiler's messages
    int launches = 0;
};

/// Parts the host's half from a preprocessed file: each launch becomes a call, each `__global__` body a stub, other
/// device code goes, and device variables make themselves known. `unit` names the file's table of kernels.
[[nodiscard]] HostText host_text(const PreprocessedText& source, const std::vector<Token>& tokens,
                                 const std::vector<Item>& items, const std::string& unit);

/// "saxpy.cu:12: error: text\n"
[[nodiscard]] std::string error_at(const Place& place, const std::string& text);

}  // namespace gpucc

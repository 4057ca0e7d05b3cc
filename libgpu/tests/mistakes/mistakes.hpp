// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

// What students get wrong in kernels, and what they are told: the same words whichever compiler refused.
namespace mistakes {

enum class Kind { raw, elementwise, reduction };

struct Mistake {
    std::string name;
    Kind kind = Kind::raw;
    std::string source;  ///< raw: the text of add.cu; elementwise: the operation; reduction: the reduce part
    std::string told;    ///< below "kernel add does not compile"; empty: it compiles
    std::optional<std::string> told_by_clang = {};  ///< where its place isn't g++'s
    std::optional<std::string> told_by_nvrtc = {};  ///< the same, or where only one of the two backends refuses
    std::string entry = "add";                      ///< raw: the kernel that the C++ code asks for
};

std::vector<Mistake> in_calls();
std::vector<Mistake> in_kernels();
std::vector<Mistake> in_names();
std::vector<Mistake> in_pieces();

}  // namespace mistakes

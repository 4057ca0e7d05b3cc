// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

// What students get wrong in kernels, and what they are told: the same words whichever compiler refused.
// Where an error's place is the compiler's own, it stands here as g++ 11 to 15, clang 14 to 22, NVRTC 12.9 and 13.0
// tell it; CONTRIBUTING.md says how to try other versions.
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

/// A mistake of one line, and the first line of what is told, without the column: the same of g++ and clang.
struct LineMistake {
    Kind kind = Kind::raw;
    std::string line;  ///< raw: in a kernel of x, y and n, as its line 3; else as Mistake::source
    std::string told;  ///< behind "error: "
};

std::vector<LineMistake> in_lines();
std::vector<Mistake> in_calls();
std::vector<Mistake> in_kernels();
std::vector<Mistake> in_names();
std::vector<Mistake> in_pieces();

}  // namespace mistakes

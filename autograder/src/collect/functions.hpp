// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "collect/stars.hpp"

namespace course {

/// A function or kernel at the beginning of a line, from its head to its last brace.
struct FunctionText {
    std::string name;   ///< "sum_tree"
    std::string text;
};

/// The functions of a file that is laid out as the kit's stubs are. Pure.
std::vector<FunctionText> functions_in(const std::string& text);

/// By name, the functions in which the stub has a part for the student, those for a star left out: whether the answer's
/// text of it is another one. A name that several have is begun if one of them is. Pure.
std::map<std::string, bool> functions_begun(const std::vector<FileAndStub>& files);

}  // namespace course

// SPDX-License-Identifier: MIT
#include "collect/functions.hpp"

#include <algorithm>
#include <sstream>

#include "collect/answer_text.hpp"
#include "collect/collect.hpp"

namespace course {

namespace {

/// "sum_tree" of "__global__ void sum_tree(const float* x, ..."; empty: no function's head begins with this line.
std::string function_named(const std::string& line) {
    const bool at_margin = !line.empty() && (is_name_part(line[0]) || line[0] == ':');
    const std::size_t bracket = line.find('(');
    if (!at_margin || bracket == line.npos || line.ends_with(';')) return "";
    std::size_t end = bracket;
    while (end > 0 && line[end - 1] == ' ') --end;
    std::size_t begin = end;
    while (begin > 0 && is_name_part(line[begin - 1])) --begin;
    return line.substr(begin, end - begin);
}

}  // namespace

std::vector<FunctionText> functions_in(const std::string& text) {
    std::vector<FunctionText> functions;
    bool inside = false;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!inside) {
            const std::string name = function_named(line);
            if (name.empty()) continue;
            functions.push_back({name, ""});
            inside = true;
        }
        functions.back().text += line + "\n";
        const std::size_t last = line.find_last_not_of(" \t");
        const bool one_line = functions.back().text == line + "\n" && last != line.npos && line[last] == '}';
        if (line.starts_with('}') || one_line) inside = false;
    }
    return functions;
}

std::map<std::string, bool> functions_begun(const std::vector<FileAndStub>& files) {
    std::map<std::string, bool> begun;
    for (const FileAndStub& file : files) {
        const std::vector<FunctionText> own = functions_in(file.text);
        for (const FunctionText& given : functions_in(file.stub)) {
            if (without_starred_parts(given.text).find(part_mark) == std::string::npos) continue;
            const bool unchanged = std::any_of(own.begin(), own.end(), [&](const FunctionText& one) {
                return one.name == given.name && same_but_for_space(one.text, given.text);
            });
            begun[given.name] = begun[given.name] || !unchanged;
        }
    }
    return begun;
}

}  // namespace course

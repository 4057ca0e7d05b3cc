// SPDX-License-Identifier: MIT
#include "cuda/compile/name_errors.hpp"

#include <sstream>
#include <string_view>

#include "codegen/kernel_declarations.hpp"

namespace gpu::detail::cuda {

namespace {

constexpr std::string_view name_map = "__nv_name_map(";  // NVRTC's file name for the name expressions

// Of a module's entries, one a line, that which NVRTC shows below its error; the first if it shows none.
std::string refused_entry(const std::string& about_names, const std::string& entries) {
    std::istringstream lines(entries);
    for (std::string entry; std::getline(lines, entry);)
        if (about_names.find("nv_mangled_name " + entry + '\n') != std::string::npos) return entry;
    return entries.substr(0, entries.find('\n'));
}

}  // namespace

NameExpression parse_name_expression(const std::string& expression) {
    constexpr std::string_view cast = "(void(*)";
    if (expression.rfind(cast, 0) != 0) return {"", expression};
    const auto end = expression.rfind(')');  // of the cast: a kernel's name has no brackets
    return {expression.substr(cast.size(), end - cast.size()), expression.substr(end + 1)};
}

std::string explain_name_errors(const std::string& log, const KernelSource& source) {
    std::istringstream lines(log);
    std::string own, about_names;
    bool own_error = false, in_names = false;
    for (std::string line; std::getline(lines, line);) {
        const bool starts = line.find(": error:") != std::string::npos || line.find(" error: ") != std::string::npos ||
                            line.find(": warning ") != std::string::npos;
        if (starts) in_names = line.rfind(name_map, 0) == 0;
        if (line.find("detected in the compilation of") != std::string::npos) in_names = false;
        own_error = own_error || (!in_names && line.find("error:") != std::string::npos);
        (in_names ? about_names : own) += line + "\n";
    }
    if (about_names.empty()) return log;
    if (own_error) return own;

    const NameExpression wanted = parse_name_expression(refused_entry(about_names, source.entry));
    return unresolved_kernel(source.text, wanted.name, wanted.signature) + "\n" + log;
}

}  // namespace gpu::detail::cuda

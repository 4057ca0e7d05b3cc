// SPDX-License-Identifier: MIT
#include "cuda/compile/name_errors.hpp"

#include <sstream>
#include <string_view>

#include "codegen/kernel_declarations.hpp"

namespace gpu::detail::cuda {

namespace {

constexpr std::string_view name_map = "__nv_name_map(";  // NVRTC's file name for the name expressions

// Of a module's entries that which NVRTC shows below its error; the first if it shows none.
std::string refused_entry(const std::string& about_names, const std::vector<std::string>& entries) {
    for (const std::string& entry : entries)
        if (about_names.find("nv_mangled_name " + entry + '\n') != std::string::npos) return entry;
    return entries.front();
}

// A line that begins a complaint. Those that NVRTC shows of the source are indented.
bool is_complaint(const std::string& line) {
    if (line.empty() || line.front() == ' ' || line.front() == '\t') return false;
    return line.find(": error:") != std::string::npos || line.find(" error: ") != std::string::npos;
}

}  // namespace

NameExpression parse_name_expression(const std::string& expression) {
    constexpr std::string_view cast = "(void(*)";
    if (expression.rfind(cast, 0) != 0) return {"", expression};
    const auto end = expression.rfind(')');  // of the cast: a kernel's name has no brackets
    return {expression.substr(cast.size(), end - cast.size()), expression.substr(end + 1)};
}

CompileFailure without_name_errors(const std::string& log, const KernelSource& source) {
    std::istringstream lines(log);
    std::string own, about_names;
    bool own_error = false, in_names = false;
    for (std::string line; std::getline(lines, line);) {
        const bool is_error = is_complaint(line);
        if (is_error || line.find(": warning ") != std::string::npos) in_names = line.rfind(name_map, 0) == 0;
        if (line.find("detected in the compilation of") != std::string::npos) in_names = false;
        own_error = own_error || (!in_names && is_error);
        (in_names ? about_names : own) += line + "\n";
    }
    if (about_names.empty()) return {.log = log};
    if (own_error) return {.log = own};
    const NameExpression wanted = parse_name_expression(refused_entry(about_names, source.entries));
    return {.log = log, .unresolved = unresolved_kernel(find_kernels(source.text), wanted.name, wanted.signature)};
}

}  // namespace gpu::detail::cuda

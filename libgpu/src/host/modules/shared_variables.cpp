// SPDX-License-Identifier: MIT
// The thread-local variables of a kernel's shared object are its __shared__ arrays: no parsing of C++ is needed.
#include <algorithm>

#include "codegen/kernel_tokens.hpp"
#include "host/base/elf_object.hpp"
#include "host/modules/kernel_module.hpp"

namespace gpu::detail::host {

namespace {

// "mul" of "void mul<float>(float const*)::s"; empty for a variable outside functions.
std::string function_of(const std::string& variable) {
    std::size_t end = variable.find_first_of("<(");
    if (end == std::string::npos) end = variable.rfind("::");  // of an extern "C" function
    if (end == std::string::npos) return {};
    std::size_t begin = variable.find_last_of(" :", end - 1);
    begin = begin == std::string::npos ? 0 : begin + 1;
    return variable.substr(begin, end - begin);
}

}  // namespace

std::size_t shared_variables(std::string_view object, const std::vector<std::string>& others) {
    Elf64_Ehdr header{};
    if (!read_header(object, header)) return 0;
    std::size_t total = 0;
    for_symbols(object, header, [&](const Elf64_Sym& symbol, const std::string& mangled) {
        if (ELF64_ST_TYPE(symbol.st_info) != STT_TLS) return;
        const std::string variable = demangled(mangled);
        if (variable.compare(0, 4, "gpu_") == 0 || is_guard(mangled)) return;
        if (std::find(others.begin(), others.end(), function_of(variable)) != others.end()) return;
        total += symbol.st_size;
    });
    return total;
}

std::vector<ObjectVariable> object_variables(std::string_view object) {
    Elf64_Ehdr header{};
    if (!read_header(object, header)) return {};
    std::vector<ObjectVariable> variables;
    for_symbols(object, header, [&](const Elf64_Sym& symbol, const std::string& mangled) {
        Elf64_Shdr section{};
        if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0 || symbol.st_shndx >= header.e_shnum ||
            !read(object, header.e_shoff + std::size_t{symbol.st_shndx} * header.e_shentsize, section) ||
            (section.sh_flags & SHF_WRITE) == 0 || is_guard(mangled))
            return;
        std::string name = demangled(mangled);
        const std::string unnamed = "(anonymous namespace)::";
        for (std::size_t at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed))
            name.erase(at, unnamed.size());
        if (name.find('(') != std::string::npos || name.compare(0, 4, "gpu_") == 0 ||
            name.compare(0, 7, "libgpu_") == 0)
            return;  // a function's own, or ours
        variables.push_back({std::move(name), symbol.st_value, symbol.st_size});
    });
    return variables;
}

}  // namespace gpu::detail::host

// SPDX-License-Identifier: MIT
// The thread-local variables of a kernel's shared object are its __shared__ arrays: no parsing of C++ is needed.
#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "host/kernel_module.hpp"

namespace gpu::detail::host {

namespace {

template <class T>
bool read(std::string_view bytes, std::size_t offset, T& value) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof value) return false;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return true;
}

std::string demangled(const char* symbol) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 && text ? text.get() : symbol;
}

// "mul" of "void mul<float>(float const*)::s"; empty for a variable outside functions.
std::string function_of(const std::string& variable) {
    std::size_t end = variable.find_first_of("<(");
    if (end == std::string::npos) end = variable.rfind("::");  // of an extern "C" function
    if (end == std::string::npos) return {};
    std::size_t begin = variable.find_last_of(" :", end - 1);
    begin = begin == std::string::npos ? 0 : begin + 1;
    return variable.substr(begin, end - begin);
}

// Calls f(symbol, its name) for each symbol of the object's table.
template <class F>
void for_symbols(std::string_view object, const Elf64_Ehdr& header, const F& f) {
    for (int s = 0; s < header.e_shnum; ++s) {
        Elf64_Shdr table{}, strings{};
        if (!read(object, header.e_shoff + static_cast<std::size_t>(s) * header.e_shentsize, table)) return;
        if (table.sh_type != SHT_SYMTAB || table.sh_entsize != sizeof(Elf64_Sym)) continue;
        if (!read(object, header.e_shoff + std::size_t{table.sh_link} * header.e_shentsize, strings)) return;
        for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
            Elf64_Sym symbol{};
            if (!read(object, table.sh_offset + at, symbol)) return;
            const std::size_t name = strings.sh_offset + symbol.st_name;
            if (name >= object.size() || object.find('\0', name) == std::string_view::npos) continue;
            std::string mangled = object.data() + name;
            if (const std::size_t part = mangled.find('.'); part != std::string::npos) mangled.resize(part);  // "s.0"
            f(symbol, mangled);
        }
    }
}

bool is_object(std::string_view object, Elf64_Ehdr& header) {
    return read(object, 0, header) && header.e_ident[EI_CLASS] == ELFCLASS64;
}

}  // namespace

std::size_t shared_variables(std::string_view object, const std::vector<std::string>& others) {
    Elf64_Ehdr header{};
    if (!is_object(object, header)) return 0;
    std::size_t total = 0;
    for_symbols(object, header, [&](const Elf64_Sym& symbol, const std::string& mangled) {
        if (ELF64_ST_TYPE(symbol.st_info) != STT_TLS) return;
        const std::string variable = demangled(mangled.c_str());
        if (variable.compare(0, 4, "gpu_") == 0 || mangled.compare(0, 4, "_ZGV") == 0) return;
        if (std::find(others.begin(), others.end(), function_of(variable)) != others.end()) return;
        total += symbol.st_size;
    });
    return total;
}

std::vector<ObjectVariable> object_variables(std::string_view object) {
    Elf64_Ehdr header{};
    if (!is_object(object, header)) return {};
    std::vector<ObjectVariable> variables;
    for_symbols(object, header, [&](const Elf64_Sym& symbol, const std::string& mangled) {
        Elf64_Shdr section{};
        if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0 || symbol.st_shndx >= header.e_shnum ||
            !read(object, header.e_shoff + std::size_t{symbol.st_shndx} * header.e_shentsize, section) ||
            (section.sh_flags & SHF_WRITE) == 0 || mangled.compare(0, 4, "_ZGV") == 0)
            return;
        std::string name = demangled(mangled.c_str());
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

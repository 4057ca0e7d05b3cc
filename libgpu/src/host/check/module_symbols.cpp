// SPDX-License-Identifier: MIT
#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "host/check/checked_module.hpp"

namespace gpu::detail::host {

namespace {

template <class T>
bool read(std::string_view bytes, std::size_t offset, T& value) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof value) return false;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return true;
}

std::string demangled(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 && text ? text.get() : symbol;
}

// "s" of "_ZZ3mulPKfE1s.0" and of "ns::s".
std::string plain_name(std::string mangled) {
    if (const std::size_t part = mangled.find('.'); part != std::string::npos) mangled.resize(part);
    const std::string whole = demangled(mangled);
    const std::size_t colon = whole.rfind("::");
    return colon == std::string::npos ? whole : whole.substr(colon + 2);
}

void add_symbol(ModuleSymbols& to, const Elf64_Sym& symbol, const char* name) {
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if ((type != STT_TLS && type != STT_OBJECT) || symbol.st_size == 0 || symbol.st_shndx == SHN_UNDEF) return;
    ModuleVariable variable{plain_name(name), symbol.st_value, symbol.st_size, type == STT_TLS};
    if (variable.is_shared && variable.name == "gpu_state") to.state_offset = variable.offset;
    const bool ours = variable.name.compare(0, 4, "gpu_") == 0 || variable.name.compare(0, 7, "libgpu_") == 0;
    if (ours && variable.name != "gpu_dynamic_shared") return;
    // A compiler's guard of an initialisation: no variable of the learner's, and nameless.
    if (std::strncmp(name, "_ZGV", 4) == 0) variable.name.clear();
    to.variables.push_back(std::move(variable));
}

}  // namespace

ModuleSymbols read_symbols(std::string_view object) {
    ModuleSymbols symbols;
    Elf64_Ehdr header{};
    if (!read(object, 0, header) || header.e_ident[EI_CLASS] != ELFCLASS64) return symbols;
    for (int s = 0; s < header.e_phnum; ++s) {
        Elf64_Phdr segment{};
        if (!read(object, header.e_phoff + static_cast<std::size_t>(s) * header.e_phentsize, segment)) return symbols;
        if (segment.p_type != PT_LOAD) continue;
        symbols.object_end = std::max<std::uint64_t>(symbols.object_end, segment.p_vaddr + segment.p_memsz);
        if ((segment.p_flags & PF_X) == 0) continue;
        symbols.text_begin = segment.p_vaddr;
        symbols.text_end = segment.p_vaddr + segment.p_memsz;
    }
    for (int s = 0; s < header.e_shnum; ++s) {
        Elf64_Shdr table{}, strings{};
        if (!read(object, header.e_shoff + static_cast<std::size_t>(s) * header.e_shentsize, table)) break;
        if (table.sh_type != SHT_SYMTAB || table.sh_entsize != sizeof(Elf64_Sym)) continue;
        if (!read(object, header.e_shoff + std::size_t{table.sh_link} * header.e_shentsize, strings)) break;
        for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
            Elf64_Sym symbol{};
            if (!read(object, table.sh_offset + at, symbol)) break;
            const std::size_t name = strings.sh_offset + symbol.st_name;
            if (name >= object.size() || object.find('\0', name) == std::string_view::npos) continue;
            add_symbol(symbols, symbol, object.data() + name);
        }
    }
    std::sort(symbols.variables.begin(), symbols.variables.end(), [](const auto& a, const auto& b) {
        return a.is_shared != b.is_shared ? a.is_shared : a.offset < b.offset;
    });
    return symbols;
}

}  // namespace gpu::detail::host

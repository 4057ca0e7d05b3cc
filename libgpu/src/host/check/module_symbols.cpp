// SPDX-License-Identifier: MIT
#include <algorithm>

#include "host/check/checked_module.hpp"
#include "host/compile/elf_object.hpp"

namespace gpu::detail::host {

namespace {

// "s" of "_ZZ3mulPKfE1s" and of "ns::s".
std::string plain_name(const std::string& mangled) {
    const std::string whole = demangled(mangled);
    const std::size_t colon = whole.rfind("::");
    return colon == std::string::npos ? whole : whole.substr(colon + 2);
}

void add_symbol(ModuleSymbols& to, const Elf64_Sym& symbol, const std::string& mangled) {
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if ((type != STT_TLS && type != STT_OBJECT) || symbol.st_size == 0 || symbol.st_shndx == SHN_UNDEF) return;
    ModuleVariable variable{plain_name(mangled), symbol.st_value, symbol.st_size, type == STT_TLS};
    if (variable.is_shared && variable.name == "gpu_state") to.state_offset = variable.offset;
    const bool ours = variable.name.compare(0, 4, "gpu_") == 0 || variable.name.compare(0, 7, "libgpu_") == 0;
    if (ours && variable.name != "gpu_dynamic_shared") return;
    if (is_guard(mangled)) variable.name.clear();
    to.variables.push_back(std::move(variable));
}

}  // namespace

ModuleSymbols read_symbols(std::string_view object) {
    ModuleSymbols symbols;
    Elf64_Ehdr header{};
    if (!read_header(object, header)) return symbols;
    for (int s = 0; s < header.e_phnum; ++s) {
        Elf64_Phdr segment{};
        if (!read(object, header.e_phoff + static_cast<std::size_t>(s) * header.e_phentsize, segment)) return symbols;
        if (segment.p_type != PT_LOAD) continue;
        symbols.object_end = std::max<std::uint64_t>(symbols.object_end, segment.p_vaddr + segment.p_memsz);
        if ((segment.p_flags & PF_X) == 0) continue;
        symbols.text_begin = segment.p_vaddr;
        symbols.text_end = segment.p_vaddr + segment.p_memsz;
    }
    for_symbols(object, header, [&symbols](const Elf64_Sym& symbol, const std::string& mangled) {
        add_symbol(symbols, symbol, mangled);
    });
    std::sort(symbols.variables.begin(), symbols.variables.end(), [](const auto& a, const auto& b) {
        return a.is_shared != b.is_shared ? a.is_shared : a.offset < b.offset;
    });
    return symbols;
}

}  // namespace gpu::detail::host

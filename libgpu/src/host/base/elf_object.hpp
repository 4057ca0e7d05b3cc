// SPDX-License-Identifier: MIT
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace gpu::detail::host {

/// Reads a value from an object's bytes; false if they end before it.
template <class T>
bool read(std::string_view bytes, std::size_t offset, T& value) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof value) return false;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return true;
}

/// The object's header; false if it isn't a 64-bit object.
inline bool read_header(std::string_view object, Elf64_Ehdr& header) {
    return read(object, 0, header) && header.e_ident[EI_CLASS] == ELFCLASS64;
}

/// Calls f(symbol, its mangled name) for each readable symbol of the object's table.
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

/// True for a compiler's guard of an initialisation, which is no variable of the learner's.
inline bool is_guard(const std::string& mangled) { return mangled.compare(0, 4, "_ZGV") == 0; }

}  // namespace gpu::detail::host

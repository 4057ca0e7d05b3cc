// SPDX-License-Identifier: MIT
#include "host/compile/foreign_code.hpp"

#include <algorithm>
#include <set>

#include "host/base/elf_object.hpp"

namespace gpu::detail::host {

namespace {

// What the prelude declares of the C library, each for double and, with an f behind it, for float.
constexpr std::string_view of_both_types[] = {
    "sqrt", "cbrt", "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "logb", "sin", "cos", "tan",
    "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "floor", "ceil", "trunc", "round",
    "rint", "nearbyint", "erf", "erfc", "tgamma", "lgamma", "j0", "j1", "y0", "y1", "fabs", "atan2", "hypot", "fmod",
    "remainder", "copysign", "nextafter", "fdim", "fmin", "fmax", "pow", "fma", "ldexp", "scalbn", "frexp", "modf",
    "ilogb", "lrint", "lround", "llrint", "llround", "jn", "yn", "scalbln", "remquo", "sincos", "roundeven"};
// Of the others the compiler itself puts some into any code.
constexpr std::string_view other_functions[] = {
    "memcpy", "memmove", "memset", "memcmp", "vsnprintf", "clock_gettime", "abs", "labs", "llabs", "fesetround",
    "__tls_get_addr",
#if defined(__aarch64__)
    "__getauxval",  // libgcc's atomics ask it what the CPU has
#endif
};

std::set<std::string, std::less<>> make_known() {
    std::set<std::string, std::less<>> names(std::begin(other_functions), std::end(other_functions));
    for (const std::string_view name : of_both_types)
        for (const std::string& one : {std::string(name), std::string(name) + "f"}) {
            names.insert(one);
            names.insert("__" + one + "_finite");   // with fast math, of older libraries
        }
    return names;
}

bool is_of_name(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

bool is_function_of_numbers(std::string_view name) {
    static const auto* const known = new std::set<std::string, std::less<>>([] {
        std::set<std::string, std::less<>> names = make_known();
        for (const std::string_view one : other_functions) names.erase(std::string(one));
        for (const std::string both : {"frexp", "modf", "remquo", "sincos"})  // they store to memory
            for (const std::string& one : {both, both + "f"}) names.erase(one);
        for (const std::string one : {"abs", "labs", "llabs", "fesetround"}) names.insert(one);
        return names;
    }());
    if (name.starts_with("_ZGV")) {   // the C library's for several numbers at once: "_ZGVdN8vv_powf"
        const std::size_t letters = name.find_first_not_of("0123456789", 6), end = name.find('_', 4);
        if (end == std::string_view::npos || letters > end) return false;
        const std::string_view parameters = name.substr(letters, end - letters);
        if (parameters.find_first_not_of('v') != std::string_view::npos) return false;
        name.remove_prefix(end + 1);
    }
    return known->count(name) > 0;
}

std::string foreign_function(std::string_view object) {
    static const auto* const known = new std::set<std::string, std::less<>>(make_known());
    std::string found;
    Elf64_Ehdr header{};
    if (!read_header(object, header)) return found;
    for_symbols(object, header, [&](const Elf64_Sym& symbol, const std::string& mangled) {
        const std::string name = mangled.substr(0, mangled.find('@'));   // memcpy@GLIBC_2.14
        const bool is_of_vectors = name.compare(0, 4, "_ZGV") == 0;      // the C library's, for several numbers at once
        if (symbol.st_shndx != SHN_UNDEF || name.empty() || is_of_vectors || known->count(name) > 0) return;
        found = name;
    });
    return found;
}

bool runs_when_loaded(std::string_view object) {
    Elf64_Ehdr header{};
    if (!read_header(object, header)) return false;
    std::uint64_t bytes = 0;
    for (int s = 0; s < header.e_shnum; ++s) {
        Elf64_Shdr section{};
        if (!read(object, header.e_shoff + static_cast<std::size_t>(s) * header.e_shentsize, section)) break;
        if (section.sh_type == SHT_FINI_ARRAY || section.sh_type == SHT_PREINIT_ARRAY) return section.sh_size > 0;
        if (section.sh_type == SHT_INIT_ARRAY) bytes += section.sh_size;
    }
    bool resolves = false;
    for_symbols(object, header, [&](const Elf64_Sym& symbol, const std::string&) {
        resolves = resolves || ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC;
    });
    return resolves || bytes > sizeof(void*);   // one is the thread sanitizer's own
}

bool pastes_words(std::string_view text) {
    return text.find("##") != std::string_view::npos || text.find("%:%:") != std::string_view::npos;
}

std::string instruction_of_cpu(std::string_view expanded) {
    for (const std::string_view begin : {"__builtin_ia32_", "__builtin_aarch64_"})
        for (std::size_t at = 0; (at = expanded.find(begin, at)) != std::string_view::npos; at += begin.size()) {
            const auto end =
                std::find_if_not(expanded.begin() + static_cast<std::ptrdiff_t>(at), expanded.end(), is_of_name);
            const std::string_view name(expanded.data() + at, static_cast<std::size_t>(end - expanded.begin()) - at);
            if (name != "__builtin_ia32_vcvtps2ph" && name != "__builtin_ia32_vcvtph2ps") return std::string(name);
        }
    return {};
}

}  // namespace gpu::detail::host

// SPDX-License-Identifier: MIT
#include "host/compile/native_code.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "codegen/kernel_tokens.hpp"
#include "host/base/elf_object.hpp"

namespace gpu::detail::host {

namespace {

// The C library functions that the prelude declares, each for double and, with an appended f, for float.
constexpr std::string_view of_both_types[] = {
    "sqrt",    "cbrt",      "exp",      "exp2",      "exp10", "expm1",  "log",    "log2",    "log10",     "log1p",
    "logb",    "sin",       "cos",      "tan",       "asin",  "acos",   "atan",   "sinh",    "cosh",      "tanh",
    "asinh",   "acosh",     "atanh",    "floor",     "ceil",  "trunc",  "round",  "rint",    "nearbyint", "erf",
    "erfc",    "tgamma",    "lgamma",   "j0",        "j1",    "y0",     "y1",     "fabs",    "atan2",     "hypot",
    "fmod",    "remainder", "copysign", "nextafter", "fdim",  "fmin",   "fmax",   "pow",     "fma",       "ldexp",
    "scalbn",  "frexp",     "modf",     "ilogb",     "lrint", "lround", "llrint", "llround", "jn",        "yn",
    "scalbln", "remquo",    "sincos",   "roundeven"};
// The compiler itself may insert some of the others into any code.
constexpr std::string_view other_functions[] = {
    "memcpy",      "memmove", "memset", "memcmp",     "vsnprintf",      "clock_gettime",
    "abs",         "labs",    "llabs",  "fesetround", "__tls_get_addr",
#if defined(__aarch64__)
    "__getauxval",  // libgcc's atomics ask it for the CPU's features
#endif
};

std::set<std::string, std::less<>> make_known() {
    std::set<std::string, std::less<>> names(std::begin(other_functions), std::end(other_functions));
    for (const std::string_view name : of_both_types)
        for (const std::string& one : {std::string(name), std::string(name) + "f"}) {
            names.insert(one);
            names.insert("__" + one + "_finite");  // with fast math, of older libraries
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
    if (name.starts_with("_ZGV")) {  // the C library's vector variants: "_ZGVdN8vv_powf"
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
        const std::string name = mangled.substr(0, mangled.find('@'));  // memcpy@GLIBC_2.14
        const bool is_of_vectors = name.compare(0, 4, "_ZGV") == 0;     // the C library's vector variants
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
    return resolves || bytes > sizeof(void*);  // one belongs to the thread sanitizer
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

// In check mode, a kernel is native code in the process that counts its work. So its object is examined before linking,
// while each call still has a name and each address a relocation.

namespace {

constexpr std::string_view not_a_gpus = "it is declared, and defined nowhere on a GPU";
constexpr std::string_view no_pointer =
    "no pointer leads out of a kernel; point to a function of your own that calls it";
constexpr std::string_view not_of_a_compiler = "a kernel's code is what the compiler makes of C++";
constexpr std::string_view runs_at_load =
    "no code of a kernel's file runs when it is loaded, and its variables begin with constants";

struct Section {
    Elf64_Shdr header{};
    std::string_view name;
    [[nodiscard]] bool is_loaded() const { return (header.sh_flags & SHF_ALLOC) != 0; }
    [[nodiscard]] bool is_code() const { return (header.sh_flags & SHF_EXECINSTR) != 0; }
};

struct Symbol {
    Elf64_Sym entry{};
    std::string_view name;
    [[nodiscard]] bool is_undefined() const { return entry.st_shndx == SHN_UNDEF && !name.empty(); }
};

/// A relocatable object's tables; empty if it can't be read completely.
class RelocatableObject {
public:
    explicit RelocatableObject(std::string_view bytes) : bytes_(bytes) {
        is_whole_ = read_sections() && read_symbols();
    }

    [[nodiscard]] bool is_whole() const { return is_whole_; }
    [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
    [[nodiscard]] const std::vector<Symbol>& symbols() const { return symbols_; }
    [[nodiscard]] std::string_view contents(const Section& section) const {
        if (section.header.sh_type == SHT_NOBITS) return {};
        return bytes_.substr(section.header.sh_offset, section.header.sh_size);
    }

private:
    bool read_sections() {
        Elf64_Ehdr header{};
        if (!read_header(bytes_, header) || header.e_type != ET_REL || header.e_shstrndx >= header.e_shnum)
            return false;
        for (std::size_t s = 0; s < header.e_shnum; ++s) {
            Section& section = sections_.emplace_back();
            if (!read(bytes_, header.e_shoff + s * sizeof(Elf64_Shdr), section.header)) return false;
            const Elf64_Shdr& one = section.header;
            if (one.sh_type != SHT_NOBITS &&
                (one.sh_offset > bytes_.size() || one.sh_size > bytes_.size() - one.sh_offset))
                return false;
        }
        for (Section& section : sections_)
            if (!read_name(sections_[header.e_shstrndx], section.header.sh_name, section.name)) return false;
        return true;
    }
    bool read_symbols() {
        for (const Section& table : sections_) {
            if (table.header.sh_type != SHT_SYMTAB) continue;
            if (!symbols_.empty() || table.header.sh_link >= sections_.size()) return false;
            const std::string_view entries = contents(table);
            for (std::size_t at = 0; at + sizeof(Elf64_Sym) <= entries.size(); at += sizeof(Elf64_Sym)) {
                Symbol& symbol = symbols_.emplace_back();
                if (!read(entries, at, symbol.entry) ||
                    !read_name(sections_[table.header.sh_link], symbol.entry.st_name, symbol.name))
                    return false;
            }
        }
        return true;
    }
    bool read_name(const Section& strings, std::size_t at, std::string_view& name) const {
        const std::string_view all = contents(strings);
        const std::size_t end = at < all.size() ? all.find('\0', at) : std::string_view::npos;
        if (end == std::string_view::npos) return false;
        name = all.substr(at, end - at);
        return true;
    }

    std::string_view bytes_;
    std::vector<Section> sections_;
    std::vector<Symbol> symbols_;
    bool is_whole_ = false;
};

bool begins_with(std::string_view name, std::initializer_list<std::string_view> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return name.starts_with(beginning); });
}

// The first words of such a section's name are followed by a function's or a variable's name.
bool is_named_by_compiler(const Section& section) {
    const std::string_view name = section.name;
    const bool is_plain = std::all_of(name.begin(), name.end(), [](char c) {
        return is_name_part(c) || c == '.' || c == '$' || c == '-' || (c & 0x80) != 0;
    });
    if (!is_plain) return false;
    if (section.is_code()) return begins_with(name, {".text"}) && (section.header.sh_flags & SHF_WRITE) == 0;
    if (section.is_loaded())
        return begins_with(
            name, {".data", ".bss", ".rodata", ".tdata", ".tbss", ".init_array", ".note.gnu.property", ".eh_frame"});
    return name.empty() || begins_with(name, {".rela", ".debug_", ".symtab", ".strtab", ".shstrtab", ".group",
                                              ".comment", ".note.GNU-stack", ".llvm_addrsig"});
}

ForeignCode foreign_section(const RelocatableObject& object) {
    std::uint64_t runs_at_begin = 0;
    for (const Section& section : object.sections()) {
        if (!is_named_by_compiler(section)) return {std::string(section.name), std::string(not_of_a_compiler)};
        const bool runs = section.header.sh_type == SHT_INIT_ARRAY || section.name.starts_with(".init_array");
        if (runs) runs_at_begin += section.header.sh_size;
    }
    if (runs_at_begin > sizeof(void*)) return {"constructor", std::string(runs_at_load)};  // one is the sanitizer's
    return {};
}

// All that a kernel needs from the compiler's own library: numbers in, a number out.
bool is_of_libgcc(std::string_view name) {
    static const auto* const known = new std::set<std::string_view>{
        "__popcountsi2", "__popcountdi2", "__clzsi2",     "__clzdi2",       "__ctzsi2",      "__ctzdi2",
        "__paritysi2",   "__paritydi2",   "__bswapsi2",   "__bswapdi2",     "__ffsdi2",      "__multi3",
        "__divti3",      "__udivti3",     "__modti3",     "__umodti3",      "__fixsfti",     "__fixdfti",
        "__fixunssfti",  "__fixunsdfti",  "__floattisf",  "__floattidf",    "__floatuntisf", "__floatuntidf",
        "__powisf2",     "__powidf2",     "__mulsc3",     "__muldc3",       "__divsc3",      "__divdc3",
        "__extendhfsf2", "__truncsfhf2",  "__truncdfhf2", "__gnu_h2f_ieee", "__gnu_f2h_ieee"};
    return known->count(name) > 0;
}

std::set<std::string_view> defined_in(const RelocatableObject& object) {
    std::set<std::string_view> names;
    for (const Symbol& symbol : object.symbols())
        if (symbol.entry.st_shndx != SHN_UNDEF && ELF64_ST_BIND(symbol.entry.st_info) == STB_GLOBAL)
            names.insert(symbol.name);
    return names;
}

// The table that instrumentation reads. Only the prelude can name it, and only to read it.
constexpr std::string_view table_of_checks = "gpu_checks";

ForeignCode foreign_symbol(const RelocatableObject& object, const std::set<std::string_view>& instrumentation) {
    for (const Symbol& symbol : object.symbols()) {
        const bool resolves = ELF64_ST_TYPE(symbol.entry.st_info) == STT_GNU_IFUNC;
        const bool is_odd = symbol.entry.st_shndx == SHN_COMMON || symbol.name.find('@') != std::string_view::npos ||
                            (symbol.entry.st_shndx == SHN_ABS && ELF64_ST_TYPE(symbol.entry.st_info) != STT_FILE);
        if (resolves || is_odd)
            return {std::string(symbol.name), std::string(resolves ? runs_at_load : not_of_a_compiler)};
        if (!symbol.is_undefined() || is_one_of(symbol.name, {"__tls_get_addr", "_GLOBAL_OFFSET_TABLE_"}) ||
            is_of_libgcc(symbol.name) || is_function_of_numbers(symbol.name) || instrumentation.count(symbol.name) > 0)
            continue;
        return {std::string(symbol.name), std::string(not_a_gpus)};
    }
    return {};
}

#if defined(__aarch64__)
bool is_call(std::uint32_t type, std::string_view, std::uint64_t) {
    return type == R_AARCH64_CALL26 || type == R_AARCH64_JUMP26;
}
#else
// A call, a jump or a conditional jump: tells by the bytes before the four bytes of the distance.
bool is_call(std::uint32_t type, std::string_view code, std::uint64_t at) {
    if (type != R_X86_64_PLT32 || at < 2 || at + 4 > code.size()) return false;
    const auto byte = [&](std::uint64_t k) { return static_cast<unsigned char>(code[k]); };
    return byte(at - 1) == 0xe8 || byte(at - 1) == 0xe9 || (byte(at - 2) == 0x0f && byte(at - 1) >> 4 == 8);
}
#endif

// Checks that anything that isn't the kernel's own is only called.
ForeignCode foreign_address(const RelocatableObject& object) {
    for (const Section& table : object.sections()) {
        const std::size_t target = table.header.sh_info;
        if (table.header.sh_type == SHT_REL) return {std::string(table.name), std::string(not_of_a_compiler)};
        if (table.header.sh_type != SHT_RELA) continue;
        if (target >= object.sections().size()) return {std::string(table.name), std::string(not_of_a_compiler)};
        const Section& section = object.sections()[target];
        if (!section.is_loaded()) continue;
        const std::string_view entries = object.contents(table), code = object.contents(section);
        for (std::size_t at = 0; at + sizeof(Elf64_Rela) <= entries.size(); at += sizeof(Elf64_Rela)) {
            Elf64_Rela one{};
            read(entries, at, one);
            const std::size_t number = ELF64_R_SYM(one.r_info);
            if (number >= object.symbols().size()) return {std::string(table.name), std::string(not_of_a_compiler)};
            const Symbol& symbol = object.symbols()[number];
            if (!symbol.is_undefined() || symbol.name == table_of_checks) continue;
            if (!section.is_code() ||
                !is_call(static_cast<std::uint32_t>(ELF64_R_TYPE(one.r_info)), code, one.r_offset))
                return {std::string(symbol.name), std::string(no_pointer)};
        }
    }
    return {};
}

#if defined(__x86_64__)
ForeignCode foreign_mark(const RelocatableObject& object) {
    std::set<std::pair<std::size_t, std::uint64_t>> begins;
    for (const Symbol& symbol : object.symbols())
        if (ELF64_ST_TYPE(symbol.entry.st_info) == STT_FUNC)
            begins.emplace(symbol.entry.st_shndx, symbol.entry.st_value);
    constexpr std::string_view mark = "\xf3\x0f\x1e\xfa";
    for (std::size_t s = 0; s < object.sections().size(); ++s) {
        if (!object.sections()[s].is_code()) continue;
        const std::string_view code = object.contents(object.sections()[s]);
        for (std::size_t at = code.find(mark); at != std::string_view::npos; at = code.find(mark, at + 1))
            if (begins.count({s, at}) == 0) return {"0xfa1e0ff3", "this number marks where a function begins"};
    }
    return {};
}
#else
ForeignCode foreign_mark(const RelocatableObject&) { return {}; }
#endif

// The text with everything between quotes removed.
std::string without_strings(std::string_view dump) {
    std::string text;
    bool inside = false;
    for (std::size_t k = 0; k < dump.size(); ++k) {
        if (inside && dump[k] == '\\') {
            ++k;
        } else {
            if (dump[k] == '"') inside = !inside;
            if (!inside || dump[k] == '"') text += dump[k];
        }
    }
    return text;
}

// Adds the names in a variable's declaration, "struct S s;", and possibly more.
void add_names(std::string_view line, std::set<std::string, std::less<>>& names) {
    const auto is_part = [](char c) { return is_name_part(c) || c == '.' || (c & 0x80) != 0; };
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t begin = at;
        while (at < line.size() && is_part(line[at])) ++at;
        if (at > begin)
            names.emplace(line.substr(begin, at - begin));
        else
            ++at;
    }
}

// The parts of a dump's "  *p_3 = fD.7 (x_1, sD.9);", where every name has a unique number.
struct DumpedCall {
    std::string_view result, name;
    std::vector<std::string_view> arguments;
};

DumpedCall call_in(std::string_view line) {
    line = line.substr(0, line.find("; [") == std::string_view::npos ? line.size() : line.find("; [") + 1);
    if (!line.ends_with(");")) return {};
    line.remove_suffix(1);
    std::size_t open = line.size();
    for (int depth = 0; open-- > 0;) {
        depth += line[open] == ')' ? 1 : line[open] == '(' ? -1 : 0;
        if (depth == 0) break;
    }
    if (open >= line.size() || open < 3 || line[open - 1] != ' ') return {};
    DumpedCall call;
    std::string_view head = line.substr(2, open - 3);
    if (const std::size_t equals = head.find(" = "); equals != std::string_view::npos) {
        call.result = head.substr(0, equals);
        head.remove_prefix(equals + 3);
    }
    call.name = head;
    std::size_t begin = open + 1;
    int depth = 0;
    for (std::size_t at = begin; at < line.size(); ++at) {
        const char c = line[at];
        const bool ends = depth == 0 && (c == ',' || at + 1 == line.size());
        depth += c == '(' || c == '[' || c == '{' || c == '<' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        if (c == '>' && line[at - 1] != '-') --depth;
        if (!ends) continue;
        std::string_view argument = line.substr(begin, at - begin);
        argument.remove_prefix(std::min(argument.find_first_not_of(' '), argument.size()));
        if (!argument.empty()) call.arguments.push_back(argument);
        begin = at + 1;
    }
    return call;
}

// True for a place in memory other than the function's own variables: "*p_3", "MEM[(const struct S &)_1]", "tableD.5".
bool is_unseen(std::string_view operand, const std::set<std::string, std::less<>>& locals) {
    // "VIEW_CONVERT_EXPR<struct S>(tableD.5[_1])", "BIT_FIELD_REF <sD.5, 32, 0>": a part or another view of the place.
    if (operand.starts_with("VIEW_CONVERT_EXPR<") && operand.ends_with(')')) {
        const std::size_t open = operand.find(">(");
        if (open == std::string_view::npos) return true;
        return is_unseen(operand.substr(open + 2, operand.size() - open - 3), locals);
    }
    if (const std::size_t open = operand.find(" <"); open != std::string_view::npos && operand.ends_with('>')) {
        const std::size_t end = operand.find_first_of(",>", open);
        return is_unseen(operand.substr(open + 2, end - open - 2), locals);
    }
    if (operand.empty() || operand.front() == '&' || operand.front() == '"' || is_digit(operand.front())) return false;
    for (const std::string_view mark : {"*", "MEM", "->"})
        if (operand.find(mark) != std::string_view::npos) return true;
    const std::size_t end = operand.find_first_of("[");
    std::string_view name = operand.substr(0, end);
    if (name.find_first_of("({<-") != std::string_view::npos) {  // "x_1(D)", "{1, 2}", "-1"
        if (!name.ends_with("(D)")) return false;
        name.remove_suffix(3);
    }
    const std::size_t digits = name.find_last_not_of("0123456789");
    const bool is_value = digits != std::string_view::npos && digits + 1 < name.size() && name[digits] == '_';
    if (is_value && end == std::string_view::npos) return false;
    while (!name.empty()) {  // "sD.9.part" belongs to the variable sD.9; D.2609 is one itself
        if (locals.count(name) > 0) return false;
        const std::size_t dot = name.rfind('.');
        name = dot == std::string_view::npos ? "" : name.substr(0, dot);
    }
    return true;
}

}  // namespace

ForeignCode foreign_code(std::string_view object, std::string_view instrumentation) {
    const RelocatableObject kernel(object), instrumented(instrumentation);
    if (!kernel.is_whole() || !instrumented.is_whole()) return {"object", std::string(not_of_a_compiler)};
    if (ForeignCode found = foreign_section(kernel)) return found;
    if (ForeignCode found = foreign_symbol(kernel, defined_in(instrumented))) return found;
    if (ForeignCode found = foreign_address(kernel)) return found;
    return foreign_mark(kernel);
}

std::string unseen_argument(std::string_view dump) {
    const std::string text = without_strings(dump);
    std::set<std::string, std::less<>> locals;
    std::size_t end = 0;
    for (std::size_t begin = 0; begin < text.size(); begin = end + 1) {
        end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = std::string_view(text).substr(begin, end - begin);
        if (line.starts_with(";; Function ")) locals.clear();
        if (!line.empty() && line.front() != ' ' && line.front() != ';') add_names(line, locals);  // parameters
        if (!line.starts_with("  ")) continue;
        if (const DumpedCall call = call_in(line); !call.name.empty()) {
            const bool is_stored = is_unseen(call.result, locals);
            if (is_stored || std::any_of(call.arguments.begin(), call.arguments.end(),
                                         [&](std::string_view one) { return is_unseen(one, locals); }))
                return std::string(call.name.substr(0, call.name.rfind("D.")));
        } else if (line.find(" = ") == std::string_view::npos && line.ends_with(';') &&
                   !line.starts_with("  static ")) {
            add_names(line, locals);
        }
    }
    return {};
}

}  // namespace gpu::detail::host

// SPDX-License-Identifier: MIT
#include "host/modules/checked_module.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdlib>
#include <utility>

#include <gpu/error.hpp>

#include "codegen/kernel_declarations.hpp"
#include "codegen/kernel_tokens.hpp"
#include "host/base/elf_object.hpp"
#include "host/base/process.hpp"
#include "host/compile/refusals.hpp"
#include "host/compile/text_writer.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::chrono::seconds lookup_limit{60};

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Parses a line of addr2line: "/where/raw_add.cu:12 (discriminator 3)". False for the prelude's lines and for "??:0".
bool parse_frame(const std::string& frame, const SourceText& learners, SourcePlace& place) {
    const std::string text = frame.substr(0, frame.find(" (disc"));
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) return false;
    std::string file = text.substr(0, colon);
    const int line = std::atoi(text.c_str() + colon + 1);
    if (line <= 0) return false;
    const bool is_learners = file == learners.file || ends_with(file, "/" + learners.file);
    if (!is_learners) {
        const std::size_t slash = file.rfind('/');
        const std::string name = slash == std::string::npos ? file : file.substr(slash + 1);
        const std::string folder = slash == std::string::npos ? "" : file.substr(0, slash);
        if (ends_with(folder, "libgpu") || name.compare(0, 7, "libgpu:") == 0 || name == "kernel.cpp") return false;
        place = {name, line};
        return true;
    }
    place = {learners.file, line};
    return true;
}

// "s" for "ns::s".
std::string plain(const std::string& name) {
    const std::size_t colon = name.rfind("::");
    return colon == std::string::npos ? name : name.substr(colon + 2);
}

// "s" for "_ZZ3mulPKfE1s".
std::string plain_name(const std::string& mangled) { return plain(demangled(mangled)); }

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

// "float4" -> 4; 0 for a structure or an unknown type.
unsigned size_of_number(std::string type) {
    if (type.size() > 1 && type.back() >= '1' && type.back() <= '4') type.pop_back();  // a vector's components
    constexpr std::pair<std::string_view, unsigned> sizes[] = {
        {"float", 4}, {"double", 8},  {"int", 4},     {"unsigned int", 4}, {"unsigned", 4},      {"uint", 4},
        {"char", 1},  {"uchar", 1},   {"short", 2},   {"ushort", 2},       {"unsigned char", 1}, {"long long", 8},
        {"bool", 1},  {"int32_t", 4}, {"int64_t", 8}, {"uint32_t", 4},     {"uint64_t", 8},      {"uint8_t", 1},
        {"half", 2},  {"__half", 2},  {"long", 8},    {"size_t", 8},       {"nv_bfloat16", 2},  {"__nv_bfloat16", 2}};
    for (const auto& [name, bytes] : sizes)
        if (type == name) return bytes;
    return 0;
}

}  // namespace

CheckedModule::CheckedModule(std::string_view object, void* library, SourceText learners, const std::string& kernel)
    : object_(object), learners_(std::move(learners)), symbols_(read_symbols(object)) {
    struct link_map* map = nullptr;
    if (::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr) base_ = map->l_addr;
    for (const ConstantVariable& constant : constant_variables(learners_.text))
        for (ModuleVariable& variable : symbols_.variables) {
            if (variable.name != constant.name || variable.is_shared) continue;
            variable.is_constant = true;
            variable.has_value = constant.has_value;
        }
    for (ModuleVariable& variable : symbols_.variables) {
        const bool dynamic = variable.name == "gpu_dynamic_shared";
        variable.element = size_of_number(declared_type(dynamic ? dynamic_shared_name() : variable.name));
    }
    double_lines_ = double_precision_lines(object, learners_, kernel);
    const std::vector<Token> tokens = tokens_of(learners_.plain.empty() ? learners_.text : learners_.plain);
    const auto has = [&](auto&& is_it) { return std::any_of(tokens.begin(), tokens.end(), is_it); };
    may_depend_on_order_ =
        has([](const Token& token) { return token.text.starts_with("atomic") || token.text == "volatile"; }) &&
        !has([](const Token& token) { return is_one_of(token.text, {"printf", "malloc", "free", "new", "asm"}); });
    lines_ = 1 + std::count(learners_.text.begin(), learners_.text.end(), '\n');
    numbers_.resize(text_size() + 1 + static_cast<std::size_t>(lines_));
    offsets_.push_back(0);
}

void CheckedModule::written_by_host(const std::string& name) {
    const std::lock_guard lock(mutex_);
    written_.insert(plain(name));
}

bool CheckedModule::is_never_set(const ModuleVariable& variable) {
    if (!variable.is_constant || variable.has_value) return false;
    const std::lock_guard lock(mutex_);
    return !written_.contains(variable.name);
}

unsigned CheckedModule::number_site(std::size_t offset) {
    const std::lock_guard lock(mutex_);
    std::uint16_t& number = numbers_[offset];
    if (number == 0) {
        const std::size_t next = offsets_.size();
        if (next >= unknown_site) return unknown_site;
        offsets_.push_back(offset);
        std::atomic_ref(number).store(static_cast<std::uint16_t>(next), std::memory_order_relaxed);
    }
    return number;
}

std::size_t CheckedModule::site_of_line(int line) const noexcept {
    const int own = line - learners_.line;
    return own >= 0 && own < lines_ ? text_size() + 1 + static_cast<std::size_t>(own) : 0;
}

std::size_t CheckedModule::site_offset(unsigned number) {
    const std::lock_guard lock(mutex_);
    return number < offsets_.size() ? offsets_[number] : 0;
}

SourcePlace CheckedModule::place(std::size_t offset) {
    find_places({offset});
    const std::lock_guard lock(mutex_);
    return places_[offset];
}

void CheckedModule::find_places(const std::vector<std::size_t>& offsets) {
    const std::lock_guard lock(mutex_);
    std::string addresses;
    for (const std::size_t offset : offsets) {
        if (!places_.try_emplace(offset).second || offset == 0) continue;
        if (offset > text_size()) {
            places_[offset] = {learners_.file, learners_.line + static_cast<int>(offset - text_size() - 1)};
            continue;
        }
        char digits[32];
        std::snprintf(digits, sizeof digits, "0x%zx\n", symbols_.text_begin + offset - 1);  // inside the call itself
        addresses += digits;
    }
    const std::string program = addresses.empty() ? "" : find_program("addr2line");
    if (program.empty()) return;
    const TemporaryDirectory directory;
    write_file(directory.path() + "/kernel.so", object_);
    write_file(directory.path() + "/addresses", addresses);
    const ProcessResult result =
        run_process({program, "-a", "-i", "-e", directory.path() + "/kernel.so", "@" + directory.path() + "/addresses"},
                    {"LC_ALL=C"}, lookup_limit);
    std::size_t offset = 0;
    bool found = true;
    for (std::size_t begin = 0; begin < result.output.size();) {
        const std::size_t end = std::min(result.output.find('\n', begin), result.output.size());
        const std::string line = result.output.substr(begin, end - begin);
        begin = end + 1;
        if (line.compare(0, 2, "0x") == 0) {
            offset = std::strtoull(line.c_str(), nullptr, 16) - symbols_.text_begin + 1;
            found = false;
        } else if (!found) {
            found = parse_frame(line, learners_, places_[offset]);
        }
    }
}

std::string CheckedModule::line_text(int line) const {
    std::size_t begin = 0;
    for (int k = learners_.line; k < line && begin != std::string::npos; ++k) {
        begin = learners_.text.find('\n', begin);
        if (begin != std::string::npos) ++begin;
    }
    if (line < learners_.line || begin == std::string::npos) return {};
    return learners_.text.substr(begin, learners_.text.find('\n', begin) - begin);
}

std::string CheckedModule::dynamic_shared_name() const {
    const std::vector<Token> tokens = tokens_of(learners_.text);
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
        const bool either = (tokens[k].text == "extern" && tokens[k + 1].text == "__shared__") ||
                            (tokens[k].text == "__shared__" && tokens[k + 1].text == "extern");
        if (!either) continue;
        for (std::size_t at = k + 2; at < tokens.size() && tokens[at].text != ";"; ++at)
            if (tokens[at].text == "[") return std::string(tokens[at - 1].text);
    }
    return "shared memory";
}

std::vector<std::size_t> CheckedModule::declared_lengths(const std::string& variable) const {
    const std::vector<Token> tokens = tokens_of(learners_.text);
    // A number, or a name defined as one somewhere: #define N 16, constexpr int N = 16.
    const auto number = [&tokens](std::string_view text) -> std::size_t {
        if (std::isdigit(static_cast<unsigned char>(text.front())) != 0) return std::strtoull(text.data(), nullptr, 0);
        for (std::size_t k = 1; k + 2 < tokens.size(); ++k) {
            if (tokens[k].text != text) continue;
            const std::size_t value = tokens[k - 1].text == "define" ? k + 1 : tokens[k + 1].text == "=" ? k + 2 : 0;
            if (value != 0 && std::isdigit(static_cast<unsigned char>(tokens[value].text.front())) != 0)
                return std::strtoull(tokens[value].text.data(), nullptr, 0);
        }
        return 0;
    };
    for (std::size_t k = 0; k + 3 < tokens.size(); ++k) {
        if (tokens[k].text != "__shared__" && tokens[k].text != "__device__" && tokens[k].text != "__constant__")
            continue;
        for (std::size_t at = k + 1; at + 3 < tokens.size() && tokens[at].text != ";" && tokens[at].text != "("; ++at) {
            if (tokens[at].text != variable) continue;
            std::vector<std::size_t> lengths;
            for (++at; at + 2 < tokens.size() && tokens[at].text == "["; ++at) {
                const bool plain = tokens[at + 2].text == "]";
                lengths.push_back(plain ? number(tokens[at + 1].text) : 0);
                while (at < tokens.size() && tokens[at].text != "]") ++at;
            }
            return lengths;
        }
    }
    return {};
}

std::string CheckedModule::declared_type(const std::string& variable) const {
    const std::vector<Token> tokens = tokens_of(learners_.text);
    const auto is_qualifier = [](std::string_view text) {
        return text == "static" || text == "extern" || text == "volatile" || text == "const" || text == "__align__";
    };
    for (std::size_t k = 0; k + 2 < tokens.size(); ++k) {
        if (tokens[k].text != "__shared__" && tokens[k].text != "__device__" && tokens[k].text != "__constant__")
            continue;
        std::string type;
        for (std::size_t at = k + 1; at < tokens.size() && tokens[at].text != ";" && tokens[at].text != "("; ++at) {
            if (tokens[at].text == variable) return type;
            if (!is_qualifier(tokens[at].text)) type += (type.empty() ? "" : " ") + std::string(tokens[at].text);
            if (!tokens[at].is_name()) break;
        }
    }
    return {};
}

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

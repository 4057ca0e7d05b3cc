// SPDX-License-Identifier: MIT
#include "host/compile/refusals.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "codegen/kernel_scopes.hpp"
#include "host/compile/kernel_variables.hpp"
#include "host/compile/source_scan.hpp"

namespace gpu::detail::host {

// What is refused by name: things that a GPU has and this backend can't do. (Headers: see Compiler.)

namespace {

struct Refusal {
    std::string_view name;
    bool is_prefix;
    std::string_view reason;
    std::string_view advice = "";
};

constexpr std::string_view no_ptx = "inline PTX can't run on the host backend; use CUDA C++, or a GPU";
constexpr std::string_view no_textures =
    "of textures the host backend has tex1Dfetch, tex1D and tex2D; use one of these, or read the array itself";
constexpr std::string_view no_surfaces = "surfaces aren't supported by the host backend; write to the array itself";
constexpr std::string_view no_references =
    "CUDA has no texture references any more; take a parameter of type cudaTextureObject_t";
constexpr std::string_view no_launch = "a kernel can't launch kernels on the host backend";

constexpr std::string_view no_tensor_cores = "tensor cores aren't supported by the host backend; write the loop";
constexpr std::string_view no_allocation =
    "kernels don't call CUDA's runtime on the host backend; use malloc() and free(), or pass an array";
constexpr std::string_view no_managed =
    "managed variables aren't supported by the host backend; use __device__, or pass an array";
constexpr std::string_view no_legacy =
    "CUDA has no warp operations without a mask any more; name the lanes that take part: ";
constexpr std::string_view no_address_spaces = "the host backend has one address space; keep track of what is shared";
constexpr std::string_view no_exception =
    "check mode watches every kernel: none may leave itself out, or ask what it is compiled with";

constexpr std::string_view no_cpu_atomics =
    "CUDA's compiler doesn't know the host compiler's atomics; use atomicAdd() and its kin";

constexpr std::array refused_names{
    Refusal{"asm", false, no_ptx}, Refusal{"__asm__", false, no_ptx}, Refusal{"__asm", false, no_ptx},
    Refusal{"texture", false, no_references}, Refusal{"tex1D", true, no_textures}, Refusal{"tex2D", true, no_textures},
    Refusal{"tex3D", true, no_textures}, Refusal{"texCubemap", true, no_textures},
    Refusal{"surf1D", true, no_surfaces}, Refusal{"surf2D", true, no_surfaces}, Refusal{"surf3D", true, no_surfaces},
    Refusal{"surfCubemap", true, no_surfaces}, Refusal{"cudaSurfaceObject_t", false, no_surfaces},
    Refusal{"cudaLaunch", true, no_launch}, Refusal{"cudaDeviceSynchronize", false, no_launch},
    Refusal{"cudaStreamCreateWithFlags", false, no_launch}, Refusal{"cudaMalloc", true, no_allocation},
    Refusal{"cudaFree", false, no_allocation}, Refusal{"wmma", false, no_tensor_cores},
    Refusal{"nvcuda", false, no_tensor_cores}, Refusal{"__managed__", false, no_managed},
    Refusal{"thread_local", false, "a kernel's variables are each thread's own already: leave the word out"},
    Refusal{"__int128", false, "there are no integers of 128 bits; use two of 64 bits, and __umul64hi"},
    Refusal{"__brkpt", false, "there is no debugger to stop in; use printf or assert"},
    Refusal{"__shfl", false, no_legacy, "__shfl_sync(0xffffffff, value, lane)"},
    Refusal{"__shfl_up", false, no_legacy, "__shfl_up_sync(0xffffffff, value, delta)"},
    Refusal{"__shfl_down", false, no_legacy, "__shfl_down_sync(0xffffffff, value, delta)"},
    Refusal{"__shfl_xor", false, no_legacy, "__shfl_xor_sync(0xffffffff, value, lanes)"},
    Refusal{"__any", false, no_legacy, "__any_sync(0xffffffff, condition)"},
    Refusal{"__all", false, no_legacy, "__all_sync(0xffffffff, condition)"},
    Refusal{"__ballot", false, no_legacy, "__ballot_sync(0xffffffff, condition)"},
    Refusal{"__isShared", false, no_address_spaces}, Refusal{"__isGlobal", false, no_address_spaces},
    Refusal{"__isConstant", false, no_address_spaces}, Refusal{"__isLocal", false, no_address_spaces},
    Refusal{"__cvta_generic_to_", true, no_address_spaces},
    Refusal{"no_sanitize", true, no_exception}, Refusal{"__no_sanitize", true, no_exception},
    Refusal{"no_instrument_function", false, no_exception}, Refusal{"__no_instrument_function__", false, no_exception},
    Refusal{"no_address_safety_analysis", false, no_exception},
    Refusal{"disable_sanitizer_instrumentation", false, no_exception}, Refusal{"__has_include", true, no_exception},
    Refusal{"__tsan_", true, no_exception}, Refusal{"__asan_", true, no_exception},
    Refusal{"__sync_", true, no_cpu_atomics}, Refusal{"__atomic_", true, no_cpu_atomics},
    Refusal{"__c11_atomic_", true, no_cpu_atomics},
    Refusal{"__builtin_ia32_", true, "there are no vector instructions of a CPU in a kernel"},
    Refusal{"__builtin_aarch64_", true, "there are no vector instructions of a CPU in a kernel"},
};

// Where a %n stands in a printf's format, a literal; or npos.
std::size_t find_percent_n(std::string_view format) {
    for (std::size_t k = 0; k + 1 < format.size(); ++k) {
        if (format[k] == '\\' || format.substr(k, 2) == "%%") {
            ++k;
        } else if (format[k] == '%') {
            const std::size_t type = format.find_first_not_of("-+ #0123456789.*hlLqjzt", k + 1);
            if (type != std::string_view::npos && format[type] == 'n') return k;
        }
    }
    return std::string_view::npos;
}

// A function of that name, or a type: not a member.
bool is_used(const std::vector<Token>& tokens, std::size_t k) {
    const std::string_view name = tokens[k].text;
    if (is_one_of(name, {"tex1Dfetch", "tex1D", "tex2D"})) return false;
    if (name == "texture") return k + 1 < tokens.size() && tokens[k + 1].text == "<";
    return true;
}

// Names that no compiler here knows are refused only to give advice: a text that never uses the name, or defines it
// itself, may have it.
bool is_for_advice(const Refusal& refusal) {
    return refusal.reason == no_legacy || refusal.reason == no_launch || refusal.reason == no_allocation;
}

// A token in a macro that nothing names.
bool is_in_unused_macro(const std::vector<Token>& tokens, std::size_t k) {
    if (!tokens[k].in_directive) return false;
    std::size_t begin = k, end = k + 1;
    while (begin > 0 && !tokens[begin].starts_line) --begin;
    while (end < tokens.size() && tokens[end].in_directive && !tokens[end].starts_line) ++end;
    if (begin + 2 >= end || tokens[begin + 1].text != "define") return false;
    const std::string_view name = tokens[begin + 2].text;
    for (std::size_t at = 0; at < tokens.size(); ++at)
        if ((at < begin || at >= end) && tokens[at].text == name) return false;
    return true;
}

bool is_defined_there(const std::vector<Token>& tokens, std::string_view name) {
    for (std::size_t k = 1; k + 1 < tokens.size(); ++k) {
        if (tokens[k].text != name || tokens[k + 1].text != "(") continue;
        if (tokens[k - 1].text == "define" && tokens[k - 1].in_directive) return true;
        const std::size_t close = closing(tokens, k + 1);
        const bool has_type = (tokens[k - 1].is_name() && tokens[k - 1].text != "return") || tokens[k - 1].text == "*";
        if (has_type && close + 1 < tokens.size() && tokens[close + 1].text == "{") return true;
    }
    return false;
}

// The type that a kernel at `k`, its __global__, returns, if that is a plain one other than void; else npos.
std::size_t returned_type(const std::vector<Token>& tokens, std::size_t k) {
    constexpr std::string_view plain[] = {"int",   "float", "double",   "bool",  "char",
                                          "short", "long",  "unsigned", "size_t"};
    for (++k; k + 1 < tokens.size() && tokens[k].is_name() && tokens[k + 1].text != "("; ++k)
        for (const std::string_view type : plain)
            if (tokens[k].text == type) return k;
    return std::string_view::npos;
}

}  // namespace

std::string unsupported(const std::vector<Token>& tokens, std::string_view file, int first_line,
                        bool needs_annotations) {
    Refusals messages(tokens, file, first_line);
    const auto text_at = [&tokens](std::size_t k) { return k < tokens.size() ? tokens[k].text : std::string_view(); };
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const Token& token = tokens[k];
        if (token.text == "<" && text_at(k + 1) == "<" && text_at(k + 2) == "<" &&
            tokens[k + 2].offset == token.offset + 2 && !is_in_unused_macro(tokens, k)) {
            messages.add(token, "<<<...>>>", no_launch);
            k += 2;
            continue;
        }
        if (!token.is_name()) continue;
        if (token.text == "printf" && text_at(k + 1) == "(") {
            for (std::size_t at = k + 2; at < tokens.size() && tokens[at].is_literal(); ++at) {
                const std::size_t beyond = find_percent_n(tokens[at].text);
                if (beyond != std::string_view::npos)
                    messages.add(tokens[at], "%n", "a kernel's printf can't tell how much it has written", "", beyond);
            }
        }
        if (const std::size_t type = token.text == "__global__" ? returned_type(tokens, k) : std::string_view::npos;
            type != std::string_view::npos)
            messages.add(tokens[type], tokens[type].text, "a __global__ function returns nothing: write void");
        for (const Refusal& refusal : refused_names) {
            const bool same = refusal.is_prefix ? token.text.substr(0, refusal.name.size()) == refusal.name
                                                : token.text == refusal.name;
            if (!same || !is_used(tokens, k)) continue;
            if (is_for_advice(refusal) && (is_in_unused_macro(tokens, k) || is_defined_there(tokens, token.text)))
                continue;
            messages.add(token, token.text, refusal.reason, refusal.advice);
            break;
        }
    }
    for (const SharedDeclaration& one : shared_declarations(tokens))
        for (const SharedName& name : one.names)
            if (name.is_initialised)
                messages.add(tokens[name.name], tokens[name.name].text, "a __shared__ variable has no initialiser");
    if (needs_annotations) add_missing_annotations(tokens, messages);
    return messages.log();
}

namespace {

using Names = std::set<std::string_view>;

constexpr std::string_view no_function = "A function without execution space annotations is the host's";
constexpr std::string_view host_function = "A function marked as __host__ alone is the host's";
constexpr std::string_view no_variable = "A variable without memory space annotations is the host's";

bool is_annotation(std::string_view word) {
    return word == "__device__" || word == "__global__" || word == "__constant__" || word == "__shared__" ||
           word == "__managed__";
}

Names macros_of(const std::vector<Token>& tokens) {
    Names macros;
    for (std::size_t k = 2; k < tokens.size(); ++k)
        if (tokens[k].in_directive && tokens[k - 1].text == "define") macros.insert(tokens[k].text);
    return macros;
}

/// A declaration's words.
class Words {
public:
    Words(const std::vector<Token>& tokens, const Declaration& declaration)
        : tokens_(tokens), places_(declaration.tokens) {}

    [[nodiscard]] std::size_t size() const { return places_.size(); }
    [[nodiscard]] const Token& token(std::size_t k) const { return tokens_[places_[k]]; }
    [[nodiscard]] std::string_view operator[](std::size_t k) const { return k < size() ? token(k).text : ""; }
    template <class Predicate>
    [[nodiscard]] bool any(const Predicate& predicate) const {
        return std::any_of(places_.begin(), places_.end(), [&](std::size_t at) { return predicate(tokens_[at]); });
    }
    [[nodiscard]] bool has(std::string_view word) const {
        return any([&](const Token& token) { return token.text == word; });
    }

    // Where the `operator` stands whose sign, or the bracket behind it, is at k.
    [[nodiscard]] std::size_t operator_before(std::size_t k) const {
        for (std::size_t at = k; at-- > 0 && at + 4 > k;)
            if ((*this)[at] == "operator") return at;
        return size();
    }

    // The name before a function's parameters; size() if there are none.
    [[nodiscard]] std::size_t function() const {
        for (std::size_t k = 1; k < size(); ++k) {
            const std::size_t sign = operator_before(k);
            if ((*this)[k] == "=" && sign == size()) break;
            if ((*this)[k] != "(") continue;
            if (sign < size()) return sign;
            const Token& before = token(k - 1);
            if (before.is_name() && !before.text.starts_with("__") && before.text != "alignas" &&
                before.text != "decltype" && before.text != "noexcept" && before.text != "explicit")
                return k - 1;
        }
        return size();
    }

private:
    const std::vector<Token>& tokens_;
    const std::vector<std::size_t>& places_;
};

// Not a variable, or one that only the compiler needs.
bool is_no_variable(const Words& words) {
    constexpr std::string_view others[] = {"using",   "typedef",   "template", "namespace", "static_assert",
                                           "friend",  "constexpr", "const",    "extern",    "asm",
                                           "__asm__", "enum",      "concept",  "operator"};
    return words.any([&](const Token& token) {
        return std::find(std::begin(others), std::end(others), token.text) != std::end(others);
    });
}

// The name in "static float table[4] = {...}"; size() if it doesn't look like a variable.
std::size_t variable_name(const Words& words) {
    std::size_t names = 0, last = words.size();
    for (std::size_t k = 0; k < words.size(); ++k) {
        const std::string_view text = words[k];
        if (text == "(") return words.size();
        if (text == "[" || text == "=" || text == ",") break;
        if (!words.token(k).is_name()) continue;
        if (text == "struct" || text == "class" || text == "union") return words.size();
        ++names;
        last = k;
    }
    return names >= 2 ? last : words.size();
}

// "constexpr auto f = [](int a) ..."
bool is_lambda(const Words& words) {
    for (std::size_t k = 0; k + 1 < words.size(); ++k)
        if (words[k] == "=") return words[k + 1] == "[";
    return false;
}

}  // namespace

void add_missing_annotations(const std::vector<Token>& tokens, Refusals& refusals) {
    const Names macros = macros_of(tokens);
    const std::vector<bool> perhaps = within_conditions(tokens);
    Names of_device;
    for (const Declaration& declaration : declarations_in(tokens)) {
        const Words words(tokens, declaration);
        const std::size_t function = words.function();
        const bool annotated = words.any([&](const Token& token) { return is_annotation(token.text); });
        if (annotated) {
            if (function < words.size()) of_device.insert(words[function]);
            continue;
        }
        if (perhaps[declaration.tokens.front()]) continue;
        if (words.any([&](const Token& token) { return macros.count(token.text) != 0; })) continue;
        if (declaration.has_body) {
            if (function == words.size() || of_device.count(words[function]) != 0) continue;
            refusals.add(words.token(function), words[function], words.has("__host__") ? host_function : no_function);
        } else if (declaration.scope == Scope::space && is_lambda(words)) {
            refusals.add(words.token(0), "lambda", no_function);
        } else if (declaration.scope == Scope::space && !is_no_variable(words)) {
            if (function > 0 && function < words.size())
                refusals.add(words.token(function), words[function], no_function);
            else if (const std::size_t name = variable_name(words); name < words.size())
                refusals.add(words.token(name), words[name], no_variable);
        }
    }
}

}  // namespace gpu::detail::host

// SPDX-License-Identifier: MIT
#include "host/compile/refusals.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "codegen/kernel_tokens.hpp"
#include "host/compile/kernel_variables.hpp"
#include "host/compile/source_scan.hpp"

namespace gpu::detail::host {

// Refused by name: what a GPU can do and this backend can't. (Headers: see Compiler.)

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

// The position of a %n in a printf's format, a literal; or npos.
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

// True for a function or a type of that name, not a member.
bool is_used(const std::vector<Token>& tokens, std::size_t k) {
    const std::string_view name = tokens[k].text;
    if (is_one_of(name, {"tex1Dfetch", "tex1D", "tex2D"})) return false;
    if (name == "texture") return k + 1 < tokens.size() && tokens[k + 1].text == "<";
    return true;
}

// Names that no compiler here knows are refused only to give advice: a text that defines them itself, or never uses
// them, is accepted.
bool is_for_advice(const Refusal& refusal) {
    return refusal.reason == no_legacy || refusal.reason == no_launch || refusal.reason == no_allocation;
}

// True for a token in a macro that is never used.
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

// The return type of the kernel whose __global__ is at `k`, if it is a plain one other than void; else npos.
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

using Identifiers = std::set<std::string_view>;

constexpr std::string_view no_function = "A function without execution space annotations is the host's";
constexpr std::string_view host_function = "A function marked as __host__ alone is the host's";
constexpr std::string_view no_variable = "A variable without memory space annotations is the host's";

bool is_annotation(std::string_view word) {
    return word == "__device__" || word == "__global__" || word == "__constant__" || word == "__shared__" ||
           word == "__managed__";
}

Identifiers macros_of(const std::vector<Token>& tokens) {
    Identifiers macros;
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

    // The position of the `operator` whose sign, or the bracket after it, is at k.
    [[nodiscard]] std::size_t operator_before(std::size_t k) const {
        for (std::size_t at = k; at-- > 0 && at + 4 > k;)
            if ((*this)[at] == "operator") return at;
        return size();
    }

    // The name before a function's parameters; size() if there is none.
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
            k = closing(k);  // `alignas(sizeof(T))` declares no function sizeof
        }
        return size();
    }

private:
    // The bracket that closes the one at k.
    [[nodiscard]] std::size_t closing(std::size_t k) const {
        for (int depth = 0; k < size(); ++k) {
            if ((*this)[k] == "(") ++depth;
            if ((*this)[k] == ")" && --depth == 0) break;
        }
        return k;
    }

    const std::vector<Token>& tokens_;
    const std::vector<std::size_t>& places_;
};

// True for declarations that aren't variables, and for variables that only the compiler needs.
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
    const Identifiers macros = macros_of(tokens);
    const std::vector<bool> perhaps = within_conditions(tokens);
    Identifiers of_device;
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

namespace {

// From the first token of a function's body, or of a constructor's initialisers, to its closing brace.
struct Body {
    std::size_t begin = 0, end = 0;
};

// A function template with its body, or a class template with its members' bodies: token indices.
struct Template {
    std::size_t begin = 0, name = 0, end = 0;  // end: its closing brace
    std::vector<Body> bodies{};
    bool is_used = false;
    [[nodiscard]] bool holds(std::size_t token) const { return begin <= token && token <= end; }
};

class Finder {
public:
    explicit Finder(const std::vector<Token>& tokens) : tokens_(tokens) {}

    [[nodiscard]] std::vector<Template> templates() const {
        std::vector<Template> found;
        for (std::size_t k = 0; k + 2 < tokens_.size(); ++k) {
            // `template <>` specialisations are compiled, used or not.
            if (tokens_[k].in_directive || text(k) != "template" || text(k + 1) != "<" || text(k + 2) == ">") continue;
            Template one{.begin = k};
            if (read(one)) found.push_back(one);
        }
        return found;
    }

private:
    [[nodiscard]] std::string_view text(std::size_t k) const {
        return k < tokens_.size() ? tokens_[k].text : std::string_view();
    }

    // The position of the bracket that closes the one at `k`; the number of tokens if none does.
    [[nodiscard]] std::size_t closing(std::size_t k, std::string_view opens, std::string_view closes) const {
        int depth = 0;
        for (; k < tokens_.size(); ++k) {
            if (tokens_[k].in_directive) continue;
            if (text(k) == opens) ++depth;
            if (text(k) == closes && --depth == 0) return k;
        }
        return tokens_.size();
    }

    [[nodiscard]] bool is_colon(std::size_t k) const {
        return text(k) == ":" && text(k + 1) != ":" && text(k - 1) != ":";
    }

    bool read(Template& one) const {
        bool is_class = false;
        std::size_t at = closing(one.begin + 1, "<", ">") + 1;
        for (; at < tokens_.size(); ++at) {
            const std::string_view word = text(at);
            if (tokens_[at].in_directive || word == ";" || word == "=" || word == "operator") return false;
            if (word == "{" || (one.name != 0 && is_colon(at))) break;
            if (one.name == 0 && is_one_of(word, {"struct", "class", "union"})) is_class = true;
            else if (is_class && one.name == 0 && tokens_[at].is_name() && !word.starts_with("__")) one.name = at;
            if (word != "(") continue;
            if (!is_class && one.name == 0 && tokens_[at - 1].is_name() && !text(at - 1).starts_with("__") &&
                !is_one_of(text(at - 1), {"alignas", "decltype", "noexcept", "explicit"}))
                one.name = at - 1;
            at = closing(at, "(", ")");
        }
        const Body body{at, end_of_body(at)};
        one.end = body.end;
        if (one.name == 0 || one.end >= tokens_.size()) return false;
        one.bodies = is_class ? bodies_in(body) : std::vector<Body>{body};
        return true;
    }

    // `: a(1), b{2} { ... }`: an initialiser is followed by a comma or the body.
    [[nodiscard]] std::size_t end_of_body(std::size_t at) const {
        while (text(at) == ":" || text(at) == ",") {
            while (at < tokens_.size() && !is_one_of(text(at), {"(", "{"})) ++at;
            if (text(at) == "{" && !tokens_[at - 1].is_name() && text(at - 1) != ">") break;
            at = (text(at) == "(" ? closing(at, "(", ")") : closing(at, "{", "}")) + 1;
        }
        return closing(at, "{", "}");
    }

    // The bodies of a class's functions: NVRTC looks up names in the rest of the class, too.
    [[nodiscard]] std::vector<Body> bodies_in(const Body& of_class) const {
        std::vector<Body> bodies{};
        for (std::size_t at = of_class.begin; at < of_class.end; ++at) {
            if (tokens_[at].in_directive || text(at) != "(") continue;
            at = closing(at, "(", ")");
            std::size_t behind = at + 1;
            while (behind < of_class.end && (tokens_[behind].is_name() || is_one_of(text(behind), {"&", "("})))
                behind = text(behind) == "(" ? closing(behind, "(", ")") + 1 : behind + 1;
            if (text(behind) != "{" && !is_colon(behind)) continue;
            bodies.push_back({behind, end_of_body(behind)});
            at = bodies.back().end;
        }
        return bodies;
    }

    const std::vector<Token>& tokens_;
};

// Templates that only name each other aren't used either.
void mark_used(const std::vector<Token>& tokens, std::vector<Template>& templates) {
    const auto is_named = [&](const Template& one) {
        for (std::size_t k = 0; k < tokens.size(); ++k) {
            if (!tokens[k].is_name() || tokens[k].text != tokens[one.name].text) continue;
            if (std::none_of(templates.begin(), templates.end(), [&](const Template& other) {
                    return k == other.name || (!other.is_used && other.holds(k));
                }))
                return true;
        }
        return false;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (Template& one : templates)
            if (!one.is_used && is_named(one)) one.is_used = changed = true;
    }
}

}  // namespace

std::string without_unused_templates(std::string_view text) {
    const std::vector<Token> tokens = tokens_of(text);
    std::vector<Template> templates = Finder(tokens).templates();
    mark_used(tokens, templates);
    std::string result;
    for (const Template& one : templates) {
        if (one.is_used) continue;
        if (result.empty()) result = text;
        for (const Body& body : one.bodies) {
            for (std::size_t at = tokens[body.begin].offset; at <= tokens[body.end].offset; ++at)
                if (result[at] != '\n') result[at] = ' ';
            result[tokens[body.begin].offset] = ';';
        }
    }
    return result;
}

bool begins_with_undeclared_name(std::string_view log) {
    constexpr std::array words{"was not declared",   "has not been declared", "is not a member of", "does not name a",
                               "there are no arg",   "undeclared identifier", "no member named",    "no type named",
                               "no template named",  "unknown type name"};
    constexpr std::string_view error = ": error: ";
    const std::size_t at = log.find(error);
    if (at == std::string_view::npos) return false;
    const std::string_view line = log.substr(at, log.find('\n', at) - at);
    return std::any_of(words.begin(), words.end(),
                       [line](std::string_view word) { return line.find(word) != std::string_view::npos; });
}

namespace {

constexpr std::string_view mark = "\n# promotions of the text above:\n";

template <class F>
void for_lines(std::string_view text, const F& f) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        f(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

// "where/raw_add.cu:12:7: warning: ..." -> 12; 0 for another file's.
int line_of(std::string_view warning, std::string_view file) {
    const std::size_t name = warning.find(std::string(file) + ':');
    if (name == std::string_view::npos || (name > 0 && warning[name - 1] != '/')) return 0;
    int line = 0;
    const char* const digits = warning.data() + name + file.size() + 1;
    std::from_chars(digits, warning.data() + warning.size(), line);
    return line;
}

/// First and last lines of other kernels' bodies.
std::vector<std::pair<int, int>> other_kernels(const std::vector<Token>& tokens, std::string_view kernel) {
    std::vector<std::pair<int, int>> bodies;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].text != "__global__") continue;
        const std::size_t open = find_token(tokens, "(", k), body = find_token(tokens, "{", open);
        const std::size_t end = body < tokens.size() ? closing(tokens, body) : tokens.size();
        if (end >= tokens.size() || tokens[open - 1].text == kernel) continue;
        bodies.emplace_back(tokens[k].line, tokens[end].line);
    }
    return bodies;
}

}  // namespace

std::string with_promotions(std::string object, std::string_view log) {
    std::string promotions;
    for_lines(log, [&](std::string_view line) {
        if (line.find(double_precision_flag) != std::string_view::npos) promotions.append(line) += '\n';
    });
    if (!promotions.empty()) object.append(mark) += promotions;
    return object;
}

std::vector<int> double_precision_lines(std::string_view object, const SourceText& learners, std::string_view kernel) {
    std::vector<int> lines;
    if (learners.text.empty()) return lines;
    const std::vector<Token> tokens = tokens_of(learners.text);
    const auto others = other_kernels(tokens, kernel.substr(0, kernel.find('<')));
    const auto add = [&](int line_of_text) {
        const bool is_others = std::any_of(others.begin(), others.end(), [line_of_text](const auto& body) {
            return body.first <= line_of_text && line_of_text <= body.second;
        });
        if (!is_others) lines.push_back(line_of_text + learners.line - 1);
    };
    std::vector<int> prints;  // printed values are promoted, as in any C++ program
    for (const Token& token : tokens) {
        if (token.text == "printf") prints.push_back(token.line);
        if (token.is_name() && token.text == "double") add(token.line);
    }
    if (const std::size_t at = object.rfind(mark); at != std::string_view::npos)
        for_lines(object.substr(at + mark.size()), [&](std::string_view warning) {
            const int line = line_of(warning, learners.file) - learners.line + 1;
            if (line > 0 && std::find(prints.begin(), prints.end(), line) == prints.end()) add(line);
        });
    std::sort(lines.begin(), lines.end());
    return lines;
}

}  // namespace gpu::detail::host

// SPDX-License-Identifier: MIT
// What is refused by name: things that a GPU has and this backend can't do. (Headers: see Compiler.)
#include <array>
#include <string>

#include "host/compile/missing_annotations.hpp"
#include "host/compile/refusals.hpp"
#include "host/compile/shared_declarations.hpp"
#include "host/compile/source_scan.hpp"

namespace gpu::detail::host {

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

}  // namespace gpu::detail::host

// SPDX-License-Identifier: MIT
// What is refused by name: things that a GPU has and this backend can't do. (Headers: see Compiler.)
#include <array>

#include "host/source_scan.hpp"

namespace gpu::detail::host {

namespace {

struct Refusal {
    std::string_view name;
    bool is_prefix;
    std::string_view reason;
};

constexpr std::string_view no_ptx = "inline PTX can't run on the host backend; use CUDA C++, or a GPU";
constexpr std::string_view no_textures =
    "textures and surfaces aren't supported by the host backend; read the array itself";
constexpr std::string_view no_clock = "the host backend has no GPU clock; use gpu::Event around the launch";
constexpr std::string_view no_launch = "a kernel can't launch kernels on the host backend";

constexpr std::array<Refusal, 24> refusals{{
    {"asm", false, no_ptx}, {"__asm__", false, no_ptx}, {"__asm", false, no_ptx},
    {"texture", false, no_textures}, {"tex1D", true, no_textures}, {"tex2D", true, no_textures},
    {"tex3D", true, no_textures}, {"surf1D", true, no_textures}, {"surf2D", true, no_textures},
    {"surf3D", true, no_textures}, {"cudaTextureObject_t", false, no_textures},
    {"cudaSurfaceObject_t", false, no_textures}, {"clock", false, no_clock}, {"clock64", false, no_clock},
    {"__nanosleep", false, "waiting for another thread can't work on the host backend"},
    {"cudaLaunch", true, no_launch}, {"cudaDeviceSynchronize", false, no_launch}, {"cudaMalloc", true, no_launch},
    {"wmma", false, "tensor cores aren't supported by the host backend"},
    {"nvcuda", false, "tensor cores aren't supported by the host backend"},
    {"cooperative_groups", false, "cooperative groups aren't supported by the host backend yet"},
    {"__half", true, "half precision isn't supported by the host backend yet"},
    {"malloc", false, "kernels can't allocate on the host backend; pass an array"},
    {"free", false, "kernels can't allocate on the host backend; pass an array"},
}};

class Messages {
public:
    Messages(std::string_view text, std::string_view file, int first_line)
        : text_(text), file_(file), first_line_(first_line) {}

    void add(std::size_t offset, std::string_view what, std::string_view reason) {
        const Position at = position_of(text_, offset);
        log_ += file_ + ':' + std::to_string(at.line + first_line_ - 1) + ':' + std::to_string(at.column) + ": error: ";
        log_ += what;
        log_ += ": ";
        log_ += reason;
        log_ += '\n';
    }
    [[nodiscard]] const std::string& log() const noexcept { return log_; }

private:
    std::string_view text_;
    std::string file_;
    int first_line_;
    std::string log_;
};

// A function of that name, or a type: not a member or a variable called `free`.
bool is_used(const std::vector<Token>& tokens, std::size_t k) {
    const std::string_view name = tokens[k].text;
    const bool called = k + 1 < tokens.size() && tokens[k + 1].text == "(";
    if (name == "clock" || name == "clock64" || name == "malloc" || name == "free") {
        const bool declared = k > 0 && (tokens[k - 1].is_name() && tokens[k - 1].text != "return");
        return called && !declared && !(k > 0 && (tokens[k - 1].text == "." || tokens[k - 1].text == ":"));
    }
    if (name == "texture") return k + 1 < tokens.size() && tokens[k + 1].text == "<";
    return true;
}

}  // namespace

std::string unsupported(std::string_view text, std::string_view blanked, const std::vector<Token>& tokens,
                        std::string_view file, int first_line) {
    Messages messages(text, file, first_line);
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const Token& token = tokens[k];
        if (token.text == "<" && blanked.substr(token.offset, 3) == "<<<") {
            messages.add(token.offset, "<<<...>>>", no_launch);
            k += 2;
            continue;
        }
        for (const Refusal& refusal : refusals) {
            const bool same = refusal.is_prefix ? token.text.substr(0, refusal.name.size()) == refusal.name
                                                : token.text == refusal.name;
            if (!same || !is_used(tokens, k)) continue;
            messages.add(token.offset, token.text, refusal.reason);
            break;
        }
    }
    return messages.log();
}

}  // namespace gpu::detail::host

// SPDX-License-Identifier: MIT
// cuda_bf16.h of the host backend: the texts of cuda_fp16.h with other names and other bits.
#include "host/prelude/prelude.hpp"

namespace gpu::detail::host {

namespace {

struct Renamed {
    std::string_view half, bfloat16;
};
constexpr Renamed renamed[] = {
    {"__half", "__nv_bfloat16"},
    {"__half2", "__nv_bfloat162"},
    {"__half_raw", "__nv_bfloat16_raw"},
    {"__half2_raw", "__nv_bfloat162_raw"},
    {"half", "nv_bfloat16"},
    {"half2", "nv_bfloat162"},
    {"0x7c00", "0x7f80"},
    {"0xfc00", "0xff80"},
};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

}  // namespace

std::string bfloat16_of_half(std::string_view text) {
    const std::vector<Token> tokens = tokens_of(text);
    std::string result;
    std::size_t copied = 0;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const Token& token = tokens[k];
        std::string word = replaced(replaced(std::string(token.text), "half", "bfloat16"), "HALF", "BFLOAT16");
        const bool is_pasted = k + 2 < tokens.size() && tokens[k + 1].text == "#" && tokens[k + 2].text == "#";
        for (const Renamed& one : renamed)
            if (token.text == one.half && !is_pasted) word = one.bfloat16;
        result += text.substr(copied, token.offset - copied);
        result += word;
        copied = token.end();
    }
    return result += text.substr(copied);
}

namespace text {

const char bfloat16_bits[] = R"gpu(
#pragma GCC system_header
#pragma once
#include "libgpu/half_bits.hpp"
// A bfloat16 is a float's upper half, rounded to the nearest, ties to even.
GPU_INLINE unsigned short gpu_bfloat16_from_float(float value) {
    const unsigned bits = gpu_bit_cast<unsigned>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
    return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
GPU_INLINE float gpu_bfloat16_to_float(unsigned short bits) { return gpu_bit_cast<float>((unsigned)bits << 16); }
GPU_INLINE unsigned short gpu_bfloat16_from_double(double value) {
    return gpu_bfloat16_from_float(gpu_odd_float(value));
}
)gpu";

// For classes with virtual functions: what a compiler calls without being asked.
const char classes[] = R"gpu(
#pragma GCC system_header
#pragma once
extern "C" __attribute__((visibility("hidden"), noreturn)) void __cxa_pure_virtual() { __builtin_trap(); }
#ifndef GPU_HEAP  // which has them
void operator delete(void*) noexcept { __builtin_trap(); }
void operator delete(void*, size_t) noexcept { __builtin_trap(); }
#endif
)gpu";

}  // namespace text

}  // namespace gpu::detail::host

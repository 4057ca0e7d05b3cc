// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// SIMD in a word, and DPX.
inline constexpr const char* simd = R"(
__global__ void words(const unsigned* xs, const unsigned* ys, unsigned* out, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    unsigned a = xs[i], b = ys[i];
    out += i * 64;
#define PUT(f) *out++ = f##2(a, b); *out++ = f##4(a, b);
    PUT(__vadd) PUT(__vaddss) PUT(__vaddus) PUT(__vsub) PUT(__vsubss) PUT(__vsubus) PUT(__vavgs) PUT(__vavgu)
    PUT(__vhaddu) PUT(__vabsdiffs) PUT(__vabsdiffu) PUT(__vmaxs) PUT(__vmaxu) PUT(__vmins) PUT(__vminu) PUT(__vcmpeq)
    PUT(__vcmpges) PUT(__vcmpltu) PUT(__vsetne) PUT(__vsetgts) PUT(__vsetleu) PUT(__vsads) PUT(__vsadu)
#undef PUT
#define PUT(f) *out++ = f##2(a); *out++ = f##4(a);
    PUT(__vabs) PUT(__vabsss) PUT(__vneg) PUT(__vnegss)
#undef PUT
}
__global__ void dpx(const int* xs, int* out, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    int a = xs[i], b = xs[(i + 1) % n], c = xs[(i + 2) % n];
    bool first;
    out += i * 8;
    out[0] = __vimax3_s32(a, b, c); out[1] = __vimin3_s32(a, b, c); out[2] = __vimax_s32_relu(a, b);
    out[3] = __viaddmax_s32(a, b, c); out[4] = __viaddmin_s32_relu(a, b, c); out[5] = __vibmax_s32(a, b, &first);
    out[6] = first; out[7] = (int)__vimax3_s16x2(a, b, c);
}
)";

}  // namespace texts

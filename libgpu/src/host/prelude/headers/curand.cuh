// SPDX-License-Identifier: MIT
// <curand_kernel.h>: cuRAND's generators XORWOW and Philox4_32_10 with uniform and normal numbers. Based on Marsaglia's
// and Salmon's papers and cuRAND's guide; seeds, sequences and bits are cuRAND's.

#pragma GCC system_header
#pragma once
// Box and Muller's method generates two normal numbers; a state stores the second, and for which function.
#define GPU_CURAND_PAIR int boxmuller_flag, boxmuller_flag_double; float boxmuller_extra; double boxmuller_extra_double;
struct curandStateXORWOW { unsigned d, v[5]; GPU_CURAND_PAIR };
struct curandStatePhilox4_32_10 { uint4 ctr, output; uint2 key; unsigned STATE; GPU_CURAND_PAIR };
#undef GPU_CURAND_PAIR
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
template <class S> GPU_INLINE void gpu_forget_pairs(S* s) {
    s->boxmuller_flag = s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0;
    s->boxmuller_extra_double = 0;
}

GPU_UNCHECKED inline void gpu_skip_xorwow(unsigned* words, unsigned long long n, bool sequences) {
    GPU_HOST(skip_xorwow)(words, n, sequences);
}
GPU_INLINE void gpu_skip_words(curandStateXORWOW* s, unsigned long long n, bool sequences) {
    if (n == 0) return;
    unsigned words[5];
    for (int k = 0; k < 5; ++k) words[k] = s->v[k];
    gpu_skip_xorwow(words, n, sequences);
    for (int k = 0; k < 5; ++k) s->v[k] = words[k];
}
GPU_INLINE void skipahead(unsigned long long n, curandStateXORWOW* s) {
    gpu_skip_words(s, n, false);
    s->d += 362437u * (unsigned)n;
}
GPU_INLINE void skipahead_sequence(unsigned long long n, curandStateXORWOW* s) { gpu_skip_words(s, n, true); }
GPU_INLINE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                            curandStateXORWOW* s) {
    const unsigned low = ((unsigned)seed ^ 0xaad26b49u) * 1099087573u;
    const unsigned high = ((unsigned)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
    s->d = 6615241u + high + low;
    s->v[0] = 123456789u + low;
    s->v[1] = 362436069u ^ low;
    s->v[2] = 521288629u + high;
    s->v[3] = 88675123u ^ high;
    s->v[4] = 5783321u + low;
    gpu_forget_pairs(s);
    skipahead_sequence(sequence, s);
    skipahead(offset, s);
}
GPU_INLINE unsigned curand(curandStateXORWOW* s) {
    const unsigned first = s->v[0], last = s->v[4], t = first ^ first >> 2;
    for (int k = 0; k < 4; ++k) s->v[k] = s->v[k + 1];
    const unsigned next = last ^ last << 4 ^ t ^ t << 1;
    s->v[4] = next;
    return next + (s->d += 362437u);
}

GPU_INLINE uint4 gpu_philox(uint4 c, uint2 key) {
    for (int round = 0; round < 10; ++round) {
        const unsigned long long a = 0xD2511F53ull * c.x, b = 0xCD9E8D57ull * c.z;
        c = uint4{(unsigned)(b >> 32) ^ c.y ^ key.x, (unsigned)b, (unsigned)(a >> 32) ^ c.w ^ key.y, (unsigned)a};
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return c;
}
// A 128-bit counter; a sequence is 2^64 of its values. The output always belongs to the next one.
GPU_INLINE void gpu_move_philox(curandStatePhilox4_32_10* s, unsigned long long n, unsigned long long sequences) {
    const unsigned long long before = s->ctr.x | (unsigned long long)s->ctr.y << 32, low = before + n;
    const unsigned long long high =
        (s->ctr.z | (unsigned long long)s->ctr.w << 32) + sequences + (low < before ? 1 : 0);
    const uint4 ctr{(unsigned)low, (unsigned)(low >> 32), (unsigned)high, (unsigned)(high >> 32)};
    s->ctr = ctr;
    s->output = gpu_philox(ctr, s->key);
}
GPU_INLINE void skipahead(unsigned long long n, curandStatePhilox4_32_10* s) {
    const unsigned at = s->STATE + (unsigned)(n & 3);
    s->STATE = at & 3;
    gpu_move_philox(s, n / 4 + at / 4, 0);
}
GPU_INLINE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* s) { gpu_move_philox(s, 0, n); }
GPU_INLINE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                            curandStatePhilox4_32_10* s) {
    s->ctr = uint4{0, 0, 0, 0};
    s->key = uint2{(unsigned)seed, (unsigned)(seed >> 32)};
    s->STATE = 0;
    gpu_forget_pairs(s);
    skipahead_sequence(sequence, s);
    skipahead(offset, s);
}
GPU_INLINE unsigned curand(curandStatePhilox4_32_10* s) {
    const unsigned at = s->STATE & 3;
    const unsigned value = at == 0 ? s->output.x : at == 1 ? s->output.y : at == 2 ? s->output.z : s->output.w;
    s->STATE = (at + 1) & 3;
    if (at == 3) gpu_move_philox(s, 1, 0);
    return value;
}
GPU_INLINE uint4 curand4(curandStatePhilox4_32_10* s) {
    const unsigned a = curand(s), b = curand(s), c = curand(s), d = curand(s);
    return uint4{a, b, c, d};
}

// In (0, 1]: products with powers of two are exact.
GPU_INLINE float gpu_uniform(unsigned x) { return (float)x * 0x1p-32f + 0x1p-33f; }
GPU_INLINE double gpu_uniform(unsigned x, unsigned y) {
    return (double)(x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}
GPU_INLINE float2 gpu_box_muller(unsigned x, unsigned y) {
    const float angle = (float)y * (0x1p-32f * 6.2831855f) + 0x1p-33f * 6.2831855f;
    const float radius = sqrtf(-2.0f * logf(gpu_uniform(x)));
    return make_float2(sinf(angle) * radius, cosf(angle) * radius);
}
GPU_INLINE double2 gpu_box_muller(unsigned a, unsigned b, unsigned c, unsigned d) {
    const double turn = (double)(c ^ (unsigned long long)d << 21) * 0x1p-52 + 0x1p-53;
    const double radius = sqrt(-2.0 * log(gpu_uniform(a, b)));
    return make_double2(sinpi(turn) * radius, cospi(turn) * radius);
}
template <class S> GPU_INLINE float2 gpu_normals(S* s) {
    const unsigned x = curand(s), y = curand(s);
    return gpu_box_muller(x, y);
}
template <class S> GPU_INLINE double2 gpu_normals_double(S* s) {
    const unsigned a = curand(s), b = curand(s), c = curand(s), d = curand(s);
    return gpu_box_muller(a, b, c, d);
}
enum { gpu_pair_normal = 1, gpu_pair_log_normal = 2 };
// One of two normal numbers generated together: `made` converts a normal number to the result.
template <class S, class F> GPU_INLINE float gpu_one_of_pair(S* s, int flag, F made) {
    if (s->boxmuller_flag == flag) {
        s->boxmuller_flag = 0;
        return s->boxmuller_extra;
    }
    const float2 pair = gpu_normals(s);
    s->boxmuller_extra = made(pair.y);
    s->boxmuller_flag = flag;
    return made(pair.x);
}
template <class S, class F> GPU_INLINE double gpu_one_of_pair_double(S* s, int flag, F made) {
    if (s->boxmuller_flag_double == flag) {
        s->boxmuller_flag_double = 0;
        return s->boxmuller_extra_double;
    }
    const double2 pair = gpu_normals_double(s);
    s->boxmuller_extra_double = made(pair.y);
    s->boxmuller_flag_double = flag;
    return made(pair.x);
}
#define GPU_CURAND_OF(S) \
    GPU_INLINE float curand_uniform(S* s) { return gpu_uniform(curand(s)); } \
    GPU_INLINE float curand_normal(S* s) { \
        return gpu_one_of_pair(s, gpu_pair_normal, [](float z) { return z; }); \
    } \
    GPU_INLINE double curand_normal_double(S* s) { \
        return gpu_one_of_pair_double(s, gpu_pair_normal, [](double z) { return z; }); \
    } \
    GPU_INLINE float curand_log_normal(S* s, float mean, float stddev) { \
        return gpu_one_of_pair(s, gpu_pair_log_normal, [=](float z) { return expf(mean + stddev * z); }); \
    } \
    GPU_INLINE double curand_log_normal_double(S* s, double mean, double stddev) { \
        return gpu_one_of_pair_double(s, gpu_pair_log_normal, [=](double z) { return exp(mean + stddev * z); }); \
    } \
    GPU_INLINE float2 curand_normal2(S* s) { return gpu_normals(s); } \
    GPU_INLINE double2 curand_normal2_double(S* s) { return gpu_normals_double(s); } \
    GPU_INLINE float2 curand_log_normal2(S* s, float mean, float stddev) { \
        const float2 z = gpu_normals(s); \
        return make_float2(expf(mean + stddev * z.x), expf(mean + stddev * z.y)); \
    } \
    GPU_INLINE double2 curand_log_normal2_double(S* s, double mean, double stddev) { \
        const double2 z = gpu_normals_double(s); \
        return make_double2(exp(mean + stddev * z.x), exp(mean + stddev * z.y)); \
    }
GPU_CURAND_OF(curandStateXORWOW) GPU_CURAND_OF(curandStatePhilox4_32_10)
#undef GPU_CURAND_OF
GPU_INLINE double curand_uniform_double(curandStateXORWOW* s) {
    const unsigned x = curand(s), y = curand(s);
    return gpu_uniform(x, y);
}
// From only 32 random bits: curand_uniform2_double() has 53.
GPU_INLINE double curand_uniform_double(curandStatePhilox4_32_10* s) { return (double)curand(s) * 0x1p-32 + 0x1p-32; }
GPU_INLINE float4 curand_uniform4(curandStatePhilox4_32_10* s) {
    const uint4 x = curand4(s);
    return make_float4(gpu_uniform(x.x), gpu_uniform(x.y), gpu_uniform(x.z), gpu_uniform(x.w));
}
GPU_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10* s) {
    const uint4 x = curand4(s);
    return make_double2(gpu_uniform(x.x, x.y), gpu_uniform(x.z, x.w));
}
GPU_INLINE float4 curand_normal4(curandStatePhilox4_32_10* s) {
    const float2 a = gpu_normals(s), b = gpu_normals(s);
    return make_float4(a.x, a.y, b.x, b.y);
}
GPU_INLINE float4 curand_log_normal4(curandStatePhilox4_32_10* s, float mean, float stddev) {
    const float4 z = curand_normal4(s);
    return make_float4(expf(mean + stddev * z.x), expf(mean + stddev * z.y), expf(mean + stddev * z.z),
                       expf(mean + stddev * z.w));
}

// SPDX-License-Identifier: MIT
#include "codegen/sort_text.hpp"

#include <string>
#include <string_view>

namespace gpu::detail {

namespace {

// Whether `b` has to stand before `a`, which came first: NaN is larger than anything.
constexpr std::string_view order = R"(
__device__ inline bool goes_before(E b, E a) { return b < a || (a != a && b == b); }
)";
// Halves are compared by their bits, as whole numbers with a sign.
constexpr std::string_view order_of_halves = R"(
__device__ inline int rank_of(E bits) {
    const int size = bits & 0x7fff;
    return size > 0x7c00 ? 0x8000 : (bits & 0x8000) != 0 ? -size : size;
}
__device__ inline bool goes_before(E b, E a) { return rank_of(b) < rank_of(a); }
)";

// One thread a run: insertion into what is sorted already.
constexpr std::string_view runs_kernel = R"(
extern "C" __global__ void sort_runs(const E* x, E* keys, long long* positions, long long lines, long long n) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, runs = (n + run - 1) / run;
    if (t >= lines * runs) return;
    const long long first = t % runs * run, start = t / runs * n + first, left = n - first;
    const int count = left < run ? (int)left : run;
    E sorted[run];
    int place[run];
    for (int k = 0; k < count; ++k) {
        const E value = x[start + k];
        int at = k;
        for (; at > 0 && goes_before(value, sorted[at - 1]); --at) {
            sorted[at] = sorted[at - 1];
            if (with_positions) place[at] = place[at - 1];
        }
        sorted[at] = value;
        if (with_positions) place[at] = k;
    }
    for (int k = 0; k < count; ++k) {
        keys[start + k] = sorted[k];
        if (with_positions) positions[start + k] = first + place[k];
    }
}
)";

// Where the first `before` results come from is found by bisection: so many of the left part, the others of the right.
constexpr std::string_view merge_kernel = R"(
extern "C" __global__ void sort_merge(const E* x, const long long* from, E* keys, long long* positions, long long lines,
                                      long long n, long long width) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, chunks = (n + chunk - 1) / chunk;
    if (t >= lines * chunks) return;
    const long long line = t / chunks * n, first = t % chunks * chunk, pair = first / (2 * width) * (2 * width);
    const long long before = first - pair, rest = n - pair;
    const long long in_left = rest < width ? rest : width;
    const long long in_right = rest - in_left < width ? rest - in_left : width;
    const E *left = x + line + pair, *right = left + in_left;
    long long low = before > in_right ? before - in_right : 0, high = before < in_left ? before : in_left;
    while (low < high) {
        const long long middle = (low + high) / 2;
        if (goes_before(right[before - 1 - middle], left[middle])) high = middle;
        else low = middle + 1;
    }
    long long i = low, j = before - low;
    const long long most = in_left + in_right - before, count = most < chunk ? most : chunk, out = line + first;
    for (long long k = 0; k < count; ++k) {
        const bool takes_right = i == in_left || (j < in_right && goes_before(right[j], left[i]));
        const long long at = takes_right ? in_left + j : i;
        keys[out + k] = left[at];
        if (with_positions) positions[out + k] = from[line + pair + at];
        if (takes_right) ++j;
        else ++i;
    }
}
)";

std::string head(const SortTypes& types) {
    const bool is_half = types.element == DType::float16;
    std::string text = "typedef ";
    text += is_half ? "unsigned short" : kernel_name(types.element);
    text += " E;\nstatic constexpr bool with_positions = ";
    text += types.with_positions ? "true" : "false";
    text += ";\nstatic constexpr int run = " + std::to_string(sort_run);
    text += ", chunk = " + std::to_string(sort_chunk) + ";\n";
    return text.append(is_half ? order_of_halves : order);
}

}  // namespace

RawText sort_runs_text(const SortTypes& types) {
    return own_text("sort_runs", head(types) + std::string(runs_kernel));
}

RawText sort_merge_text(const SortTypes& types) {
    return own_text("sort_merge", head(types) + std::string(merge_kernel));
}

namespace {

// A bin is computed, and then moved until its edges, which were rounded, hold the element.
constexpr std::string_view kernel = R"(
extern "C" __global__ void histogram(const T* x, const T* edges, unsigned long long* counts, long long n,
                                     long long bins) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double low = (double)edges[0], high = (double)edges[bins], value = (double)x[i];
    if (!(value >= low && value <= high)) return;
    const double place = (value - low) / (high - low) * (double)bins;
    long long k = place < (double)bins ? (long long)place : bins - 1;
    while (k > 0 && value < (double)edges[k]) --k;
    while (k < bins - 1 && value >= (double)edges[k + 1]) ++k;
    atomicAdd(counts + k, 1ull);
}
)";

}  // namespace

RawText histogram_text(DType element) {
    return own_text("histogram", "typedef " + std::string(kernel_name(element)) + " T;\n" + std::string(kernel));
}

}  // namespace gpu::detail

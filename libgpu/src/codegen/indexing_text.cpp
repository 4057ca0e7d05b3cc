// SPDX-License-Identifier: MIT
#include "codegen/indexing_text.hpp"

#include <string>
#include <string_view>

namespace gpu::detail {

namespace {

// Where an index stands along the axis, or -1 and a word about it: GatherWalk and runtime's IndexFault in the kernels'
// words. The first kernel that claims the word fills it; its kind comes last.
constexpr std::string_view gather_head = R"(
struct Fault { int claimed, kind; long long value, position, size, axis; };
struct Walk {
    long long size, shape[result_rank], array[result_rank], index[result_rank], values[result_rank];
    long long length, axis_shape[axis_rank], axis_strides[axis_rank], expected, mode, axis;
};
__device__ inline bool claims(Fault* fault) { return atomicCAS(&fault->claimed, 0, 1) == 0; }

__device__ inline void tell(Fault* fault, int kind, long long value, long long position, long long size,
                            long long axis) {
    fault->value = value;
    fault->position = position;
    fault->size = size;
    fault->axis = axis;
    __threadfence_system();
    atomicExch(&fault->kind, kind);
}

struct Place { long long array, index, values; };

// N is 32 bits wide where that is enough: dividing takes a third of the time.
template <class N> __device__ inline Place place_in(N i, const Walk& walk) {
    Place place = {0, 0, 0};
#pragma unroll
    for (int k = result_rank - 1; k >= 0; --k) {
        const N length = (N)walk.shape[k], rest = k == 0 ? 0 : i / length;
        const long long at = k == 0 ? i : i - rest * length;
        i = rest;
        place.array += at * walk.array[k];
        place.index += at * walk.index[k];
        place.values += at * walk.values[k];
    }
    return place;
}

__device__ inline Place place_of(long long i, const Walk& walk) {
    return walk.size <= 0x7fffffff ? place_in((unsigned)i, walk) : place_in(i, walk);
}

__device__ inline long long along_axis(long long at, const Walk& walk) {
    long long offset = 0;
#pragma unroll
    for (int k = axis_rank - 1; k > 0; --k) {
        offset += at % walk.axis_shape[k] * walk.axis_strides[k];
        at /= walk.axis_shape[k];
    }
    return offset + at * walk.axis_strides[0];
}

__device__ inline long long resolved(I value, long long position, const Walk& walk, Fault* fault) {
    const bool is_unsigned = I(-1) > I(0);
    const bool beyond = is_unsigned && (unsigned long long)value >= (unsigned long long)walk.length;
    const long long at = (long long)value, length = walk.length;
    if (!beyond && at >= 0 && at < length) return at;
    if (walk.mode == 1) {
        if (is_unsigned) return (long long)((unsigned long long)value % (unsigned long long)length);
        const long long rest = at % length;
        return rest < 0 ? rest + length : rest;
    }
    if (walk.mode == 2) return !is_unsigned && at < 0 ? 0 : length - 1;
    if (!is_unsigned && at < 0 && at >= -length) return at + length;
    if (claims(fault)) tell(fault, is_unsigned ? 2 : 1, at, position, length, walk.axis);
    return -1;
}
)";

constexpr std::string_view take_kernel = R"(
extern "C" __global__ void take(const E* x, const I* index, E* out, const Walk walk, Fault* fault) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= walk.size) return;
    const Place place = place_of(i, walk);
    const long long at = resolved(index[place.index], place.index, walk, fault);
    if (at >= 0) out[i] = x[place.array + along_axis(at, walk)];
    else out[i] = E();
}
)";

// What is done with an element stands in `store`.
constexpr std::string_view put_kernel = R"(
extern "C" __global__ void put(E* x, const I* index, const E* values, const Walk walk, Fault* fault,
                               const long long* count) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (count != nullptr && *count != walk.expected) {
        if (i == 0 && claims(fault)) tell(fault, 3, walk.expected, 0, *count, 0);
        return;
    }
    if (i >= walk.size) return;
    const Place place = place_of(i, walk);
    const long long at = resolved(index[place.index], place.index, walk, fault);
    if (at >= 0) store(x + place.array + along_axis(at, walk), values[place.values]);
}
)";

constexpr std::string_view totals_kernel = R"(
extern "C" __global__ void scan_totals(const X* x, A* totals, long long lines, long long n, long long inner) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, chunks = (n + chunk - 1) / chunk;
    if (t >= lines * chunks * inner) return;
    const long long first = t / inner % chunks * chunk, left = n - first, count = left < chunk ? left : chunk;
    const X* from = x + (t / inner / chunks * n + first) * inner + t % inner;
    A total = A(*from);
    for (long long k = 1; k < count; ++k) total = combine(total, A(from[k * inner]));
    totals[t] = total;
}
)";

// The chunk's own running value is combined with what comes before it, not continued from there: fewer roundings.
constexpr std::string_view chunks_kernel = R"(
extern "C" __global__ void scan_chunks(const X* x, const A* totals, O* out, long long lines, long long n,
                                       long long inner) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, chunks = (n + chunk - 1) / chunk;
    if (t >= lines * chunks * inner) return;
    const long long first = t / inner % chunks * chunk, left = n - first, count = left < chunk ? left : chunk;
    const long long start = (t / inner / chunks * n + first) * inner + t % inner;
    const X* from = x + start;
    O* to = out + start;
    A running = A(*from);
    if (first == 0) {
        *to = O(running);
        for (long long k = 1; k < count; ++k) {
            running = combine(running, A(from[k * inner]));
            to[k * inner] = O(running);
        }
        return;
    }
    const A before = totals[t - inner];
    *to = O(combine(before, running));
    for (long long k = 1; k < count; ++k) {
        running = combine(running, A(from[k * inner]));
        to[k * inner] = O(combine(before, running));
    }
}
)";

constexpr std::string_view positions_kernel = R"(
extern "C" __global__ void mask_positions(const bool* mask, const long long* totals, long long* positions, long long n,
                                          long long limit) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = t * chunk;
    if (first >= n) return;
    const long long last = n - first < chunk ? n : first + chunk;
    long long at = t == 0 ? 0 : totals[t - 1];
    for (long long i = first; i < last && at < limit; ++i) {
        if (mask[i]) positions[at++] = i;
    }
}
)";

std::string alias(const char* name, std::string_view type) {
    return "typedef " + std::string(type) + ' ' + name + ";\n";
}

std::string constant(const char* name, std::int64_t value) {
    return "enum { " + std::string(name) + " = " + std::to_string(value) + " };\n";
}

// Elements are moved, not looked at: one kernel for all types of a size.
std::string bits_alias(std::size_t bytes) {
    switch (bytes) {
        case 1: return alias("E", "unsigned char");
        case 2: return alias("E", "unsigned short");
        case 4: return alias("E", "unsigned int");
        case 8: return alias("E", "unsigned long long");
        default: return "struct alignas(16) E { unsigned long long low, high; };\n";
    }
}

std::string gather_text(const GatherTypes& types, const std::string& element) {
    return element + alias("I", kernel_name(types.index)) + constant("result_rank", types.result_rank) +
           constant("axis_rank", types.axis_rank) + std::string(gather_head);
}

std::string scan_head(const ScanTypes& types) {
    return alias("X", kernel_name(types.input)) + alias("A", kernel_name(types.accumulator)) +
           alias("O", kernel_name(types.output)) + constant("chunk", scan_chunk) +
           "__device__ inline A combine(A a, A b) { return a " + (types.product ? "*" : "+") + " b; }\n";
}

}  // namespace

RawText take_text(const GatherTypes& types) {
    return own_text("take", gather_text(types, bits_alias(size_of(types.element))) + std::string(take_kernel));
}

RawText put_text(const GatherTypes& types) {
    return own_text("put", gather_text(types, bits_alias(size_of(types.element))) +
                               "__device__ inline void store(E* to, const E& value) { *to = value; }\n" +
                               std::string(put_kernel));
}

RawText add_at_text(const GatherTypes& types) {
    // Two's complement: adding is the same for both kinds of 64-bit integers, and CUDA has one of them.
    const DType element = types.element == DType::int64 ? DType::uint64 : types.element;
    return own_text("put", gather_text(types, alias("E", kernel_name(element))) +
                               "__device__ inline void store(E* to, E value) { atomicAdd(to, value); }\n" +
                               std::string(put_kernel));
}

RawText scan_totals_text(const ScanTypes& types) {
    return own_text("scan_totals", scan_head(types) + std::string(totals_kernel));
}

RawText scan_chunks_text(const ScanTypes& types) {
    return own_text("scan_chunks", scan_head(types) + std::string(chunks_kernel));
}

RawText mask_positions_text() {
    return own_text("mask_positions", constant("chunk", scan_chunk) + std::string(positions_kernel));
}

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

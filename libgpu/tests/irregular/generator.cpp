// SPDX-License-Identifier: MIT
#include "generator.hpp"

#include <optional>

namespace irregular {

namespace {

// What all kernels of a source may call. T is the type of values.
const char* const helpers = R"(
__device__ void atomic_max(int* place, int value) { atomicMax(place, value); }
__device__ void atomic_max(long long* place, long long value) { atomicMax(place, value); }
__device__ void atomic_max(float* place, float value) {
    int* word = reinterpret_cast<int*>(place);
    int old = *word, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, __float_as_int(fmaxf(__int_as_float(seen), value)));
    } while (old != seen);
}
__device__ void atomic_max(double* place, double value) {
    unsigned long long* word = reinterpret_cast<unsigned long long*>(place);
    unsigned long long old = *word, seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, __double_as_longlong(fmax(__longlong_as_double(seen), value)));
    } while (old != seen);
}
template <class V>
__device__ void atomic_add(V* place, V value) { atomicAdd(place, value); }
__device__ void atomic_add(long long* place, long long value) {
    atomicAdd(reinterpret_cast<unsigned long long*>(place), static_cast<unsigned long long>(value));
}

// Trees of vertices: parents[v] is nearer to the root, and a root is its own parent.
struct Atomically {
    static __device__ int read(int* place) { return atomicAdd(place, 0); }
    static __device__ void shorten(int* place, int value) { atomicMin(place, value); }
    static __device__ bool hook(int* place, int old, int value) { return atomicCAS(place, old, value) == old; }
};
struct PlainHook : Atomically {
    static __device__ bool hook(int* place, int old, int value) {
        if (*place != old) return false;
        *place = value;
        return true;
    }
};
struct PlainRead : Atomically {
    static __device__ int read(int* place) { return *place; }
};
struct PlainWrite : Atomically {
    static __device__ void shorten(int* place, int value) { *place = value; }
};
template <class How>
__device__ int root_of(int* parents, int v) {
    for (;;) {
        int parent = How::read(&parents[v]);
        if (parent == v) return v;
        int next = How::read(&parents[parent]);
        if (next != parent) How::shorten(&parents[v], next);
        v = parent;
    }
}
template <class How>
__device__ void join(int* parents, int v, int u) {
    for (;;) {
        int a = root_of<How>(parents, v), b = root_of<How>(parents, u);
        if (a == b || How::hook(&parents[max(a, b)], max(a, b), min(a, b))) return;
    }
}
)";

// The pieces of a kernel. A vertex's work is `before`, for each of its edges `edge`, and `after`.
struct Pieces {
    std::string begin, before, edge, after, end;
};

std::string replaced(std::string text, const std::string& old, const std::string& by) {
    for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + by.size()))
        text.replace(at, old.size(), by);
    return text;
}

// The lanes' `best` becomes the largest of all.
std::string largest_of_lanes(Worker worker, bool persistent) {
    if (worker == Worker::thread) return "";
    if (worker == Worker::warp && !persistent)
        return R"(        for (int distance = 16; distance > 0; distance /= 2) {
            T other = __shfl_xor_sync(0xffffffffu, best, distance);
            best = best < other ? other : best;
        }
)";
    const std::string text = R"(        part[threadIdx.x] = best;
        BARRIER_1
        for (int half = lanes / 2; half > 0; half /= 2) {
            if (lane < half && part[threadIdx.x] < part[threadIdx.x + half])
                part[threadIdx.x] = part[threadIdx.x + half];
            BARRIER_2
        }
        best = part[first_lane];
)";
    return text + (persistent ? "        BARRIER_3\n" : "");
}

Pieces pieces_of_pull(const Variant& v) {
    Pieces p;
    if (v.worker == Worker::block || (v.worker == Worker::warp && v.persistent))
        p.begin = "    __shared__ T part[64];\n";
    const bool in_place = v.mistake == Mistake::in_place;
    p.before = "        T best = " + std::string(in_place ? "y" : "x") + "[v];\n";
    if (v.mistake == Mistake::uninitialised) p.before = "        T best = lane == 0 ? y[v] : x[v];\n";
    p.edge = "            best = best < X[u] ? X[u] : best;\n";
    p.edge = replaced(p.edge, "X", in_place ? "y" : "x");
    if (v.mistake == Mistake::atomicity)
        p.after = "        if (y[v] < best) y[v] = best;\n";
    else
        p.after = largest_of_lanes(v.worker, v.persistent) + "        if (lane == 0) y[v] = best;\n";
    return p;
}

Pieces pieces_of_push(const Variant& v) {
    Pieces p;
    p.before = "        T value = x[v];\n";
    p.edge = "            atomic_max(&y[u], value);\n";
    if (v.mistake == Mistake::atomicity) p.edge = "            if (y[u] < value) y[u] = value;\n";
    if (v.mistake == Mistake::check_first) p.edge = "            if (y[u] < value) atomic_max(&y[u], value);\n";
    return p;
}

Pieces pieces_of_edges(const Variant& v) {
    Pieces p;
    p.edge = v.mistake == Mistake::atomicity ? "            if (x[v] < x[u]) *y += x[u] - x[v];\n"
                                             : "            if (x[v] < x[u]) atomic_add(y, x[u] - x[v]);\n";
    return p;
}

Pieces pieces_of_shared_sum(const Variant& v) {
    Pieces p;
    p.begin = "    __shared__ T own;\n";
    if (v.mistake != Mistake::uninitialised) p.begin += "    if (threadIdx.x == 0) own = T(0);\n";
    p.begin += "    BARRIER_1\n";
    p.edge = v.mistake == Mistake::atomicity ? "            if (x[v] < x[u]) own += x[u] - x[v];\n"
                                             : "            if (x[v] < x[u]) atomic_add(&own, x[u] - x[v]);\n";
    p.end = "    BARRIER_2\n    if (threadIdx.x == 0) atomic_add(y, own);\n";
    return p;
}

Pieces pieces_of_vertices(const Variant& v) {
    Pieces p;
    p.before = "        bool is_top = true;\n";
    p.edge = "            if (x[v] < x[u]) is_top = false;\n";
    if (v.worker == Worker::warp) p.after = "        is_top = __all_sync(0xffffffffu, is_top);\n";
    if (v.worker == Worker::block) p.after = "        is_top = __syncthreads_and(is_top);\n";
    if (v.mistake == Mistake::atomicity)
        p.after += "        if (lane == 0 && is_top && *y < x[v]) *y = x[v];\n";
    else if (v.mistake == Mistake::check_first)
        p.after += "        if (lane == 0 && is_top && *y < x[v]) atomic_max(y, x[v]);\n";
    else
        p.after += "        if (lane == 0 && is_top) atomic_max(y, x[v]);\n";
    return p;
}

// `list[next place] = value`.
std::string append(const Variant& v, const std::string& value) {
    const std::string to = v.mistake == Mistake::list_bounds ? "list[place + 1]" : "list[place]";
    if (v.mistake == Mistake::atomicity)
        return "int place = *size;\n            *size = place + 1;\n            " + to + " = " + value + ";\n";
    return "int place = atomicAdd(size, 1);\n            " + to + " = " + value + ";\n";
}

Pieces pieces_of_worklist(const Variant& v) {
    Pieces p;
    p.after = "        if (lane == 0 && x[v] > T(4)) {\n            " + append(v, "v") + "        }\n";
    return p;
}

Pieces pieces_of_populate_once(const Variant& v) {
    Pieces p;
    if (v.mistake == Mistake::check_first)
        p.edge = "            if (!(x[v] < x[u]) || marks[u] != 0) continue;\n            marks[u] = 1;\n            ";
    else
        p.edge = "            if (!(x[v] < x[u]) || atomicExch(&marks[u], 1) != 0) continue;\n            ";
    p.edge += append(v, "u");
    return p;
}

Pieces pieces_of_paths(const Variant& v) {
    std::string how = "Atomically";
    if (v.mistake == Mistake::atomicity) how = "PlainHook";
    if (v.mistake == Mistake::check_first) how = "PlainRead";
    if (v.mistake == Mistake::plain_write) how = "PlainWrite";
    Pieces p;
    p.edge = "            if (x[v] + x[u] != T(7)) join<" + how + ">(marks, v, u);\n";
    return p;
}

Pieces pieces_of(const Variant& v) {
    switch (v.pattern) {
        case Pattern::pull: return pieces_of_pull(v);
        case Pattern::push: return pieces_of_push(v);
        case Pattern::conditional_edge: return pieces_of_edges(v);
        case Pattern::shared_sum: return pieces_of_shared_sum(v);
        case Pattern::conditional_vertex: return pieces_of_vertices(v);
        case Pattern::worklist: return pieces_of_worklist(v);
        case Pattern::populate_once: return pieces_of_populate_once(v);
        case Pattern::path_compression: return pieces_of_paths(v);
    }
    return {};
}

// Each vertex's work, for those that this thread takes part in.
std::string with_loops(const Variant& v, const Pieces& p) {
    std::string first = "blockIdx.x", step = "gridDim.x", lane = "threadIdx.x", lanes = "blockDim.x";
    if (v.worker == Worker::thread) {
        first = "blockIdx.x * blockDim.x + threadIdx.x";
        step = "gridDim.x * blockDim.x";
        lane = "0";
        lanes = "1";
    } else if (v.worker == Worker::warp) {
        first = "(blockIdx.x * blockDim.x + threadIdx.x) / 32";
        step = "gridDim.x * blockDim.x / 32";
        lane = "threadIdx.x % 32";
        lanes = "32";
    }
    std::string text = "    const int lane = " + lane + ", lanes = " + lanes + ", first_lane = threadIdx.x - lane;\n";
    text += p.begin;
    const bool guarded = v.mistake != Mistake::no_guard;
    if (v.persistent)
        text += "    for (int v = " + first + "; v < n; v += " + step + ") {\n";
    else
        text += "    int v = " + first + ";\n    " + (guarded ? "if (v < n) {\n" : "{\n");
    text += p.before;
    if (!p.edge.empty()) {
        const std::string less = v.mistake == Mistake::edge_bounds ? " <= " : " < ";
        text += "        for (int e = rows[v] + lane; e" + less + "rows[v + 1]; e += lanes) {\n";
        text += "            int u = neighbours[e];\n" + p.edge + "        }\n";
    }
    return text + p.after + "    }\n" + p.end;
}

// What a report must say of the mistake; nothing if the pattern can't have it in this form.
std::optional<Variant> with_mistake(Variant v, Mistake mistake) {
    v.mistake = mistake;
    const bool has_edges = v.pattern != Pattern::worklist;
    const bool has_list = v.pattern == Pattern::worklist || v.pattern == Pattern::populate_once;
    const auto is_one_of = [&](std::initializer_list<Pattern> list) {
        for (const Pattern each : list)
            if (each == v.pattern) return true;
        return false;
    };
    const auto expect = [&](bool possible, Expected expected, std::vector<std::string> variables) {
        v.expected = expected;
        v.variables = std::move(variables);
        return possible ? std::optional(v) : std::nullopt;
    };
    const Expected between_lanes = v.worker == Worker::warp ? Expected::race_in_warp : Expected::race_in_block;
    switch (mistake) {
        case Mistake::none: return expect(true, Expected::nothing, {});
        case Mistake::edge_bounds: return expect(has_edges, Expected::out_of_bounds, {"neighbours"});
        case Mistake::list_bounds: return expect(has_list, Expected::out_of_bounds, {"list"});
        case Mistake::no_guard:
            return expect(!v.persistent && v.worker != Worker::block, Expected::out_of_bounds, {"rows", "x"});
        case Mistake::atomicity:
            if (v.pattern == Pattern::pull) return expect(v.worker != Worker::thread, between_lanes, {"y"});
            if (v.pattern == Pattern::shared_sum) return expect(true, Expected::race, {"own"});
            return expect(true, Expected::race,
                          {has_list                                 ? "size"
                           : v.pattern == Pattern::path_compression ? "marks"
                                                                    : "y"});
        case Mistake::check_first:
            return expect(is_one_of({Pattern::push, Pattern::conditional_vertex, Pattern::populate_once,
                                     Pattern::path_compression}),
                          Expected::race, {is_one_of({Pattern::push, Pattern::conditional_vertex}) ? "y" : "marks"});
        case Mistake::in_place: return expect(v.pattern == Pattern::pull, Expected::race, {"y"});
        case Mistake::plain_write: return expect(v.pattern == Pattern::path_compression, Expected::race, {"marks"});
        case Mistake::uninitialised:
            return expect(!is_one_of({Pattern::push, Pattern::path_compression}), Expected::uninitialised,
                          {has_list                           ? "size"
                           : v.pattern == Pattern::shared_sum ? "own"
                                                              : "y"});
        case Mistake::barrier_1:
        case Mistake::barrier_2:
        case Mistake::barrier_3: {
            const std::string barrier =
                "BARRIER_" + std::to_string(1 + static_cast<int>(mistake) - static_cast<int>(Mistake::barrier_1));
            const Pieces p = pieces_of(v);
            const bool has_it = (p.begin + p.after + p.end).find(barrier) != std::string::npos;
            // Thread 0 races with all others: the pair that is reported may belong to one warp.
            if (v.pattern == Pattern::shared_sum) return expect(has_it, Expected::race, {"own"});
            return expect(has_it, between_lanes, {"part"});
        }
    }
    return std::nullopt;
}

std::vector<Variant> variants(Pattern pattern, bool correct) {
    constexpr Mistake mistakes[] = {Mistake::none,      Mistake::edge_bounds, Mistake::list_bounds,
                                    Mistake::no_guard,  Mistake::atomicity,   Mistake::check_first,
                                    Mistake::in_place,  Mistake::plain_write, Mistake::uninitialised,
                                    Mistake::barrier_1, Mistake::barrier_2,   Mistake::barrier_3};
    std::vector<Variant> all;
    for (const Worker worker : workers)
        for (const bool persistent : {false, true})
            for (const Mistake mistake : mistakes) {
                if ((mistake == Mistake::none) != correct) continue;
                Variant v{.pattern = pattern, .worker = worker, .persistent = persistent, .variables = {}};
                if (const auto made = with_mistake(v, mistake)) all.push_back(*made);
            }
    return all;
}

}  // namespace

std::string Variant::name() const {
    constexpr const char* of_pattern[] = {
        "pull",     "push",          "conditional_edge", "shared_sum", "conditional_vertex",
        "worklist", "populate_once", "path_compression"};
    constexpr const char* of_worker[] = {"thread", "warp", "block"};
    constexpr const char* of_mistake[] = {
        "",         "edge_bounds", "list_bounds",   "no_guard",  "atomicity", "check_first",
        "in_place", "plain_write", "uninitialised", "barrier_1", "barrier_2", "barrier_3"};
    std::string name = of_pattern[static_cast<int>(pattern)];
    name += std::string("_") + of_worker[static_cast<int>(worker)] + (persistent ? "_persistent" : "");
    return mistake == Mistake::none ? name : name + "_" + of_mistake[static_cast<int>(mistake)];
}

std::string Variant::text() const {
    std::string text =
        "__global__ void " + name() +
        "(const int* rows, const int* neighbours, int n, const T* x, T* y, int* size, int* list, int* marks) {\n" +
        with_loops(*this, pieces_of(*this)) + "}\n";
    const bool in_warp = pattern == Pattern::pull && worker == Worker::warp;
    for (const auto& [barrier, missing] : {std::pair{"BARRIER_1", Mistake::barrier_1},
                                           {"BARRIER_2", Mistake::barrier_2},
                                           {"BARRIER_3", Mistake::barrier_3}})
        text = replaced(text, barrier, mistake == missing ? ";" : in_warp ? "__syncwarp();" : "__syncthreads();");
    return text;
}

std::vector<Variant> correct_variants(Pattern pattern) { return variants(pattern, true); }
std::vector<Variant> variants_with_mistakes(Pattern pattern) { return variants(pattern, false); }

std::string source_of(const std::vector<Variant>& variants, const std::string& type) {
    std::string text = "using T = " + type + ";\n" + helpers;
    for (const Variant& variant : variants) text += "\n" + variant.text();
    return text;
}

}  // namespace irregular

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

// Kernels on graphs, written by the test: patterns of irregular programs, each right and with one planted mistake, for
// several ways to share out vertices and edges. After the idea of the Indigo suites.
namespace irregular {

enum class Pattern {
    pull,                ///< a vertex takes the largest value around it
    push,                ///< a vertex raises its neighbours' values to its own
    conditional_edge,    ///< edges that go up are added up, by atomics in global memory
    shared_sum,          ///< the same by way of a sum in each block's shared memory
    conditional_vertex,  ///< the largest value of vertices that no neighbour exceeds
    worklist,            ///< some vertices are put in a list
    populate_once,       ///< neighbours are put in a list, each once
    path_compression     ///< neighbours are joined, in trees that become flatter
};
inline constexpr Pattern patterns[] = {Pattern::pull,
                                       Pattern::push,
                                       Pattern::conditional_edge,
                                       Pattern::shared_sum,
                                       Pattern::conditional_vertex,
                                       Pattern::worklist,
                                       Pattern::populate_once,
                                       Pattern::path_compression};

enum class Worker { thread, warp, block };  ///< what works on one vertex
inline constexpr Worker workers[] = {Worker::thread, Worker::warp, Worker::block};

enum class Mistake {
    none,
    edge_bounds,    ///< reads the edge behind a vertex's last one
    list_bounds,    ///< leaves the list's first place free
    no_guard,       ///< no `if (v < n)`
    atomicity,      ///< a read, a change and a write instead of an atomic
    check_first,    ///< a plain look at the element before its atomic
    in_place,       ///< reads values that others write
    plain_write,    ///< shortens a path by a plain write
    uninitialised,  ///< starts from a value that nobody wrote
    barrier_1,      ///< the first barrier is missing
    barrier_2,      ///< the second
    barrier_3       ///< the third
};

/// A type of vertices' values, as the kernel spells it.
inline constexpr const char* types[] = {"int", "float", "double", "long long"};

constexpr int block_size = 64;

/// What a report on a kernel must say.
enum class Expected { nothing, out_of_bounds, uninitialised, race, race_in_block, race_in_warp };

struct Variant {
    Pattern pattern{};
    Worker worker{};
    bool persistent = false;  ///< few blocks, which loop over the vertices
    Mistake mistake{};

    Expected expected{};
    std::vector<std::string> variables;  ///< a finding is about one of these

    [[nodiscard]] std::string name() const;  ///< of the kernel: "push_warp_persistent_atomicity"
    [[nodiscard]] std::string text() const;
};

/// Every correct variant of a pattern, or every one with a mistake.
[[nodiscard]] std::vector<Variant> correct_variants(Pattern pattern);
[[nodiscard]] std::vector<Variant> variants_with_mistakes(Pattern pattern);

/// The source of several kernels with values of one type. They all have the parameters
/// `(const int* rows, const int* neighbours, int n, const T* x, T* y, int* size, int* list, int* marks)`.
[[nodiscard]] std::string source_of(const std::vector<Variant>& variants, const std::string& type);

}  // namespace irregular

// SPDX-License-Identifier: MIT
// Searches, paths and ranks in graphs.
#include <algorithm>
#include <limits>
#include <set>

#include "program.hpp"

namespace programs {

namespace {

// Neighbours of v: neighbours[rows[v]] to neighbours[rows[v + 1] - 1], in increasing order.
struct Graph {
    int n = 0;
    std::vector<int> rows = {0}, neighbours;
};

Graph graph_of(const std::vector<std::set<int>>& edges) {
    Graph graph;
    graph.n = static_cast<int>(edges.size());
    for (const std::set<int>& of_vertex : edges) {
        graph.neighbours.insert(graph.neighbours.end(), of_vertex.begin(), of_vertex.end());
        graph.rows.push_back(static_cast<int>(graph.neighbours.size()));
    }
    return graph;
}

// Several components, some vertices alone. Without a direction each edge stands there twice.
Graph random_graph(int n, unsigned seed, bool directed) {
    const std::vector<int> ends = random_ints(length(12 * n), seed, n);
    std::vector<std::set<int>> edges(length(n));
    edges[0].insert(n - 1);
    edges[length(n - 1)].insert(0);
    for (std::size_t k = 0; k + 1 < ends.size(); k += 2) {
        const int v = ends[k], u = ends[k + 1];
        if (v == u || v % 3 != u % 3) continue;
        edges[length(v)].insert(u);
        if (!directed) edges[length(u)].insert(v);
    }
    return graph_of(edges);
}

const std::vector<int> sizes = {2, 33, 201};

template <class F>
void for_each_edge(const Graph& graph, F f) {
    for (int v = 0; v < graph.n; ++v)
        for (int e = graph.rows[length(v)]; e < graph.rows[length(v) + 1]; ++e) f(v, graph.neighbours[length(e)], e);
}

// Distances from vertex 0: all edges are relaxed until nothing changes.
std::vector<int> distances(const Graph& graph, const std::vector<int>& weights) {
    std::vector<int> best(length(graph.n), std::numeric_limits<int>::max());
    best[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for_each_edge(graph, [&](int v, int u, int e) {
            if (best[length(v)] == std::numeric_limits<int>::max()) return;
            const int path = best[length(v)] + weights[length(e)];
            changed = changed || path < best[length(u)];
            best[length(u)] = std::min(best[length(u)], path);
        });
    }
    return best;
}

std::vector<int> levels_of(const Graph& graph) {
    std::vector<int> levels = distances(graph, std::vector<int>(graph.neighbours.size(), 1));
    std::replace(levels.begin(), levels.end(), std::numeric_limits<int>::max(), -1);
    return levels;
}

std::vector<int> first_levels(int n) {
    std::vector<int> levels(length(n), -1);
    levels[0] = 0;
    return levels;
}

void bfs_levels(Run& run) {
    const auto next_level = run.kernel<void(const int*, const int*, int*, int*, int, int)>("next_level");
    for (const int n : sizes) {
        const Graph graph = random_graph(n, 1, true);
        const auto rows = gpu::to_device(graph.rows), neighbours = gpu::to_device(graph.neighbours);
        auto levels = gpu::to_device(first_levels(n));
        for (int level = 0; level < n; ++level) {
            auto changed = gpu::zeros<int>({1});
            next_level({.grid = blocks(n, 64), .block = 64}, rows, neighbours, levels, changed, level, n);
            if (gpu::to_host(changed)[0] == 0) break;
        }
        run.equal("levels", levels, levels_of(graph));
    }
}

void bfs_frontier(Run& run) {
    const auto visit = run.kernel<void(const int*, const int*, const int*, int, int*, int*, int*, int)>("visit");
    for (const int n : sizes) {
        const Graph graph = random_graph(n, 2, true);
        const auto rows = gpu::to_device(graph.rows), neighbours = gpu::to_device(graph.neighbours);
        auto levels = gpu::to_device(first_levels(n)), frontier = gpu::zeros<int>({n}), next = gpu::zeros<int>({n});
        int size = 1;
        for (int level = 1; level <= n && size > 0; ++level) {
            auto next_size = gpu::zeros<int>({1});
            visit({.grid = blocks(size, 32), .block = 32}, rows, neighbours, frontier, size, next, next_size, levels,
                  level);
            size = std::min(gpu::to_host(next_size)[0], n);
            std::swap(frontier, next);
        }
        run.equal("levels", levels, levels_of(graph));
    }
}

void sssp_relax(Run& run) {
    const auto relax = run.kernel<void(const int*, const int*, const int*, int*, int*, int)>("relax");
    for (const int n : sizes) {
        const Graph graph = random_graph(n, 3, true);
        std::vector<int> weights = random_ints(graph.neighbours.size(), 4, 50), first(length(n), 0x7fffffff);
        first[0] = 0;
        const auto rows = gpu::to_device(graph.rows), neighbours = gpu::to_device(graph.neighbours);
        const auto device_weights = gpu::to_device(weights);
        auto lengths = gpu::to_device(first);
        for (int round = 0; round < n; ++round) {
            auto changed = gpu::zeros<int>({1});
            relax({.grid = blocks(n, 64), .block = 64}, rows, neighbours, device_weights, lengths, changed, n);
            if (gpu::to_host(changed)[0] == 0) break;
        }
        run.equal("distances", lengths, distances(graph, weights));
    }
}

void label_propagation(Run& run) {
    const auto propagate = run.kernel<void(const int*, const int*, const int*, int*, int*, int)>("propagate");
    for (const int n : sizes) {
        const Graph graph = random_graph(n, 5, false);
        std::vector<int> want(length(n));
        for (int v = 0; v < n; ++v) want[length(v)] = v;
        auto labels = gpu::to_device(want), new_labels = gpu::empty<int>({n});
        const auto rows = gpu::to_device(graph.rows), neighbours = gpu::to_device(graph.neighbours);
        for (int round = 0; round < n; ++round) {
            auto changed = gpu::zeros<int>({1});
            propagate({.grid = blocks(n, 64), .block = 64}, rows, neighbours, labels, new_labels, changed, n);
            std::swap(labels, new_labels);
            if (gpu::to_host(changed)[0] == 0) break;
        }
        for (int round = 0; round < n; ++round)
            for_each_edge(graph,
                          [&](int v, int u, int) { want[length(v)] = std::min(want[length(v)], want[length(u)]); });
        run.equal("labels", labels, want);
    }
}

void page_rank(Run& run) {
    const auto share = run.kernel<void(const float*, const int*, float*, float*, int)>("share");
    const auto pull = run.kernel<void(const int*, const int*, const float*, const float*, float*, float, int)>("pull");
    for (const int n : sizes) {
        const Graph graph = random_graph(n, 6, true);
        std::vector<std::set<int>> before(length(n));
        std::vector<int> degrees(length(n));
        for_each_edge(graph, [&](int v, int u, int) {
            before[length(u)].insert(v);
            ++degrees[length(v)];
        });
        const Graph reverse = graph_of(before);
        std::vector<double> want(length(n), 1.0 / n);
        const auto rows = gpu::to_device(reverse.rows), predecessors = gpu::to_device(reverse.neighbours);
        const auto device_degrees = gpu::to_device(degrees);
        auto ranks = gpu::full<float>({n}, 1.0F / static_cast<float>(n)), shares = gpu::empty<float>({n});
        for (int round = 0; round < 8; ++round) {
            auto lost = gpu::zeros<float>({1});
            share({.grid = blocks(n, 64), .block = 64}, ranks, device_degrees, shares, lost, n);
            pull({.grid = blocks(n, 64), .block = 64}, rows, predecessors, shares, lost, ranks, 0.75F, n);
            double host_lost = 0;
            std::vector<double> next(length(n));
            for (int v = 0; v < n; ++v) host_lost += degrees[length(v)] == 0 ? want[length(v)] : 0;
            for_each_edge(graph, [&](int v, int u, int) { next[length(u)] += want[length(v)] / degrees[length(v)]; });
            for (int v = 0; v < n; ++v) want[length(v)] = 0.25 / n + 0.75 * (next[length(v)] + host_lost / n);
        }
        run.close("ranks", ranks, want, 64);
    }
}

void floyd_warshall(Run& run) {
    const auto on_diagonal = run.kernel<void(int*, int, int)>("on_diagonal");
    const auto in_cross = run.kernel<void(int*, int, int)>("in_cross");
    const auto elsewhere = run.kernel<void(int*, int, int)>("elsewhere");
    for (const int n : {3, 8, 29}) {
        const int tiles = blocks(n, 8), width = 8 * tiles, far = 1'000'000;
        std::vector<int> want(at(width, width, 0), far);
        const Graph graph = random_graph(n, 7, true);
        const std::vector<int> weights = random_ints(graph.neighbours.size(), 8, 100);
        for (int v = 0; v < width; ++v) want[at(v, width, v)] = 0;
        for_each_edge(graph, [&](int v, int u, int e) { want[at(v, width, u)] = weights[length(e)]; });
        auto d = gpu::to_device(want);
        for (int k = 0; k < tiles; ++k) {
            on_diagonal({.grid = 1, .block = {8, 8}}, d, width, k);
            in_cross({.grid = {tiles, 2}, .block = {8, 8}}, d, width, k);
            elsewhere({.grid = {tiles, tiles}, .block = {8, 8}}, d, width, k);
        }
        for (int k = 0; k < width; ++k)
            for (int v = 0; v < width; ++v)
                for (int u = 0; u < width; ++u)
                    want[at(v, width, u)] =
                        std::min(want[at(v, width, u)], want[at(v, width, k)] + want[at(k, width, u)]);
        run.equal("distances", d, want);
    }
}

void triangle_count(Run& run) {
    const auto count = run.kernel<void(const int*, const int*, int*, int)>("count");
    for (const int n : {2, 33, 70}) {
        const Graph graph = random_graph(n, 9, false);
        std::vector<int> is_edge(at(n, n, 0)), want = {0};
        for_each_edge(graph, [&](int v, int u, int) { is_edge[at(v, n, u)] = 1; });
        for (int a = 0; a < n; ++a)
            for (int b = a + 1; b < n; ++b)
                for (int c = b + 1; c < n; ++c)
                    want[0] += is_edge[at(a, n, b)] * is_edge[at(b, n, c)] * is_edge[at(a, n, c)];
        auto total = gpu::zeros<int>({1});
        count({.grid = blocks(n, 2), .block = 64}, gpu::to_device(graph.rows), gpu::to_device(graph.neighbours), total,
              n);
        run.equal("triangles", total, want);
    }
}

}  // namespace

std::vector<Program> graph_programs() {
    return {{"graph/bfs_levels.cu", bfs_levels},        {"graph/bfs_frontier.cu", bfs_frontier},
            {"graph/sssp_relax.cu", sssp_relax},        {"graph/label_propagation.cu", label_propagation},
            {"graph/page_rank.cu", page_rank},          {"graph/floyd_warshall.cu", floyd_warshall},
            {"graph/triangle_count.cu", triangle_count}};
}

}  // namespace programs

// SPDX-License-Identifier: MIT
#include "graphs.hpp"

#include <random>

namespace irregular {

namespace {

using Edges = std::vector<std::vector<int>>;

Graph graph_of(const std::string& name, const Edges& edges) {
    Graph graph{.name = name, .n = static_cast<int>(edges.size()), .rows = {0}, .neighbours = {}};
    for (const std::vector<int>& of_vertex : edges) {
        graph.neighbours.insert(graph.neighbours.end(), of_vertex.begin(), of_vertex.end());
        graph.rows.push_back(static_cast<int>(graph.neighbours.size()));
    }
    return graph;
}

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    int below(int limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }

private:
    std::mt19937 engine_;
};

std::size_t at(int v) { return static_cast<std::size_t>(v); }

Graph star(int n) {
    Edges edges(at(n));
    for (int v = 1; v < n; ++v) {
        edges[0].push_back(v);
        edges[at(v)].push_back(0);
    }
    return graph_of("star", edges);
}

Graph ring(int n) {
    Edges edges(at(n));
    for (int v = 0; v < n; ++v) edges[at(v)] = {(v + 1) % n, (v + n - 1) % n};
    return graph_of("ring", edges);
}

Graph random_graph(int n, int degree) {
    Edges edges(at(n));
    Random random(1);
    for (int v = 0; v < n; ++v)
        for (int k = random.below(2 * degree + 1); k > 0; --k) edges[at(v)].push_back(random.below(n));
    return graph_of("random", edges);
}

// A vertex chooses another one's neighbour as often as one of all vertices: the rich become richer.
Graph power_law(int n) {
    Edges edges(at(n));
    Random random(2);
    std::vector<int> ends = {0};
    for (int v = 1; v < n; ++v) {
        for (int k = 0; k < 3; ++k) {
            const int u = k == 0 ? random.below(v) : ends[at(random.below(static_cast<int>(ends.size())))];
            edges[at(v)].push_back(u);
            edges[at(u)].push_back(v);
            ends.push_back(u);
        }
    }
    return graph_of("power law", edges);
}

Graph without_cycles(int n) {
    Edges edges(at(n));
    Random random(3);
    for (int v = 0; v + 1 < n; ++v)
        for (int k = 0; k < 4; ++k) edges[at(v)].push_back(v + 1 + random.below(n - v - 1));
    return graph_of("without cycles", edges);
}

Graph empty_rows(int n) {
    Edges edges(at(n));
    Random random(4);
    for (int v = 3; v < n - 2; v += 5)
        for (int k = 0; k < 6; ++k) edges[at(v)].push_back(random.below(n));
    return graph_of("empty rows", edges);
}

}  // namespace

std::vector<Graph> test_graphs() {
    return {star(41), ring(67), random_graph(131, 3), power_law(71), without_cycles(33), empty_rows(75)};
}

}  // namespace irregular

// SPDX-License-Identifier: MIT
#include "reference.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

namespace irregular {

namespace {

std::size_t at(int v) { return static_cast<std::size_t>(v); }

template <class F>
void for_each_edge(const Graph& graph, F f) {
    for (int v = 0; v < graph.n; ++v)
        for (int e = graph.rows[at(v)]; e < graph.rows[at(v) + 1]; ++e) f(v, graph.neighbours[at(e)]);
}

std::vector<int> sorted(const std::set<int>& places) { return {places.begin(), places.end()}; }

std::vector<int> components(const Graph& graph, const std::vector<int>& x) {
    std::vector<int> labels(at(graph.n));
    std::iota(labels.begin(), labels.end(), 0);
    for (bool changed = true; changed;) {
        changed = false;
        for_each_edge(graph, [&](int v, int u) {
            if (x[at(v)] + x[at(u)] == 7 || labels[at(v)] == labels[at(u)]) return;
            labels[at(v)] = labels[at(u)] = std::min(labels[at(v)], labels[at(u)]);
            changed = true;
        });
    }
    return labels;
}

}  // namespace

std::vector<int> values_of(const Graph& graph) {
    std::mt19937 engine(static_cast<unsigned>(graph.n));
    std::vector<int> x(at(graph.n));
    for (int& value : x) value = static_cast<int>(engine() % 10);
    return x;
}

std::vector<int> reference(Pattern pattern, const Graph& graph) {
    const std::vector<int> x = values_of(graph);
    std::vector<int> y = x;
    std::set<int> places;
    int sum = 0;
    switch (pattern) {
        case Pattern::pull:
            for_each_edge(graph, [&](int v, int u) { y[at(v)] = std::max(y[at(v)], x[at(u)]); });
            return y;
        case Pattern::push:
            for_each_edge(graph, [&](int v, int u) { y[at(u)] = std::max(y[at(u)], x[at(v)]); });
            return y;
        case Pattern::conditional_edge:
        case Pattern::shared_sum:
            for_each_edge(graph, [&](int v, int u) { sum += std::max(0, x[at(u)] - x[at(v)]); });
            return {sum};
        case Pattern::conditional_vertex:
            for_each_edge(graph, [&](int v, int u) { y[at(v)] = x[at(v)] < x[at(u)] ? 0 : y[at(v)]; });
            return {*std::max_element(y.begin(), y.end())};
        case Pattern::worklist:
            for (int v = 0; v < graph.n; ++v)
                if (x[at(v)] > 4) places.insert(v);
            return sorted(places);
        case Pattern::populate_once:
            for_each_edge(graph, [&](int v, int u) {
                if (x[at(v)] < x[at(u)]) places.insert(u);
            });
            return sorted(places);
        case Pattern::path_compression: return components(graph, x);
    }
    return {};
}

}  // namespace irregular

// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace irregular {

/// A graph by its rows: vertex v's neighbours are neighbours[rows[v]] to neighbours[rows[v + 1] - 1].
struct Graph {
    std::string name;
    int n = 0;
    std::vector<int> rows, neighbours;
};

/// A star, a ring, a random graph, one with a power law, one without cycles and one in which most rows are empty.
[[nodiscard]] std::vector<Graph> test_graphs();

}  // namespace irregular

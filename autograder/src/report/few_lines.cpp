// SPDX-License-Identifier: MIT
#include "report/few_lines.hpp"

#include <algorithm>
#include <set>

#include "support/text.hpp"

namespace course {

namespace {

std::string up_to(std::span<const Part> parts, int rank, std::size_t columns) {
    std::string text;
    for (const Part& part : parts)
        if (part.rank <= rank) text += fitted(part.text, columns);
    return text;
}

}  // namespace

int fitting_rank(std::span<const Part> parts, std::size_t most, std::size_t columns) {
    std::set<int> ranks;
    for (const Part& part : parts) ranks.insert(part.rank);
    int fits = 0;
    for (const int rank : ranks) {
        const std::string text = up_to(parts, rank, columns);
        if (static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) > most) break;
        fits = rank;
    }
    return fits;
}

std::string few_lines(std::span<const Part> parts, std::size_t most, std::size_t columns) {
    return up_to(parts, fitting_rank(parts, most, columns), columns);
}

}  // namespace course

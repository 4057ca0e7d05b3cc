// SPDX-License-Identifier: MIT
#include "support/near_word.hpp"

#include <algorithm>

namespace course {

namespace {

/// Letters to change, add, leave out or swap with the next one.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> least(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                least[i][j] = i + j;
                continue;
            }
            least[i][j] = std::min(
                {least[i - 1][j] + 1, least[i][j - 1] + 1, least[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                least[i][j] = std::min(least[i][j], least[i - 2][j - 2] + 1);
        }
    return least[a.size()][b.size()];
}

}  // namespace

std::string near_word(std::string_view word, const std::vector<std::string_view>& known) {
    constexpr std::size_t longest = 64;  // the table grows with the square
    if (word.size() > longest) return {};
    std::string nearest;
    std::size_t least = word.size() > 5 ? 3 : 2;
    for (const std::string_view one : known)
        if (const std::size_t here = distance(word, one); here < least) {
            least = here;
            nearest = one;
        }
    return nearest;
}

}  // namespace course

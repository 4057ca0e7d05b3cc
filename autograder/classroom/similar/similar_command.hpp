// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kit/kit.hpp"

namespace course {

/// What `course similar` compares.
struct SimilarOptions {
    std::string results;                 ///< the folder that `course grade` wrote
    std::vector<std::string> also;       ///< other classes' answers: folders of results, or submissions
    std::vector<std::string> published;  ///< answers that everybody may have read, in the same forms
    std::vector<int> exercises;          ///< empty: all
    double percent = 80;                 ///< the minimum share of a pair
    std::string out;                     ///< the page; empty: RESULTS/similar.html
};

/// Writes the page of similar answers. It has no effect on verdicts and points.
int similar_command(const Kit& kit, const SimilarOptions& options);

}  // namespace course

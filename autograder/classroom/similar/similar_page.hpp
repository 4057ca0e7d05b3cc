// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "classroom/similar/compare.hpp"

namespace course {

/// The answers to an exercise, and the similarities among them.
struct ExerciseAnswers {
    int number = 0;
    std::string title;
    std::vector<ComparedAnswer> answers;
    ExerciseSimilarity found;
};

/// The contents of the page of similar answers.
struct SimilarPage {
    std::vector<ExerciseAnswers> exercises;
    std::vector<std::string> compared_with;  ///< labels of other classes
    std::vector<std::string> published;      ///< labels of answers that everybody may have read
    SimilarityOptions options;
};

/// The page for teachers: it names students, and says that similarity isn't proof. Pure.
std::string similar_page(const SimilarPage& page);

/// The number of pairs printed side by side; the table has `max_pairs_listed`.
inline constexpr std::size_t max_pairs_shown = 40, max_pairs_listed = 500;

}  // namespace course

// SPDX-License-Identifier: MIT
// Where the line between pairs and honest answers lies, found with the kit's own right answers.
#include <algorithm>
#include <cstdio>

#include <doctest/doctest.h>

#include "classroom/similar/answers.hpp"
#include "similar/kit_answers.hpp"

using namespace course;
using namespace test;

namespace {

const std::filesystem::path exercises = std::filesystem::path(COURSE_SOURCE_DIR) / "exercises";

bool is_skipped() {
    if (!exercises_with_solutions().empty()) return false;
    std::puts("SKIP: similar answers of the kit: this edition has no solutions");
    return true;
}

/// Every pair of these answers with its share, whatever it is. Those that are too short are in none.
std::vector<SimilarPair> shares(std::vector<ComparedAnswer>& answers, const std::string& exercise) {
    return compare_answers(answers, runs_given(exercises / exercise), {}, {.at_least = 0.01, .common_answers = 1000})
        .pairs;
}

}  // namespace

TEST_CASE("different right answers to an exercise are no pairs, unless most of their lines are the same") {
    if (is_skipped()) return;
    const SimilarityOptions line;
    double most = 0;
    int honest = 0, long_enough = 0, above_70 = 0;
    std::string of;
    for (const std::string& exercise : exercises_with_solutions()) {
        const std::vector<KitAnswer> known = answers_of(exercise);
        std::vector<ComparedAnswer> answers;
        for (const KitAnswer& one : known) answers.push_back(compared(one.name, one.files));
        for (const SimilarPair& pair : shares(answers, exercise)) {
            ++long_enough;
            const double literal = literal_share(known[pair.a].files, known[pair.b].files);
            if (literal >= 0.5) continue;  // the author changed a copy
            ++honest;
            INFO(exercise, " ", known[pair.a].name, " ", known[pair.b].name, " literal ", literal);
            CHECK(pair.share < line.at_least);
            above_70 += pair.share > 0.7 ? 1 : 0;
            if (pair.share > most) {
                most = pair.share;
                of = exercise + " " + known[pair.a].name + " " + known[pair.b].name;
            }
        }
    }
    MESSAGE(honest, " honest pairs of ", long_enough, ", ", above_70, " above 70 %: at most ", most, ", ", of);
    CHECK(honest > 300);
    CHECK(most > line.at_least - 0.1);  // the line is no higher than it must be
}

TEST_CASE("copies of each solution are pairs: renamed, reformatted, with functions in another order, or all of it") {
    if (is_skipped()) return;
    int copies = 0;
    double least = 1;
    for (const std::string& exercise : exercises_with_solutions()) {
        const Files solution = answers_of(exercise)[0].files;
        const Files changed[] = {each(solution, renamed), each(solution, reformatted), each(solution, reordered),
                                 each(each(each(solution, renamed), reordered), reformatted)};
        for (const Files& copy : changed) {
            std::vector<ComparedAnswer> answers;
            answers.push_back(compared("ada", solution));
            answers.push_back(compared("bob", copy));
            const std::vector<SimilarPair> pairs = shares(answers, exercise);
            if (pairs.empty()) continue;  // too short
            ++copies;
            INFO(exercise, " copy ", &copy - changed);
            CHECK(pairs[0].share >= SimilarityOptions().at_least);
            least = std::min(least, pairs[0].share);
        }
    }
    MESSAGE(copies, " copies: at least ", least);
    CHECK(copies >= 4 * 12);
}

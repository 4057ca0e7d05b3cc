// SPDX-License-Identifier: MIT
// Students' files as `course similar` compares and shows them. The input: the stub, a line "=====", an answer, another
// such line, another answer.
#include <algorithm>

#include "classroom/similar/similar_page.hpp"
#include "fuzz/course_fixture.hpp"

namespace fuzz {

namespace {

course::ComparedAnswer answer_of(const std::string& student, std::string_view text) {
    course::ComparedAnswer answer{student, {student}, false, student, {}};
    answer.files.emplace_back("a.cu", course::plain_text(text, text.size() + 1, text.size() + 1));
    return answer;
}

void require_in_order(const course::ComparedFile& file) {
    std::size_t done = 0;
    for (const course::ComparedToken& token : file.tokens) {
        require(token.begin >= done && token.end > token.begin && token.end <= file.text.size(),
                "a token out of order");
        done = token.end;
    }
    require(file.is_grey.size() == file.tokens.size(), "tokens that are neither grey nor not");
    require(course::winnowed(file.runs).size() <= file.runs.size(), "more fingerprints than runs");
}

}  // namespace

FUZZ_TARGET(similar_answers, std::size_t{1} << 16) {
    const std::vector<std::uint64_t> stub = course::run_hashes(course::compared_tokens(std::string(take_part(input))));
    const std::string_view one = take_part(input);
    course::SimilarPage page;
    page.options = {.at_least = 0.5, .min_own = 20};
    course::ExerciseAnswers exercise{12, "<i>", {}, {}};
    for (const auto& [student, text] : {std::pair("ada", one), std::pair("bob", input), std::pair("eve", one)}) {
        exercise.answers.push_back(answer_of(student, text));
        require_in_order(exercise.answers.back().files[0]);
    }
    exercise.found = course::compare_answers(exercise.answers, {stub.begin(), stub.end()}, {}, page.options);
    for (const course::SimilarPair& pair : exercise.found.pairs) {
        require(pair.share >= 0.5 && pair.share <= 1, "a share that isn't one");
        require(pair.alone <= exercise.answers[pair.a].files[0].tokens.size(), "more tokens than there are");
    }
    const auto whole = [](const course::SimilarPair& pair) { return pair.a == 0 && pair.b == 2 && pair.share > 0.999; };
    require(exercise.found.unchanged + exercise.found.too_short > 0 ||
                std::any_of(exercise.found.pairs.begin(), exercise.found.pairs.end(), whole),
            "an answer that isn't similar to itself");
    page.exercises.push_back(std::move(exercise));
    const std::string html = course::similar_page(page);
    require(html.find("<script") == html.npos, "a page with a script");
}

}  // namespace fuzz

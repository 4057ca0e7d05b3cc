// SPDX-License-Identifier: MIT
// What counts as similar, and what doesn't.
#include <algorithm>

#include <doctest/doctest.h>

#include "similar/kit_answers.hpp"

using namespace course;
using namespace test;

namespace {

using Runs = std::unordered_set<std::uint64_t>;

std::vector<std::uint64_t> kinds(const std::string& text) {
    std::vector<std::uint64_t> all;
    for (const ComparedToken& token : compared_tokens(text)) all.push_back(token.kind);
    return all;
}

Runs runs_in(const std::string& text) {
    const std::vector<std::uint64_t> runs = run_hashes(compared_tokens(text));
    return {runs.begin(), runs.end()};
}

/// A kernel of about 20 tokens a line whose operations depend on the seed: two seeds have next to nothing in common.
std::string kernel(unsigned seed, int lines = 8) {
    static const char* const operations[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"};
    const auto next = [&] { return operations[(seed = seed * 1664525 + 1013904223) >> 16 & 7]; };
    std::string text = "__global__ void f(int* x) {\n";
    for (int k = 0; k < lines; ++k) {
        text += "    x[threadIdx.x] = a";
        for (int i = 0; i < 6; ++i) text += std::string(" ") + next() + " b";
        text += ";\n";
    }
    return text + "}\n";
}

/// What is found among these answers of students a, b, c, ...
ExerciseSimilarity found(std::vector<ComparedAnswer> answers, const Runs& given = {}, const Runs& published = {},
                         const SimilarityOptions& options = {}) {
    return compare_answers(answers, given, published, options);
}

std::vector<ComparedAnswer> class_of(const std::vector<std::string>& texts) {
    std::vector<ComparedAnswer> answers;
    for (const std::string& text : texts)
        answers.push_back(compared(std::string("student ") + std::to_string(answers.size()), {{"f.cu", text}}));
    return answers;
}

}  // namespace

TEST_CASE("names, numbers, comments, layout and what may be left out make no difference") {
    const auto same = kinds("for (int i = 0; i < n; ++i) sum += x[i];");
    CHECK(kinds("for (unsigned long k=17;k<length;++k) {\n  total += /* here */ values[k];  // add\n}") == same);
    CHECK(kinds("#include <x>\nfor (const auto i{0}; i < n; ++i) sum += x[i];") != same);
    CHECK(kinds("for (int i = 0; i <= n; ++i) sum += x[i];") != same);
    CHECK(kinds("x = threadIdx.x;") != kinds("x = blockIdx.x;"));
    CHECK(kinds("atomicAdd(a, b);") != kinds("atomicMax(a, b);"));
    CHECK(kinds("mine(a, b);") == kinds("yours(c, d);"));
    CHECK(kinds("const char* s = R\"(x = y;)\";") == kinds("char* t = \"z = w;\";"));  // a kernel in a string
    const std::string text = "int  first;";
    const std::vector<ComparedToken> tokens = compared_tokens(text);
    REQUIRE(tokens.size() == 3);
    CHECK(text.substr(tokens[1].begin, tokens[1].end - tokens[1].begin) == "first");
}

TEST_CASE("two files with a long run in common have a fingerprint in common, wherever it stands") {
    const std::string common = "a = b * c + threadIdx.x - d / (e % f) << g;";  // as long as it must be
    REQUIRE(compared_tokens(common).size() < run_tokens + window - 1);
    for (unsigned seed = 0; seed < 40; ++seed) {
        const std::string both = common + " if (h > i) return;";
        REQUIRE(compared_tokens(both).size() >= run_tokens + window - 1);
        const auto one = winnowed(run_hashes(compared_tokens(kernel(seed, 3) + both + kernel(seed + 100, 2))));
        const auto two = winnowed(run_hashes(compared_tokens(kernel(seed + 200, 1) + both)));
        std::vector<std::uint64_t> shared;
        std::set_intersection(one.begin(), one.end(), two.begin(), two.end(), std::back_inserter(shared));
        CHECK(!shared.empty());
    }
    CHECK(winnowed({}).empty());
    CHECK(winnowed({5, 3, 4}) == std::vector<std::uint64_t>{3});
    CHECK(run_hashes(compared_tokens("a b c")).empty());
    const auto all = run_hashes(compared_tokens(kernel(1, 40)));
    CHECK(winnowed(all).size() < all.size() / 2);
}

TEST_CASE("a copy is a pair, with its share; another answer isn't") {
    const ExerciseSimilarity similar = found(class_of({kernel(1), kernel(2), renamed(kernel(1))}));
    REQUIRE(similar.pairs.size() == 1);
    CHECK(similar.pairs[0].a == 0);
    CHECK(similar.pairs[0].b == 2);
    CHECK(similar.pairs[0].share == doctest::Approx(1));
    CHECK(similar.pairs[0].common == compared_tokens(kernel(1)).size());
    CHECK(similar.pairs[0].alone > similar.pairs[0].common / 2);
    CHECK(similar.same.empty());
    // Half of it is its own: two thirds of both answers together, and lines that begin alike.
    const std::vector<ComparedAnswer> half = class_of({kernel(1), kernel(1) + kernel(3)});
    CHECK(found(half).pairs.empty());
    const ExerciseSimilarity lower = found(half, {}, {}, {.at_least = 0.5});
    REQUIRE(lower.pairs.size() == 1);
    CHECK(lower.pairs[0].share == doctest::Approx(0.7).epsilon(0.05));
}

TEST_CASE("equal files are a group, and are compared with others once") {
    const ExerciseSimilarity similar =
        found(class_of({kernel(1), kernel(1), kernel(2), kernel(1), renamed(kernel(1))}));
    REQUIRE(similar.same.size() == 1);
    CHECK(similar.same[0] == std::vector<std::size_t>{0, 1, 3});
    REQUIRE(similar.pairs.size() == 1);
    CHECK(similar.pairs[0].a == 0);
    CHECK(similar.pairs[0].b == 4);
    CHECK(similar.others[0] == std::vector<std::size_t>{1, 3});
    CHECK(similar.others[4].empty());
}

TEST_CASE("what the exercise hands out doesn't count, whatever it was renamed to") {
    const std::string stub = kernel(7, 20);
    const std::vector<ComparedAnswer> answers = class_of({stub + kernel(1), renamed(stub) + kernel(2), stub, stub});
    const ExerciseSimilarity similar = found(answers, runs_in(stub));
    CHECK(similar.pairs.empty());
    CHECK(similar.unchanged == 2);
    CHECK(similar.same.empty());
    CHECK(found(answers).pairs.size() > 0);  // it would
}

TEST_CASE("what everybody may have read doesn't count, nor what more than a quarter of the class has") {
    std::vector<std::string> texts;
    for (unsigned k = 0; k < 44; ++k) texts.push_back((k < 12 ? kernel(7, 12) : "") + kernel(100 + k));
    CHECK(found(class_of(texts)).pairs.empty());  // 12 of 44
    for (unsigned k = 0; k < 8; ++k) texts.push_back(kernel(200 + k));
    const ExerciseSimilarity rare = found(class_of(texts), {}, {}, {.at_least = 0.4});  // 12 of 52
    CHECK(rare.pairs.size() == 12 * 11 / 2);
    CHECK(rare.pairs[0].alone < compared_tokens(kernel(1)).size());  // others have it
    CHECK(found(class_of(texts), {}, runs_in(kernel(7, 12)), {.at_least = 0.4}).pairs.empty());
    // In a small class a few copies are no custom.
    CHECK(found(class_of({kernel(7), renamed(kernel(7)), kernel(7) + "\n"})).pairs.size() == 3);
}

TEST_CASE("answers that are too short tell nothing") {
    const ExerciseSimilarity similar = found(class_of({"y[i] = x[i] * 2;", "y[i] = x[i] * 2;", "y[j] = x[j] * 2;"}));
    CHECK(similar.pairs.empty());
    CHECK(similar.same.empty());
    CHECK(similar.too_short == 3);
    CHECK(similar.same_but_short == 2);
}

TEST_CASE("one group's answers are one piece of work, and another class is compared with this one alone") {
    std::vector<ComparedAnswer> answers = class_of({kernel(1), renamed(kernel(1)), kernel(1)});
    answers[1].people = answers[2].people = {"student 0", "group 7"};
    CHECK(found(answers).pairs.empty());
    CHECK(found(answers).same.empty());
    answers[1].people = {"student 1", "group 8"};
    CHECK(found(answers).pairs.size() == 1);
    for (ComparedAnswer& one : answers) one.earlier = true;
    CHECK(found(answers).pairs.empty());
    answers[0].earlier = false;
    answers[1].people = answers[0].people;  // who has the same ID in another class may be somebody else
    CHECK(found(answers).pairs.size() == 1);
    CHECK(found(answers).same.size() == 1);
}

TEST_CASE("of two answers the tokens in common are known one by one") {
    const std::vector<ComparedAnswer> answers = class_of({kernel(1) + kernel(2), kernel(3) + kernel(1)});
    const std::vector<std::vector<bool>> shared = shared_tokens(answers[0], answers[1]);
    const std::size_t length = compared_tokens(kernel(1)).size();
    REQUIRE(shared.size() == 1);
    CHECK(std::count(shared[0].begin(), shared[0].begin() + std::ptrdiff_t(length), true) == std::ptrdiff_t(length));
    CHECK(std::count(shared[0].begin(), shared[0].end(), true) <= std::ptrdiff_t(length + run_tokens));
}

TEST_CASE("files as hostile as they may be are read in a moment") {
    std::string text = "// ---- your code\n";
    while (text.size() < 900'000) text += "R\"x{";
    CHECK(compared_tokens(text).size() <= max_answer_tokens);
    text = "// ---- your code\n" + std::string(900'000, '{') + "\n// ---- end ----\n";
    CHECK(compared_tokens(text).size() <= max_answer_tokens);
    text.assign(900'000, '\'');
    CHECK(compared_tokens(text).empty());
}

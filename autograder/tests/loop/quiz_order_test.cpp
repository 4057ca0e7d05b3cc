// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "progress/quiz_order.hpp"
#include "support/folder.hpp"

using namespace course;

namespace {

const std::vector<std::string> abc = {"01/a", "01/b", "02/c"};

/// Asks so many times on one day; all are answered right but those named.
std::vector<std::string> asked(std::vector<RecordedAnswer>& answers, long day, int times,
                               const std::string& wrong = "") {
    std::vector<std::string> ids;
    for (int k = 0; k < times; ++k) {
        ids.push_back(abc.at(next_question(abc, answers, day).value()));
        answers.push_back({date_of(day), ids.back(), ids.back() != wrong, 0});
    }
    return ids;
}

}  // namespace

TEST_CASE("answers are one line each, and what makes no sense is passed over") {
    const test::Folder work;
    const Answers answers(work.path());
    CHECK(answers.read().empty());
    answers.add({"2026-01-31", "06/last", false, 8});
    answers.add({"2026-02-01", "06/last", true, 0});
    CHECK(test::read(work / "answers.txt") ==
          "# written by course; safe to delete\n# date, question, right or wrong, misconception\n"
          "2026-01-31 06/last wrong 8\n2026-02-01 06/last right -\n");
    const auto read = answers.read();
    REQUIRE(read.size() == 2);
    CHECK(read[0].tag == 8);
    CHECK(read[1].right);
    CHECK(parse_answers("x\n2026-13-01 a right -\n2026-01-01 a maybe -\n2026-01-01 a right 99999999999\n").size() == 1);
}

TEST_CASE("days and dates go both ways") {
    CHECK(day_of("1970-01-02") == 1);
    CHECK(date_of(day_of("2024-02-29")) == "2024-02-29");
    CHECK(day_of("2023-02-29") == -1);
    CHECK(day_of("2023-02-2x") == -1);
    CHECK(day_of(date_of(today())) == today());
}

TEST_CASE("new questions come in their order, none twice running") {
    std::vector<RecordedAnswer> answers;
    CHECK(asked(answers, 100, 3) == abc);
    const std::vector<std::string> more = asked(answers, 100, 6);
    CHECK(more[0] != "02/c");
    for (std::size_t k = 1; k < more.size(); ++k) CHECK(more[k] != more[k - 1]);
    CHECK_FALSE(next_question({}, answers, 100));
    CHECK(next_question({"01/a"}, {{"2026-01-01", "01/a", true, 0}}, 100) == 0);
}

TEST_CASE("a wrong one comes back after two others, or the next day") {
    std::vector<RecordedAnswer> answers;
    CHECK(asked(answers, 100, 4, "01/a") == std::vector<std::string>{"01/a", "01/b", "02/c", "01/a"});
    answers = {{date_of(100), "01/a", false, 0}, {date_of(100), "01/b", true, 0}};
    CHECK(next_question(abc, answers, 100) == 2);  // the new one first
    CHECK(next_question(abc, answers, 101) == 0);
}

TEST_CASE("a right one comes back after days, more of them each time") {
    std::vector<RecordedAnswer> answers = {
        {date_of(100), "01/a", true, 0}, {date_of(100), "01/b", true, 0}, {date_of(101), "01/b", true, 0}};
    CHECK(next_question(abc, answers, 102) == 2);  // nothing is due: the new one
    CHECK(next_question(abc, answers, 103) == 0);  // a after 3 days
    answers.push_back({date_of(103), "02/c", true, 0});
    CHECK(next_question({"01/b", "02/c", "01/a"}, answers, 104) == 2);
    CHECK(next_question({"01/b", "02/c"}, answers, 110) == 0);  // c was the last
}

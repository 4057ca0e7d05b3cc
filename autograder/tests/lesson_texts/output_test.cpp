// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "lesson_texts/toy_lesson.hpp"
#include "lessons/prediction.hpp"
#include "support/text.hpp"

using namespace course;
using test::Folder;

TEST_CASE("kept output is compared line by line, and ~ is any number") {
    CHECK(output_difference("a 1\nb\n", "a 1\nb\n").empty());
    CHECK(output_difference("a ~ us (~x)\n", "a    12.5 us (-3e+05x)\n").empty());
    CHECK(output_difference("a 1\n", "a 2\n") == "line 1\n  kept:    a 1\n  printed: a 2");
    CHECK(output_difference("a ~ us\n", "a b us\n") != "");
    CHECK(output_difference("a ~ us\n", "a 1 us more\n") != "");
    CHECK(output_difference("a ~ us\n", "a 1 ms\n") != "");
    CHECK(output_difference("a  1\n", "a 1\n") != "");  // spaces count where nothing is masked
    CHECK(output_difference("a\n", "a\nb\n") == "line 2\n  kept:    (no such line)\n  printed: b");
    CHECK(output_difference("a\nb\n", "a\n") != "");
}

TEST_CASE("of a program that measures, times and what differs are masked") {
    CHECK(output_to_keep("", {"n 256: 1.25 ms\n", "n 256: 1.25 ms\n"}) == "n 256: ~ ms\n");
    CHECK(output_to_keep("", {"256 0.5 8\n", "256 0.7 8\n"}) == "256 ~ 8\n");
    CHECK(output_to_keep("~ kernels 3\n", {"2 kernels 3\n", "2 kernels 3\n"}) == "~ kernels 3\n");
    CHECK(output_to_keep("~ kernels 4\n", {"2 kernels 3\n", "2 kernels 3\n"}) == "2 kernels 3\n");
    CHECK(output_to_keep("", {"sm_90 at 3 GB/s\n", "sm_90 at 4 GB/s\n"}) == "sm_90 at ~ GB/s\n");
}

TEST_CASE("answers are the lines that say so") {
    CHECK(answers_of("x\nAnswer: 4\n  Answer: 5\nAnswer: two  words\n") == std::vector<std::string>{"4", "two words"});
}

TEST_CASE("a prediction is a letter of the question, or a number") {
    const Folder root;
    const Lesson lesson = test::lesson_of(root);
    const Question &choice = lesson.questions[0], &number = lesson.questions[1];
    CHECK(parse_prediction(choice, " b ")->choice == 1);
    CHECK(parse_prediction(choice, "A")->choice == 0);
    for (const char* const text : {"", "c", "ab", "1", "@"}) CHECK_FALSE(parse_prediction(choice, text));
    CHECK(parse_prediction(number, "4")->number.value == 4);
    CHECK(parse_prediction(number, "4.5 sectors")->number.value == 4.5);
    CHECK(parse_prediction(number, "324 / 256")->number.value == 324. / 256);
    for (const char* const text : {"", "four", "1,024", "nan", "4 5", "4/", "4/0", "4/2/2"})
        CHECK_FALSE(parse_prediction(number, text));
    CHECK(expected_prediction(choice) == "A or B");
    CHECK(expected_prediction(number) == "a number of sectors");
}

TEST_CASE("a prediction is judged with the mistake behind it") {
    const Folder root;
    const Lesson lesson = test::lesson_of(root);
    const Question &choice = lesson.questions[0], &number = lesson.questions[1];
    for (std::size_t k = 0; k < 2; ++k) {
        const JudgedPrediction judged = judge_prediction(choice, {.choice = k}, "");
        CHECK(judged.right == choice.choices[k].right);
        CHECK(judged.tag == (judged.right ? 0 : 2));
    }
    const auto judged = [&](const char* prediction, const char* answer) {
        return judge_prediction(number, parse_prediction(number, prediction).value(), answer);
    };
    CHECK(judged("4.3", "4").right);  // within 10 %
    CHECK_FALSE(judged("4.5", "4").right);
    CHECK(judged("32", "4").tag == 1);
    CHECK(judged("16", "4").tag == 0);
    CHECK(judged("0", "0").right);
    CHECK(answer_text(number, "4") == "  Answer: 4 sectors. Side by side.\n");
}

TEST_CASE("a prediction that is the answer but for its rounding is right") {
    const Folder root;
    const std::string exact = test::replaced(test::good_lesson, ", within_percent = 10", "");
    const Question number = test::lesson_of(root, exact).questions[1];
    const auto is_right = [&](const char* prediction, const char* answer) {
        return judge_prediction(number, parse_prediction(number, prediction).value(), answer).right;
    };
    for (const char* const text : {"1.27", "1.3", "1.270", "1.2656", "324/256", "0.127e1"})
        CHECK(is_right(text, "1.27"));
    for (const char* const text : {"1.2", "1.28", "1.26", "1", "1.4", "325/250"}) CHECK_FALSE(is_right(text, "1.27"));
    CHECK(is_right("52", "51.6"));
    CHECK(is_right("0.13", "0.127"));
    CHECK_FALSE(is_right("0.1", "0.127"));
    for (const char* const text : {"1020", "1024.4", "1000", "1023/1"}) CHECK_FALSE(is_right(text, "1024"));  // a count
    CHECK(is_right("2048/2", "1024"));
}

TEST_CASE("who makes no prediction reads why wrong numbers are wrong, as with choices") {
    const Folder root;
    const std::string why =
        test::replaced(test::good_lesson, "value = 32\ntag = 1", "value = 32\nwhy = \"For each lane.\"");
    CHECK(other_answers_text(test::lesson_of(root, why).questions[1]) == "  Not 32: For each lane.\n");
    CHECK(other_answers_text(test::lesson_of(root).questions[1]).empty());
}

TEST_CASE("text is wrapped at words, and what is indented stays") {
    CHECK(wrapped("one two three\nfour\n\n  code  here\nend", 2, 9) ==
          "  one two\n  three\n  four\n\n    code  here\n  end\n");
    CHECK(wrapped("2 \u00d7 3 \u2192 6\nseven", 2, 11) == "  2 \u00d7 3 \u2192 6\n  seven\n");   // columns, not bytes
    CHECK(wrapped("a word_that_is_too_long b c", 2, 9) == "  a\n  word_that_is_too_long\n  b c\n");
}

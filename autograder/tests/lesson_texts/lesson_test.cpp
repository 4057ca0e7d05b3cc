// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "lesson_texts/toy_lesson.hpp"
#include "manifest/manifest.hpp"
#include "support/golden.hpp"

using namespace course;
using test::Folder;

namespace {

const std::string file = "lessons/06-raw-kernels/lesson.toml";

/// What read_lesson() says of a good lesson in which `what` was replaced; empty if it says nothing.
std::string complaint(const std::string& what, const std::string& by) {
    const Folder root;
    try {
        test::lesson_of(root, test::replaced(test::good_lesson, what, by));
    } catch (const ManifestError& error) {
        return error.what();
    }
    return "";
}

std::string misconceptions_complaint(const std::string& what, const std::string& by) {
    const Folder root;
    root.write("lessons/misconceptions.toml", test::replaced(test::two_misconceptions, what, by));
    try {
        read_misconceptions(root.path());
    } catch (const ManifestError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a lesson without mistakes is read whole") {
    const Folder root;
    const Lesson lesson = test::lesson_of(root);
    CHECK(lesson.folder.number == 6);
    CHECK(lesson.title == "Raw kernels");
    CHECK(lesson.needs == std::vector<std::string>{"05-elementwise"});
    CHECK(lesson.exercises == std::vector<std::string>{"raw_add"});
    CHECK(lesson.teach_minutes == 35);
    CHECK(lesson.practise_minutes == 80);
    CHECK(lesson.introduces == std::vector<std::string>{"guard"});
    REQUIRE(lesson.programs.size() == 2);
    CHECK_FALSE(lesson.programs[0].measures);
    CHECK(lesson.programs[1].measures);
    REQUIRE(lesson.questions.size() == 2);
    CHECK(lesson.full_id(lesson.questions[0]) == "06/last");
    CHECK(lesson.questions[0].right_choice().value == "nobody");
    CHECK(lesson.questions[0].which == 0);
    CHECK(lesson.questions[1].which == 1);
    REQUIRE(lesson.questions[1].number);
    CHECK(lesson.questions[1].number->unit == "sectors");
    CHECK(lesson.questions[1].number->slips.at(0).value == 32);
}

TEST_CASE("choices stand in an order that the question decides, on every machine the same") {
    const Folder root;
    bool differs = false;
    for (const char* const id : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
        const std::string toml = test::replaced(test::good_lesson, "id = \"last\"", std::string("id = \"") + id + "\"");
        const Lesson once = test::lesson_of(root, toml), again = test::lesson_of(root, toml);
        CHECK(once.questions[0].choices[0].text == again.questions[0].choices[0].text);
        differs = differs || !once.questions[0].choices[0].right;
    }
    CHECK(differs);
}

TEST_CASE("each mistake in a lesson is named with file, line, column and what was expected") {
    test::check_messages("lesson_texts", {complaint("format = 1", "format = 2"),
                                          complaint("title", "titel"),
                                          complaint("title", "sittings = 3\ntitle"),
                                          complaint("teach = 35", "teach = 0"),
                                          complaint("Write a guard", "Understand guards"),
                                          complaint("[\"guard\"]", "[\"guard\", \"guard\"]"),
                                          complaint("name = \"ceil\"", "name = \"Ceil\""),
                                          complaint("name = \"ceil\"", "name = \"floor\""),
                                          complaint("name = \"clock\"", "name = \"ceil\""),
                                          complaint("measures = true", "measures = 1"),
                                          complaint("program = \"ceil\"", "program = \"floor\""),
                                          complaint("right = true\nvalue = \"nobody\"\n", "tag = 1\n"),
                                          complaint("right = true\n", ""),
                                          complaint("value = \"nobody\"\n", ""),
                                          complaint("tag = 2", "tag = 3"),
                                          complaint("value = \"nobody\"", "value = \"nobody\"\ntag = 1"),
                                          complaint("id = \"sectors\"", "id = \"last\""),
                                          complaint("number = { unit", "number = { units"),
                                          complaint("why = \"Side by side.\"\n", ""),
                                          complaint("tag = 1\n", ""),
                                          complaint("program = \"ceil\"\nask = \"How many?\"", "ask = \"How many?\"")});
}

TEST_CASE("a lesson may have a breather, with programs and questions of its own") {
    const std::string minutes = "minutes = { teach = 35, practise = 80 }\n";
    const std::string breather = minutes + "breather = { title = \"Mixed problems\", minutes = 30 }\n";
    const std::string of_clock =
        "\n[[question]]\nid = \"mixed\"\nprogram = \"clock\"\nask = \"How long?\"\n"
        "number = { unit = \"us\" }\nwhy = \"Run it.\"\n";
    const std::string clocks = "measures = true\nbreather = true\n";
    const std::string good = test::replaced(test::replaced(test::good_lesson, minutes, breather),
                                            "measures = true\n", clocks) + of_clock;
    const Folder root;
    const Lesson whole = test::lesson_of(root, good);
    REQUIRE(whole.breather);
    CHECK(whole.breather->title == "Mixed problems");
    CHECK(whole.breather->minutes == 30);
    const Lesson lesson = whole.sitting(false), mixed = whole.sitting(true);
    CHECK(lesson.programs.size() == 1);
    CHECK(lesson.questions.size() == 2);
    REQUIRE(mixed.programs.size() == 1);
    CHECK(mixed.programs[0].name == "clock");
    REQUIRE(mixed.questions.size() == 1);
    CHECK(mixed.questions[0].id == "mixed");
    CHECK_FALSE(test::lesson_of(root).breather);

    test::check_messages("lesson_texts", {complaint("measures = true\n", clocks), complaint(minutes, breather),
                                          complaint("ask = \"How many?\"", "ask = \"How many?\"\nbreather = true")});
}

TEST_CASE("lessons' folders are named, and their numbers are their own") {
    const Folder root;
    CHECK(lesson_folders(root.path()).empty());
    test::write_lesson(root);
    root.write("lessons/01-why/lesson.toml", "");
    REQUIRE(lesson_folders(root.path()).size() == 2);
    CHECK(lesson_folders(root.path())[0].number == 1);
    root.write("lessons/06-again/lesson.toml", "");
    CHECK_THROWS_WITH_AS(lesson_folders(root.path()),
                         "lessons/06-raw-kernels: 06-again is lesson 6 already; expected a number of its own",
                         ManifestError);
    CHECK_THROWS_AS(name_lesson("lessons/6-raw"), ManifestError);
    CHECK_THROWS_AS(name_lesson("lessons/06_raw"), ManifestError);
    CHECK_THROWS_AS(name_lesson("lessons/06-Raw"), ManifestError);
}

TEST_CASE("a lesson is read after the one that it names, whatever its number") {
    const Folder root;
    const auto after = [&](const std::string& name, const std::string& before) {
        root.write("lessons/" + name + "/lesson.toml", before.empty() ? "" : "after = \"" + before + "\"\n");
    };
    for (const char* const name : {"06-raw", "07-bugs", "13-unreadable"}) after(name, "");
    after("14-occupancy", "06-raw");
    after("15-scan", "06-raw");
    after("16-more", "14-occupancy");
    after("17-gone", "05-gone");
    std::string order;
    for (const LessonFolder& folder : lesson_folders(root.path()))
        order += folder.name().substr(0, 2) + (folder.place > 6 ? "." : " ");
    CHECK(order == "06 14 16 15 07 13 17.");
    test::check_messages("lesson_texts", {complaint("title", "after = \"07-bugs\"\ntitle")});
}

TEST_CASE("misconceptions are numbered in order") {
    test::check_messages("lesson_texts", {misconceptions_complaint("number = 2", "number = 3"),
                                          misconceptions_complaint("name = \"second\"\n", "")});
    CHECK(read_misconceptions(COURSE_SOURCE_DIR).size() == 16);
}

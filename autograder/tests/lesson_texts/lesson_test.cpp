// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "lesson_texts/toy_lesson.hpp"
#include "manifest/manifest.hpp"

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
    CHECK(complaint("format = 1", "format = 2") ==
          file + ":1:10: this lesson needs a newer kit: it has format 2, and this kit knows formats up to 1");
    CHECK(complaint("title", "titel") ==
          file +
              ":2:1: unknown key \"titel\"; expected one of: breather, exercises, format, introduces, minutes, "
              "needs, objectives, program, question, sittings, title");
    CHECK(complaint("title", "sittings = 3\ntitle") == file + ":2:12: \"sittings\" is 3; expected 1 or 2");
    CHECK(complaint("teach = 35", "teach = 0") == file + ":5:21: \"teach\" is 0; expected 1 or more");
    CHECK(complaint("Write a guard", "Understand guards") ==
          file +
              ":6:15: nobody can measure \"understand\"; expected a verb such as compute, predict, name, write, "
              "choose or repair");
    CHECK(complaint("[\"guard\"]", "[\"guard\", \"guard\"]") == file + ":7:24: \"guard\" is listed twice");
    CHECK(complaint("name = \"ceil\"", "name = \"Ceil\"") ==
          file + ":10:8: \"Ceil\" can't be a program's name; expected lower-case letters, digits and underscores");
    CHECK(complaint("name = \"ceil\"", "name = \"floor\"") ==
          file + ":10:8: there is no file floor.cpp beside lesson.toml; expected the program floor");
    CHECK(complaint("name = \"clock\"", "name = \"ceil\"") ==
          file + ":14:8: a second [[program]] with name \"ceil\"; expected each once");
    CHECK(complaint("measures = true", "measures = 1") ==
          file + ":16:12: \"measures\" is an integer; expected true or false");
    CHECK(complaint("program = \"ceil\"", "program = \"floor\"") ==
          file + ":20:11: there is no program \"floor\"; expected the name of a [[program]]");
    CHECK(complaint("right = true\nvalue = \"nobody\"\n", "tag = 1\n") ==
          file + ":22:1: 0 choices are right; expected exactly 1");
    CHECK(complaint("right = true\n", "").find("a wrong choice has a value") != std::string::npos);
    CHECK(complaint("value = \"nobody\"\n", "").find("the key \"value\" is missing here") != std::string::npos);
    CHECK(complaint("tag = 2", "tag = 3") ==
          file + ":29:7: \"tag\" is 3; expected a number of lessons/misconceptions.toml, 1 to 2");
    CHECK(complaint("value = \"nobody\"", "value = \"nobody\"\ntag = 1") ==
          file + ":26:7: the right choice has a tag; expected one of a wrong choice");
    CHECK(complaint("id = \"sectors\"", "id = \"last\"") ==
          file + ":33:6: a second [[question]] with id \"last\"; expected each once");
    CHECK(complaint("number = { unit", "number = { units").find("unknown key \"units\"") != std::string::npos);
    CHECK(complaint("why = \"Side by side.\"\n", "").find("the key \"why\" is missing here") != std::string::npos);
    CHECK(complaint("tag = 1\n", "").find("a slip without a tag and without a \"why\"") != std::string::npos);
    CHECK(complaint("program = \"ceil\"\nask = \"How many?\"", "ask = \"How many?\"")
              .find("a number is compared with what a program answers") != std::string::npos);
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

    CHECK(complaint("measures = true\n", clocks)
              .find("programs or questions are of the breather, and there is none; expected breather = ") !=
          std::string::npos);
    CHECK(complaint(minutes, breather).find("the breather has no question") != std::string::npos);
    CHECK(complaint("ask = \"How many?\"", "ask = \"How many?\"\nbreather = true")
              .find("a question belongs where its program does") != std::string::npos);
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

TEST_CASE("misconceptions are numbered in order") {
    CHECK(misconceptions_complaint("number = 2", "number = 3") ==
          "lessons/misconceptions.toml:7:10: \"number\" is 3; expected 2, the next one");
    CHECK(misconceptions_complaint("name = \"second\"\n", "").find("the key \"name\" is missing") != std::string::npos);
    CHECK(read_misconceptions(COURSE_SOURCE_DIR).size() == 16);
}

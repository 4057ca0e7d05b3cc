// SPDX-License-Identifier: MIT
#include <filesystem>
#include <map>

#include <doctest/doctest.h>

#include "classroom/submissions/formats/archive_reader.hpp"
#include "grades/sample_class.hpp"

using namespace course;

namespace {

/// What `course export` said, and the files in the zip file that it wrote.
struct Feedback {
    test::Run ran;
    std::map<std::string, std::string> files;
};

Feedback exported(const test::SampleClass& sample, std::vector<std::string> options) {
    const std::filesystem::path zip = sample / "feedback.zip";
    std::filesystem::remove(zip);
    std::vector<std::string> all = {"export", sample.path().string(), "--out", zip.string(), "--format"};
    all.insert(all.end(), options.begin(), options.end());
    Feedback made{test::course_program(all), {}};
    if (!std::filesystem::exists(zip)) return made;
    std::int64_t budget = 1 << 24;
    ArchiveReader reader(test::read(zip), budget);
    while (const std::optional<ArchiveEntry> entry = reader.next()) made.files[entry->path] = reader.read(1 << 20);
    return made;
}

std::vector<std::string> names_of(const Feedback& made) {
    std::vector<std::string> names;
    for (const auto& [name, text] : made.files) names.push_back(name);
    return names;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

LmsName moodle(const std::string& who, const std::string& number) {
    return {.lms = "moodle", .who = who, .number = number};
}

LmsName canvas(const std::string& who, const std::string& number, const std::string& upload, const std::string& file,
               bool is_late = false) {
    return {.lms = "canvas", .who = who, .number = number, .upload = upload, .file = file, .is_late = is_late};
}

}  // namespace

TEST_CASE("feedback for Moodle: a folder each, named as its download") {
    test::SampleClass sample;
    sample.enroll("s1", "Ada Lovelace");
    sample.enroll("s2", "Zoë Müller");
    sample.enroll("s3", "Bob <b>");
    sample.enroll("s4", "Eve Zero");
    sample.submit("s1").lms_name = moodle("Ada Lovelace", "101");
    sample.graded("08_passed", "08-raw-add");
    sample.graded("12_passed", "12-reduce");
    sample.submit("s2").lms_name = moodle("Zoë_Müller", "102");
    sample.graded("08_no_guard", "08-raw-add");
    sample.submit("s3");
    sample.graded("08_passed", "08-raw-add");
    sample.finish();
    const Feedback all = exported(sample, {"moodle-feedback"});
    CHECK_MESSAGE(all.ran.code == 0, all.ran.text);
    const std::string ada = "Ada Lovelace_101_assignsubmission_file_/feedback.html";
    const std::string zoe = "Zoë Müller_102_assignsubmission_file_/feedback.html";
    REQUIRE(names_of(all) == std::vector<std::string>{ada, zoe});
    CHECK(has(all.files.at(ada), "Ada Lovelace"));
    CHECK(has(all.files.at(ada), "<dd>15 of 15 points<"));
    CHECK_FALSE(has(all.files.at(ada), "Müller"));
    CHECK(has(all.files.at(zoe), "Zoë Müller"));
    CHECK(has(all.files.at(zoe), "out of bounds"));
    CHECK_FALSE(has(all.files.at(zoe), "Ada"));
    CHECK(has(all.ran.text,
              "has no name of a submission in Moodle's download to send feedback back under, and is left "
              "out (2: s3, s4)"));
    // A program that goes by the zip file's marks reads the names as they are.
    const test::Run python =
        test::program({"python3", "-c", "import sys, zipfile\nprint(ascii(zipfile.ZipFile(sys.argv[1]).namelist()))",
                       (sample / "feedback.zip").string()});
    CHECK_MESSAGE(has(python.text, R"('Zo\xeb M\xfcller_102_assignsubmission_file_/feedback.html')"), python.text);

    const Feedback one = exported(sample, {"moodle-feedback", "--exercise", "12"});
    const std::string page = "Ada Lovelace_101_assignsubmission_file_/feedback-12-reduce.html";
    REQUIRE(names_of(one) == std::vector<std::string>{page});
    CHECK(has(one.files.at(page), "<dd>11 of 11 points<"));
    CHECK_FALSE(has(one.files.at(page), "Exercise 8"));
    CHECK(has(one.ran.text, "s2 handed in nothing for exercise 12, and is left out"));

    const Feedback none = exported(sample, {"canvas-feedback"});
    CHECK(none.ran.code == 4);
    CHECK(none.files.empty());
    CHECK(has(none.ran.text, "nobody's feedback can go back to Canvas"));
    const test::Run without = test::course_program({"export", sample.path().string(), "--format", "moodle-feedback"});
    CHECK(without.code == 4);
    CHECK(has(without.text, "--out FILE.zip"));
}

TEST_CASE("feedback tells what was given by hand, of an extension, and what a student is exempt from") {
    test::SampleClass sample;
    sample.enroll("s1", "Ada Lovelace");
    sample.submit("s1", test::noon + 3600).lms_name = moodle("Ada Lovelace", "101");
    sample.graded("08_no_guard", "08-raw-add");
    sample.graded("12_passed", "12-reduce");
    sample.write("class.toml",
                 "format = 1\ndeadline = 2026-12-01T12:00:00Z\n[[student]]\nid = \"s1\"\n"
                 "deadline = 2026-12-05T12:00:00Z\nexempt = [12]\n");
    sample.finish();
    REQUIRE(
        test::course_program({"mark", sample.path().string(), "s1", "8", "--points", "3", "--comment", "1 < 2"}).code ==
        0);
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{"moodle-feedback"}, {"moodle-feedback", "--exercise", "8"}}) {
        const Feedback made = exported(sample, options);
        REQUIRE_MESSAGE(made.files.size() == 1, made.ran.text);
        const std::string& page = made.files.begin()->second;
        CHECK(has(page, "3 of 4 by hand (the grader: 2 of 4): 1 &lt; 2</li>"));
        CHECK(has(page, "<dd>3 of 4 points</dd>"));
        CHECK(has(page, "until 2026-12-05 12:00 UTC: extended"));
        CHECK(has(page, "<strong>exempt</strong>") == (options.size() == 1));
    }
}

TEST_CASE("feedback for Moodle: of several assignments the one with the exercise") {
    test::SampleClass sample;
    sample.enroll("s1", "Ada Lovelace");
    sample.enroll("s2", "Ben Ott");
    sample.submit("s1", test::noon - 60, 1, {"s1", "s2"}).lms_name = moodle("Ada Lovelace", "101");
    sample.graded("08_passed", "08-raw-add");
    sample.submit("s1", test::noon - 30, 2, {"s1", "s2"}).lms_name = moodle("Ada Lovelace", "707");
    sample.graded("12_passed", "12-reduce");
    sample.finish();
    const Feedback eight = exported(sample, {"moodle-feedback", "--exercise", "8"});
    CHECK(names_of(eight) ==
          std::vector<std::string>{"Ada Lovelace_101_assignsubmission_file_/feedback-08-raw-add.html"});
    const Feedback twelve = exported(sample, {"moodle-feedback", "--exercise", "12"});
    CHECK(names_of(twelve) ==
          std::vector<std::string>{"Ada Lovelace_707_assignsubmission_file_/feedback-12-reduce.html"});
    // The other one of the group has the points, and no name of a download: nobody gets another's page.
    CHECK(has(twelve.ran.text, "s2 has no name of a submission in Moodle's download"));
    const Feedback all = exported(sample, {"moodle-feedback"});
    CHECK(names_of(all) == std::vector<std::string>{"Ada Lovelace_707_assignsubmission_file_/feedback.html"});
    CHECK(has(all.ran.text, "s1 handed in to several of Moodle's assignments"));
}

TEST_CASE("feedback for Canvas: a file each, its fields as in the download") {
    test::SampleClass sample;
    const auto submit = [&](const std::string& id, const LmsName& name) {
        sample.enroll(id, "Student " + id);
        sample.submit(id).lms_name = name;
        sample.graded("08_passed", "08-raw-add");
    };
    submit("s1", canvas("lovelaceada", "12345", "800", "raw_add-1.cu"));
    submit("s2", canvas("müllerzoë", "12346", "900", "answers.tar.gz", true));
    submit("s3", canvas("anon", "ab12c", "701", "raw_add.cu", true));
    submit("s4", canvas("ottben", "12347", "901", "my_link.cu"));
    submit("s5", moodle("Bob", "7"));
    sample.finish();
    const Feedback made = exported(sample, {"canvas-feedback"});
    CHECK_MESSAGE(made.ran.code == 0, made.ran.text);
    const std::map<std::string, std::string> expected = {
        {"lovelaceada_12345_800_raw_add-1.html", "Student s1"},
        {"müllerzoë_LATE_12346_900_answers.tar.html", "Student s2"},
        {"LATE_anon_ab12c_701_raw_add.html", "Student s3"},
        {"ottben_12347_901_feedback.html", "Student s4"}};  // Canvas takes no file whose last word is "link"
    CHECK(made.files.size() == expected.size());
    for (const auto& [name, student] : expected) {
        REQUIRE_MESSAGE(made.files.contains(name), name);
        CHECK(has(made.files.at(name), student));
        CHECK(has(made.files.at(name), "<!doctype html>"));
    }
    CHECK(has(made.ran.text, "s5 has no name of a submission in Canvas' download"));
}

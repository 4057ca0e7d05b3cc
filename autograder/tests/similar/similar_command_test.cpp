// SPDX-License-Identifier: MIT
// `course similar` on a class of the kit's own, from the folder of results to the page.
#include <doctest/doctest.h>

#include "classroom/similar/answers.hpp"
#include "grades/sample_class.hpp"
#include "similar/kit_answers.hpp"

using namespace test;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

Run similar(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "similar");
    return course_program(arguments);
}

/// A student's answer to exercise 12 or another, beside the results that `course grade` has taken in.
void hand_in(SampleClass& sample, const std::string& student, const std::string& folder, const Files& files,
             int attempt = 1) {
    course::ClassSubmission& one = sample.submit(student, noon, attempt);
    one.answers.push_back({std::stoi(folder), folder, "00"});
    for (const auto& [name, text] : files) sample.write("submissions/" + one.id + "/" + folder + "/" + name, text);
}

}  // namespace

TEST_CASE("course similar: a folder is called by its name, and by what is before it if two have the same") {
    using Labels = std::vector<std::string>;
    CHECK(course::folder_labels({"/a/results", "/a/2025/", "/b/./spring.zip"}) ==
          Labels{"results", "2025", "spring.zip"});
    CHECK(course::folder_labels({"/a/results", "/b/results/", "/c/x/../results"}) ==
          Labels{"a/results", "b/results", "c/results"});
    CHECK(course::folder_labels({"/a/x/results", "/b/x/results", "/b/y/results"}) ==
          Labels{"a/x/results", "b/x/results", "y/results"});
    CHECK(course::folder_labels({"/results", "/a/results"}) == Labels{"results", "a/results"});
    CHECK(course::folder_labels({"/a/b", "/a/b"}) == Labels{"a/b", "a/b"});
}

TEST_CASE("course similar: who has what in common, side by side, and in a browser") {
    const std::vector<std::string> exercises = exercises_with_solutions();
    if (exercises.empty()) {
        std::puts("SKIP: course similar: this edition has no solutions");
        return;
    }
    const std::string folder = "12-reduce";
    const Files solution = answers_of(folder)[0].files, other = answers_of(folder).back().files;
    SampleClass sample;
    sample.enroll("s1", "Ada <Lovelace>");
    sample.enroll("s2", "Bob");
    sample.enroll("s3");
    hand_in(sample, "s1", folder, solution);
    hand_in(sample, "s2", folder, solution);  // the latest one is the copy
    hand_in(sample, "s2", folder, each(each(solution, reformatted), renamed), 2);
    hand_in(sample, "s3", folder, other);
    hand_in(sample, "s4", "08-raw-add", answers_of("08-raw-add")[0].files);
    sample.finish();

    const Run ran = similar({sample.path().string()});
    INFO(ran.text);
    CHECK(ran.code == 0);
    CHECK(ran.text ==
          "4 answers to 2 exercises: 1 pair with 80 % or more in common, 0 groups of equal files\nThe page: " +
              (sample / "similar.html").string() +
              "\nSimilarity isn't proof: no verdict and no points follow from it.\n");
    const std::string page = test::read(sample / "similar.html");
    CHECK(has(page, "<strong>Similarity isn't proof.</strong>"));
    CHECK(has(page, "Ada &lt;Lovelace&gt; (s1) <span class=\"faint\">and</span> Bob (s2)"));
    CHECK(has(page, "<mark>"));
    CHECK(has(page, "<span class=\"faint\">__global__ void sum_tree("));  // handed out
    CHECK_FALSE(has(page, "s3</h4>"));
    CHECK((std::filesystem::status(sample / "similar.html").permissions() & std::filesystem::perms::others_all) ==
          std::filesystem::perms::none);

    sample.write("anonymous.json", R"({"schema": 1, "hidden": true, "students": ["s4", "s1", "s2", "s3"]})");
    CHECK(similar({sample.path().string()}).code == 0);
    const std::string unnamed = test::read(sample / "similar.html");
    CHECK(has(unnamed, "Student 2 <span class=\"faint\">and</span> Student 3"));
    CHECK_FALSE(has(unnamed, "Lovelace"));
    std::filesystem::remove(sample / "anonymous.json");

    // Last year's class, as graded and as handed in.
    SampleClass earlier;
    hand_in(earlier, "carl", folder, each(other, renamed));
    earlier.finish();
    const Folder handed_in;
    for (const auto& [name, text] : each(other, renamed)) handed_in.write("spring/dora/" + folder + "/" + name, text);
    const Run both =
        similar({sample.path().string(), "--also", earlier.path().string(), "--also", (handed_in / "spring").string(),
                 "--exercises", "12", "--out", (sample / "pages/index.html").string()});
    INFO(both.text);
    CHECK(both.code == 0);
    CHECK(has(both.text, "5 answers to 1 exercise: 2 pairs with 80 % or more in common, 0 groups of equal files\n"));
    const std::string page_of_both = test::read(sample / "pages/index.html");
    CHECK(has(page_of_both, "carl, " + earlier.path().filename().string() + "; the same files: dora, spring"));
    // Two folders of one name.
    for (const auto& [name, text] : each(other, renamed))
        handed_in.write("2025/spring/eli/" + folder + "/" + name, text);
    CHECK(similar({sample.path().string(), "--also", (handed_in / "spring").string(), "--also",
                   (handed_in / "2025/spring").string(), "--out", (sample / "twice.html").string()})
              .code == 0);
    const std::string top = handed_in.path().filename().string();
    CHECK(has(test::read(sample / "twice.html"), "dora, " + top + "/spring; the same files: eli, 2025/spring"));
    const Run browser =
        program({COURSE_SOURCE_DIR "/autograder/tests/grades/browser_check", (sample / "pages").string()});
    if (browser.code == 77)
        MESSAGE(browser.text);
    else
        CHECK(browser.text == "");

    // What the forum has doesn't count.
    for (const auto& [name, text] : solution) handed_in.write("forum/post/" + folder + "/" + name, text);
    const Run published = similar({sample.path().string(), "--published", (handed_in / "forum").string()});
    INFO(published.text);
    CHECK(has(published.text, ": 0 pairs with"));
    CHECK(has(test::read(sample / "similar.html"), "Everybody may have read: forum."));

    CHECK(has(similar({sample.path().string(), "--at-least", "5"}).text, "--at-least"));
    CHECK(has(similar({handed_in.path().string()}).text, "there is no intake.json"));
    CHECK(has(similar({sample.path().string(), "--exercises", "99"}).text, "exercise 99 is not in this edition"));
    CHECK(has(similar({sample.path().string(), "--exercises", "13"}).text, "no answer to these exercises lies there"));
    CHECK(has(similar({sample.path().string(), "--also", (handed_in / "nowhere").string()}).text, "nowhere"));
    std::filesystem::remove_all(sample / "submissions/s3-1");
    const Run missing = similar({sample.path().string()});
    CHECK(missing.code == 1);
    CHECK(has(missing.text, "course: s3-1/12-reduce: "));
}

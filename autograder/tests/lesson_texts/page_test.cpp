// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "author/check_page.hpp"
#include "lesson_texts/toy_lesson.hpp"
#include "lessons/blocks.hpp"
#include "lessons/page_text.hpp"
#include "support/golden.hpp"

using namespace course;
using test::Folder, test::has_fault;

namespace {

MarkdownPage page_of(const std::string& text) { return MarkdownPage(text, LessonBlocks::kinds()); }

const std::string glossary_page =
    "# Words\n\n## Threads\n\n- **guard**: It keeps.\n- **dtype**, **element type**: What\n"
    "- **warp**: 32.\n\n## Order and waiting\n\n- **barrier**: A line.\n";

std::string words(std::size_t count) {
    std::string text;
    for (std::size_t k = 0; k < count; ++k) text += k % 12 == 11 ? "word\n" : "word ";
    return text + "\n";
}

const std::string good_page =
    "# Lesson 6: Raw kernels\n\n<!-- minutes -->\n<!-- end -->\n\n## Try it now\n\nThe program ceil, then clock.\n\n"
    "## What you will be able to do\n\n<!-- objectives -->\n<!-- end -->\n\n" +
    words(900) +
    "The **[guard](../../docs/glossary.md#threads)** keeps.\n\n![A map](figures/map.svg)\n\n"
    "<!-- question last -->\n<!-- end -->\n<!-- question sectors -->\n<!-- end -->\n<!-- measured clock -->\n<!-- end "
    "-->\n\n"
    "## Common mistakes\n\n## Key points\n\n## Exercises\n\n<!-- exercises -->\n<!-- end -->\n\n## For instructors\n";

const std::string good_figure =
    "<svg><title id=\"t\">A map</title><desc>It shows.</desc>"
    "<style>@media (prefers-color-scheme: dark){}</style></svg>";

}  // namespace

TEST_CASE("a page is read as prose, code, comments and generated blocks") {
    const MarkdownPage page = page_of(
        "# A `title`\n\nsome [words\nhere](a.md#b) **bold\nwords** `[no](link)`\n\n"
        "```cpp\n[no](code)\n```\n<!-- a comment\nover two lines -->\n"
        "<!-- output ceil -->\n[made](made.md) up\n```\n<!-- end?\n```\n<!-- end -->\n![i](f.svg)\n");
    CHECK(page.unmatched_mark() == 0);
    CHECK(page.words() == 9);  // A title, some words here, bold words, [no], i
    REQUIRE(page.links().size() == 3);
    CHECK(page.links()[0].text == "words here");
    CHECK(page.links()[0].target == "a.md#b");
    CHECK(page.links()[0].line == 3);
    CHECK(page.links()[1].target == "made.md");
    CHECK(page.links()[2].image);
    REQUIRE(page.bolds().size() == 1);
    CHECK(page.bolds()[0].text == "bold words");
    CHECK(page.bolds()[0].line == 4);
    REQUIRE(page.blocks().size() == 1);
    CHECK(page.blocks()[0].words == std::vector<std::string>{"output", "ceil"});
    CHECK(page.anchors().contains("a-title"));
}

TEST_CASE("a block's mark that misses its partner is named") {
    CHECK(page_of("a\n<!-- output ceil -->\nb\n").unmatched_mark() == 2);
    CHECK(page_of("a\n<!-- end -->\n").unmatched_mark() == 2);
    CHECK(page_of("<!-- output a -->\n<!-- output b -->\n<!-- end -->\n").unmatched_mark() == 1);
    CHECK(page_of("```\n<!-- end -->\n```\n").unmatched_mark() == 0);
}

TEST_CASE("headings have GitHub's anchors") {
    const MarkdownPage page = page_of("## Order and waiting\n\n## What's *new*, 2-D?\n\n## Order and waiting\n");
    CHECK(page.anchors().contains("order-and-waiting"));
    CHECK(page.anchors().contains("whats-new-2-d"));
    CHECK(page.anchors().contains("order-and-waiting-1"));
    CHECK(page_of("## [A link](b.md)\n<a id=\"here\">\n").anchors() == std::set<std::string>{"a-link", "here"});
}

TEST_CASE("links and bold words are found in paragraphs of any length") {
    std::string text;
    for (int k = 0; k < 20'000; ++k) text += "a word ";
    text +=
        "**[warp](glossary.md#warp)**, [**lane**](glossary.md#lane \"a title\")\n![a picture](a.svg) **plain** "
        "`[no](x)`\n";
    const MarkdownPage page = page_of(text + "[a] (b) [c](d e) ****x** [f](g");
    REQUIRE(page.links().size() == 3);
    CHECK(page.links()[1].target == "glossary.md#lane");
    CHECK(page.links()[2].image);
    CHECK(page.links()[2].line == 2);
    REQUIRE(page.bolds().size() == 4);
    CHECK(page.bolds()[0].text == "warp");
    CHECK(page.bolds()[0].target == "glossary.md#warp");
    CHECK(page.bolds()[1].target == "glossary.md#lane");
    CHECK(page.bolds()[2].target.empty());
    CHECK(page.bolds()[3].text == "x");
}

TEST_CASE("snippets are whole files or regions, without marks and licence lines") {
    const Folder root;
    const Lesson lesson = test::lesson_of(root);
    const std::map<std::string, Manifest> none;
    const LessonBlocks blocks(root.path(), lesson, none);
    root.write(
        "lessons/06-raw-kernels/add.cu",
        "// SPDX-License-Identifier: MIT\n\n// Adds.\n    // [kernel]\n    if (a)\n\n        b;\n    // [/kernel]\nc;\n"
        "// [open]\n");
    const auto text = [&](std::vector<std::string> block) { return blocks.text({1, 2, std::move(block)}); };
    CHECK(text({"snippet", "add.cu", "kernel"}) == "```cpp\nif (a)\n\n    b;\n```\n");
    CHECK(text({"snippet", "add.cu"}) == "```cpp\n// Adds.\n    if (a)\n\n        b;\nc;\n```\n");
    CHECK_THROWS_WITH_AS(text({"snippet", "add.cu", "other"}), "add.cu has no line \"// [other]\"", BlockError);
    CHECK_THROWS_AS(text({"snippet", "add.cu", "open"}), BlockError);
    CHECK_THROWS_WITH_AS(text({"snippet", "sub.cu"}), "there is no file sub.cu", BlockError);
    CHECK_THROWS_AS(text({"snippet", "../../../etc/passwd"}), BlockError);
    CHECK_THROWS_AS(text({"snippet"}), BlockError);
    CHECK_THROWS_WITH_AS(text({"output", "ceil"}), "there is no file ceil.out", BlockError);
    CHECK_THROWS_AS(text({"question", "first"}), BlockError);
    CHECK_THROWS_WITH_AS(text({"exercises"}), "there is no exercise raw_add", BlockError);
    CHECK(text({"minutes"}) == "About 35 minutes to read and run, and 80 for the exercises.\n");
    const Lesson long_one = test::lesson_of(root, "sittings = 2\n" + test::good_lesson);
    CHECK(LessonBlocks(root.path(), long_one, none).text({1, 2, {"minutes"}}) ==
          "About 35 minutes to read and run in two sittings, and 80 for the exercises.\n");
    const Lesson without = test::lesson_of(root, test::replaced(test::good_lesson, "exercises = [\"raw_add\"]\n", ""));
    CHECK(LessonBlocks(root.path(), without, none).text({1, 2, {"minutes"}}) == "About 35 minutes to read and run.\n");
}

TEST_CASE("below a number stands why others are wrong, where there is a reason, as below a choice") {
    const Folder root;
    const std::map<std::string, Manifest> none;
    const auto question = [&](const std::string& toml) {
        const Lesson lesson = test::lesson_of(root, toml);
        root.write("lessons/06-raw-kernels/ceil.out", "Answer: nobody\nAnswer: 4\n");
        return LessonBlocks(root.path(), lesson, none).text({1, 2, {"question", "sectors"}});
    };
    const std::string before = "How many?\n\nYour prediction: a number of sectors.\n\n"
                               "<details><summary>Answer</summary>\n\n4 sectors. Side by side.\n";
    CHECK(question(test::good_lesson) == before + "\n</details>\n");
    CHECK(question(test::good_lesson + "why = \"A sector for each lane.\"\n") ==
          before + "\n- Not 32: A sector for each lane.\n\n</details>\n");
}

TEST_CASE("measured output is shown of both machines, with where it comes from") {
    const Folder root;
    const Lesson lesson = test::lesson_of(root);
    const std::map<std::string, Manifest> none;
    const LessonBlocks blocks(root.path(), lesson, none);
    const std::string folder = "lessons/06-raw-kernels/measured/";
    root.write(folder + "h200.txt",
               "# a/clock_2, NVIDIA H200, 2026-11-20\n9 us\n# a/clock, NVIDIA H200, 2026-11-20\n1 us\n");
    CHECK_THROWS_WITH_AS(blocks.text({1, 2, {"measured", "clock"}}), "there is no file measured/laptop.txt",
                         BlockError);
    root.write(folder + "laptop.txt", "# a/clock, a laptop, 2026-11-21\n2 us\n");
    CHECK(blocks.text({1, 2, {"measured", "clock"}}) ==
          "NVIDIA H200 (`a/clock`, 2026-11-20):\n\n```text\n1 us\n```\n\na laptop (`a/clock`, "
          "2026-11-21):\n\n```text\n2 us\n```\n");
    CHECK_THROWS_AS(blocks.text({1, 2, {"measured", "ceil"}}), BlockError);
    CHECK(measured_section(lesson, "h200", "clock").value().text == "1 us\n");
    CHECK_FALSE(measured_section(lesson, "h200", "clo"));
    CHECK_THROWS_AS(static_cast<void>(measured_section(lesson, "other", "clock")), BlockError);
    CHECK(faults_of_files(lesson).empty());
    root.write(folder + "laptop.txt", "2 us\n");
    test::check_messages("lesson_texts", faults_of_files(lesson));
}

TEST_CASE("a lesson's parts, length, questions and programs are looked for") {
    const Folder root;
    const Lesson lesson = test::lesson_of(root);
    const auto faults = [&](const std::string& what, const std::string& by) {
        return faults_of_parts(lesson, page_of(test::replaced(good_page, what, by)));
    };
    CHECK(faults("Raw", "Raw").empty());
    test::check_messages("lesson_texts", faults(words(900), words(700)));
    test::check_messages("lesson_texts", faults(words(900), words(2000)));
    const Lesson long_one = test::lesson_of(root, "sittings = 2\n" + test::good_lesson);
    CHECK(faults_of_parts(long_one, page_of(test::replaced(good_page, words(900), words(3300)))).empty());
    test::check_messages("lesson_texts",
                         faults_of_parts(long_one, page_of(test::replaced(good_page, words(900), words(3400)))));
    test::check_messages("lesson_texts", faults("Raw kernels", "Kernels"));
    test::check_messages("lesson_texts", faults("## Key points", "## Points"));
    test::check_messages("lesson_texts", faults("## Key points\n\n## Exercises", "## Exercises\n\n## Key points"));
    test::check_messages("lesson_texts", faults("<!-- question last -->\n<!-- end -->", ""));
    test::check_messages("lesson_texts", faults("program ceil", "program"));
    test::check_messages("lesson_texts", faults("<!-- measured clock -->\n<!-- end -->", ""));
    test::check_messages("lesson_texts", faults("<!-- objectives -->\n<!-- end -->", ""));
}

TEST_CASE("questions and programs come in the page's order, each question before its program") {
    const Folder root;
    const Lesson lesson = test::lesson_of(root, test::good_lesson + R"(
[[question]]
id = "alone"
ask = "Why?"
[[question.choice]]
text = "so"
right = true
why = "It is."
[[question.choice]]
text = "not so"
why = "It isn't."
)");
    const auto order = [&](const std::string& text) {
        std::string found;
        for (const LessonStep& step : steps_of(lesson, page_of(text)))
            found += (step.question ? step.question->id : step.program->name + "()") + " ";
        return found;
    };
    const std::string end = "<!-- end -->\n", last = "<!-- question last -->\n" + end,
                      sectors = "<!-- question sectors -->\n" + end, alone = "<!-- question alone -->\n" + end,
                      output = "<!-- output ceil -->\n" + end, measured = "<!-- measured clock -->\n" + end;
    CHECK(order(measured + last + alone + sectors + output) == "clock() last alone sectors ceil() ");
    CHECK(order(alone + output + sectors) == "alone last sectors ceil() clock() ");
    CHECK(order("") == "last sectors ceil() clock() alone ");
    CHECK(steps_of(lesson, page_of("# A\n## B\n" + alone + "### C\n" + output))[0].section == "B");

    const auto faults = [&](const std::string& text) {
        return faults_of_page_order("README.md", lesson, page_of(text));
    };
    const std::string code = "<!-- snippet ceil.cpp -->\n" + end;
    CHECK(faults(last + sectors + output + alone).empty());
    test::check_messages("lesson_texts", faults(last + output + sectors));
    CHECK(faults(code + "## Next\n" + last + code + output + alone).empty());
    test::check_messages("lesson_texts", faults(code + "text\n" + last));
    const Lesson listed =
        test::lesson_of(root, test::replaced(test::good_lesson, "id = \"last\"\n",
                                             "id = \"last\"\nlisting = \"ceil.cpp\"\n"));
    CHECK(faults_of_page_order("README.md", listed, page_of(code + last)).empty());
}

TEST_CASE("a breather has a title, some words, and shows its questions and programs") {
    const Folder root;
    Lesson breather = test::lesson_of(root);
    breather.breather = Breather{"Mixed problems", 30};
    std::erase_if(breather.programs, [](const LessonProgram& program) { return program.name == "clock"; });
    const auto faults = [&](const std::string& text) { return faults_of_breather(breather, page_of(text)); };
    const std::string shown = "ceil\n\n<!-- question last -->\n<!-- end -->\n<!-- question sectors -->\n<!-- end -->\n";
    CHECK(faults("# Mixed problems\n\n" + words(150) + shown).empty());
    test::check_messages("lesson_texts", faults("# Mixed problems\n\n" + words(50) + shown));
    test::check_messages("lesson_texts", faults("# Mixed problems\n\n" + words(900) + shown));
    test::check_messages("lesson_texts", faults("# Others\n\n" + words(150) + shown));
    test::check_messages("lesson_texts", faults("# Mixed problems\n\n" + words(150)));
}

TEST_CASE("bold terms are introduced, linked, and not of a later lesson") {
    const Folder root;
    const Lesson lesson = test::lesson_of(root);
    const Glossary glossary(glossary_page);
    const Introductions introduced = {{"guard", name_lesson("lessons/06-raw-kernels")},
                                      {"warp", name_lesson("lessons/05-elementwise")},
                                      {"barrier", name_lesson("lessons/08-reductions")}};
    const auto faults = [&](const std::string& text) {
        return faults_of_terms(lesson, page_of(text), glossary, introduced);
    };
    const std::string guard = "A **[guard](../../docs/glossary.md#threads)** keeps.\n";
    CHECK(faults(guard).empty());
    CHECK(faults("[**Guards**](../../docs/glossary.md#threads) keep, and **other** words.\n").empty());
    CHECK(faults(guard + "**Warps** of an earlier one.\n").empty());
    CHECK(
        has_fault(faults(guard + "A **barrier**.\n"), "README.md:2: \"barrier\" is bold, and lesson 8 introduces it"));
    test::check_messages("lesson_texts", faults(guard + "A **dtype**.\n"));
    test::check_messages("lesson_texts", faults("A **guard**.\n"));
    const Lesson other = test::lesson_of(root, test::replaced(test::good_lesson, "[\"guard\"]", "[\"gard\"]"));
    test::check_messages("lesson_texts", faults_of_terms(other, page_of(guard), glossary, introduced));
}

TEST_CASE("links lead to files, headings and terms") {
    const Folder root;
    root.write("docs/glossary.md", glossary_page);
    root.write("docs/page.md", "");
    const Glossary glossary(glossary_page);
    const auto faults = [&](const std::string& text) {
        return faults_of_links(root.path(), root / "docs/page.md", page_of(text), glossary);
    };
    CHECK(faults("[a](glossary.md) [barriers](glossary.md#order-and-waiting) [b](https://x.y/z) "
                 "[Threads](glossary.md#threads)\n"
                 "[e](../docs)\n")
              .empty());
    test::check_messages("lesson_texts", faults("a\n[a](none.md)\n"));
    test::check_messages("lesson_texts", faults("[a](glossary.md#none)\n"));
    test::check_messages("lesson_texts", faults("[a](#none)\n"));
    CHECK(
        has_fault(faults("[fence](glossary.md#threads)\n"), "\"fence\" links to the glossary, which hasn't this term"));
    test::check_messages("lesson_texts", faults("[barrier](glossary.md#threads)\n"));
}

TEST_CASE("figures have a title, a description, a dark form, and are shown with a text") {
    const Folder root;
    const Lesson lesson = test::lesson_of(root);
    const auto faults = [&](const std::string& svg, const std::string& text = "![A map](figures/map.svg)\n") {
        root.write("lessons/06-raw-kernels/figures/map.svg", svg);
        return faults_of_figures(lesson, page_of(text));
    };
    CHECK(faults(good_figure).empty());
    test::check_messages("lesson_texts", faults(test::replaced(good_figure, "A map", "")));
    test::check_messages("lesson_texts", faults(test::replaced(good_figure, "<desc>It shows.</desc>", "")));
    test::check_messages("lesson_texts", faults(test::replaced(good_figure, "prefers-color-scheme", "x")));
    test::check_messages("lesson_texts", faults(good_figure + "<style>@import 'x'</style>"));
    test::check_messages("lesson_texts", faults(good_figure, "no figure\n"));
    test::check_messages("lesson_texts", faults(good_figure, "![](figures/map.svg)\n"));
}

TEST_CASE("programs are short, begin with a comment, and are in lesson.toml") {
    const Folder root;
    const Lesson lesson = test::lesson_of(root);
    CHECK(faults_of_files(lesson).empty());
    root.write("lessons/06-raw-kernels/more.cpp", "int main() {}\n");
    test::check_messages("lesson_texts", faults_of_files(lesson));
    test::check_messages("lesson_texts", faults_of_files(lesson));
    std::string text = "// Long.\n";
    for (int line = 0; line < 60; ++line) text += "\n";
    root.write("lessons/06-raw-kernels/ceil.cpp", text);
    test::check_messages("lesson_texts", faults_of_files(lesson));
    root.write("lessons/06-raw-kernels/old.out", "");
    test::check_messages("lesson_texts", faults_of_files(lesson));
}

TEST_CASE("the order of lessons and exercises holds together") {
    const auto lesson = [](int number, const std::string& name, std::vector<std::string> needs,
                           std::vector<std::string> exercises, std::vector<std::string> terms = {}) {
        Lesson made;
        made.folder = {"lessons/" + name, number};
        made.needs = std::move(needs);
        made.exercises = std::move(exercises);
        made.introduces = std::move(terms);
        return made;
    };
    const auto exercise = [](const std::string& name, const std::string& of, std::vector<std::string> needs) {
        Manifest made;
        made.folder = "exercises/" + name;
        made.name = name;
        made.lesson = of;
        made.needs = std::move(needs);
        return std::pair<const std::string, Manifest>(name, made);
    };
    const Glossary glossary(glossary_page);
    const std::vector<Lesson> good = {lesson(1, "01-a", {}, {"x"}), lesson(2, "02-b", {"01-a"}, {"y"}),
                                      lesson(3, "03-c", {"02-b"}, {})};
    const std::map<std::string, Manifest> exercises = {exercise("x", "01-a", {}), exercise("y", "02-b", {"x"}),
                                                       exercise("z", "08-later", {"y"})};
    CHECK(faults_of_order(good, exercises, glossary).empty());
    CHECK(faults_of_order({}, exercises, glossary).empty());
    const auto faults = [&](std::size_t which, const Lesson& by) {
        std::vector<Lesson> lessons = good;
        lessons[which] = by;
        return faults_of_order(lessons, exercises, glossary);
    };
    test::check_messages("lesson_texts", faults(0, lesson(1, "01-a", {"02-b"}, {"x"})));
    test::check_messages("lesson_texts", faults(0, lesson(1, "01-a", {"01-z"}, {"x"})));
    test::check_messages("lesson_texts", faults(0, lesson(1, "01-a", {}, {})));
    test::check_messages("lesson_texts", faults(2, lesson(3, "03-c", {}, {"y"})));
    test::check_messages("lesson_texts", faults(2, lesson(3, "03-c", {}, {"w"})));
    test::check_messages("lesson_texts", faults(1, lesson(2, "02-b", {}, {"y"})));
    test::check_messages("lesson_texts", faults_of_order({lesson(1, "01-a", {}, {"x"}, {"guard"}),
                                                          lesson(2, "02-b", {"01-a"}, {"y"}, {"guards"})},
                                                         exercises, glossary));
    std::map<std::string, Manifest> lost = exercises;
    lost.at("z").lesson = "02-other";
    test::check_messages("lesson_texts", faults_of_order(good, lost, glossary));
    lost = exercises;
    lost.at("y").needs = {"w"};
    test::check_messages("lesson_texts", faults_of_order(good, lost, glossary));
}

TEST_CASE("x is the column everywhere") {
    const auto faults = [](const std::string& text, const std::string& name = "a.cu") {
        return faults_of_columns(name, text);
    };
    CHECK(faults("int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;")
              .empty());
    CHECK(faults("float y = a[threadIdx.x]; int row = threadIdx.x / 32, col = threadIdx.x % 32;").empty());
    CHECK(faults("int row = blockIdx.x; int arrow = threadIdx.x; if (row == threadIdx.x) row = first[threadIdx.x];")
              .empty());
    CHECK(faults("// int row = threadIdx.x;\n").empty());
    test::check_messages("lesson_texts", faults("\nconst int row = blockIdx.x * blockDim.x + threadIdx.x;"));
    test::check_messages("lesson_texts", faults("int col = threadIdx.x, row =\n  threadIdx.x;"));
    test::check_messages("lesson_texts", faults("int tile_row = ty, out_col = by + threadIdx.y;"));
    test::check_messages("lesson_texts", faults("const int y = blockIdx.x * 8 + threadIdx.x;"));
    test::check_messages("lesson_texts", faults("const int x = threadIdx.y;"));
    CHECK(faults("int row = threadIdx.x;  // planted mistake: x as the row\n").empty());
    CHECK(faults("int row = threadIdx.x;  // a thread per row\n").empty());
    CHECK(faults("// The planted mistake: x as the row.\nint row = threadIdx.x;\n").empty());
    const std::string fenced = "text\n```cpp\nint row = threadIdx.x;\n```\n";
    test::check_messages("lesson_texts", faults(fenced, "a.md"));
    CHECK(faults("`int row = threadIdx.x;`\n", "a.md").empty());
    CHECK(faults("<!-- snippet a.cu -->\n" + fenced + "<!-- end -->\n", "a.md").empty());
}

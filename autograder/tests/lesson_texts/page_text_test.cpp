// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "lessons/page_text.hpp"

using course::page_text;

TEST_CASE("a page in a terminal has its text without Markdown's marks") {
    CHECK(page_text(
              "<!-- SPDX-License-Identifier: MIT -->\n# A *page*\n\nSee [the words](glossary.md#threads), **guard**\n"
              "and `x[i] = *p`.\n") == "A page\n======\n\nSee the words, guard and `x[i] = *p`.\n");
    CHECK(page_text("![A picture](a.svg) and 2 \\* 3\n") == "A picture and 2 * 3\n");
    CHECK(page_text("") == "");
}

TEST_CASE("code keeps its lines, and a # in it is no heading") {
    CHECK(page_text("## Loop\n\n```console\n$ make    # *where* am I?\n# no heading\n```\n\nThen go on.\n") ==
          "Loop\n----\n\n    $ make    # *where* am I?\n    # no heading\n\nThen go on.\n");
}

TEST_CASE("lists are wrapped below their first words") {
    CHECK(
        page_text("- one two three four five six\n  seven\n- eight\n\n1. nine ten eleven twelve thirteen\n", {}, 24) ==
        "- one two three four\n  five six seven\n- eight\n\n1. nine ten eleven\n   twelve thirteen\n");
}

TEST_CASE("a table has columns, and where they don't fit entries with their text below") {
    const std::string table = "| name | meaning |\n|---|---|\n| `a \\| b` | or |\n| é | [a letter](x.md) |\n";
    CHECK(page_text(table) == "name     meaning\n`a | b`  or\né        a letter\n");
    CHECK(page_text(table, {}, 12) == "`a | b`\n    or\né\n    a letter\n");
    CHECK(page_text("| x | |\n|---|---|\n| only | |\n", {}, 80) == "x\nonly\n");
}

TEST_CASE("one part of a page ends at the next heading of its level") {
    const std::string page = "# P\n\nIntro.\n\n## A\n\nText.\n\n### Deeper\n\nMore.\n\n## B\n\nOther.\n";
    CHECK(page_text(page, "A") == "A\n-\n\nText.\n\nDeeper\n\nMore.\n");
    CHECK(page_text(page, "B") == "B\n-\n\nOther.\n");
    CHECK(page_text(page, "C") == "");
}

TEST_CASE("what is folded on a page is there, and broken Markdown loses no text") {
    CHECK(page_text("<details><summary>Answer</summary>\n\nB is right.\n\n</details>\n<!-- end -->\n") ==
          "Answer\n\nB is right.\n");
    for (const char* text : {"a ` b", "a [b](c", "a <b", "a <!-- b", "|", "| a", "- ", "1. ", "\\", "```\nx"})
        CHECK_NOTHROW((void)page_text(text));
    CHECK(page_text("| a\n") == "a\n");
    CHECK(page_text("a ` b\n") == "a ` b\n");
    CHECK(page_text("a < b, c > d, x[2] and `Array<float>\n= y`\n") == "a < b, c > d, x[2] and `Array<float> = y`\n");
}

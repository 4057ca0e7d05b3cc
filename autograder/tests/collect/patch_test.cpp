// SPDX-License-Identifier: MIT
// Patches are written by authors: a bad one must be refused with its place, and fit exactly.
#include <doctest/doctest.h>

#include "support/golden.hpp"
#include "support/patch.hpp"

using namespace course;

namespace {

const std::string old_text = "one\ntwo\nthree\nfour\nfive\n";

std::string patched(const std::string& text, const std::string& original = old_text) {
    const Patch patch = read_patch(text, "a.patch");
    return apply_patch(patch, patch.files.at(0), original);
}

std::string complaint(const std::string& text, const std::string& original = old_text) {
    try {
        static_cast<void>(patched(text, original));
    } catch (const PatchError& error) {
        return error.what();
    }
    return "";
}

const std::string files = "--- a/x.cu\n+++ b/x.cu\n";
const std::string two_to_zwei = files + "@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n";

}  // namespace

TEST_CASE("a patch changes lines, takes them out and puts others in, in several places and files") {
    CHECK(patched(two_to_zwei) == "one\nzwei\nthree\nfour\nfive\n");
    CHECK(patched(files + "@@ -2,0 +3,2 @@\n+a\n+b\n@@ -5 +6,0 @@\n-five\n") == "one\ntwo\na\nb\nthree\nfour\n");
    CHECK(patched(files + "@@ -1,2 +1 @@ of a function\n-one\n two\n") == "two\nthree\nfour\nfive\n");
    CHECK(patched(files + "@@ -0,0 +1 @@\n+new\n", "") == "new\n");
    const std::string other = "--- a/y.cpp\n+++ b/y.cpp\n@@ -1 +1 @@\n-b\n+c\n";
    const Patch patch = read_patch("says = 1\n\n" + two_to_zwei + other, "");
    CHECK(patch.head == "says = 1\n\n");
    REQUIRE(patch.files.size() == 2);
    CHECK(patch.find("z.cu") == nullptr);
    CHECK(apply_patch(patch, *patch.find("y.cpp"), "b\n") == "c\n");
}

TEST_CASE("a file without a line end at its end keeps or gets it as the patch says") {
    const std::string no_end = "\\ No newline at end of file\n";
    CHECK(patched(files + "@@ -1,2 +1,2 @@\n-a\n+c\n b\n" + no_end, "a\nb") == "c\nb");
    CHECK(patched(files + "@@ -2 +2 @@\n-b\n" + no_end + "+b\n", "a\nb") == "a\nb\n");
    CHECK(patched(files + "@@ -2 +2 @@\n-b\n+b\n" + no_end, "a\nb\n") == "a\nb");
    test::check_messages("collect", {complaint(files + "@@ -2 +2 @@\n-b\n+c\n", "a\nb"),
                                     complaint(files + "@@ -1 +1,2 @@\n-one\n+a\n" + no_end + "+b\n")});
}

TEST_CASE("a patch must fit at its place, line by line") {
    test::check_messages("collect", {complaint(two_to_zwei, "zero\n" + old_text), complaint(two_to_zwei, "one\n"),
                                     complaint(two_to_zwei, "one\r\ntwo\n"), complaint(files + "@@ -9 +9 @@\n-a\n+b\n"),
                                     complaint(files + "@@ -4 +4 @@\n-four\n+a\n@@ -2 +2 @@\n-two\n+b\n"),
                                     complaint(files + "@@ -2 +3 @@\n-two\n+b\n")});
}

TEST_CASE("a hunk has the lines that its head announces, and changes something") {
    const std::string more = "has more lines than its @@ says";
    test::check_messages("collect", {complaint(files + "@@ -1,3 +1,2 @@\n one\n-two\n+b\n three\n"),
                                     complaint(files + "@@ -1,2 +1,2 @@\n one\n-two\n+b\n three\n"),
                                     complaint(files + "@@ -1,4 +1,4 @@\n one\n-two\n+b\n three\n"),
                                     complaint(files + "@@ -1,2 +1,2 @@\n one\n two\n"),
                                     complaint(files + "@@ -1,2 +1,2 @@\n one\n\n")});
    for (const char* head : {"@@ -1 @@", "@@ 1 +1 @@", "@@ -x +1 @@", "@@ -1,-1 +1 @@", "@@ -0 +1 @@", "@@ -1 +1",
                             "@@ -99999999999999999999 +1 @@"})
        test::check_messages("collect", {complaint(files + head + "\n-one\n+a\n")});
    CHECK(complaint(files + "@@ -18446744073709551615,18446744073709551615 +1 @@\n-one\n") != "");
}

TEST_CASE("what isn't a whole patch of files in the folder is refused") {
    test::check_messages("collect", {complaint(""), complaint("says = 1\n"), complaint("--- a/x.cu\n"),
                                     complaint(files), complaint("--- a/x.cu\n+++ b/y.cu\n@@ -1 +1 @@\n-one\n+a\n")});
    for (const char* name : {"../x.cu", "/x.cu", "b/x.cu", ".x.cu", "", "x.cu\t2026-01-01", "x\\.cu"})
        test::check_messages("collect", {complaint(std::string("--- a/") + name + "\n")});
    test::check_messages("collect",
                         {complaint("--- /dev/null\n+++ b/x.cu\n"), complaint(two_to_zwei + two_to_zwei),
                          complaint("--- a/x.cu"), complaint("--- a/x.cu\r\n+++ b/x.cu\r\n"),
                          complaint(files + "@@ -1 +1 @@\r\n-one\r\n+a\r\n"), complaint(two_to_zwei + "and more\n")});
}

// SPDX-License-Identifier: MIT
// Patches are written by authors: a bad one must be refused with its place, and fit exactly.
#include <doctest/doctest.h>

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
    CHECK(complaint(files + "@@ -2 +2 @@\n-b\n+c\n", "a\nb") == "a.patch:4: line 2 of x.cu has another line end");
    CHECK(complaint(files + "@@ -1 +1,2 @@\n-one\n+a\n" + no_end + "+b\n") ==
          "a.patch:7: the line above it has no end");
}

TEST_CASE("a patch must fit at its place, line by line") {
    CHECK(complaint(two_to_zwei, "zero\n" + old_text) == "a.patch:4: line 1 of x.cu is \"zero\"; expected \"one\"");
    CHECK(complaint(two_to_zwei, "one\n") == "a.patch:5: line 2 of x.cu is missing; expected \"two\"");
    CHECK(complaint(two_to_zwei, "one\r\ntwo\n") == "a.patch:4: line 1 of x.cu has another line end");
    CHECK(complaint(files + "@@ -9 +9 @@\n-a\n+b\n") == "a.patch:3: expected a place from line 1 to 6 of x.cu");
    CHECK(complaint(files + "@@ -4 +4 @@\n-four\n+a\n@@ -2 +2 @@\n-two\n+b\n") ==
          "a.patch:6: expected a place from line 5 to 6 of x.cu");
    CHECK(complaint(files + "@@ -2 +3 @@\n-two\n+b\n") ==
          "a.patch:3: these lines are line 2 of the new x.cu, and its @@ says 3");
}

TEST_CASE("a hunk has the lines that its head announces, and changes something") {
    const std::string more = "has more lines than its @@ says";
    CHECK(complaint(files + "@@ -1,3 +1,2 @@\n one\n-two\n+b\n three\n").find(more) != std::string::npos);
    CHECK(complaint(files + "@@ -1,2 +1,2 @@\n one\n-two\n+b\n three\n").find(more) != std::string::npos);
    CHECK(complaint(files + "@@ -1,4 +1,4 @@\n one\n-two\n+b\n three\n") ==
          "a.patch:7: the hunk of line 3 has 3 old and 3 new lines; its @@ says 4 and 4");
    CHECK(complaint(files + "@@ -1,2 +1,2 @@\n one\n two\n").find("changes nothing") != std::string::npos);
    CHECK(complaint(files + "@@ -1,2 +1,2 @@\n one\n\n") ==
          "a.patch:5: the hunk of line 3 has 1 old and 1 new lines; its @@ says 2 and 2");
    for (const char* head : {"@@ -1 @@", "@@ 1 +1 @@", "@@ -x +1 @@", "@@ -1,-1 +1 @@", "@@ -0 +1 @@", "@@ -1 +1",
                             "@@ -99999999999999999999 +1 @@"})
        CHECK(complaint(files + head + "\n-one\n+a\n") == "a.patch:3: expected \"@@ -LINE,COUNT +LINE,COUNT @@\"");
    CHECK(complaint(files + "@@ -18446744073709551615,18446744073709551615 +1 @@\n-one\n") != "");
}

TEST_CASE("what isn't a whole patch of files in the folder is refused") {
    const std::string expected = "there is no line \"--- a/FILE\"; expected a unified diff";
    CHECK(complaint("") == "a.patch:1: " + expected);
    CHECK(complaint("says = 1\n") == "a.patch:1: " + expected);
    CHECK(complaint("--- a/x.cu\n") == "a.patch:1: expected a line \"+++ b/FILE\"");
    CHECK(complaint(files).find("expected a hunk") != std::string::npos);
    CHECK(complaint("--- a/x.cu\n+++ b/y.cu\n@@ -1 +1 @@\n-one\n+a\n").find("the same file") != std::string::npos);
    for (const char* name : {"../x.cu", "/x.cu", "b/x.cu", ".x.cu", "", "x.cu\t2026-01-01", "x\\.cu"})
        CHECK(complaint(std::string("--- a/") + name + "\n").find("is not the name of a file in the folder") !=
              std::string::npos);
    CHECK(complaint("--- /dev/null\n+++ b/x.cu\n") == "a.patch:1: expected a line \"--- a/FILE\"");
    CHECK(complaint(two_to_zwei + two_to_zwei) == "a.patch:9: x.cu is changed twice");
    CHECK(complaint("--- a/x.cu") == "a.patch:1: expected a line that ends with \\n alone");
    CHECK(complaint("--- a/x.cu\r\n+++ b/x.cu\r\n") == "a.patch:1: expected a line that ends with \\n alone");
    CHECK(complaint(files + "@@ -1 +1 @@\r\n-one\r\n+a\r\n") == "a.patch:4: expected a line that ends with \\n alone");
    CHECK(complaint(two_to_zwei + "and more\n").find("has more lines") != std::string::npos);
}

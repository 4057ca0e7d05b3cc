// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>

#include "support/text.hpp"

using course::plain_text;

namespace {
const std::string replaced = "\xEF\xBF\xBD";
}

TEST_CASE("text that is fit to print stays as it is") {
    CHECK(plain_text("", 10, 10) == "");
    CHECK(plain_text("a\tb\nc", 10, 10) == "a\tb\nc");
    const std::string two_to_four_bytes = "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80";
    CHECK(plain_text(two_to_four_bytes, 100, 10) == two_to_four_bytes);
}

TEST_CASE("control characters are removed, C1 ones and turned writing too") {
    CHECK(plain_text(std::string_view("a\0b\x1b[1m\r\n\x7f" "c", 11), 100, 10) == "ab[1m\nc");
    CHECK(plain_text("x\xc2\x9by\xe2\x80\xaez\xef\xbb\xbf", 100, 10) == "xyz");
}

TEST_CASE("bytes that aren't UTF-8 become U+FFFD") {
    CHECK(plain_text("\xff", 100, 10) == replaced);
    CHECK(plain_text("a\xc3", 100, 10) == "a" + replaced);                 // cut short
    CHECK(plain_text("\xe2\x82" "a", 100, 10) == replaced + "a");
    CHECK(plain_text("\xc0\xaf", 100, 10) == replaced + replaced);         // overlong '/'
    CHECK(plain_text("\xed\xa0\x80", 100, 10) == replaced);                // a surrogate
    CHECK(plain_text("\xf4\x90\x80\x80", 100, 10) == replaced);            // beyond U+10FFFF
}

TEST_CASE("long text is cut, and the cut is marked") {
    CHECK(plain_text("abcdef", 4, 10) == "abcd\n...");
    CHECK(plain_text("abcd", 4, 10) == "abcd");
    CHECK(plain_text("ab\xc3\xa9", 3, 10) == "ab\n...");                   // never within a character
    CHECK(plain_text("1\n2\n3", 100, 2) == "1\n2\n...");
    CHECK(plain_text("1\n2\n\n", 100, 2) == "1\n2");                       // empty lines at the end don't count
}

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "support/text.hpp"

using course::fitted;

TEST_CASE("a line that is too long is broken at a space, and goes on a little further in") {
    CHECK(fitted("short\n  one two three four five six seven eight nine ten\nlast", 40) ==
          "short\n  one two three four five six seven\n    eight nine ten\nlast");
    CHECK(fitted("Your name: ", 40) == "Your name: ");
    CHECK(fitted("", 40).empty());
}

TEST_CASE("what stands behind a label hangs below it, and columns stay whole") {
    CHECK(fitted("    counted   launches 1 (= 1)   copies_to_host 1 (= 1)\n", 44) ==
          "    counted   launches 1 (= 1)\n              copies_to_host 1 (= 1)\n");
    CHECK(fitted("OK  host backend    a processor with a name that is long, 2 threads\n", 50) ==
          "OK  host backend    a processor with a name that\n                    is long, 2 threads\n");
}

TEST_CASE("code, words that are too long and narrow terminals are left alone") {
    const std::string code = "    12 |     const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "       |     ^ and so on, to the end of it";
    CHECK(fitted(code, 44) == code);
    const std::string word(50, 'x');
    CHECK(fitted("  " + word + "\n", 40) == "  " + word + "\n");
    CHECK(fitted("see " + word + " one two three four five six seven eight nine ten", 40) ==
          "see\n  " + word + "\n  one two three four five six seven\n  eight nine ten");
    CHECK(fitted("one two three four five six seven eight nine ten", 20) ==
          "one two three four five six seven eight nine ten");
}

TEST_CASE("colours and the later bytes of a character take no room") {
    const std::string coloured = "\x1b[32m" + std::string(30, 'x') + "\x1b[0m " + "123456789";
    CHECK(fitted(coloured, 40) == coloured);
    const std::string arrows = "\u2192\u2192\u2192\u2192\u2192\u2192\u2192\u2192\u2192\u2192 "
                               "2345678901234567890123456789";
    CHECK(fitted(arrows, 40) == arrows);
}

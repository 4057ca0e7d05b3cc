// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "report/result_json.hpp"

using namespace course;

TEST_CASE("proofs go through a line of JSON, and another text is none") {
    const std::string line = proofs_json(
        "raw_add", {{"ok (wrong)", {}}, {"ok", {"two\nlines", "\xff odd bytes"}, {"by the way"}}});
    CHECK(line.find('\n') == line.size() - 1);
    const auto proofs = parse_proofs_json(line);
    REQUIRE(proofs);
    REQUIRE(proofs->size() == 2);
    CHECK((*proofs)[0].text == "ok (wrong)");
    CHECK((*proofs)[1].failures.at(0) == "two\nlines");
    CHECK((*proofs)[1].notes == std::vector<std::string>{"by the way"});
    for (const char* const text : {"", "{}", "course: no such exercise", "{\"proofs\": [{\"text\": 1}]}"})
        CHECK_FALSE(parse_proofs_json(text));
}

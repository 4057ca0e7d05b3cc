// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "support/folder.hpp"

namespace test {

/// Compares with autograder/tests/ROOM/golden/NAME.txt. With COURSE_UPDATE_GOLDEN=1 it writes the file instead, and
/// fails, so that no run that only wrote passes for one that compared.
inline void check_golden(const std::string& room, const std::string& name, const std::string& text) {
    const std::filesystem::path file =
        std::filesystem::path(COURSE_SOURCE_DIR) / "autograder/tests" / room / "golden" / (name + ".txt");
    INFO(file.string());
    const char* update = std::getenv("COURSE_UPDATE_GOLDEN");
    if (update && std::string(update) == "1" && read(file) != text) {
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        FAIL_CHECK("the golden file was rewritten; read it, then run again");
        return;
    }
    REQUIRE(std::filesystem::exists(file));
    CHECK(text == read(file));
}

/// Compares messages of one family, which stand one below the other in the part of autograder/tests/ROOM/golden/
/// messages.txt that is called as the test is; what a test compares later is in a part of its own. As above,
/// COURSE_UPDATE_GOLDEN=1 rewrites that part.
inline void check_messages(const std::string& room, const std::vector<std::string>& messages) {
    static const char* test = nullptr;
    static int calls = 0;
    const char* const now = doctest::getContextOptions()->currentTest->m_name;
    calls = std::exchange(test, now) == now ? calls + 1 : 1;
    const std::string heading = std::string("### ") + now + (calls > 1 ? ", " + std::to_string(calls) : "") + '\n';
    std::string text;
    for (const std::string& message : messages) text += message + '\n';

    const std::filesystem::path file =
        std::filesystem::path(COURSE_SOURCE_DIR) / "autograder/tests" / room / "golden/messages.txt";
    std::string all = std::filesystem::exists(file) ? read(file) : "";
    std::size_t begin = all.find(heading);
    if (begin == all.npos)
        begin = (all += heading).size();
    else
        begin += heading.size();
    const std::size_t next = all.find("\n### ", begin), end = next == all.npos ? all.size() : next + 1;
    const std::string golden = all.substr(begin, end - begin);
    const char* update = std::getenv("COURSE_UPDATE_GOLDEN");
    INFO(file.string());
    if (text != golden && update && std::string(update) == "1") {
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << all.replace(begin, golden.size(), text);
        FAIL_CHECK("a part of the golden file was rewritten; read it, then run again");
        return;
    }
    CHECK(text == golden);
}

}  // namespace test

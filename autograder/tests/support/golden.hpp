// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

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
        FAIL_CHECK("the golden file was written anew; read it, then run again");
        return;
    }
    REQUIRE(std::filesystem::exists(file));
    CHECK(text == read(file));
}

}  // namespace test

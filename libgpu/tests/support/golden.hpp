// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <source_location>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

namespace support {

/// Compares with golden/NAME beside the test. UPDATE_GOLDEN=1 writes what differs anew instead, and fails: read it,
/// then run again.
inline void check_golden(const std::string& name, const std::string& text,
                         const std::source_location& where = std::source_location::current()) {
    const auto file = std::filesystem::path(where.file_name()).parent_path() / "golden" / name;
    std::ostringstream golden;
    golden << std::ifstream(file, std::ios::binary).rdbuf();
    INFO(file.string());
    if (golden.str() != text && std::getenv("UPDATE_GOLDEN") != nullptr) std::ofstream(file, std::ios::binary) << text;
    CHECK(text == golden.str());
}

}  // namespace support

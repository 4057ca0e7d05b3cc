// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "manifest/toml_table.hpp"

namespace course {

/// A TOML file of the course, with the name that messages give it.
class TomlDocument {
public:
    /// @param shown as in "lessons/06-raw-kernels/lesson.toml"
    /// @param what it describes: "lesson 6"
    /// @throws ManifestError if it is missing or isn't TOML.
    TomlDocument(const std::filesystem::path& path, std::string shown, const std::string& what);

    [[nodiscard]] TomlTable table() const { return {document_, shown_}; }
    /// The key "format" must be there, and not beyond what this kit knows. @throws ManifestError.
    void need_format(std::int64_t newest, const std::string& what) const;

private:
    std::string shown_;
    toml::table document_;
};

}  // namespace course

// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/digest.hpp"
#include "support/files.hpp"

namespace course {

/// A key of everything that something is built from: commands and files.
class SourceKey {
public:
    void add(std::string_view text) {
        text_ += text;
        text_ += '\n';
    }
    void add_file(const std::filesystem::path& path) { add(path.string() + ' ' + digest(read_file(path))); }
    void add_headers(const std::filesystem::path& folder) {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
            if (entry.is_regular_file()) files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        for (const std::filesystem::path& file : files) add_file(file);
    }
    [[nodiscard]] std::string value() const { return digest(text_); }

private:
    std::string text_;
};

}  // namespace course

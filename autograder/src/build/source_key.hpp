// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "build/toolchain.hpp"
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

/// The key of libgpu's headers, which the objects of an exercise and the parsed headers both depend on: the
/// toolchain's, or, if it has none yet, computed now.
inline std::string gpu_headers_key(const Toolchain& toolchain) {
    if (!toolchain.gpu_headers.empty()) return toolchain.gpu_headers;
    SourceKey key;
    key.add_headers(toolchain.gpu_include);
    return key.value();
}

}  // namespace course

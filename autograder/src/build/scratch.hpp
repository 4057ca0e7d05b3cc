// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "build/compile.hpp"
#include "support/files.hpp"
#include "support/process.hpp"

namespace course {

/// A private folder for one run, removed at its end, even on Ctrl-C; one left behind by kill -9 is removed by the next
/// run.
class Scratch {
public:
    /// In $TMPDIR (otherwise /tmp), or in `otherwise` if that can't be written. @throws BuildFault that names the
    /// folder.
    static Scratch make(const std::filesystem::path& otherwise);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return folder_->path(); }

private:
    explicit Scratch(const std::filesystem::path& folder);

    UniqueFd lock_;   ///< held while the folder is in use: a folder that can be locked is left over
    std::unique_ptr<TemporaryPath> folder_;
};

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

/// The key of libgpu's headers, on which an exercise's objects and the precompiled header depend: the toolchain's or,
/// if it has none yet, computed now.
inline std::string gpu_headers_key(const Toolchain& toolchain) {
    if (!toolchain.gpu_headers.empty()) return toolchain.gpu_headers;
    SourceKey key;
    key.add_headers(toolchain.gpu_include);
    return key.value();
}

}  // namespace course

// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace course {

/// The state of a file, for comparison. Times and sizes are cheap, but a network folder may store times in whole
/// seconds: the content decides.
struct FileLook {
    bool is_there = false;
    std::int64_t changed = 0, inode = 0, bytes = 0;  ///< `changed` in nanoseconds
    std::string content;                             ///< a digest
    friend bool operator==(const FileLook&, const FileLook&) = default;
};

/// Detects saved files by polling: neither containers nor network folders report changes.
class SavedFiles {
public:
    using Time = std::chrono::steady_clock::time_point;
    enum class Seen {
        nothing,
        change,   ///< something is being written; look again soon
        saved,    ///< and now it is complete
        the_same  ///< the previous content was written again
    };

    explicit SavedFiles(std::vector<std::filesystem::path> files);

    /// Looks at the files. A change counts as saved once it has settled: an editor may write a file in pieces, or
    /// create a new one and rename it.
    Seen look(Time now);
    /// The same with given states. Changes only this object.
    Seen take(std::vector<FileLook> seen, Time now);

    [[nodiscard]] const std::vector<std::filesystem::path>& files() const noexcept { return files_; }
    /// The file that changed last.
    [[nodiscard]] const std::filesystem::path& changed() const { return files_[changed_]; }

private:
    std::vector<FileLook> look_at_all(Time now);

    std::vector<std::filesystem::path> files_;
    std::vector<FileLook> known_, seen_;  ///< as last reported, and as last seen
    Time change_{}, all_read_{};
    std::size_t changed_ = 0;
    bool is_changing_ = false;
};

}  // namespace course

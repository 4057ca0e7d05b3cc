// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace course {

/// What tells one state of a file from another. Times and sizes are cheap, but a network folder may keep times in whole
/// seconds: the content decides.
struct FileLook {
    bool is_there = false;
    std::int64_t changed = 0, inode = 0, bytes = 0;  ///< `changed` in nanoseconds
    std::string content;                             ///< a digest
    friend bool operator==(const FileLook&, const FileLook&) = default;
};

/// Sees when files are saved, by looking at them again and again: neither containers nor network folders tell.
class SavedFiles {
public:
    using Time = std::chrono::steady_clock::time_point;
    enum class Seen {
        nothing,
        change,   ///< something is being written; look again soon
        saved,    ///< and now it is whole
        the_same  ///< somebody wrote what was there before
    };

    explicit SavedFiles(std::vector<std::filesystem::path> files);

    /// Looks at the files. A change counts as saved once it has rested: an editor that writes a file in pieces, or
    /// makes a new one and renames it, is given time.
    Seen look(Time now);
    /// The same with what was seen. Pure but for this object.
    Seen take(std::vector<FileLook> seen, Time now);

    [[nodiscard]] const std::vector<std::filesystem::path>& files() const noexcept { return files_; }
    /// The file that changed last.
    [[nodiscard]] const std::filesystem::path& changed() const { return files_[changed_]; }

private:
    std::vector<FileLook> look_at_all(Time now);

    std::vector<std::filesystem::path> files_;
    std::vector<FileLook> known_, seen_;  ///< as last reported, and as last looked at
    Time change_{}, all_read_{};
    std::size_t changed_ = 0;
    bool is_changing_ = false;
};

}  // namespace course

// SPDX-License-Identifier: MIT
#include "commands/saved_files.hpp"

#include <sys/stat.h>

#include "collect/collect.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

using namespace std::chrono_literals;

constexpr auto rest = 150ms;         // of a file that is there
constexpr auto absence = 1500ms;     // of one that isn't: between two steps of an editor's, or deleted
constexpr auto read_all_again = 2s;  // whatever times and sizes say

FileLook status_of(const fs::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return {};
    FileLook look{.is_there = true,
                  .changed = std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec,
                  .inode = static_cast<std::int64_t>(info.st_ino),
                  .bytes = info.st_size,
                  .content = {}};
    if (!S_ISREG(info.st_mode)) look.content = "no regular file";  // a pipe would never end
    return look;
}

void read_content(const fs::path& path, FileLook& look) {
    if (!look.is_there || !look.content.empty()) return;
    try {
        look.content = digest(read_answer_file(path, "it"));
    } catch (const CollectError& error) {  // too large, a link, not readable: judging it says so
        look.content = error.what();
    }
}

bool same_content(const FileLook& a, const FileLook& b) { return a.is_there == b.is_there && a.content == b.content; }

}  // namespace

SavedFiles::SavedFiles(std::vector<fs::path> files) : files_(std::move(files)), seen_(files_.size()) {
    known_ = seen_ = look_at_all(std::chrono::steady_clock::now());
}

std::vector<FileLook> SavedFiles::look_at_all(Time now) {
    const bool read_all = now - all_read_ >= read_all_again;
    if (read_all) all_read_ = now;
    std::vector<FileLook> seen;
    for (std::size_t k = 0; k < files_.size(); ++k) {
        FileLook look = status_of(files_[k]);
        FileLook before = seen_[k];
        const std::string content = before.content;
        before.content = look.content;
        if (!read_all && look == before && look.is_there)
            look.content = content;
        else
            read_content(files_[k], look);
        seen.push_back(std::move(look));
    }
    return seen;
}

SavedFiles::Seen SavedFiles::look(Time now) { return take(look_at_all(now), now); }

SavedFiles::Seen SavedFiles::take(std::vector<FileLook> seen, Time now) {
    for (std::size_t k = 0; k < seen.size(); ++k) {
        if (seen[k] == seen_[k]) continue;
        changed_ = k;
        change_ = now;
        is_changing_ = true;
    }
    seen_ = std::move(seen);
    if (!is_changing_) return Seen::nothing;
    bool all_there = true, same = true;
    for (std::size_t k = 0; k < seen_.size(); ++k) {
        all_there = all_there && seen_[k].is_there;
        same = same && same_content(seen_[k], known_[k]);
    }
    if (now - change_ < (all_there ? rest : absence)) return Seen::change;
    is_changing_ = false;
    known_ = seen_;
    return same ? Seen::the_same : Seen::saved;
}

}  // namespace course

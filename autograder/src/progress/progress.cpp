// SPDX-License-Identifier: MIT
#include "progress/progress.hpp"

#include <algorithm>
#include <cerrno>

#include "manifest/folders.hpp"
#include "support/files.hpp"

namespace course {

Progress::Progress(const std::filesystem::path& work)
    : root_(work.parent_path()), file_(work / ".progress"), lock_(work / ".progress.lock") {}

/// Manifests are read only if there is a name that no exercise of this edition has.
void Progress::use_present_names(ProgressText& progress) const {
    std::vector<ExerciseFolder> folders;
    try {
        folders = exercise_folders(root_);
    } catch (const ManifestError&) {
        return;
    }
    const auto is_present = [&](const std::string& name) {
        return std::any_of(folders.begin(), folders.end(), [&](const ExerciseFolder& one) { return one.name == name; });
    };
    const auto is_old = [&](const auto& entry) { return !is_present(entry.first); };
    if (std::none_of(progress.records.begin(), progress.records.end(), is_old)) return;
    for (const auto& [old_name, name] : former_names(root_)) {
        const auto old = progress.records.find(old_name);
        if (old == progress.records.end() || is_present(old_name)) continue;
        progress.records[name] = merged(progress.records[name], old->second);
        progress.records.erase(old);
    }
}

ProgressText Progress::read_all() const {
    ProgressText progress;
    try {
        progress = parse_progress(read_file(file_));
    } catch (const FileError& error) {
        if (error.error_number() != ENOENT) throw;
        return {};
    }
    use_present_names(progress);
    return progress;
}

Progress::Records Progress::read() const {
    try {
        return read_all().records;
    } catch (const FileError&) {
        return {};
    }
}

void Progress::update_all(const std::function<void(ProgressText&)>& change) const {
    make_folders(file_.parent_path());
    const FileLock lock(lock_);
    ProgressText progress = read_all();
    change(progress);
    write_file_atomically(file_, progress_text(progress));
}

void Progress::update(const std::string& name, const std::function<void(ExerciseProgress&)>& change) const {
    update_all([&](ProgressText& progress) { change(progress.records[name]); });
}

}  // namespace course

// SPDX-License-Identifier: MIT
#include "submissions/staging.hpp"

#include <cerrno>

#include "collect/collect.hpp"
#include "submissions/intake.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

void clear_folder(const fs::path& folder) {
    if (!remove_tree(folder)) throw FileError("remove", folder, EACCES);
}

void rename_folder(const fs::path& from, const fs::path& to) {
    clear_folder(to);
    std::error_code error;
    fs::rename(from, to, error);
    if (error) throw FileError("make the folder", to, error.value());
}

/// The names in a folder, if it is one and no link; `what` must be true of each of them.
template <class What>
std::optional<std::set<std::string>> names_if(const fs::path& folder, What&& what) {
    std::error_code error;
    if (fs::symlink_status(folder, error).type() != fs::file_type::directory) return std::nullopt;
    std::set<std::string> names;
    for (fs::directory_iterator it(folder, error), end; it != end && !error; it.increment(error)) {
        if (!what(it->symlink_status(error).type())) return std::nullopt;
        names.insert(it->path().filename().string());
    }
    return error ? std::nullopt : std::optional(names);
}

}  // namespace

Staging::Staging(const fs::path& results, bool dry_run)
    : is_dry_(dry_run), submissions_(results / "submissions"), folder_(submissions_ / ".taking") {
    if (is_dry_) return;
    clear_folder(folder_);
    make_folders(folder_);
    try {
        for (const ClassSubmission& one : read_intake(read_file(results / "intake.json")).submissions)
            earlier_[one.source] = one.id;
    } catch (const FileError&) {    // the first time
    } catch (const IntakeError&) {  // then everything is written
    }
}

Staging::~Staging() {
    if (!is_dry_) remove_tree(folder_);
}

bool Staging::is_there(const fs::path& folder, const std::vector<TakenAnswer>& answers) const {
    const auto folders = names_if(folder, [](fs::file_type type) { return type == fs::file_type::directory; });
    if (!folders || folders->size() != answers.size()) return false;
    for (const TakenAnswer& answer : answers) {
        const fs::path here = folder / answer.folder;
        const auto files = names_if(here, [](fs::file_type type) { return type == fs::file_type::regular; });
        if (!files || files->size() != answer.files.size()) return false;
        for (const TakenFile& file : answer.files)
            if (!files->contains(file.name) || read_file(here / file.name, answer_file_bytes) != file.bytes)
                return false;
    }
    return true;
}

void Staging::write(std::size_t unit, const std::string& source, const std::vector<TakenAnswer>& answers) {
    if (is_dry_) return;
    const auto before = earlier_.find(source);
    if (before != earlier_.end() && !taken_.contains(before->second) &&
        is_there(submissions_ / before->second, answers)) {
        kept_[unit] = before->second;
        taken_.insert(before->second);
        return;
    }
    make_folders(staged(unit));
    for (const TakenAnswer& answer : answers) {
        const fs::path here = staged(unit) / answer.folder;
        make_folders(here);
        for (const TakenFile& file : answer.files) write_file(here / file.name, file.bytes);
    }
}

void Staging::move(const std::vector<std::string>& ids) {
    if (is_dry_) return;
    // First those that get another place than they have: another submission may need it.
    for (const auto& [unit, id] : kept_)
        if (ids[unit] != id) rename_folder(submissions_ / id, staged(unit));
    for (std::size_t unit = 0; unit < ids.size(); ++unit) {
        const auto kept = kept_.find(unit);
        if (kept == kept_.end() || kept->second != ids[unit]) rename_folder(staged(unit), submissions_ / ids[unit]);
    }
}

}  // namespace course

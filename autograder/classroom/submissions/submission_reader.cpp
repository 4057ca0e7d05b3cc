// SPDX-License-Identifier: MIT
#include "classroom/submissions/submission_reader.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "classroom/submissions/formats/names.hpp"
#include "classroom/submissions/take_in.hpp"
#include "collect/collect.hpp"
#include "support/files.hpp"

namespace course {

namespace {

std::string joined(const std::vector<std::string>& path) {
    return fmt::format("{}", fmt::join(path, "/"));
}

std::string mebibytes(std::int64_t bytes) {
    return bytes >= (std::int64_t{1} << 30) && bytes % (std::int64_t{1} << 30) == 0 ? fmt::format("{} GiB", bytes >> 30)
           : bytes >= (std::int64_t{1} << 20)                                       ? fmt::format("{} MiB", bytes >> 20)
                                                                                    : fmt::format("{} bytes", bytes);
}

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

/// The names in a folder, sorted; at most `most`.
std::vector<std::string> names_in(const UniqueFd& folder, std::int64_t max_count) {
    std::vector<std::string> names;
    const int again = ::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (again < 0) return names;
    const std::unique_ptr<DIR, CloseFolder> opened(::fdopendir(again));
    if (!opened) {
        ::close(again);
        return names;
    }
    while (const dirent* const entry = ::readdir(opened.get())) {
        const std::string name = entry->d_name;
        if (name != "." && name != "..") names.push_back(name);
        if (static_cast<std::int64_t>(names.size()) > max_count) break;
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string read_descriptor(const UniqueFd& file, std::size_t max_bytes) {
    std::string text;
    char buffer[65536];
    while (text.size() <= max_bytes) {
        const ssize_t got = ::read(file.get(), buffer, std::min(sizeof buffer, max_bytes + 1 - text.size()));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw ArchiveError(fmt::format("can't be read: {}", std::strerror(errno)));
        if (got == 0) break;
        text.append(buffer, static_cast<std::size_t>(got));
    }
    return text;
}

}  // namespace

std::vector<std::string> own_path(const std::string& path, std::size_t max_bytes, std::string& why_not) {
    why_not.clear();
    if (path.size() > max_bytes)
        why_not = fmt::format("a name of {} bytes", path.size());
    else if (path.empty())
        why_not = "an entry without a readable name";
    else if (path[0] == '/' || path[0] == '\\' || (path.size() > 1 && path[1] == ':'))
        why_not = fmt::format("{} is an absolute name", shown_name(path));
    std::vector<std::string> parts = path_parts(path);
    if (why_not.empty() && std::find(parts.begin(), parts.end(), "..") != parts.end())
        why_not = fmt::format("{} leads out of the archive", shown_name(path));
    return why_not.empty() ? parts : std::vector<std::string>{};
}

bool SubmissionReader::may_take(Source& source) {
    if (--entries_left_ >= 0) return true;
    if (!source.is_over)
        problems_.add(fmt::format("{}has more than {} files and folders; the rest wasn't looked at", source.shown,
                                  limits_.entries));
    source.is_over = true;
    return false;
}

bool SubmissionReader::is_wanted(const std::vector<std::string>& path) const {
    if (path.empty() || is_litter(path.back())) return false;
    if (places_.find(path)) return true;
    const std::vector<std::string> folder(path.begin(), path.end() - 1);
    const bool near = folder.size() <= 1 && places_.may_hold(folder);
    return near && (path.back() == "submission.json" || has_archive_ending(path.back()));
}

void SubmissionReader::folder(const UniqueFd& folder) {
    Source source;
    std::vector<std::string> path;
    walk(folder, path, source, 1);
    // Answers may lie deeper, as in home/ada/gpu-course/work. Those that lie near come first, whatever else is there.
    walk(folder, path, source, AnswerPlaces::max_around);
    compare_list(source);
}

void SubmissionReader::file(const UniqueFd& folder, const std::string& name, const std::string& as, long order) {
    if (may_take(export_)) open_file(folder, name, {as}, export_, {.lms = order});
}

void SubmissionReader::walk(const UniqueFd& folder, std::vector<std::string>& path, Source& source,
                            std::size_t around) {
    const bool was_looked_at = around > 1 && places_.may_hold(path);
    for (const std::string& name : names_in(folder, entries_left_)) {
        if (is_litter(name)) continue;
        if (!may_take(source)) return;
        path.push_back(name);
        const std::string shown = shown_name(joined(path));
        struct stat info {};
        const bool known = ::fstatat(folder.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
        if (known && S_ISDIR(info.st_mode)) {
            if (places_.may_hold(path, around)) {
                const UniqueFd below(
                    ::openat(folder.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
                if (below)
                    walk(below, path, source, around);
                else
                    problems_.add(fmt::format("{} can't be opened: {}", shown, std::strerror(errno)));
            }
        } else if (was_looked_at) {
            // in the walk near the top
        } else if (known && S_ISLNK(info.st_mode)) {
            refuse(path, fmt::format("{} is a link; the kit takes regular files only", shown));
        } else if (known && !S_ISREG(info.st_mode)) {
            refuse(path, fmt::format("{} is a device, a pipe or a socket; the kit takes regular files only", shown));
        } else {
            open_file(folder, name, path, source, {});
        }
        path.pop_back();
    }
}

void SubmissionReader::open_file(const UniqueFd& folder, const std::string& name, const std::vector<std::string>& path,
                       Source& source, UploadOrder order) {
    if (!is_wanted(path)) return not_used(path, source);
    const std::string shown = source.shown + shown_name(joined(path));
    // O_NONBLOCK: opening a named pipe must not wait for a writer.
    UniqueFd file(::openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat info {};
    if (!file || ::fstat(file.get(), &info) != 0) {
        refuse(path, errno == ELOOP ? fmt::format("{} is a link; the kit takes regular files only", shown)
                                    : fmt::format("{} can't be read: {}", shown, std::strerror(errno)));
        return;
    }
    if (!S_ISREG(info.st_mode)) {
        refuse(path, fmt::format("{} isn't a regular file, and the kit takes no others", shown));
        return;
    }
    if (places_.find(path) || path.back() == "submission.json") {
        regular(path, info.st_size, source, order,
                [&](std::size_t max_bytes) { return read_descriptor(file, max_bytes); });
        return;
    }
    if (info.st_size > limits_.archive_bytes) {
        problems_.add(
            fmt::format("{} is larger than {}; no submission needs that", shown, mebibytes(limits_.archive_bytes)));
        return;
    }
    Source within = within_archive(path, source, order);
    try {
        archive(ArchiveReader(std::move(file), unpacked_left_), within);
    } catch (const ArchiveError& why) {
        problems_.add(fmt::format("{} {}", shown, why.what()));
    }
}

void SubmissionReader::archive(ArchiveReader reader, Source& source) {
    std::string problem;
    try {
        while (const std::optional<ArchiveEntry> entry = reader.next()) {
            if (!may_take(source)) break;
            const std::vector<std::string> path = own_path(entry->path, limits_.name_bytes, problem);
            if (!problem.empty())
                problems_.add(fmt::format("{}{}; it was left out", source.shown, problem));
            else
                one(*entry, path, source, source.order, [&](std::size_t max_bytes) { return reader.read(max_bytes); });
        }
    } catch (const ArchiveError& why) {
        problems_.add(fmt::format("{}{}", source.shown, why.what()));
    }
    compare_list(source);
}

void SubmissionReader::entry(const ArchiveEntry& entry, const std::vector<std::string>& path, ArchiveReader& reader,
                             long order) {
    if (may_take(export_))
        one(entry, path, export_, {.lms = order}, [&](std::size_t max_bytes) { return reader.read(max_bytes); });
}

void SubmissionReader::one(const ArchiveEntry& entry, const std::vector<std::string>& path, Source& source,
                           UploadOrder order, const Read& read) {
    if (path.empty() || entry.kind == ArchiveEntry::Kind::folder || is_litter(path.front())) return;
    const std::string shown = source.shown + shown_name(joined(path));
    if (entry.kind == ArchiveEntry::Kind::link) {
        refuse(path, fmt::format("{} is a link; the kit takes regular files only", shown));
    } else if (entry.kind == ArchiveEntry::Kind::other) {
        refuse(path, fmt::format("{} is a device or a pipe; the kit takes regular files only", shown));
    } else if (entry.encrypted) {
        if (!source.said_encrypted)
            refuse(path, fmt::format("{} is encrypted; ask for an archive without a password", shown));
        source.said_encrypted = true;
    } else if (entry.sparse) {
        refuse(path, fmt::format("{} is a sparse file; the kit takes plain files only", shown));
    } else if (is_wanted(path)) {
        try {
            regular(path, entry.size, source, order, read);
        } catch (const ArchiveError& why) {
            refuse(path, fmt::format("{} can't be read: the archive {}", shown, why.what()));
        }
    } else if (entry.size > limits_.archive_bytes) {
        problems_.add(fmt::format("{} is larger than {}; it was left out", shown, mebibytes(limits_.archive_bytes)));
    } else {
        not_used(path, source);
    }
}

void SubmissionReader::not_used(const std::vector<std::string>& path, const Source& source) {
    constexpr std::size_t max_names = 4;
    if (path.back().starts_with('.')) return;
    const std::string shown = source.shown + shown_name(joined(path));
    const bool is_near = path.size() <= 2 || others_.empty();
    if (is_near && others_.size() < max_names) {
        others_.push_back(shown);
        has_known_name_ = has_known_name_ || places_.is_file_name(path.back());
    }
    if (const std::optional<std::size_t> exercise = places_.exercise_meant(path))
        if (std::vector<std::string>& names = misnamed_[*exercise]; names.size() < max_names) names.push_back(shown);
}

void SubmissionReader::refuse(const std::vector<std::string>& path, const std::string& line) {
    problems_.add(line);
    if (const std::optional<AnswerPlace> place = places_.find(path)) refused_.emplace(place->exercise, line);
}

void SubmissionReader::regular(const std::vector<std::string>& path, std::int64_t size, Source& source,
                               UploadOrder order, const Read& read) {
    const std::string name = joined(path), shown = source.shown + shown_name(name);
    const std::optional<AnswerPlace> place = places_.find(path);
    const bool is_list = !place && path.back() == "submission.json";
    if (!place && !is_list) {
        if (source.depth >= limits_.depth) {
            problems_.add(fmt::format("{} is an archive in {} others; it was left out", shown, source.depth));
            return;
        }
        std::string bytes = size > static_cast<std::int64_t>(limits_.nested_archive_bytes)
                                ? std::string()
                                : read(limits_.nested_archive_bytes);
        if (size > static_cast<std::int64_t>(limits_.nested_archive_bytes) ||
            bytes.size() > limits_.nested_archive_bytes)
            problems_.add(fmt::format("{} is larger than {}, too large for an archive within another; it was left out",
                                      shown, mebibytes(static_cast<std::int64_t>(limits_.nested_archive_bytes))));
        else
            nested(path, std::move(bytes), source, order);
        return;
    }
    constexpr std::size_t max_bytes = answer_file_bytes;
    static_assert(submitted_list_bytes == answer_file_bytes);
    std::string bytes = size > static_cast<std::int64_t>(max_bytes) ? std::string() : read(max_bytes);
    if (size > static_cast<std::int64_t>(max_bytes) || bytes.size() > max_bytes) {
        refuse(path, fmt::format("{} is larger than 1 MiB; no answer needs that", shown));
        return;
    }
    if (is_list) {
        source.list = read_submitted_list(bytes);
        source.list_folder = path.size() > 1 ? path.front() + "/" : "";
        if (!source.list) problems_.add(fmt::format("{} isn't a list that make submit writes", shown));
        return;
    }
    const bool was_full = kept_ > limits_.kept_bytes;
    kept_ += bytes.size();
    if (kept_ > limits_.kept_bytes) {
        if (!was_full)
            problems_.add(fmt::format("{} and what comes after it wasn't taken: a submission may have {} of files",
                                      shown, mebibytes(static_cast<std::int64_t>(limits_.kept_bytes))));
        return;
    }
    source.digests.emplace_back(name, digest(bytes));
    const std::vector<std::string> folder(path.begin(), path.end() - 1);
    std::string where = source.shown + shown_name(joined(folder));
    if (where.ends_with(": ")) where.resize(where.size() - 2);
    choice_.add(*place, where, shown, std::move(bytes), order);
}

void SubmissionReader::nested(const std::vector<std::string>& path, std::string bytes, const Source& around,
                              UploadOrder order) {
    Source within = within_archive(path, around, order);
    try {
        archive(ArchiveReader(std::move(bytes), unpacked_left_), within);
    } catch (const ArchiveError& why) {
        problems_.add(fmt::format("{}{} {}", around.shown, shown_name(joined(path)), why.what()));
    }
}

SubmissionReader::Source SubmissionReader::within_archive(const std::vector<std::string>& path, const Source& around,
                                                          UploadOrder order) {
    constexpr std::int64_t copies_of_archive = 10'000;
    return {
        .shown = around.shown + shown_name(joined(path)) + ": ",
        .order = {.lms = order.lms, .archive = order.archive * copies_of_archive + copy_number_of_archive(path.back())},
        .depth = around.depth + 1};
}

void SubmissionReader::compare_list(const Source& source) {
    if (!source.list) return;
    for (const SubmittedList::File& file : source.list->files) {
        const std::string path = source.list_folder + file.path;
        // Files of other exercises weren't read.
        const std::vector<std::string> parts = path_parts(path);
        if (!places_.find(parts)) continue;
        const auto read = std::find_if(source.digests.rbegin(), source.digests.rend(),
                                       [&](const auto& one) { return one.first == path; });
        const std::string shown = source.shown + shown_name(path);
        if (read == source.digests.rend())
            problems_.add(fmt::format("{} is on the list of make submit, and isn't there", shown));
        else if (read->second != file.digest)
            problems_.add(
                fmt::format("{} isn't the file that make submit packed: it was changed afterwards; it was "
                            "taken as it is",
                            shown));
    }
    list_ = source.list;
}

std::vector<UnusableAnswer> SubmissionReader::unusable(const std::vector<TakenAnswer>& answers) {
    const auto is_taken = [&](std::size_t exercise) {
        return std::any_of(answers.begin(), answers.end(),
                           [&](const TakenAnswer& one) { return one.number == places_.exercises()[exercise].number; });
    };
    std::erase_if(misnamed_, [&](const auto& one) { return is_taken(one.first) || refused_.contains(one.first); });
    std::vector<UnusableAnswer> all;
    const auto names_of = [&](const std::vector<std::string>& found, const std::vector<std::size_t>& exercises) {
        return fmt::format("(found: {}; expected: {})", fmt::join(found, ", "), places_.expected_names(exercises));
    };
    for (const auto& [exercise, line] : refused_)
        if (!is_taken(exercise)) all.push_back({places_.exercises()[exercise].number, line});
    for (const auto& [exercise, names] : misnamed_) {
        const int number = places_.exercises()[exercise].number;
        all.push_back({number, "none of the files has its name " + names_of(names, {exercise})});
        if (!answers.empty())
            problems_.add(
                fmt::format("exercise {}: none of the files has its name {}", number, names_of(names, {exercise})));
    }
    return all;
}

FoundInstead SubmissionReader::found_instead() const {
    FoundInstead found{.what = {}, .files = others_};
    for (const auto& [exercise, names] : misnamed_) found.meant.push_back(exercise);
    if (choice_.has_stubs()) {
        found.what = "the exercises in it are as they were given, and there is no other answer";
        found.by_name = false;
    } else if (!others_.empty()) {
        found.what = has_known_name_ ? "no exercise's file lies where an answer may lie"
                                     : "none of the files has an exercise's file name";
    } else if (problems_.text().empty()) {
        found.what = "there is no file in it that could be an answer";
    }
    return found;
}

SubmissionReader::Result SubmissionReader::finish() {
    compare_list(export_);
    Result result;
    result.answers = choice_.choose();
    result.list = std::move(list_);
    result.unusable = unusable(result.answers);
    if (result.answers.empty()) {
        result.unusable.push_back({UnusableAnswer::any_exercise, problems_.text()});
        result.instead = found_instead();
    }
    result.problems = problems_.take();
    return result;
}

}  // namespace course

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

/// The names in a folder, if it is one and not a link; `what` must hold for each.
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
    // First those that change places: another submission may need theirs.
    for (const auto& [unit, id] : kept_)
        if (ids[unit] != id) rename_folder(submissions_ / id, staged(unit));
    for (std::size_t unit = 0; unit < ids.size(); ++unit) {
        const auto kept = kept_.find(unit);
        if (kept == kept_.end() || kept->second != ids[unit]) rename_folder(staged(unit), submissions_ / ids[unit]);
    }
}

}  // namespace course

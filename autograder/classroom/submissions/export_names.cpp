// SPDX-License-Identifier: MIT
#include "classroom/submissions/export_names.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include <fcntl.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include "classroom/submissions/formats/names.hpp"
#include "classroom/submissions/submission_reader.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::string_view metadata_name = "submission_metadata.yml";
constexpr std::size_t max_metadata_bytes = std::size_t{64} << 20;
constexpr std::size_t max_names = 500'000;  // in the top-level folders of an archive

/// The names at one level of an archive, with those one level below each.
struct ArchiveTops {
    struct Top {
        bool is_folder = false, is_repository = false;
        std::size_t entries = 0;
        std::map<std::string, Top> below;
    };
    std::map<std::string, Top> tops;
    std::map<std::string, std::string> metadata;  // by its folder
    std::vector<std::string> problems;
};

ArchiveTops scan_archive(const fs::path& path, const IntakeLimits& limits) {
    ArchiveTops found;
    std::int64_t unpacked = limits.class_bytes, entries = 0;
    std::size_t below = 0;
    std::string problem;
    ProblemLines problems(limits.problems);
    try {
        ArchiveReader reader = open_export(path, unpacked);
        while (const std::optional<ArchiveEntry> entry = reader.next()) {
            if (++entries > limits.class_entries) {
                problems.add(
                    fmt::format("it has more than {} entries; the rest wasn't looked at", limits.class_entries));
                break;
            }
            const std::vector<std::string> parts = own_path(entry->path, limits.name_bytes, problem);
            if (!problem.empty()) problems.add(problem + "; it was left out");
            if (parts.empty()) continue;
            const bool is_folder = entry->kind == ArchiveEntry::Kind::folder;
            ArchiveTops::Top& top = found.tops[parts[0]];
            ++top.entries;
            top.is_folder = top.is_folder || parts.size() > 1 || is_folder;
            if (parts.size() > 1) {
                top.is_repository = top.is_repository || parts[1] == ".git";
                if (!top.below.contains(parts[1]) && ++below > max_names) {
                    problems.add(fmt::format("it has more than {} names; the rest wasn't looked at", max_names));
                    continue;
                }
                ArchiveTops::Top& second = top.below[parts[1]];
                ++second.entries;
                second.is_folder = second.is_folder || parts.size() > 2 || is_folder;
                second.is_repository = second.is_repository || (parts.size() > 2 && parts[2] == ".git");
            }
            if (parts.size() <= 2 && parts.back() == metadata_name && entry->kind == ArchiveEntry::Kind::file) {
                std::string text = reader.read(max_metadata_bytes);
                if (text.size() > max_metadata_bytes)
                    throw IntakeError("submission_metadata.yml is larger than 64 MiB");
                found.metadata[parts.size() == 1 ? "" : parts[0]] = std::move(text);
            }
        }
    } catch (const ArchiveError& why) {
        refuse_broken_export(path, why);
    }
    for (const std::string& line : problems.take())
        found.problems.push_back(fmt::format("{}: {}", shown_name(path.filename().string()), line));
    return found;
}

std::vector<TopName> top_names(const std::map<std::string, ArchiveTops::Top>& tops) {
    std::vector<TopName> names;
    for (const auto& [name, top] : tops) names.push_back({name, top.is_folder, top.is_repository});
    return names;
}

ExportNames of_archive(const fs::path& path, const IntakeOptions& options, const AnswerPlaces& places) {
    ArchiveTops scan = scan_archive(path, options.limits);
    ExportNames exported{.is_archive = true,
                         .path = path,
                         .around = {},
                         .names = top_names(scan.tops),
                         .entries = {},
                         .gradescope = {},
                         .problems = std::move(scan.problems)};
    const auto* tops = &scan.tops;
    std::vector<std::string> folders;
    for (const TopName& one : exported.names)
        if (!is_litter(one.name)) folders.push_back(one.name);
    if (folders.size() == 1 && scan.tops[folders[0]].is_folder && !is_an_export(exported.names, places)) {
        const std::vector<TopName> below = top_names(scan.tops[folders[0]].below);
        if (is_an_export(below, places)) {
            exported.around = folders;
            exported.names = below;
            tops = &scan.tops[folders[0]].below;
        }
    }
    for (const auto& [name, top] : *tops) exported.entries[name] = top.entries;
    const auto metadata = scan.metadata.find(exported.around.empty() ? "" : exported.around[0]);
    if (metadata != scan.metadata.end()) exported.gradescope = std::move(metadata->second);
    return exported;
}

ExportNames of_folder(const fs::path& path, const IntakeOptions& options, const AnswerPlaces& places, bool look_below) {
    ExportNames exported{
        .is_archive = false, .path = path, .around = {}, .names = {}, .entries = {}, .gradescope = {}, .problems = {}};
    std::error_code error;
    const fs::path results = fs::weakly_canonical(options.into, error), here = fs::weakly_canonical(path, error);
    const fs::path inside = results.lexically_relative(here);  // our own results are nobody's submission
    for (fs::directory_iterator it(path, error), end; it != end && !error; it.increment(error)) {
        const std::string name = it->path().filename().string();
        struct stat info {};
        if (::lstat(it->path().c_str(), &info) != 0 || is_litter(name)) continue;
        if (!inside.empty() && *inside.begin() == name) continue;
        if (S_ISLNK(info.st_mode) || (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))) {
            exported.problems.push_back(fmt::format("{} is {}; it was left out", shown_name(name),
                                                    S_ISLNK(info.st_mode) ? "a link" : "a device, a pipe or a socket"));
            continue;
        }
        struct stat git {};
        const bool is_repository = S_ISDIR(info.st_mode) && ::lstat((it->path() / ".git").c_str(), &git) == 0;
        exported.names.push_back({name, S_ISDIR(info.st_mode), is_repository});
    }
    if (error) throw IntakeError(fmt::format("{} can't be read: {}", shown_name(path.string()), error.message()));
    const auto by_name = [](const TopName& a, const TopName& b) { return a.name < b.name; };
    std::sort(exported.names.begin(), exported.names.end(), by_name);
    std::sort(exported.problems.begin(), exported.problems.end());
    std::vector<TopName> units;
    for (const TopName& one : exported.names)
        if (!one.name.starts_with('.') && (one.is_folder || has_archive_ending(one.name))) units.push_back(one);
    if (look_below && units.size() == 1 && !is_an_export(exported.names, places)) {
        const fs::path inner = path / units[0].name;
        try {
            ExportNames below =
                units[0].is_folder ? of_folder(inner, options, places, false) : of_archive(inner, options, places);
            if (is_an_export(below.names, places)) return below;
        } catch (const IntakeError&) {  // it is a submission, and reported there
        }
    }
    for (const TopName& one : exported.names)
        if (!one.is_folder && one.name == metadata_name) {
            exported.gradescope = read_file(path / one.name, max_metadata_bytes);
            if (exported.gradescope->size() > max_metadata_bytes)
                throw IntakeError("submission_metadata.yml is larger than 64 MiB");
        }
    return exported;
}

/// The LMS export in this folder or archive; nothing if it is something else.
std::optional<ExportNames> lms_export(const fs::path& path, bool is_folder, const IntakeOptions& options,
                                      const AnswerPlaces& places) {
    try {
        ExportNames inner = is_folder ? of_folder(path, options, places, true) : of_archive(path, options, places);
        if (is_an_lms_export(inner.names)) return inner;
    } catch (const IntakeError&) {  // it is a submission, and reported there
    }
    return std::nullopt;
}

}  // namespace

void refuse_broken_export(const fs::path& path, const ArchiveError& why) {
    throw IntakeError(fmt::format("{} {}; answers may be missing, so nothing was graded: download it again, or unpack "
                                  "what can be unpacked and give that folder",
                                  shown_name(path.filename().string()), why.what()));
}

ArchiveReader open_export(const fs::path& path, std::int64_t& unpacked_bytes) {
    UniqueFd file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    struct stat info {};
    if (!file || ::fstat(file.get(), &info) != 0)
        throw IntakeError(fmt::format("{} can't be read: {}", shown_name(path.string()), std::strerror(errno)));
    if (!S_ISREG(info.st_mode))
        throw IntakeError(fmt::format("{} is neither a folder nor an archive", shown_name(path.string())));
    return {std::move(file), unpacked_bytes};
}

std::vector<std::string> below_top(const ExportNames& exported, const std::string& path, std::size_t max_bytes) {
    std::string problem;
    std::vector<std::string> parts = own_path(path, max_bytes, problem);
    for (const std::string& folder : exported.around) {
        if (parts.empty() || parts[0] != folder) return {};
        parts.erase(parts.begin());
    }
    return parts;
}

std::vector<ExportNames> read_exports(const IntakeOptions& options, const AnswerPlaces& places) {
    struct stat info {};
    if (::stat(options.submissions.c_str(), &info) != 0)
        throw IntakeError(fmt::format("there is no {}: give the folder or the archive that the LMS exported",
                                      shown_name(options.submissions.string())));
    std::vector<ExportNames> exports;
    if (!S_ISDIR(info.st_mode)) {
        exports.push_back(of_archive(options.submissions, options, places));
        return exports;
    }
    ExportNames whole = of_folder(options.submissions, options, places, true);
    if (whole.path == options.submissions && !is_an_lms_export(whole.names)) {
        // All or none: a student's archive may be built to look like an export.
        for (const TopName& one : whole.names) {
            if (one.name.starts_with('.') || (!one.is_folder && !has_archive_ending(one.name))) continue;
            std::optional<ExportNames> inner =
                lms_export(options.submissions / one.name, one.is_folder, options, places);
            if (!inner) {
                exports.clear();
                break;
            }
            exports.push_back(std::move(*inner));
        }
        if (exports.size() > 1) {
            exports[0].problems.insert(exports[0].problems.begin(), whole.problems.begin(), whole.problems.end());
            return exports;
        }
        exports.clear();
    }
    exports.push_back(std::move(whole));
    return exports;
}

}  // namespace course

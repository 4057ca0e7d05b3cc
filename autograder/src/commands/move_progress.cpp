// SPDX-License-Identifier: MIT
#include "commands/move_progress.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "collect/collect.hpp"
#include "commands/commands.hpp"
#include "commands/progress_map.hpp"
#include "progress/progress.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

// Shows the progress as a map, or moves it to another machine as one text file: --export writes it, --import reads it.
namespace course {

namespace {

/// Where `course progress` takes the progress to, or from. At most one of the two is given.
struct ProgressOptions {
    std::string export_to, import_from;  ///< a file; "-": standard output or input
};

constexpr std::size_t largest = std::size_t{1} << 20;

/// Reads a progress file of the user's choice, carefully: it may be anything.
std::string read_import(const std::string& name) {
    const std::filesystem::path path = name == "-" ? "/dev/stdin" : name;
    if (std::filesystem::is_directory(path)) throw UsageError(fmt::format("--import {}: that is a folder", name));
    std::string text;
    try {
        text = read_stream(path, largest);
    } catch (const FileError& error) {
        throw UsageError(fmt::format("--import {}: {}", name, error.what()));
    }
    if (text.size() > largest) throw UsageError(fmt::format("--import {}: larger than 1 MiB, no progress is", name));
    if (text.find('\0') != text.npos)
        throw UsageError(fmt::format("--import {}: it holds a NUL byte, so it isn't a text", name));
    return text;
}

/// What an import changes: "raw_add passed", "reduce 4 attempts".
std::string news_of(const std::string& name, const ExerciseProgress& before, const ExerciseProgress& after) {
    if (after.passed && !before.passed) return fmt::format("  {:<16} now passed\n", name);
    const bool starred = after.stars != before.stars;
    if (after.attempts != before.attempts || after.hints_used != before.hints_used || after.points != before.points ||
        starred)
        return fmt::format("  {:<16} {}, {}/3 hints used{}{}\n", name,
                           plural(after.attempts, "attempt"), after.hints_used, starred ? ", stars: " : "",
                           fmt::join(starred ? after.stars : std::set<std::string>(), " "));
    return "";
}

int import_progress(const Progress& progress, const std::string& name) {
    const ProgressText other = parse_progress(read_import(name));
    if (other.records.empty())
        throw UsageError(
            fmt::format("--import {}: it has no line such as \"raw_add passed 1\". Make the file with "
                        "course progress --export FILE; nothing was changed",
                        name));
    std::string news;
    int passed = 0;
    progress.update_all([&](ProgressText& own) {
        ProgressText::Records before = own.records;
        for (const auto& [exercise, record] : other.records)
            own.records[exercise] = merged(own.records[exercise], record);
        for (const auto& [exercise, record] : own.records) {
            news += news_of(exercise, before[exercise], record);
            passed += record.passed ? 1 : 0;
        }
        own = parse_progress(progress_text(own) + progress_text({{}, other.unknown}));  // each unknown line once
    });
    print(fmt::format("{} read: {}.{}\n{}{} passed in all.\n", name == "-" ? "standard input" : name,
                      plural(other.records.size(), "exercise"), news.empty() ? " Nothing is new." : "", news,
                      plural(passed, "exercise")));
    if (const std::size_t lines = other.unknown.size(); lines > 0)
        print(fmt::format("{} {} not understood and kept; a newer kit may know {}. The first: {}\n",
                          plural(lines, "line"), lines == 1 ? "was" : "were", lines == 1 ? "it" : "them",
                          plain_text(other.unknown.front(), 80, 1)));
    return 0;
}

int progress_command(const Kit& kit, const ProgressOptions& options) {
    const Progress progress(kit.root / "work");
    if (!options.export_to.empty() && !options.import_from.empty())
        throw UsageError("--export and --import at once; say one of the two");
    if (!options.import_from.empty()) return import_progress(progress, options.import_from);
    if (options.export_to.empty()) {
        print(progress_map(kit, Style::of_descriptor(STDOUT_FILENO)));
        return 0;
    }
    const ProgressText all = progress.read_all();
    if (options.export_to == "-") {
        print(progress_text(all));
        return 0;
    }
    write_file_atomically(options.export_to, progress_text(all));
    print(fmt::format("{}: the progress of {}. On the other machine: make progress IMPORT=FILE\n",
                      options.export_to, plural(all.records.size(), "exercise")));
    return 0;
}

}  // namespace

void add_progress(CommandLine& line) {
    auto [command, options] = line.add(
        "progress", "the map of the course, with misconceptions met and mended; or your progress as a file",
        progress_command);
    command.option("--export", &options.export_to,
                   "the text file to write, for another machine (-: standard output)");
    command.option("--import", &options.import_from,
                   "read such a file (-: standard input); nothing that was reached here is lost");
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

namespace {

using namespace std::chrono_literals;

constexpr auto rest = 150ms;         // for an existing file
constexpr auto absence = 1500ms;     // for a missing one: between two steps of an editor, or deleted
constexpr auto read_all_again = 2s;  // regardless of times and sizes

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
    } catch (const CollectError& error) {  // too large, a link, not readable: judging it reports this
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

// SPDX-License-Identifier: MIT
// Progress as one text file, for another machine: out with --export, in with --import.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands/commands.hpp"
#include "progress/progress.hpp"
#include "report/output.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

namespace {

constexpr std::size_t largest = std::size_t{1} << 20;

/// A progress file of the user's choice, read with care: it may be anything.
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

/// What an import brings: "raw_add passed", "reduce 4 attempts".
std::string news_of(const std::string& name, const ExerciseProgress& before, const ExerciseProgress& after) {
    if (after.passed && !before.passed) return fmt::format("  {:<16} now passed\n", name);
    const bool starred = after.stars != before.stars;
    if (after.attempts != before.attempts || after.hints_used != before.hints_used || after.points != before.points ||
        starred)
        return fmt::format("  {:<16} {} attempt{}, {}/3 hints used{}{}\n", name, after.attempts,
                           after.attempts == 1 ? "" : "s", after.hints_used, starred ? ", stars: " : "",
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
    print(fmt::format("{} read: {} exercise{}.{}\n{}{} exercise{} passed in all.\n",
                      name == "-" ? "standard input" : name, other.records.size(), other.records.size() == 1 ? "" : "s",
                      news.empty() ? " Nothing is new." : "", news, passed, passed == 1 ? "" : "s"));
    if (const std::size_t lines = other.unknown.size(); lines > 0)
        print(fmt::format("{} line{} {} not understood and kept; a newer kit may know {}. The first: {}\n", lines,
                          lines == 1 ? "" : "s", lines == 1 ? "was" : "were", lines == 1 ? "it" : "them",
                          plain_text(other.unknown.front(), 80, 1)));
    return 0;
}

}  // namespace

int progress_command(const Kit& kit, const ProgressOptions& options) {
    const Progress progress(kit.root / "work");
    if (!options.export_to.empty() && !options.import_from.empty())
        throw UsageError("--export and --import at once; say one of the two");
    if (!options.import_from.empty()) return import_progress(progress, options.import_from);
    const ProgressText all = progress.read_all();
    if (options.export_to.empty() || options.export_to == "-") {
        print(progress_text(all));
        return 0;
    }
    write_file_atomically(options.export_to, progress_text(all));
    print(fmt::format("{}: the progress of {} exercise{}. On the other machine: make progress IMPORT=FILE\n",
                      options.export_to, all.records.size(), all.records.size() == 1 ? "" : "s"));
    return 0;
}

}  // namespace course

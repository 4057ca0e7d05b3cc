// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

#include "collect/collect.hpp"
#include "commands/commands.hpp"
#include "manifest/names.hpp"
#include "progress/submission.hpp"
#include "report/task_text.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// Whose answers `course submit` packs, and where to.
struct SubmitOptions {
    std::string out;       ///< empty: work/submission-ID.zip
    std::string name, id;  ///< of the student; empty: what was said before, else it is asked
};

constexpr std::size_t max_bytes = std::size_t{16} << 20;

/// Asks until the answer is usable, at most three times.
std::string ask(const std::string& question, const std::string& what) {
    for (int k = 0; k < 3; ++k) {
        print(question + ": ");
        std::string line;
        if (!std::getline(std::cin, line)) break;
        line.erase(0, std::min(line.find_first_not_of(" \t\r"), line.size()));
        line.erase(line.find_last_not_of(" \t\r") + 1);
        const std::string why_not = why_not_a_name(line, what);
        if (why_not.empty()) return line;
        print(fmt::format("That can't be: {}.\n", why_not));
    }
    throw UsageError(fmt::format("no {} was given, so nothing was packed", what));
}

/// The name or ID from the command line, from the last time, or from the student at the terminal.
std::string known(const std::string& given, const std::string& remembered, const std::string& what) {
    if (!given.empty()) {
        if (const std::string why_not = why_not_a_name(given, what); !why_not.empty()) throw UsageError(why_not);
        return given;
    }
    if (!remembered.empty()) return remembered;
    if (::isatty(STDIN_FILENO) == 1) return ask(what == "name" ? "Your name" : "Your ID at the course", what);
    throw UsageError(
        fmt::format("whose answers are these? The {} isn't known yet: "
                    "make submit NAME=\"Ada Lovelace\" ID=s123",
                    what));
}

/// "work/submission-s123.zip": an ID may contain letters that are unsuitable for file names.
fs::path usual_archive(const Kit& kit, const std::string& id) {
    std::string name;
    for (const char c : id) name += is_of_identifier(c) ? c : '-';
    return kit.root / "work" / fmt::format("submission-{}.zip", name);
}

std::string verdict_text(const SubmittedExercise& exercise) {
    if (!exercise.last_verdict.empty()) return exercise.last_verdict;
    const std::string judge = fmt::format("make exercise-{}", exercise.number);
    if (exercise.earlier_verdict.empty()) return fmt::format("not judged yet ({})", judge);
    return fmt::format("changed since it was judged: {} ({})", exercise.earlier_verdict, judge);
}

std::string contents_text(const Submission& submission) {
    std::string text =
        fmt::format("From {}, ID {}, kit {}\n", submission.student.name, submission.student.id, submission.kit_version);
    for (const SubmittedExercise& one : submission.exercises) {
        text += fmt::format("  {:>2}  {:<20} {}\n", one.number, one.name, verdict_text(one));
        for (const ArchivedFile& file : one.files)
            text += fmt::format("        {}, {} bytes\n", file.path, file.bytes.size());
    }
    if (submission.not_started > 0)
        text += fmt::format("  not started: {}\n", plural(submission.not_started, "exercise"));
    return text;
}

int submit_command(const Kit& kit, const SubmitOptions& options) {
    const fs::path remembered = kit.root / "work" / ".student";
    const Student before = read_student(remembered);
    Submission submission = gather_submission(kit, before);
    // Nobody should be asked for a name only to learn that there is nothing to submit.
    const bool asks = !submission.exercises.empty();
    const Student student = asks ? Student{known(options.name, before.name, "name"), known(options.id, before.id, "ID")}
                                 : before;
    submission.student = student;
    if (student.name != before.name || student.id != before.id) write_student(remembered, student);
    const Style style = Style::of_descriptor(STDOUT_FILENO);
    std::string problems;
    for (const std::string& why : submission.left_out)
        problems += style.bad("Left out") + ", as it can't be taken:\n" + indented(why, 2);
    if (submission.exercises.empty()) {
        print(problems);
        print_error(submission.left_out.empty()
                        ? "course: there is nothing to hand in: no exercise has an answer yet. Begin with make\n"
                        : "course: so nothing is left to hand in\n");
        return 4;
    }
    const std::string archive = submission_archive(submission);
    if (archive.size() > max_bytes)
        throw UsageError(fmt::format("the archive would have {} MiB; no submission needs more than {}",
                                     archive.size() >> 20, max_bytes >> 20));
    const fs::path out = options.out.empty() ? usual_archive(kit, student.id) : fs::path(options.out);
    if (fs::is_directory(out)) throw UsageError(fmt::format("--out {}: that is a folder; name a file", out.string()));
    write_file_atomically(out, archive);
    print(contents_text(submission) + problems +
          fmt::format("Hand in this file{}: {}\n", problems.empty() ? "" : " once that is put right, or as it is",
                      shown_path(fs::absolute(out), kit.root)));
    return submission.left_out.empty() ? 0 : 1;
}

}  // namespace

void add_submit(CommandLine& line) {
    auto [command, options] = line.add("submit", "pack what you have begun into one archive", submit_command);
    command.option("--out", &options.out, "the archive (default: work/submission-ID.zip)");
    command.option("--name", &options.name, "your name (default: as last time; else it is asked)");
    command.option("--id", &options.id, "your ID at the course (the same)");
}

}  // namespace course

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "collect/collect.hpp"
#include "commands/commands.hpp"
#include "kit/edition.hpp"
#include "kit/puzzle.hpp"
#include "kit/work_folder.hpp"
#include "lessons/page_text.hpp"
#include "progress/progress.hpp"
#include "report/task_text.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

// Help for a student who is stuck: hints, restoring the stub, the solution.
namespace fs = std::filesystem;

namespace course {

namespace {

constexpr int last_hint = 3;

/// The third hint is generated from the solution. An edition without solutions has it ready-made, or doesn't have it.
std::string hint_text(const Kit& kit, const Manifest& manifest, int which) {
    if (which < last_hint) return manifest.hints.at(static_cast<std::size_t>(which) - 1);
    if (manifest.third_hint.empty() && !fs::is_directory(kit.solution(manifest.folder)))
        return "It is made of the solution, which this edition leaves out.\n";
    const char* const student = std::getenv("USER");
    return puzzle_text(kit, manifest, student ? student : "");
}

}  // namespace

int hint_command(const Kit& kit, int number) {
    const Manifest manifest = kit.manifest(number);
    const Progress progress(kit.root / "work");
    int used = progress.of(manifest.name).hints_used;
    constexpr int last = last_hint;
    if (used < last) {
        ++used;
        try {
            progress.update(manifest.name, [&](ExerciseProgress& record) { record.hints_used = used; });
        } catch (const FileError& error) {
            print_error(fmt::format("course: the hint could not be noted as used: {}\n", error.what()));
        }
    }
    std::string text = fmt::format("Exercise {} {}\n", manifest.number, manifest.name);
    for (int k = 1; k <= used; ++k)
        text += fmt::format("Hint {} of {}\n", k, last) +
                (k < last ? wrapped(hint_text(kit, manifest, k), 2) : indented(hint_text(kit, manifest, k), 2));
    text += used < last ? fmt::format("The next one: make hint-{}\n", number)
                        : fmt::format("That was the last one. See also exercises/{}/README.md\n",
                                      manifest.folder.filename().string());
    print(text);
    return 0;
}

void add_hint(CommandLine& line) {
    auto [command, number] = line.add("hint", "the next of three hints", hint_command);
    command.exercise_number(number);
}

int reset_command(const Kit& kit, int number, bool yes) {
    const Manifest manifest = kit.manifest(number);
    const fs::path folder = kit.work(manifest.folder);
    const std::string shown = shown_path(folder, kit.root);
    if (!yes && fs::exists(folder)) {
        print(fmt::format("Start exercise {} again? {} in {} {} replaced by the stub; what you wrote is kept as .bak.\n"
                          "Reset (y/n)? ", number, fmt::join(manifest.edit, " and "), shown,
                          manifest.edit.size() == 1 ? "is" : "are"));
        std::string answer;
        std::getline(std::cin, answer);
        if (answer != "y" && answer != "Y" && answer != "yes") {
            print("\nNothing was changed.\n");
            return 0;
        }
    }
    const std::vector<std::string> kept = reset_work_folder(kit, manifest);
    refresh_editor_files(kit);
    print(fmt::format("{} is as it was at the start.{}\n", shown,
                      kept.empty() ? "" : fmt::format(" Kept: {}", fmt::join(kept, ", "))));
    return 0;
}

int solution_command(const Kit& kit, int number, bool force) {
    const Manifest manifest = kit.manifest(number);
    const fs::path folder = kit.solution(manifest.folder);
    if (!kit.has_solutions()) {
        print_error(fmt::format("course: {}\n", no_solutions_text(kit)));
        return 3;
    }
    if (!fs::is_directory(folder)) throw UsageError(fmt::format("there is no solution to exercise {}", number));
    if (!force && !Progress(kit.root / "work").of(manifest.name).passed) {
        print_error(
            fmt::format("course: the solution to exercise {0} is shown once yours has passed (make "
                        "exercise-{0}).\nA hint: make hint-{0}. To see it all the same: make solution-{0} "
                        "FORCE=1\n",
                        number));
        return 3;
    }
    for (const std::string& name : manifest.edit) {
        const std::string shown = shown_path(folder / name, kit.root);
        print(fmt::format("--- {}\n{}\n", shown, read_file(folder / name)));
    }
    print(fmt::format("To compare: diff -r {} {}\n", shown_path(kit.work(manifest.folder), kit.root),
                      shown_path(folder, kit.root)));
    return 0;
}

void add_reset(CommandLine& line) {
    auto [command, number, yes] = line.add("reset", "start an exercise again; keeps a copy", reset_command);
    command.exercise_number(number);
    command.option("--yes", &yes, "don't ask");
}

void add_solution(CommandLine& line) {
    auto [command, number, force] = line.add("solution", "a worked solution, once yours has passed", solution_command);
    command.exercise_number(number);
    command.option("--force", &force, "before yours has passed");
}

// The kit's pages in a terminal: `course help TOPIC`.

namespace {

struct Topic {
    std::string_view name, about, page;
    std::string_view section = {};  ///< a heading of the page; empty: all of it
};

constexpr Topic topics[] = {
    {"loop", "a student's commands", "docs/student.md", "The loop"},
    {"watch", "judged when you save", "docs/student.md", "Judged when you save"},
    {"verdicts", "what a verdict means, and what to do", "docs/student.md", "Reading a verdict"},
    {"ledger", "what a line costs", "docs/student.md", "The ledger: what a line costs"},
    {"host", "without a GPU, and check mode", "docs/student.md", "Without a GPU: the host backend"},
    {"submit", "handing in", "docs/student.md", "Handing in"},
    {"progress", "the map, and where your progress is kept", "docs/student.md", "Your progress"},
    {"own", "a function of yours as an exercise", "docs/student.md", "Your own code"},
    {"rules", "the six rules of the machine in your head", "lessons/notional-machine.md"},
    {"pictures", "what make show-N draws", "docs/pictures.md"},
    {"debugging", "gdb in a kernel", "docs/debugging.md"},
    {"editors", "kernels in your editor", "docs/editors.md"},
    {"eigen", "from Eigen, NumPy and CuPy to libgpu", "docs/from-eigen-and-numpy.md"},
    {"words", "what each word means", "docs/glossary.md"},
    {"commands", "every command and its options", "docs/commands.md"},
    {"environment", "every environment variable", "docs/environment.md"},
    {"grading", "for instructors: grading a class", "docs/instructor.md", "Grading a class"},
    {"security", "for instructors: what a student's code can't do", "docs/security.md"},
};

std::string list_of_topics() {
    std::string text;
    for (const Topic& topic : topics) text += fmt::format("  {:<12} {}\n", topic.name, topic.about);
    return text;
}

/// @param name of a topic; empty: which there are
int help_command(const Kit& kit, const std::string& name) {
    if (name.empty()) {
        print(
            fmt::format("Topics, each shown by {0} help TOPIC:\n{1}The commands: {0} --help, or make help.\n"
                        "All pages with pictures and a search: make docs\n",
                        kit.command(), list_of_topics()));
        return 0;
    }
    const auto* const topic =
        std::find_if(std::begin(topics), std::end(topics), [&](const Topic& one) { return one.name == name; });
    if (topic == std::end(topics))
        throw UsageError(fmt::format("there is no topic \"{}\"; there are:\n{}", name, list_of_topics()));
    const std::string text = page_text(read_file(kit.root / topic->page), topic->section);
    if (text.empty())
        throw UsageError(
            fmt::format("{} has no part \"{}\": is it of another version of the kit?", topic->page, topic->section));
    print(fmt::format("{}\nFrom {}\n", text, topic->page));
    return 0;
}

}  // namespace

void add_help(CommandLine& line) {
    auto [command, topic] = line.add("help", "the kit's pages in the terminal", help_command);
    command.option("topic", &topic, "which page (default: list them)");
}

}  // namespace course

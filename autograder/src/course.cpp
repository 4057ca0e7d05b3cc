// SPDX-License-Identifier: MIT
// The command line of `course`, and nothing else: each command is a function in commands/commands.hpp, or in another
// program.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line.hpp"
#include "commands/commands.hpp"

namespace {

/// The parsed command line.
struct Request {
    std::string root, name;
    course::RunOptions run;
    course::ShowOptions show;
    course::LedgerOptions ledger;
    course::DebugOptions debug;
    course::LessonOptions lesson;
    course::ProgressOptions progress;
    course::LogOptions log;
    course::SubmitOptions submit;
    std::string watched;
    std::vector<int> numbers;
    bool yes = false, force = false, json = false;
};

using course::Action;

const CLI::Validator& decimal = course::decimal();

void add_number(CLI::App* command, Request& request) {
    command->add_option("number", request.run.number, "the exercise's number")->required()->transform(decimal);
}

/// Commands of other programs, which students don't build.
struct Elsewhere {
    const char *command, *about, *program, *target;
};
constexpr Elsewhere elsewhere[] = {
    {"grade", "for instructors: judge what a class has handed in", "course-class", "class"},
    {"confirm", "for instructors: what waits for review, and your decision on it", "course-class", "class"},
    {"mark", "for instructors: points and comments by hand", "course-class", "class"},
    {"report", "for instructors: pages on the results, for you and for each student", "course-class", "class"},
    {"similar", "for instructors: answers that have much in common, side by side", "course-class", "class"},
    {"export", "for instructors: points or feedback for an LMS, or another grader", "course-class", "class"},
    {"dev", "for authors of lessons and exercises", "course-author", "author"}};

/// The one that the arguments name, or null: that program parses the rest.
const Elsewhere* named_elsewhere(int argc, char** argv) {
    int k = 1;
    while (k < argc && std::string_view(argv[k]).starts_with("--root"))
        k += std::string_view(argv[k]) == "--root" ? 2 : 1;
    const auto* const found = std::find_if(std::begin(elsewhere), std::end(elsewhere), [&](const Elsewhere& one) {
        return k < argc && std::string_view(one.command) == argv[k];
    });
    return found == std::end(elsewhere) ? nullptr : found;
}

/// Continues as that program, with the same arguments.
[[noreturn]] void become(const Elsewhere& one, char** argv) {
    const std::filesystem::path program = course::Toolchain::configured().program_dir / one.program;
    ::execv(program.c_str(), argv);
    throw course::UsageError(fmt::format("{} can't be started: {}\nTo build it: make {}", program.string(),
                                         std::strerror(errno), one.target));
}

/// Declares all commands; `action` becomes the one that the user chose.
void declare(CLI::App& app, Request& request, Action& action) {
    const auto command = [&](CLI::App& parent, const char* name, const char* text, Action run) {
        CLI::App* added = parent.add_subcommand(name, text);
        added->callback([&action, run] { action = run; });
        return added;
    };
    app.add_option("--root", request.root, "the course's folder (default: COURSE_ROOT, else upwards from here)");
    app.fallthrough();
    action = course::status_command;
    command(app, "status", "where am I, and what comes next (the default)", course::status_command);
    command(app, "list", "all exercises", course::list_command);
    command(app, "doctor", "what this machine has, and what is missing",
            [&](const course::Kit& kit) { return course::doctor_command(kit, request.json); })
        ->add_flag("--json", request.json, "as JSON, to send with a report");
    command(app, "tour", "see one exercise judged three ways", course::tour_command);

    command(app, "summary", "points, stars, hints and attempts of each exercise",
            [&](const course::Kit& kit) { return course::summary_command(kit, request.json); })
        ->add_flag("--json", request.json, "as JSON");
    command(app, "watch", "judge when a file is saved",
            [&](const course::Kit& kit) { return course::watch_command(kit, request.watched); })
        ->add_option("what", request.watched, "an exercise's number or a file (default: the next exercise)");

    CLI::App* progress = command(app, "progress", "take your progress to another machine", [&](const course::Kit& kit) {
        return course::progress_command(kit, request.progress);
    });
    progress->add_option("--export", request.progress.export_to, "the text file to write (default: standard output)");
    progress->add_option("--import", request.progress.import_from,
                         "such a file (-: standard input); nothing that was reached here is lost");

    CLI::App* submit = command(app, "submit", "pack what you have begun into one archive", [&](const course::Kit& kit) {
        return course::submit_command(kit, request.submit);
    });
    submit->add_option("--out", request.submit.out, "the archive (default: work/submission-ID.zip)");
    submit->add_option("--name", request.submit.name, "your name (default: as last time; else it is asked)");
    submit->add_option("--id", request.submit.id, "your ID at the course (the same)");

    CLI::App* run = command(app, "run", "judge an answer",
                            [&](const course::Kit& kit) { return course::run_command(kit, request.run); });
    add_number(run, request);
    CLI::Option* const run_from = run->add_option("--from", request.run.from, "a folder to judge instead of work/");
    run->add_option("--pictures", request.run.pictures, "a folder for the pictures that the check draws")
        ->needs(run_from);
    run->add_flag("--json", request.run.json, "print result.json");
    run->add_flag("-v,--counts", request.run.counts, "show what each line of the kernels did");
    run->add_flag("--timings", request.run.timings,
                  "for those who work on the kit: where the seconds went; on the host backend speed is measured too");
    run->add_flag("--replay", request.run.replays,
                  "as in class grading: budgets are judged by the recorded work, done again without your host code");
    run->add_flag("--watched", request.run.watched)->group("");   // for `course watch`
    run->add_option("--device", request.run.device, "host or cuda:0 (default: a usable GPU, else the host)");
    run->add_option("--seed", request.run.seed, "of the inputs, to repeat a run");
    run->add_option("--time-limit", request.run.call_seconds, "seconds for one call to the student's code")
        ->check(CLI::PositiveNumber);

    CLI::App* show = command(app, "show", "pictures of what your kernel does", [&](const course::Kit& kit) {
        request.show.number = request.run.number;
        return course::show_command(kit, request.show);
    });
    add_number(show, request);
    show->add_option("--task", request.show.task, "which task (default: the first that isn't right)");
    show->add_option("--case", request.show.case_name,
                     "which case, as in n=33 (default: the one that the verdict shows)");
    show->add_option("--out", request.show.out, "the file to write (default: work/show/NN-topic-task.html)");
    show->add_option("--svg", request.show.picture, "one picture as SVG instead of the page")
        ->check(CLI::IsMember({"map", "requests", "banks", "lanes", "races", "schedule", "source"}));
    show->add_flag("--text", request.show.text, "the pictures in characters, for a terminal");
    show->add_flag("--json", request.show.json, "what was recorded, as JSON");
    show->add_option("--compare", request.show.compare, "solution, a file or a folder: both side by side");
    show->add_option("--from", request.show.from, "a folder to draw instead of work/");
    show->add_option("--seed", request.show.seed, "of the inputs (default: 1)");

    CLI::App* ledger = command(app, "ledger", "what your code asks of the device, line by line",
                               [&](const course::Kit& kit) {
                                   request.ledger.number = request.run.number;
                                   return course::ledger_command(kit, request.ledger);
                               });
    add_number(ledger, request);
    ledger->add_option("--task", request.ledger.task, "which task (default: the first that isn't right)");
    ledger->add_option("--case", request.ledger.case_name,
                       "which case, as in n=33 (default: the one that the verdict shows)");
    ledger->add_option("--from", request.ledger.from, "a folder to look at instead of work/");
    ledger->add_option("--seed", request.ledger.seed, "of the inputs (default: 1)");

    CLI::App* debug =
        command(app, "debug", "stop in your kernel at the first mistake, in gdb", [&](const course::Kit& kit) {
            request.debug.number = request.run.number;
            return course::debug_command(kit, request.debug);
        });
    add_number(debug, request);
    debug->add_option("--task", request.debug.task, "which task (default: the first that isn't right)");
    debug->add_option("--case", request.debug.case_name,
                      "which case, as in n=33 (default: the one that the verdict shows)");
    debug->add_option("--at", request.debug.at, "a line to stop at, as in reduce.cu:20");
    debug->add_option("--from", request.debug.from, "a folder to debug instead of work/");
    debug->add_option("--seed", request.debug.seed, "of the inputs (default: 1)");
    debug->add_flag("--print-command", request.debug.print_command,
                    "make everything ready and print the command, for an editor");

    CLI::App* lesson = command(app, "lesson", "a lesson's programs: predict, then run", [&](const course::Kit& kit) {
        return course::lesson_command(kit, request.lesson);
    });
    lesson->add_option("number", request.lesson.number, "the lesson's number")->required()->transform(decimal);
    lesson->add_option("--program", request.lesson.program, "these programs alone: a name, or several with commas");
    lesson->add_option("--questions", request.lesson.questions,
                       "these questions alone, with the programs that answer them");
    lesson->add_option("--programs", request.lesson.programs, "where the programs are (default: build/PRESET/lessons)");
    lesson->add_flag("--target", request.lesson.target, "print the build's targets that make the programs");
    lesson->add_flag("--breather", request.lesson.breather, "the mixed problems that come after it");

    command(app, "quiz", "one old question, two lessons back", [&](const course::Kit& kit) {
        return course::quiz_command(kit, request.name);
    })->add_option("--answer", request.name, "a letter or a number, in place of asking");

    command(app, "help", "the kit's pages in the terminal",
            [&](const course::Kit& kit) { return course::help_command(kit, request.name); })
        ->add_option("topic", request.name, "which page (default: list them)");
    add_number(command(app, "hint", "the next of three hints",
                       [&](const course::Kit& kit) { return course::hint_command(kit, request.run.number); }), request);
    CLI::App* reset = command(app, "reset", "start an exercise again; keeps a copy", [&](const course::Kit& kit) {
        return course::reset_command(kit, request.run.number, request.yes);
    });
    add_number(reset, request);
    reset->add_flag("--yes", request.yes, "don't ask");
    CLI::App* solution =
        command(app, "solution", "a worked solution, once yours has passed", [&](const course::Kit& kit) {
            return course::solution_command(kit, request.run.number, request.force);
        });
    add_number(solution, request);
    solution->add_flag("--force", request.force, "before yours has passed");

    CLI::App* log = command(app, "log", "the capstone's work log", [&](const course::Kit& kit) {
        return course::log_command(kit, request.log);
    });
    CLI::Option* note = log->add_option("--note", request.log.note, "log a step: what you changed, in a few words");
    note->each([&](const std::string&) { request.log.noted = true; });
    log->add_flag("--page", request.log.page, "write the log as a page with a chart");
    log->add_option("--out", request.log.out, "the page's file (default: log.html beside the log)");
    log->add_option("--device", request.log.device, "host or cuda:0 (default: a usable GPU, else the host)");

    for (const Elsewhere& one : elsewhere) app.add_subcommand(one.command, one.about);   // for the list of commands
}

int run(int argc, char** argv) {
    if (const Elsewhere* const one = named_elsewhere(argc, argv)) become(*one, argv);
    CLI::App app("Judges the exercises of the GPU course.", "course");
    app.require_subcommand(0, 1);
    Request request;
    Action action;
    declare(app, request, action);
    return course::parse_and_act(app, argc, argv, request.root, action);
}

}  // namespace

int main(int argc, char** argv) { return course::guarded_main(argc, argv, run); }

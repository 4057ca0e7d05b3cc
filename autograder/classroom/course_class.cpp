// SPDX-License-Identifier: MIT
// The command line for graders of a class, and nothing else: `course` starts this program for its commands.

#include <string>
#include <utility>

#include <CLI/CLI.hpp>

#include "classroom/batch/grade.hpp"
#include "classroom/batch/workers/worker.hpp"
#include "classroom/class_report/report_command.hpp"
#include "classroom/exports/exports.hpp"
#include "classroom/grades/class_commands.hpp"
#include "classroom/similar/similar_command.hpp"
#include "command_line.hpp"

namespace {

/// What the command line requests.
struct Request {
    std::string root;
    course::GradeOptions grade;
    course::WorkerOptions worker;
    course::ConfirmOptions confirm;
    course::MarkOptions mark;
    course::ReportOptions report;
    course::SimilarOptions similar;
    course::ExportOptions exported;
};

using course::Action;

const CLI::Validator& decimal = course::decimal();

CLI::App* add_command(CLI::App& app, Action& action, const char* name, const char* text, Action run) {
    CLI::App* added = app.add_subcommand(name, text);
    added->callback([&action, run] { action = run; });
    return added;
}

/// @return the two options
std::pair<CLI::Option*, CLI::Option*> hides_names(CLI::App* command, bool& anonymous, bool& reveal) {
    CLI::Option* const hide =
        command->add_flag("--anonymous", anonymous, "\"Student 17\" in place of names, from now on");
    CLI::Option* const show = command->add_flag("--reveal", reveal, "show names again");
    return {hide, show->excludes(hide)};
}

void declare_grade(CLI::App& app, Request& request, Action& action) {
    course::GradeOptions& options = request.grade;
    CLI::App* grade = add_command(app, action, "grade", "judge what a class has handed in",
                                  [&](const course::Kit& kit) { return course::grade_command(kit, request.grade); });
    grade->add_option("submissions", options.submissions, "what was handed in: an LMS' export, or a folder")
        ->required();
    grade->add_option("--out", options.results, "the folder of results; what is graded there stays")->required();
    grade->add_option("--roster", options.roster, "a CSV file: who is in the class");
    grade->add_option("--exercises", options.exercises, "these alone, with commas: 1,2,8")
        ->delimiter(',')
        ->transform(decimal);
    grade->add_option("--student", options.students, "this student alone; may be given several times")
        ->take_all()
        ->expected(1);
    CLI::Option* const regrade =
        grade->add_flag("--regrade", options.regrade, "grade what is selected although nothing has changed");
    CLI::Option* const hidden =
        grade->add_option("--private", options.hidden, "a folder of hidden cases: NN-topic/check.cpp");
    grade
        ->add_flag("--no-private", options.no_hidden,
                   "without hidden cases, although these results were graded with some")
        ->excludes(hidden);
    grade->add_flag("--dry-run", options.dry_run, "say what would be graded, and why, and write nothing");
    grade->add_option("--jobs", options.workers, "so many answers at once (default: by cores, memory and GPUs)")
        ->check(CLI::Range(1, 256));
    grade->add_option("--device", options.device, "host or cuda:0 (default: a usable GPU, else the host)");
    grade->add_option("--time-limit", options.call_seconds, "seconds for one call to a student's code")
        ->check(CLI::PositiveNumber);
    grade->add_option("--job-limit", options.job_seconds, "seconds for one answer, with its build (default: 1200)")
        ->check(CLI::PositiveNumber);
    const auto names = hides_names(grade, options.anonymous, options.reveal);
    grade->add_option("--shard", options.shard, "one share of the answers, K/N: for a job of a cluster's scheduler")
        ->excludes(regrade)
        ->excludes(names.first)
        ->excludes(names.second);
    grade->add_flag("--allow-unsandboxed", options.allow_unsandboxed, "grade although no sandbox is in force");
}

void declare_worker(CLI::App& app, Request& request, Action& action) {
    CLI::App* worker =
        add_command(app, action, "grade-worker", "",
                    [&](const course::Kit& kit) { return course::grade_worker_command(kit, request.worker); });
    worker->group("");   // for `course grade`
    worker->add_option("--results", request.worker.results)->required();
    worker->add_option("--private", request.worker.hidden);
    worker->add_option("--unseen", request.worker.unseen)->take_all()->expected(1);
    worker->add_option("--device", request.worker.device);
    worker->add_option("--header", request.worker.header);
    worker->add_option("--kernels", request.worker.kernels);
    worker->add_option("--gpus", request.worker.gpus);
    worker->add_option("--all-gpus", request.worker.all_gpus);
    worker->add_option("--time-limit", request.worker.call_seconds);
    worker->add_option("--answers", request.worker.answers)->required();
    worker->add_option("--unfinished", request.worker.unfinished)->required();
}

void declare_results(CLI::App& app, Request& request, Action& action) {
    const auto command = [&](const char* name, const char* text, Action run) {
        return add_command(app, action, name, text, std::move(run));
    };
    const auto reads_results = [](CLI::App* added, course::ResultsOptions& read) {
        added->add_option("results", read.results, "the folder that `course grade` wrote")->required();
        added->add_option("--policy", read.policy, "the policy (default: class.toml in that folder)");
    };
    CLI::App* confirm = command("confirm", "what waits for review, and your decision on it",
                                [&](const course::Kit& kit) { return course::confirm_command(kit, request.confirm); });
    reads_results(confirm, request.confirm.read);
    confirm->add_option("student", request.confirm.student, "whose answer (default: list all that wait)");
    confirm->add_option("exercise", request.confirm.exercise, "the exercise's number")->transform(decimal);
    confirm->add_option("--because", request.confirm.because, "what you saw, in a few words");
    confirm->add_option("--attempt", request.confirm.attempt, "which, if several wait");
    confirm->add_flag("--reject", request.confirm.reject, "no points for it");

    CLI::App* mark = command("mark", "points and comments by hand, which stand above the grader's",
                             [&](const course::Kit& kit) { return course::mark_command(kit, request.mark); });
    reads_results(mark, request.mark.read);
    mark->add_option("student", request.mark.student, "whose: an ID or an email address (default: list all marks)");
    mark->add_option("exercise", request.mark.exercise, "the exercise's number")->transform(decimal);
    mark->add_option("--points", request.mark.points, "the points, in place of the grader's");
    mark->add_option("--comment", request.mark.comment, "what the student reads beside them");
    mark->add_option("--task", request.mark.task, "of this task alone");
    mark->add_option("--by", request.mark.by, "who gives it, for you and your colleagues");
    mark->add_flag("--group", request.mark.group, "for all who handed it in together");
    mark->add_flag("--clear", request.mark.clear, "take it back");

    CLI::App* report = command("report", "pages on the results, for you and for each student",
                               [&](const course::Kit& kit) { return course::report_command(kit, request.report); });
    reads_results(report, request.report.read);
    report->add_option("--out", request.report.out, "the folder for the pages (default: report in that folder)");
    hides_names(report, request.report.anonymous, request.report.reveal);

    CLI::App* similar = command("similar", "answers that have much in common, side by side",
                                [&](const course::Kit& kit) { return course::similar_command(kit, request.similar); });
    similar->add_option("results", request.similar.results, "the folder that `course grade` wrote")->required();
    similar->add_option("--also", request.similar.also, "another class's answers, as handed in or as graded")
        ->take_all()
        ->expected(1);
    similar->add_option("--published", request.similar.published, "answers that everybody may have read: don't count")
        ->take_all()
        ->expected(1);
    similar->add_option("--exercises", request.similar.exercises, "these alone, with commas: 1,2,8")
        ->delimiter(',')
        ->transform(decimal);
    similar->add_option("--at-least", request.similar.percent, "the percentage in common of a pair (default: 80)")
        ->check(CLI::Range(10, 100));
    similar->add_option("--out", request.similar.out, "the page (default: similar.html in that folder)");

    CLI::App* exported = command("export", "points or feedback for an LMS, or another grader",
                                 [&](const course::Kit& kit) { return course::export_command(kit, request.exported); });
    reads_results(exported, request.exported.read);
    exported->add_option("--format", request.exported.format, "the output format")
        ->required()
        ->check(CLI::IsMember(course::export_formats()));
    CLI::Option* const exercise =
        exported->add_option("--exercise", request.exported.exercise, "this one alone")->transform(decimal);
    exported->add_option("--total", request.exported.total, "canvas: one column of this name, with the sum")
        ->excludes(exercise);
    exported->add_option("--worksheet", request.exported.worksheet, "Moodle's grading worksheet, to be filled in");
    exported->add_option("--submission", request.exported.submission, "which, of several (gradescope, github, ...)");
    exported->add_option("--out", request.exported.out, "the file to write (default: standard output)");
}

int run(int argc, char** argv) {
    CLI::App app("Grades a class.", "course");
    app.require_subcommand(1);
    app.fallthrough();
    Request request;
    Action action;
    app.add_option("--root", request.root, "the course's folder (default: COURSE_ROOT, else upwards from here)");
    declare_grade(app, request, action);
    declare_worker(app, request, action);
    declare_results(app, request, action);
    return course::parse_and_act(app, argc, argv, request.root, action);
}

}  // namespace

int main(int argc, char** argv) { return course::guarded_main(argc, argv, run); }

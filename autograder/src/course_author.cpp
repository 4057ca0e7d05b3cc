// SPDX-License-Identifier: MIT
// The command line for authors of lessons and exercises, and nothing else: `course` starts this program for its `course
// dev`.

#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "author/dev_commands.hpp"
#include "command_line.hpp"
#include "commands/commands.hpp"

namespace {

/// The parsed command line.
struct Request {
    std::string root, name;
    std::vector<int> numbers;
    course::DevCheckOptions check;
    course::DevLessonsOptions lessons;
    course::DevMutateOptions mutate;
    course::DevPlantOptions plant;
    course::EditionOptions edition;
};

using course::Action;

const CLI::Validator& decimal = course::decimal();

void declare(CLI::App& dev, Request& request, Action& action) {
    const auto command = [&](const char* name, const char* text, Action run) {
        CLI::App* added = dev.add_subcommand(name, text);
        added->callback([&action, run] { action = run; });
        return added;
    };
    CLI::App* check = command("check", "the five proofs of each exercise", [&](const course::Kit& kit) {
        return course::dev_check_command(kit, request.numbers, request.check);
    });
    check->add_flag("--replay", request.check.replays, "all answers as in class grading, not only the solution");
    check->add_option("--part", request.check.part, "K/M: of each exercise's planted answers the K-th of M parts");
    check->add_flag("--json", request.check.json, "a line of JSON for each exercise, one after the other");
    check->add_option("numbers", request.numbers, "exercises (default: all)")->transform(decimal);
    command("checks", "build the exercises' checks, before a class",
            [&](const course::Kit& kit) { return course::dev_checks_command(kit, request.numbers); })
        ->add_option("numbers", request.numbers, "exercises (default: all)")->transform(decimal);
    CLI::App* mutate = command("mutate", "right answers with one mistake each: none may pass",
                               [&](const course::Kit& kit) { return course::dev_mutate_command(kit, request.mutate); });
    mutate->add_option("numbers", request.mutate.numbers, "exercises (default: all)")->transform(decimal);
    mutate->add_flag("--list", request.mutate.list, "print the mutants and judge none");
    mutate->add_option("--jobs", request.mutate.jobs, "mutants side by side (default: as many as there are cores)")
        ->check(CLI::PositiveNumber);
    mutate->add_option("--part", request.mutate.part, "K/M: the K-th of M parts, for several machines");
    mutate->add_option("--sample", request.mutate.sample, "so many mutants, drawn")->check(CLI::PositiveNumber);
    mutate->add_option("--seed", request.mutate.seed, "of the drawing (default: 1)");
    mutate->add_option("--device", request.mutate.device, "host or cuda:0 (default: a usable GPU, else the host)");
    mutate->add_option("--results", request.mutate.results,
                       "the folder of results: what it has isn't judged again (default: build/mutants)");
    mutate->add_flag("--again", request.mutate.again, "judge those that have a result, too");
    mutate->add_option("--report", request.mutate.report, "the Markdown file to write, of all results");
    mutate->add_option("--only", request.mutate.only)->delimiter(',')->group("");   // for its own processes
    CLI::App* lessons = command("lessons", "fill in and check the lessons", [&](const course::Kit& kit) {
        return course::dev_lessons_command(kit, request.lessons);
    });
    lessons->add_option("numbers", request.lessons.numbers, "lessons (default: all)")->transform(decimal);
    lessons->add_flag("--write", request.lessons.write, "make the generated parts and the kept outputs anew");
    lessons->add_option("--programs", request.lessons.programs,
                        "where the programs are (default: build/PRESET/lessons)");
    CLI::App* edition =
        command("edition", "the student's edition, without solutions",
                [&](const course::Kit& kit) { return course::dev_edition_command(kit, request.edition); });
    edition->add_option("--out", request.edition.out,
                        "the folder to make (default: build/dist/gpu-course-student-VERSION)");
    edition->add_option("--solutions", request.edition.solutions,
                        "a sentence: where students find them (default: as student_edition.toml says)");
    command("capstone", "the capstone's given version and its solution, judged, counted and timed",
            course::dev_capstone_command);
    CLI::App* plant = command("plant", "show a planted answer, write its files, or make its patch of files",
                              [&](const course::Kit& kit) { return course::dev_plant_command(kit, request.plant); });
    plant->add_option("number", request.plant.number, "the exercise")->required()->transform(decimal);
    plant->add_option("name", request.plant.name, "no-guard, or wrong/no-guard")->required();
    CLI::Option* const plant_out = plant->add_option("--out", request.plant.out, "the folder to make with its files");
    plant->add_option("--from", request.plant.from, "the folder whose files become its patch")->excludes(plant_out);
    command("new", "a new exercise from the template",
            [&](const course::Kit& kit) { return course::dev_new_command(kit, request.name); })
        ->add_option("name", request.name, "two digits and a topic: 21-my-topic")->required();
}

int run(int argc, char** argv) {
    CLI::App app("For authors of lessons and exercises.", "course");
    app.require_subcommand(1);
    app.fallthrough();
    Request request;
    Action action;
    app.add_option("--root", request.root, "the course's folder (default: COURSE_ROOT, else upwards from here)");
    declare(*app.add_subcommand("dev", "for authors of lessons and exercises")->require_subcommand(1), request, action);
    return course::parse_and_act(app, argc, argv, request.root, action);
}

}  // namespace

int main(int argc, char** argv) { return course::guarded_main(argc, argv, run); }

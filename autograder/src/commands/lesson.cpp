// SPDX-License-Identifier: MIT
// A lesson's programs, one by one: the question, a prediction, the run, the answer and why.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "collect/collect.hpp"
#include "commands/ask.hpp"
#include "commands/commands.hpp"
#include "kit/lesson_program.hpp"
#include "kit/probe.hpp"
#include "lessons/blocks.hpp"
#include "lessons/program_output.hpp"
#include "manifest/misconceptions.hpp"
#include "report/output.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

LessonFolder find_lesson(const Kit& kit, int number) {
    std::vector<std::string> others;
    for (const LessonFolder& folder : lesson_folders(kit.root)) {
        if (folder.number == number) return folder;
        others.push_back(folder.name());
    }
    if (others.empty()) throw UsageError("this edition has no lessons");
    throw UsageError(fmt::format("lesson {} is not in this edition; it has: {}", number, fmt::join(others, ", ")));
}

bool is_host(const char* device) { return device != nullptr && std::string_view(device) == "host"; }

std::string no_breather(const Kit& kit, int number) {
    std::vector<std::string> those;
    for (const Lesson& lesson : read_lessons(kit.root))
        if (lesson.breather) those.push_back(std::to_string(lesson.folder.number));
    return fmt::format("no breather comes after lesson {}; {}", number,
                       those.empty() ? "this edition has none"
                                     : fmt::format("there is one after: {}", fmt::join(those, ", ")));
}

/// One sitting with a lesson.
class Sitting {
public:
    Sitting(const Kit& kit, const Lesson& lesson, fs::path programs, LessonDevice device)
        : kit_(kit), lesson_(lesson), programs_(std::move(programs)), device_(device),
          misconceptions_(read_misconceptions(kit.root)) {}

    /// False if the program didn't end well.
    bool run(const LessonProgram& program, std::size_t number) {
        print(fmt::format("\n{}\n", style_.bold(fmt::format("[{}/{}] {}: {}", number, lesson_.programs.size(),
                                                            program.name, program.shows))));
        const std::vector<const Question*> asked = questions_of(program.name);
        std::vector<std::optional<Prediction>> predictions;
        for (std::size_t k = 0; k < asked.size(); ++k) {
            print("\n" + label(k, asked.size()));
            predictions.push_back(ask(*asked[k]));
        }
        const ProcessResult result = run_streaming(program);
        if (const std::string wrong = what_went_wrong(result); !wrong.empty()) {
            print_error(fmt::format("course: the program {} {}\n", program.name, wrong));
            return false;
        }
        if (program.measures && without_gpu_) print(recorded(program));
        const std::vector<std::string> answers = answers_of(result.output);
        for (std::size_t k = 0; k < asked.size(); ++k) {
            print("\n" + label(k, asked.size()));
            tell(*asked[k], predictions[k], asked[k]->which < answers.size() ? answers[asked[k]->which] : "");
        }
        return true;
    }

    /// The questions that no program answers.
    void ask_the_others() {
        const std::vector<const Question*> asked = questions_of("");
        if (!asked.empty()) print(fmt::format("\n{}\n", style_.bold("Without a program")));
        for (const Question* question : asked) {
            print("\n");
            const std::optional<Prediction> prediction = ask(*question);
            print("\n");
            tell(*question, prediction, "");
        }
    }

private:
    [[nodiscard]] std::vector<const Question*> questions_of(const std::string& program) const {
        std::vector<const Question*> found;
        for (const Question& question : lesson_.questions)
            if (question.program == program) found.push_back(&question);
        return found;
    }

    /// Tells several questions to one program apart.
    [[nodiscard]] std::string label(std::size_t which, std::size_t all) const {
        return all < 2 ? "" : "  " + style_.faint(fmt::format("Question {} of {}", which + 1, all)) + "\n";
    }

    std::optional<Prediction> ask(const Question& question) {
        const bool is_shown = question.listing == shown_listing_;
        shown_listing_ = question.listing;
        print((is_shown ? "" : listing_text(lesson_, question)) + question_text(question));
        return asks_ ? ask_prediction(question) : std::nullopt;
    }

    ProcessResult run_streaming(const LessonProgram& program) const {
        print(fmt::format("\n  {}\n",
                          style_.faint(shown_path(programs_ / lesson_.folder.name() / program.name, kit_.root))));
        if (asks_) return run_lesson_program(programs_, lesson_, program, device_, print);
        ProcessResult result = run_lesson_program(programs_, lesson_, program, device_);
        print(result.output);
        return result;
    }

    /// What the program printed on a GPU; empty if that isn't recorded.
    [[nodiscard]] std::string recorded(const LessonProgram& program) const {
        try {
            const std::optional<MeasuredSection> section = measured_section(lesson_, "h200", program.name);
            return section ? fmt::format("\n  {}\n{}",
                                         style_.faint(fmt::format("the same on an {} ({})", section->machine,
                                                                  section->date)),
                                         section->text)
                           : "";
        } catch (const BlockError&) {   // "# not measured yet", or nothing at all
            return "";
        }
    }

    void tell(const Question& question, const std::optional<Prediction>& prediction, const std::string& answer) const {
        const std::optional<double> number = parse_number(answer);
        if (question.number && !number)
            return print(fmt::format("  The program has no line \"Answer: VALUE\" for \"{}\" here.\n", question.id));
        if (!prediction) return print(answer_text(question, answer) + (asks_ ? "" : other_choices_text(question)));
        const JudgedPrediction judged = judge_prediction(question, *prediction, number.value_or(0));
        const std::string misconception =
            judged.tag > 0 ? misconceptions_.at(static_cast<std::size_t>(judged.tag) - 1).sentence : "";
        print(judged_text(question, judged, answer, misconception, style_));
        if (!question.number && !answer.empty() && answer != question.right_choice().value)
            print(wrapped("Here the program answers: " + answer, 2));
        note_answer(Answers(kit_.root / "work"), lesson_.full_id(question), judged);
    }

    const Kit& kit_;
    const Lesson& lesson_;
    fs::path programs_;
    LessonDevice device_;
    std::vector<Misconception> misconceptions_;
    Style style_ = Style::of_descriptor(STDOUT_FILENO);
    std::string shown_listing_;   // of the question before
    bool without_gpu_ = device_ == LessonDevice::host || is_host(std::getenv("LIBGPU_DEVICE"));
    bool asks_ = can_ask();
};

/// Without a usable GPU it is said once, not before each program.
LessonDevice device_of_lesson(const Kit& kit) {
    if (std::getenv("LIBGPU_DEVICE") != nullptr) return LessonDevice::chosen;
    const ProbeAnswer found = probe(kit.toolchain, "");
    if (!found.error.empty() || found.why_no_gpu.empty()) return LessonDevice::chosen;
    print(wrapped(fmt::format("No GPU is used here: {}. Kernels run on the host backend: counts and results are the "
                              "same, times are a CPU's.",
                              found.why_no_gpu),
                  2));
    return LessonDevice::host;
}

}  // namespace

int lesson_command(const Kit& kit, const LessonOptions& options) {
    const Lesson whole = read_lesson(find_lesson(kit, options.number));
    if (options.breather && !whole.breather) throw UsageError(no_breather(kit, options.number));
    const Lesson lesson = whole.sitting(options.breather);
    const auto is_wanted = [&](const LessonProgram& program) {
        return options.program.empty() || program.name == options.program;
    };
    if (!options.program.empty() && std::none_of(lesson.programs.begin(), lesson.programs.end(), is_wanted)) {
        std::vector<std::string> names;
        for (const LessonProgram& program : lesson.programs) names.push_back(program.name);
        throw UsageError(fmt::format("{} {} has no program {}; it has: {}",
                                     options.breather ? "the breather after lesson" : "lesson", options.number,
                                     options.program, fmt::join(names, ", ")));
    }
    if (options.target) {
        print(options.program.empty() ? fmt::format("lesson-{:02}\n", whole.folder.number)
                                      : fmt::format("lesson_{:02}_{}\n", whole.folder.number, options.program));
        return 0;
    }
    const Style style = Style::of_descriptor(STDOUT_FILENO);
    const std::string title = options.breather ? whole.breather->title
                                               : fmt::format("Lesson {}: {}", lesson.folder.number, lesson.title);
    print(fmt::format("{}\n  Read: {}\n", style.bold(title),
                      shown_path(lesson.folder.path / (options.breather ? "breather.md" : "README.md"), kit.root)));
    Sitting sitting(kit, lesson, lesson_programs(kit, options.programs), device_of_lesson(kit));
    for (std::size_t k = 0; k < lesson.programs.size(); ++k)
        if (is_wanted(lesson.programs[k]) && !sitting.run(lesson.programs[k], k + 1)) return 1;
    if (options.program.empty()) sitting.ask_the_others();
    if (options.breather) {
        print("\nNext: make\n");
        return 0;
    }
    std::vector<std::string> commands;
    for (const ExerciseFolder& folder : exercise_folders(kit.root))
        if (std::find(lesson.exercises.begin(), lesson.exercises.end(), folder.name) != lesson.exercises.end())
            commands.push_back(fmt::format("make exercise-{}", folder.number));
    if (options.program.empty() && !commands.empty()) print(fmt::format("\nNext: {}\n", fmt::join(commands, ", ")));
    return 0;
}

}  // namespace course

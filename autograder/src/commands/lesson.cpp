// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "collect/collect.hpp"
#include "commands/ask.hpp"
#include "commands/commands.hpp"
#include "kit/kit.hpp"
#include "kit/probe.hpp"
#include "lessons/blocks.hpp"
#include "lessons/page_text.hpp"
#include "lessons/prediction.hpp"
#include "manifest/manifest.hpp"
#include "progress/course_path.hpp"
#include "progress/misconceptions.hpp"
#include "progress/progress.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

// A lesson's programs, one by one: question, prediction, run, answer and explanation.
namespace fs = std::filesystem;

namespace course {

namespace {

/// What `course lesson` runs.
struct LessonOptions {
    int number = 0;
    std::string program;    ///< these alone, with commas between; empty: all, unless questions are chosen
    std::string questions;  ///< these alone, and the programs that answer them
    std::string programs;   ///< the folder of the built programs; empty: the kit's own
    bool target = false;    ///< print the build's targets of what is to run, and no more
    bool breather = false;  ///< its breather's programs instead
};

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

/// "a, b" -> a and b.
std::vector<std::string> names_in(const std::string& list) {
    std::vector<std::string> names;
    for (std::size_t at = 0; (at = list.find_first_not_of(", ", at)) != list.npos;) {
        const std::size_t end = std::min(list.find_first_of(", ", at), list.size());
        names.push_back(list.substr(at, end - at));
        at = end;
    }
    return names;
}

/// The selected part of a sitting: everything, unless programs or questions are named.
class Choices {
public:
    /// @param whose "lesson 4", for the error. @throws UsageError for a name that doesn't exist
    Choices(const Lesson& lesson, const std::string& whose, const LessonOptions& options)
        : programs_(names_in(options.program)), questions_(names_in(options.questions)) {
        std::vector<std::string> programs, questions;
        for (const LessonProgram& program : lesson.programs) programs.push_back(program.name);
        for (const Question& question : lesson.questions) questions.push_back(question.id);
        refuse_unknown(programs_, programs, whose, "program");
        refuse_unknown(questions_, questions, whose, "question");
        for (const Question& question : lesson.questions)
            if (has(questions_, question.id)) needed_.push_back(question.program);
    }

    [[nodiscard]] bool all() const { return programs_.empty() && questions_.empty(); }
    [[nodiscard]] bool want(const LessonProgram& program) const {
        return all() || has(programs_, program.name) || has(needed_, program.name);
    }
    [[nodiscard]] bool want(const Question& question) const {
        return all() || has(questions_, question.id) || has(programs_, question.program);
    }
    [[nodiscard]] bool want(const LessonStep& step) const {
        return step.question ? want(*step.question) : want(*step.program);
    }

private:
    static bool has(const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    }
    static void refuse_unknown(const std::vector<std::string>& named, const std::vector<std::string>& known,
                               const std::string& whose, std::string_view kind) {
        for (const std::string& name : named)
            if (!has(known, name))
                throw UsageError(
                    fmt::format("{} has no {} {}; it has: {}", whose, kind, name, fmt::join(known, ", ")));
    }

    std::vector<std::string> programs_, questions_, needed_;
};

/// One sitting with a lesson.
class LessonSession {
public:
    LessonSession(const Kit& kit, const Lesson& lesson, fs::path programs, LessonDevice device)
        : kit_(kit), lesson_(lesson), programs_(std::move(programs)), device_(device),
          misconceptions_(read_misconceptions(kit.root)) {}

    /// Asks and runs in this order. False if a program failed.
    bool go(const std::vector<LessonStep>& steps) {
        for (const LessonStep& step : steps) {
            if (step.program) {
                if (!run(*step.program)) return false;
            } else if (step.question->program.empty()) {
                headline(step.section.empty() ? "Without a program" : step.section);
                ask_and_tell(*step.question);
            } else {
                headline(head_of(step.question->program));
                const std::size_t all = questions_of(steps, step.question->program);
                std::vector<Open>& open = open_[step.question->program];
                open.push_back({step.question, std::nullopt, label(open.size(), all)});
                print("\n" + open.back().label);
                open.back().prediction = ask(*step.question);
            }
        }
        return true;
    }

private:
    /// A question that its program has yet to answer.
    struct Open {
        const Question* question;
        std::optional<Prediction> prediction;
        std::string label;
    };

    static std::size_t questions_of(const std::vector<LessonStep>& steps, const std::string& program) {
        return static_cast<std::size_t>(std::count_if(steps.begin(), steps.end(), [&](const LessonStep& step) {
            return step.question && step.question->program == program;
        }));
    }

    void headline(const std::string& text) {
        if (text != last_headline_) print(fmt::format("\n{}\n", style_.bold(text)));
        last_headline_ = text;
    }

    [[nodiscard]] std::string head_of(const std::string& name) const {
        const auto found = std::find_if(lesson_.programs.begin(), lesson_.programs.end(),
                                        [&](const LessonProgram& program) { return program.name == name; });
        return fmt::format("[{}/{}] {}: {}", found - lesson_.programs.begin() + 1, lesson_.programs.size(), name,
                           found->shows);
    }

    bool run(const LessonProgram& program) {
        headline(head_of(program.name));
        const ProcessResult result = run_streaming(program);
        if (const std::string wrong = what_went_wrong(result); !wrong.empty()) {
            print_error(fmt::format("course: the program {} {}\n", program.name, wrong));
            return false;
        }
        if (program.measures && without_gpu_) print(recorded(program));
        const std::vector<std::string> answers = answers_of(result.output);
        for (const Open& open : open_[program.name]) {
            print("\n" + open.label);
            const std::size_t which = open.question->which;
            tell(*open.question, open.prediction, which < answers.size() ? answers[which] : "");
        }
        return true;
    }

    void ask_and_tell(const Question& question) {
        print("\n");
        const std::optional<Prediction> prediction = ask(question);
        print("\n");
        tell(question, prediction, "");
    }

    /// A label that distinguishes several questions to one program.
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

    /// The program's recorded output on a GPU; empty if there is none.
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
        if (!prediction) return print(answer_text(question, answer) + (asks_ ? "" : other_answers_text(question)));
        const JudgedPrediction judged = judge_prediction(question, *prediction, answer);
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
    std::string shown_listing_;   // the previous question's
    std::string last_headline_;
    std::map<std::string, std::vector<Open>> open_;   // by program
    bool without_gpu_ = device_ == LessonDevice::host || is_host(std::getenv("LIBGPU_DEVICE"));
    bool asks_ = can_ask();
};

/// If there is no usable GPU, this is printed once, not before each program.
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

/// The lesson with its programs in the order of its page.
Lesson in_order_of_page(Lesson lesson, const MarkdownPage& page) {
    std::vector<LessonProgram> programs;
    for (const LessonStep& step : steps_of(lesson, page))
        if (step.program) programs.push_back(*step.program);
    lesson.programs = std::move(programs);
    return lesson;
}

/// The build targets of the selected programs, on one line; empty if there are none.
std::string targets_of(const Lesson& lesson, const Choices& choices) {
    std::vector<std::string> targets;
    for (const LessonProgram& program : lesson.programs)
        if (choices.want(program))
            targets.push_back(fmt::format("lesson_{:02}_{}", lesson.folder.number, program.name));
    return targets.empty() ? "" : fmt::format("{}\n", fmt::join(targets, " "));
}

std::string next_text(const Kit& kit, const Lesson& lesson, bool breather, bool all) {
    std::vector<std::string> commands;
    if (!all)
        commands.push_back(
            fmt::format("make {}-{} (all of it)", breather ? "breather" : "lesson", lesson.folder.number));
    if (breather && all) commands.emplace_back("make");
    for (const ExerciseFolder& folder : exercise_folders(kit.root))
        if (!breather &&
            std::find(lesson.exercises.begin(), lesson.exercises.end(), folder.name) != lesson.exercises.end())
            commands.push_back(fmt::format("make exercise-{}", folder.number));
    return commands.empty() ? "" : fmt::format("\nNext: {}\n", fmt::join(commands, ", "));
}

int lesson_command(const Kit& kit, const LessonOptions& options) {
    const Lesson whole = read_lesson(find_lesson(kit, options.number));
    if (options.breather && !whole.breather) throw UsageError(no_breather(kit, options.number));
    const fs::path file = whole.folder.path / (options.breather ? "breather.md" : "README.md");
    const MarkdownPage page(fs::is_regular_file(file) ? read_file(file) : "", LessonBlocks::kinds());
    const Lesson lesson = in_order_of_page(whole.sitting(options.breather), page);
    const std::string whose = options.breather ? "the breather after lesson" : "lesson";
    const Choices choices(lesson, fmt::format("{} {}", whose, options.number), options);
    if (options.target) {
        print(choices.all() && !options.breather ? fmt::format("lesson-{:02}\n", lesson.folder.number)
                                                 : targets_of(lesson, choices));
        return 0;
    }
    const Style style = Style::of_descriptor(STDOUT_FILENO);
    const std::string title = options.breather ? whole.breather->title
                                               : fmt::format("Lesson {}: {}", lesson.folder.number, lesson.title);
    print(fmt::format("{}\n  Read: {}\n", style.bold(title), shown_path(file, kit.root)));
    std::vector<LessonStep> steps = steps_of(lesson, page);
    std::erase_if(steps, [&](const LessonStep& step) { return !choices.want(step); });
    if (!LessonSession(kit, lesson, lesson_programs(kit, options.programs), device_of_lesson(kit)).go(steps)) return 1;
    print(next_text(kit, lesson, options.breather, choices.all()));
    return 0;
}

}  // namespace

void add_lesson(CommandLine& line) {
    auto [command, options] = line.add("lesson", "a lesson's programs: predict, then run", lesson_command);
    command.option("number", &options.number, "the lesson's number", {.required = true, .is_number = true});
    command.option("--program", &options.program, "these programs alone: a name, or several with commas");
    command.option("--questions", &options.questions, "these questions alone, with the programs that answer them");
    command.option("--programs", &options.programs, "where the programs are (default: build/PRESET/lessons)");
    command.option("--target", &options.target, "print the build's targets that make the programs");
    command.option("--breather", &options.breather, "the mixed problems that come after it");
}

}  // namespace course

// One earlier question at a time, from lessons that the student has finished.
namespace fs = std::filesystem;

namespace course {

namespace {

constexpr int lessons_behind = 2;

/// A question that can be answered without running anything.
struct QuizQuestion {
    const Lesson* lesson;
    const Question* question;
    std::string answer;  ///< for a question with a number
};

/// The place of the lesson of the first exercise that isn't passed; beyond the last one if all are.
int place_of_student(const Kit& kit, const std::vector<Lesson>& lessons) {
    Progress::Records records = Progress(kit.root / "work").read();
    for (const ExerciseFolder& folder : exercises_in_order(kit)) {
        if (records[folder.name].passed) continue;
        const std::string name = read_manifest(folder.path).lesson;
        for (const Lesson& lesson : lessons)
            if (lesson.folder.name() == name) return lesson.folder.place;
        break;  // a lesson that isn't written yet
    }
    return lessons.empty() ? 0 : lessons.back().folder.place + lessons_behind;
}

/// The program's answer to a question with a number, if it is the same everywhere; otherwise empty.
std::string kept_answer(const Lesson& lesson, const Question& question) {
    const fs::path file = lesson.folder.path / (question.program + ".out");
    if (!fs::is_regular_file(file)) return "";
    const std::vector<std::string> answers = answers_of(read_file(file));
    return question.which < answers.size() && parse_number(answers[question.which]) ? answers[question.which] : "";
}

std::vector<QuizQuestion> old_questions(const std::vector<Lesson>& lessons, int now) {
    std::vector<QuizQuestion> questions;
    for (const Lesson& lesson : lessons) {
        if (lesson.folder.place + lessons_behind > now) continue;
        for (const Question& question : lesson.questions) {
            const std::string answer = question.number ? kept_answer(lesson, question) : "";
            if (!question.number || !answer.empty()) questions.push_back({&lesson, &question, answer});
        }
    }
    return questions;
}

void tell(const Kit& kit, const QuizQuestion& asked, const Prediction& prediction, const Style& style) {
    const JudgedPrediction judged =
        judge_prediction(*asked.question, prediction, asked.answer);
    const std::vector<Misconception> misconceptions = read_misconceptions(kit.root);
    const std::string misconception =
        judged.tag > 0 ? misconceptions.at(static_cast<std::size_t>(judged.tag) - 1).sentence : "";
    print("\n" + judged_text(*asked.question, judged, asked.answer, misconception, style));
    note_answer(Answers(kit.root / "work"), asked.lesson->full_id(*asked.question), judged);
}

/// True if the question is about a misconception of the student's that isn't mended.
bool is_to_mend(const Question& question, const std::map<int, MetMisconception>& met) {
    const std::set<int> tags = tags_of(question);
    return std::any_of(tags.begin(), tags.end(), [&](int tag) {
        const auto found = met.find(tag);
        return found != met.end() && !found->second.mended();
    });
}

/// @param given the answer; empty: ask for it
int quiz_command(const Kit& kit, const std::string& given) {
    const std::vector<Lesson> lessons = read_lessons(kit.root);
    const std::vector<QuizQuestion> questions = old_questions(lessons, place_of_student(kit, lessons));
    const std::vector<RecordedAnswer> answers = Answers(kit.root / "work").read();
    const std::map<int, MetMisconception> met = met_misconceptions(course_path(kit), lessons, answers);
    std::vector<std::string> ids;
    std::set<std::string> own;
    for (const QuizQuestion& one : questions) {
        ids.push_back(one.lesson->full_id(*one.question));
        if (is_to_mend(*one.question, met)) own.insert(ids.back());
    }
    const auto next = next_question(ids, answers, today(), own);
    if (!next) {
        print(fmt::format("No question yet: the quiz asks about lessons that lie {} back.\n", lessons_behind));
        return 0;
    }
    const QuizQuestion& asked = questions[*next];
    const Style style = Style::of_descriptor(STDOUT_FILENO);
    const Lesson& lesson = *asked.lesson;
    print(fmt::format("{}\n\n{}", style.bold(fmt::format("From lesson {}: {}", lesson.folder.number, lesson.title)),
                      listing_text(lesson, *asked.question) + question_text(*asked.question)));
    if (!given.empty()) {
        const auto prediction = parse_prediction(*asked.question, given);
        if (!prediction)
            throw UsageError(
                fmt::format("\"{}\" is not a valid answer; write {}", given, expected_prediction(*asked.question)));
        tell(kit, asked, *prediction, style);
    } else if (!can_ask()) {
        print(fmt::format("\n  To answer: make quiz ANSWER=... ({})\n", expected_prediction(*asked.question)));
        return 0;
    } else if (const auto prediction = ask_prediction(*asked.question)) {
        tell(kit, asked, *prediction, style);
    } else {
        return 0;
    }
    print(fmt::format("\n  More about it: {}\n", shown_path(lesson.folder.path / "README.md", kit.root)));
    return 0;
}

}  // namespace

void add_quiz(CommandLine& line) {
    auto [command, given] =
        line.add("quiz", "one old question, two lessons back, on your own misconceptions first", quiz_command);
    command.option("--answer", &given, "a letter or a number, in place of asking");
}

}  // namespace course

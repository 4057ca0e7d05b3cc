// SPDX-License-Identifier: MIT
// Lessons for their authors: generates or compares parts, runs programs, checks texts.
#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "author/check_page.hpp"
#include "author/dev_commands.hpp"
#include "kit/kit.hpp"
#include "lessons/blocks.hpp"
#include "lessons/prediction.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/parallel.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// What `course dev lessons` looks at.
struct DevLessonsOptions {
    std::vector<int> numbers;  ///< empty: all, and what holds between them
    bool write = false;        ///< write the generated parts and the kept outputs again
    std::string programs;      ///< the folder of the built programs; empty: the kit's own
};

/// What is found, below a heading for each file; printed sorted, since programs run side by side.
class Faults {
public:
    void add(std::string fault) {
        const std::lock_guard lock(mutex_);
        faults_.push_back(std::move(fault));
    }
    void add(const std::vector<std::string>& faults) {
        for (const std::string& fault : faults) add(fault);
    }
    [[nodiscard]] const std::vector<std::string>& all() const { return faults_; }

private:
    std::mutex mutex_;
    std::vector<std::string> faults_;
};

std::string text_or_empty(const fs::path& path) { return fs::is_regular_file(path) ? read_file(path) : ""; }

/// Writes the file if this changes it.
void rewrite(const Kit& kit, const fs::path& path, const std::string& text) {
    if (fs::is_regular_file(path) && read_file(path) == text) return;
    write_file(path, text);
    print(fmt::format("  written: {}\n", fs::relative(path, kit.root).string()));
}

/// Each question's value must be the program's answer, in the order of its questions.
void compare_answers(const Lesson& lesson, const LessonProgram& program, const std::string& kept,
                     const std::string& printed, Faults& faults) {
    const std::string where = fmt::format("lessons/{}/lesson.toml: question ", lesson.folder.name());
    const std::vector<std::string> answers = answers_of(printed), kept_answers = answers_of(kept);
    std::size_t asked = 0;
    for (const Question& question : lesson.questions) {
        if (question.program != program.name) continue;
        ++asked;
        if (question.which >= answers.size()) {
            faults.add(fmt::format("{}{}: {} prints {} line(s) \"Answer: VALUE\"; expected number {}", where,
                                   question.id, program.name, answers.size(), question.which + 1));
            continue;
        }
        const std::string& answer = answers[question.which];
        if (question.number) {
            if (!parse_number(answer))
                faults.add(fmt::format("{}{}: {} answers \"{}\"; expected a number alone", where, question.id,
                                       program.name, answer));
        } else if (answer != question.right_choice().value) {
            faults.add(fmt::format("{}{}: {} answers \"{}\"; expected \"{}\", the right choice's value", where,
                                   question.id, program.name, answer, question.right_choice().value));
        }
    }
    if (answers.size() > asked)
        faults.add(
            fmt::format("lessons/{}/{}.cpp: it prints {} line(s) \"Answer: VALUE\" for {} question(s) of "
                        "lesson.toml",
                        lesson.folder.name(), program.name, answers.size(), asked));
}

void run_and_compare(const Kit& kit, const fs::path& programs, const Lesson& lesson, const LessonProgram& program,
                     bool write, Faults& faults) {
    const std::string where = fmt::format("lessons/{}/{}", lesson.folder.name(), program.name);
    std::vector<std::string> runs;
    for (int run = 0; run < (write && program.measures ? 3 : 1); ++run) {
        const ProcessResult result = run_lesson_program(programs, lesson, program, LessonDevice::host);
        if (const std::string wrong = what_went_wrong(result); !wrong.empty())
            return faults.add(fmt::format("{}.cpp: the program {}; it printed:\n{}", where, wrong, result.output));
        runs.push_back(result.output);
    }
    const fs::path file = lesson.folder.path / (program.name + ".out");
    std::string kept = text_or_empty(file);
    if (write) {
        kept = program.measures                           ? output_to_keep(kept, runs)
               : output_difference(kept, runs[0]).empty() ? kept
                                                          : runs[0];
        rewrite(kit, file, kept);
    } else if (!fs::is_regular_file(file)) {
        faults.add(fmt::format("{}.out: there is no such file; course dev lessons {} --write makes it", where,
                               lesson.folder.number));
    } else if (const std::string difference = output_difference(kept, runs[0]); !difference.empty()) {
        faults.add(fmt::format("{}.out: the program prints something else, in {}", where, difference));
    }
    compare_answers(lesson, program, kept, runs[0], faults);
}

/// Regenerates or compares the generated parts of a lesson's page, README.md or breather.md.
void fill_or_compare(const Kit& kit, const Lesson& lesson, const std::string& name,
                     const std::map<std::string, Manifest>& exercises, bool write, Faults& faults) {
    const fs::path file = lesson.folder.path / name;
    const std::string where = fmt::format("lessons/{}/{}", lesson.folder.name(), name);
    if (!fs::is_regular_file(file)) return faults.add(where + ": there is no such file; expected the lesson's text");
    const MarkdownPage page(read_file(file), LessonBlocks::kinds());
    if (page.unmatched_mark() > 0)
        return faults.add(fmt::format("{}:{}: this mark has no partner; a block ends with <!-- end -->", where,
                                      page.unmatched_mark()));
    std::vector<std::string> wrong;
    const LessonBlocks blocks(kit.root, lesson, exercises);
    const std::string filled = blocks.filled(page, wrong);
    for (const std::string& fault : wrong) faults.add(where + ":" + fault);
    if (write) return rewrite(kit, file, filled);
    const std::vector<std::string> now = split_lines(filled);
    for (std::size_t k = 0; k < std::max(now.size(), page.lines().size()); ++k)
        if (k >= now.size() || k >= page.lines().size() || now[k] != page.lines()[k].text)
            return faults.add(
                fmt::format("{}:{}: a generated part isn't up to date; course dev lessons {} --write "
                            "renews it",
                            where, k + 1, lesson.folder.number));
}

std::map<std::string, Manifest> exercises_by_name(const Kit& kit, Faults& faults) {
    std::map<std::string, Manifest> exercises;
    for (const ExerciseFolder& folder : exercise_folders(kit.root)) try {
            exercises.emplace(folder.name, read_manifest(folder.path));
        } catch (const ManifestError& error) {
            faults.add(error.what());
        }
    return exercises;
}

std::vector<LessonFolder> wanted_folders(const Kit& kit, const std::vector<int>& numbers) {
    std::vector<LessonFolder> all = lesson_folders(kit.root), wanted;
    for (const int number : numbers) {
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const LessonFolder& folder) { return folder.number == number; });
        if (found == all.end()) throw UsageError(fmt::format("there is no lesson {} in lessons/", number));
        wanted.push_back(*found);
    }
    return numbers.empty() ? all : wanted;
}

/// The pages whose links are checked: of the wanted lessons, or of the whole course.
std::vector<fs::path> linked_pages(const Kit& kit, const std::vector<Lesson>& lessons, bool all) {
    std::vector<fs::path> pages;
    for (const Lesson& lesson : lessons)
        for (const char* const name : {"README.md", "breather.md"}) pages.push_back(lesson.folder.path / name);
    if (all) {
        for (const char* const folder : {"", "docs", "lessons"}) {
            std::error_code error;
            for (const auto& entry : fs::directory_iterator(kit.root / folder, error))
                if (entry.is_regular_file() && entry.path().extension() == ".md") pages.push_back(entry.path());
        }
        for (const ExerciseFolder& folder : exercise_folders(kit.root)) pages.push_back(folder.path / "README.md");
    }
    std::erase_if(pages, [](const fs::path& page) { return !fs::is_regular_file(page); });
    std::sort(pages.begin(), pages.end());
    return pages;
}

std::vector<Lesson> readable_lessons(const std::vector<LessonFolder>& folders, Faults* faults) {
    std::vector<Lesson> lessons;
    for (const LessonFolder& folder : folders) try {
            lessons.push_back(read_lesson(folder));
        } catch (const ManifestError& error) {
            if (faults) faults->add(error.what());
        }
    return lessons;
}

/// Checks the texts of the wanted lessons; for all of them, also what connects them and the rest of the course.
void check_texts(const Kit& kit, const std::vector<Lesson>& lessons, const std::map<std::string, Manifest>& exercises,
                 bool all, Faults& faults) {
    const Glossary glossary(text_or_empty(kit.root / "docs/glossary.md"));
    const std::vector<Lesson> course = readable_lessons(lesson_folders(kit.root), nullptr);
    const Introductions introduced = introductions(course, glossary);
    for (const Lesson& lesson : lessons) {
        faults.add(faults_of_files(lesson));
        const fs::path file = lesson.folder.path / "README.md";
        if (!fs::is_regular_file(file)) continue;
        const MarkdownPage page(read_file(file), LessonBlocks::kinds());
        faults.add(faults_of_parts(lesson.sitting(false), page));
        faults.add(faults_of_terms(lesson, page, glossary, introduced));
        faults.add(faults_of_figures(lesson, page));
        if (const fs::path breather = lesson.folder.path / "breather.md"; fs::is_regular_file(breather)) {
            if (!lesson.breather)
                faults.add(fmt::format("lessons/{}/breather.md: lesson.toml has no breather", lesson.folder.name()));
            else
                faults.add(faults_of_breather(lesson.sitting(true),
                                              MarkdownPage(read_file(breather), LessonBlocks::kinds())));
        }
    }
    for (const fs::path& file : linked_pages(kit, lessons, all))
        faults.add(faults_of_links(kit.root, file, MarkdownPage(read_file(file), LessonBlocks::kinds()), glossary));
    for (const std::string& fault : faults_of_order(course, exercises, glossary)) {
        const bool is_wanted = std::any_of(lessons.begin(), lessons.end(), [&](const Lesson& lesson) {
            return fault.find(lesson.folder.name()) != fault.npos;
        });
        if (all || is_wanted) faults.add(fault);
    }
    if (all) faults.add(faults_of_columns(kit.root));
}

void run_all(const Kit& kit, const fs::path& programs, const std::vector<Lesson>& lessons, bool write, Faults& faults) {
    std::vector<std::pair<const Lesson*, const LessonProgram*>> runs;
    for (const Lesson& lesson : lessons)
        for (const LessonProgram& program : lesson.programs) runs.emplace_back(&lesson, &program);
    std::mutex printing;
    in_pieces(std::ssize(runs), 1, [&](std::int64_t begin, std::int64_t) {
        const auto& [lesson, program] = runs[static_cast<std::size_t>(begin)];
        {
            const std::lock_guard lock(printing);
            print(fmt::format("  running {}/{} ({} of {})\n", lesson->folder.name(), program->name, begin + 1,
                              runs.size()));
        }
        try {
            run_and_compare(kit, programs, *lesson, *program, write, faults);
        } catch (const UsageError& error) {
            faults.add(error.what());
        }
    });
}

int dev_lessons_command(const Kit& kit, const DevLessonsOptions& options) {
    Faults faults;
    const std::vector<Lesson> lessons = readable_lessons(wanted_folders(kit, options.numbers), &faults);
    const std::map<std::string, Manifest> exercises = exercises_by_name(kit, faults);
    run_all(kit, lesson_programs(kit, options.programs), lessons, options.write, faults);
    for (const Lesson& lesson : lessons) {
        fill_or_compare(kit, lesson, "README.md", exercises, options.write, faults);
        if (lesson.breather) fill_or_compare(kit, lesson, "breather.md", exercises, options.write, faults);
    }
    check_texts(kit, lessons, exercises, options.numbers.empty(), faults);

    for (const std::string& fault : faults.all()) print(fault + "\n");
    print(fmt::format("{}: {}\n", plural(lessons.size(), "lesson"),
                      faults.all().empty() ? "all as it should be" : fmt::format("{} to mend", faults.all().size())));
    return faults.all().empty() ? 0 : 1;
}

}  // namespace

void add_dev_lessons(CommandLine& line) {
    auto [command, options] = line.add("lessons", "fill in and check the lessons", dev_lessons_command);
    command.option("numbers", &options.numbers, "lessons (default: all)", {.is_number = true});
    command.option("--write", &options.write, "write the generated parts and the kept outputs again");
    command.option("--programs", &options.programs, "where the programs are (default: build/PRESET/lessons)");
}

}  // namespace course

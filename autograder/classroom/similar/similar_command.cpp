// SPDX-License-Identifier: MIT
#include "classroom/similar/similar_command.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <unistd.h>

#include "classroom/grades/stored_result.hpp"
#include "classroom/similar/answers.hpp"
#include "classroom/similar/similar_page.hpp"
#include "classroom/submissions/anonymity.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/parallel.hpp"
#include "support/process.hpp"
#include "support/progress.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// What `course similar` compares.
struct SimilarOptions {
    std::string results;                 ///< the folder that `course grade` wrote
    std::vector<std::string> also;       ///< other classes' answers: folders of results, or what was handed in
    std::vector<std::string> published;  ///< answers that everybody may have read, in the same forms
    std::vector<int> exercises;          ///< empty: all
    double percent = 80;                 ///< the least share of a pair
    std::string out;                     ///< the page; empty: RESULTS/similar.html
};

/// A folder for what is unpacked.
std::unique_ptr<TemporaryPath> scratch_folder() {
    std::string name = (fs::temp_directory_path() / "course-similar-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw FileError("make", name, errno);
    return std::make_unique<TemporaryPath>(name);
}

/// This class, the others, and what everybody may have read.
struct Sources {
    AnswerFolder own;
    std::vector<AnswerFolder> also, published;
    std::optional<Anonymity> names;  ///< empty: names are shown
    std::vector<std::unique_ptr<TemporaryPath>> scratch;

    Sources(const Kit& kit, const SimilarOptions& options)
        : own{options.results, read_class_intake(options.results), ""} {
        names = anonymity(options.results, own.intake, Names::as_before, false);
        if (names) names->hide(own.intake);
        std::vector<fs::path> folders = {options.results};
        for (const auto* more : {&options.also, &options.published})
            folders.insert(folders.end(), more->begin(), more->end());
        const std::vector<std::string> labels = folder_labels(folders);
        for (std::size_t k = 1; k < folders.size(); ++k) {
            scratch.push_back(scratch_folder());
            std::vector<AnswerFolder>& into = k <= options.also.size() ? also : published;
            into.push_back(open_answers(kit, folders[k], scratch.back()->path(), labels[k]));
        }
    }
};

std::vector<std::string> labels_of(const std::vector<AnswerFolder>& folders) {
    std::vector<std::string> labels;
    for (const AnswerFolder& one : folders) labels.push_back(one.label);
    return labels;
}

void compare_exercise(const Kit& kit, const Sources& sources, const SimilarityOptions& options,
                      ExerciseAnswers& exercise, std::vector<std::string>& problems) {
    const fs::path folder = kit.find(exercise.number).path;
    const std::string name = folder.filename().string();
    std::vector<ComparedAnswer> published;
    const auto add = [&](std::vector<ComparedAnswer>& to, const AnswerFolder& from) {
        for (ComparedAnswer& one : read_answers(from, name, problems)) to.push_back(std::move(one));
    };
    add(exercise.answers, sources.own);
    if (exercise.answers.empty()) return;
    for (const AnswerFolder& from : sources.also) add(exercise.answers, from);
    for (const AnswerFolder& from : sources.published) add(published, from);
    exercise.found = compare_answers(exercise.answers, runs_given(folder), runs_of(published), options);
}

int similar_command(const Kit& kit, const SimilarOptions& options) {
    ProgressLine progress("reading the answers");
    const Sources sources(kit, options);
    SimilarPage page{{}, labels_of(sources.also), labels_of(sources.published), {}};
    page.options.at_least = options.percent / 100;
    for (const int number : options.exercises) static_cast<void>(kit.find(number));  // throws for an unknown exercise
    for (const ExerciseFolder& folder : exercise_folders(kit.root))
        if (options.exercises.empty() ||
            std::find(options.exercises.begin(), options.exercises.end(), folder.number) != options.exercises.end())
            page.exercises.push_back({folder.number, kit.manifest(folder.number).title, {}, {}});
    progress.say("comparing the answers");
    std::vector<std::vector<std::string>> problems(page.exercises.size());
    in_pieces(static_cast<std::int64_t>(page.exercises.size()), 1, [&](std::int64_t begin, std::int64_t end) {
        for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
            compare_exercise(kit, sources, page.options, page.exercises[k], problems[k]);
    });
    std::erase_if(page.exercises, [](const ExerciseAnswers& one) { return one.answers.empty(); });
    if (page.exercises.empty())
        throw UsageError(fmt::format("{}: no answer to {} lies there", options.results,
                                     options.exercises.empty() ? "an exercise of this edition" : "these exercises"));
    std::size_t answers = 0, pairs = 0, same = 0;
    for (const ExerciseAnswers& one : page.exercises) {
        answers += one.answers.size();
        pairs += one.found.pairs.size();
        same += one.found.same.size();
    }
    const fs::path out = options.out.empty() ? fs::path(options.results) / "similar.html" : fs::path(options.out);
    if (out.has_parent_path()) make_folders(out.parent_path());
    write_file_atomically(out, similar_page(page), 0600);
    bool is_whole = true;
    for (const std::vector<std::string>& lines : problems)
        for (const std::string& line : lines) {
            print_error(fmt::format("course: {}\n", sources.names ? sources.names->in(line) : line));
            is_whole = false;
        }
    print(fmt::format(
        "{} answers to {}: {} with {:.4g} % or more in common, {} of equal files\n"
        "The page: {}\nSimilarity isn't proof: no verdict and no points follow from it.\n",
        answers, plural(page.exercises.size(), "exercise"), plural(pairs, "pair"), options.percent,
        plural(same, "group"), out.string()));
    return is_whole ? 0 : 1;
}

}  // namespace

void add_similar(CommandLine& line) {
    auto [command, options] = line.add("similar", "answers that have much in common, side by side", similar_command);
    command.option("results", &options.results, "the folder that `course grade` wrote", {.required = true});
    command.option("--also", &options.also, "another class's answers, as handed in or as graded", {.repeats = true});
    command.option("--published", &options.published, "answers that everybody may have read: don't count",
                   {.repeats = true});
    command.option("--exercises", &options.exercises, "these alone, with commas: 1,2,8",
                   {.is_number = true, .has_commas = true});
    command.option("--at-least", &options.percent, "the percentage in common of a pair (default: 80)",
                   {.range = std::pair(10, 100)});
    command.option("--out", &options.out, "the page (default: similar.html in that folder)");
}

}  // namespace course

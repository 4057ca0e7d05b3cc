// SPDX-License-Identifier: MIT
#include "classroom/similar/answers.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "classroom/grades/stored_result.hpp"
#include "classroom/submissions/take_in.hpp"
#include "collect/collect.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

std::string name_of(const AnswerFolder& from, const std::string& id) {
    const auto at = std::find_if(from.intake.roster.begin(), from.intake.roster.end(),
                                 [&](const ClassStudent& one) { return one.id == id; });
    const bool has_name = at != from.intake.roster.end() && !at->name.empty() && at->name != id;
    std::string text = plain_line(has_name ? fmt::format("{} ({})", at->name, id) : id);
    return from.label.empty() ? text : fmt::format("{}, {}", text, from.label);
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (!entry.is_symlink() && entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

ComparedAnswer read_one(const AnswerFolder& from, const ClassSubmission& submission, const std::string& exercise) {
    ComparedAnswer answer{name_of(from, submission.student), submission.members, !from.label.empty(), "", {}};
    answer.people.push_back(submission.student);
    for (const ClassStudent& student : from.intake.roster)
        if (student.id == submission.student && !student.group.empty())
            answer.people.push_back("group " + student.group);
    std::string all;
    for (const fs::path& file : files_in(from.results / "submissions" / submission.id / exercise)) {
        const std::string text = read_file(file, answer_file_bytes), name = file.filename().string();
        all += fmt::format("{} {}\n{}", name, text.size(), text);
        answer.files.emplace_back(plain_line(name), plain_text(text, answer_file_bytes, answer_file_bytes));
    }
    answer.digest = digest(all);
    return answer;
}

}  // namespace

std::vector<std::string> folder_labels(const std::vector<fs::path>& folders) {
    std::vector<fs::path> rest, names;  // per folder: the path before its label, and the label
    for (const fs::path& folder : folders) {
        const fs::path whole = fs::absolute(folder / "").lexically_normal().parent_path();
        rest.push_back(whole.parent_path());
        names.push_back(whole.filename());
    }
    const auto is_shared = [&](std::size_t k) { return std::count(names.begin(), names.end(), names[k]) > 1; };
    for (bool grows = true; grows;) {
        grows = false;
        std::vector<fs::path> longer = names;
        for (std::size_t k = 0; k < names.size(); ++k) {
            if (!is_shared(k) || !rest[k].has_filename()) continue;
            longer[k] = rest[k].filename() / names[k];
            rest[k] = rest[k].parent_path();
            grows = true;
        }
        names = std::move(longer);
    }
    std::vector<std::string> labels;
    for (const fs::path& name : names) labels.push_back(plain_line(name.string()));
    return labels;
}

AnswerFolder open_answers(const Kit& kit, const fs::path& folder, const fs::path& scratch, const std::string& label) {
    AnswerFolder opened{folder, {}, label};
    if (fs::is_regular_file(folder / "intake.json")) {
        opened.intake = read_class_intake(folder);
        return opened;
    }
    opened.results = scratch;
    try {
        opened.intake = take_in({.submissions = folder, .into = scratch, .root = kit.root});
    } catch (const IntakeError& error) {
        throw UsageError(error.what());
    }
    return opened;
}

std::vector<ComparedAnswer> read_answers(const AnswerFolder& from, const std::string& exercise,
                                         std::vector<std::string>& problems) {
    std::map<std::string, const ClassSubmission*> latest;
    for (const ClassSubmission& submission : from.intake.submissions) {
        const bool has_answer = std::any_of(submission.answers.begin(), submission.answers.end(),
                                            [&](const SubmittedAnswer& one) { return one.folder == exercise; });
        const ClassSubmission*& one = latest[submission.student];
        if (has_answer && (one == nullptr || submission.attempt > one->attempt)) one = &submission;
    }
    std::vector<ComparedAnswer> answers;
    for (const auto& [student, submission] : latest) {
        if (submission == nullptr) continue;
        try {
            answers.push_back(read_one(from, *submission, exercise));
        } catch (const std::exception& error) {
            problems.push_back(plain_line(fmt::format("{}{}{}/{}: {}", from.label, from.label.empty() ? "" : ": ",
                                                      submission->id, exercise, error.what())));
        }
    }
    return answers;
}

std::unordered_set<std::uint64_t> runs_given(const fs::path& exercise) {
    const Manifest manifest = read_manifest(exercise);
    std::unordered_set<std::uint64_t> runs;
    for (const fs::path& file : files_in(exercise)) {
        if (file.extension() != ".hpp" && !is_one_of(file.filename().string(), manifest.edit)) continue;
        const std::vector<std::uint64_t> own = run_hashes(compared_tokens(read_file(file)));
        runs.insert(own.begin(), own.end());
    }
    return runs;
}

std::unordered_set<std::uint64_t> runs_of(const std::vector<ComparedAnswer>& answers) {
    std::unordered_set<std::uint64_t> runs;
    for (const ComparedAnswer& answer : answers)
        for (const ComparedFile& file : answer.files) runs.insert(file.runs.begin(), file.runs.end());
    return runs;
}

}  // namespace course

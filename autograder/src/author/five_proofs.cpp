// SPDX-License-Identifier: MIT
#include "author/five_proofs.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answer/judge_answer.hpp"
#include "author/exercise_files.hpp"
#include "build/scratch.hpp"
#include "collect/collect.hpp"
#include "kit/puzzle.hpp"
#include "support/files.hpp"

namespace course {

namespace {

/// An exercise under proof; the device is probed once for all of its answers.
struct Proved {
    const Kit& kit;
    const Manifest& manifest;
    ProbeAnswer device;
    SharedKernels kernels;
    bool replays;   ///< for wrong, lazy and empty answers, too
    Part part;      ///< of the planted answers
    [[nodiscard]] bool has(const std::vector<PlantedAnswer>& answers, const PlantedAnswer& answer) const {
        return static_cast<std::size_t>(&answer - answers.data()) % part.second == part.first - 1;
    }
};

enum class As { on_own_machine, in_a_class };

JudgedAnswer judge_folder(const Proved& one, const std::filesystem::path& folder, As as = As::on_own_machine,
                          MeasureSpeed measure_speed = MeasureSpeed::on_gpu) {
    RunOptions options;
    options.replays = one.replays || as == As::in_a_class;
    JudgedAnswer judged = judge_answer(one.kit, {.manifest = one.manifest,
                                                 .folder = folder,
                                                 .options = options,
                                                 .judge_stub = true,
                                                 .measure_speed = measure_speed,
                                                 .device = &one.device,
                                                 .kernels = &one.kernels});
    judged.screen.own_answer = false;
    judged.ending.reset();
    return judged;
}

/// The screen as a student sees it, after a line of explanation.
std::string shown(const std::string& line, const JudgedAnswer& judged) {
    return line + "\n" + verdict_screen(judged.result, judged.screen);
}

/// Given code must compile without warnings, or those about a student's own mistakes drown in them.
void refuse_warnings(Proof& proof, std::string_view which, const JudgedAnswer& judged) {
    if (!judged.result.warnings.empty())
        proof.failures.push_back(shown(fmt::format("the {} should compile without warnings:", which), judged));
}

bool has_todo(const std::string& text) { return text.find("TODO") != text.npos; }

void want_files_of_stub(Proof& proof, const Kit& kit, const Manifest& manifest) {
    const auto want = [&](const std::string& name, const std::string& fault) {
        if (!fault.empty()) proof.failures.push_back(fmt::format("{} {}", name, fault));
    };
    for (const std::string& name : manifest.edit) {
        const std::string stub = read_file(manifest.folder / name);
        want(name, fault_of_frame(stub, stub, Frame::equal));
        const bool is_solved = stub == read_file(kit.solution(manifest.folder) / name);
        want(name, has_todo(stub) || is_solved ? "" : "has no TODO");
    }
    want("README.md", fault_of_page(read_file(manifest.folder / "README.md"), manifest.folder.filename().string()));
}

/// Checks that a student could write the answer: outside the marks it equals the stub. False if it can't be collected
/// at all, such as a patch that no longer applies.
bool want_frames(Proof& proof, const Proved& one, const std::string& whose, const std::filesystem::path& folder,
                 Frame frame) {
    Answer answer;
    try {
        answer = collect(one.manifest, folder, one.kit.root);
    } catch (const CollectError& error) {
        proof.failures.push_back(fmt::format("{}: {}", whose, error.what()));
        return false;
    }
    for (const AnswerFile& file : answer.files) {
        const std::string fault = fault_of_frame(read_file(one.manifest.folder / file.name), file.text, frame);
        if (!fault.empty()) proof.failures.push_back(fmt::format("{}: {} {}", whose, file.name, fault));
        if (frame == Frame::equal && has_todo(file.text))
            proof.failures.push_back(fmt::format("{}: {} has a TODO", whose, file.name));
    }
    return true;
}

Proof prove_stub(const Proved& one) {
    const Manifest& manifest = one.manifest;
    Proof proof;
    want_files_of_stub(proof, one.kit, manifest);
    const JudgedAnswer judged = judge_folder(one, manifest.folder);
    const std::string_view verdict = to_string(judged.result.verdict);
    proof.text = fmt::format("ok ({})", verdict);
    if (verdict != manifest.stub_fails)
        proof.failures.push_back(shown(
            fmt::format("the stub should fail with \"{}\"; it got \"{}\":", manifest.stub_fails, verdict), judged));
    refuse_warnings(proof, "stub", judged);
    for (const TaskResult& task : judged.result.tasks)
        if (task.star && task.verdict != Verdict::not_started && judged.result.verdict != Verdict::environment)
            proof.failures.push_back(
                fmt::format("the star {} of the stub should count as not begun: let its part begin "
                            "with // ---- your code, star (about N lines) ----",
                            task.id));
    return proof;
}

/// A star that is begun in a right answer must be right, too.
void want_stars(Proof& proof, const std::string& whose, const JudgedAnswer& judged, bool all) {
    for (const TaskResult& task : judged.result.tasks) {
        const bool left_out = !all && task.verdict == Verdict::not_started;
        if (task.star && !is_passed(task) && !left_out && exit_code(judged.result.verdict) == 0)
            proof.failures.push_back(shown(fmt::format("{} should earn the star {}:", whose, task.id), judged));
    }
}

/// Deciding counts must come from a replay, for each case whose results are compared and that can be replayed.
void want_replays(Proof& proof, const std::string& whose, const Manifest& manifest, const JudgedAnswer& judged) {
    for (std::size_t k = 0; k < std::min(manifest.tasks.size(), judged.result.tasks.size()); ++k) {
        const Task& task = manifest.tasks[k];
        const TaskResult& result = judged.result.tasks[k];
        if (!is_passed(result) || !result.check || (task.budgets.empty() && task.kernels.empty())) continue;
        const CheckResult& check = *result.check;
        const bool all = check.counted > 0 && (check.replayed == check.counted || !check.not_replayed.empty());
        if (!all)
            proof.failures.push_back(fmt::format("{}: of task {}, {} of {} cases were replayed, and nothing says why",
                                                 whose, task.id, check.replayed, check.counted));
    }
}

Proof prove_right_answers(const Proved& one) {
    const Manifest& manifest = one.manifest;
    Proof proof;
    const JudgedAnswer judged = judge_folder(one, one.kit.solution(manifest.folder), As::in_a_class);
    if (exit_code(judged.result.verdict) != 0) proof.failures.push_back(shown("the solution should pass:", judged));
    refuse_warnings(proof, "solution", judged);
    want_stars(proof, "the solution", judged, true);
    want_replays(proof, "the solution", manifest, judged);
    want_frames(proof, one, "the solution", one.kit.solution(manifest.folder), Frame::equal);
    for (const PlantedAnswer& right : manifest.right) {
        const std::filesystem::path folder = manifest.folder / "right" / right.name;
        const std::string whose = "the right answer " + right.name;
        const bool is_taken = want_frames(proof, one, whose, folder, Frame::includes_differ);
        for (const auto& file : std::filesystem::directory_iterator(folder))
            if (read_file(file) == read_file(one.kit.solution(manifest.folder) / file.path().filename()))
                proof.failures.push_back(fmt::format("{}: {} is the solution's: leave it out", whose,
                                                     file.path().filename().string()));
        if (!is_taken || !one.has(manifest.right, right)) continue;
        const JudgedAnswer other = judge_folder(one, folder, As::in_a_class);
        if (exit_code(other.result.verdict) != 0) proof.failures.push_back(shown(whose + " should pass:", other));
        want_stars(proof, whose, other, false);
    }
    const auto more = std::count_if(manifest.right.begin(), manifest.right.end(),
                                    [&](const PlantedAnswer& right) { return one.has(manifest.right, right); });
    if (more > 0) proof.text = fmt::format("ok, {} more", more);
    return proof;
}

/// The proof for the answers in the folder `kind`, "wrong" or "lazy". They are caught without a GPU as well, so not for
/// their speed; measuring it would keep other proofs from the GPU for seconds.
Proof prove_caught(const Proved& one, const std::string& kind, const std::vector<PlantedAnswer>& answers) {
    Proof proof;
    int caught = 0;
    for (const PlantedAnswer& answer : answers) {
        const std::filesystem::path folder = one.manifest.folder / kind / answer.name;
        const std::string whose = fmt::format("the {} answer {}", kind, answer.name);
        const bool is_taken = want_frames(proof, one, whose, folder, Frame::includes_differ);
        if (!is_taken || !one.has(answers, answer)) continue;
        const As as = answer.in_class ? As::in_a_class : As::on_own_machine;
        const JudgedAnswer judged = judge_folder(one, folder, as, MeasureSpeed::nowhere);
        Screen all = judged.screen;   // with the output of `make counts-N`, and no line broken
        all.counts = true;
        all.columns = 100'000;
        const std::string why = why_not_caught(answer, judged.result, verdict_screen(judged.result, all));
        if (const std::string note = why_tag_not_shown(answer, judged.result); why.empty() && !note.empty())
            proof.notes.push_back(fmt::format("{} {}", whose, note));
        if (why.empty())
            ++caught;
        else
            proof.failures.push_back(shown(fmt::format("{} {}", whose, why), judged));
    }
    proof.text = fmt::format("{} caught", caught);
    return proof;
}

}  // namespace

bool FiveProofs::hold() const {
    const auto all = columns();
    return std::all_of(all.begin(), all.end(),
                       [&](const Column& column) { return (this->*column.proof).failures.empty(); });
}

FiveProofs prove(const Kit& kit, const ExerciseFolder& folder, bool replays, Part part) {
    FiveProofs proofs;
    proofs.name = folder.name;
    try {
        // Reading the manifest is half of the proof of the hints: it requires two hints and two wrong lines, none
        // empty.
        const Manifest manifest = read_manifest(folder.path);
        proofs.hints.text = fmt::format("{} rungs", manifest.hints.size() + 1);
        const Scratch kernels = Scratch::make(kit.toolchain.build_dir / "scratch");
        const Proved one{kit, manifest, look_at_device(kit, manifest, {}),
                         SharedKernels(kernels.path(), SharedKernels::Author::course), replays, part};
        proofs.stub = prove_stub(one);
        proofs.solution = prove_right_answers(one);
        proofs.wrong = prove_caught(one, "wrong", manifest.wrong);
        proofs.lazy = prove_caught(one, "lazy", manifest.lazy);
        proofs.hints.failures = faults_of_hints(kit, manifest);
    } catch (const ManifestError& error) {
        for (const FiveProofs::Column& column : FiveProofs::columns()) (proofs.*column.proof).text = "-";
        proofs.hints.failures.push_back(error.what());
    } catch (const FileError& error) {
        proofs.hints.failures.push_back(error.what());  // of the solution
    }
    return proofs;
}

std::string why_not_caught(const PlantedAnswer& answer, const Result& result, const std::string& screen) {
    const auto meant = std::find_if(result.tasks.begin(), result.tasks.end(),
                                    [&](const TaskResult& task) { return task.id == answer.task; });
    const bool star = meant != result.tasks.end() && meant->star;   // its verdict doesn't count
    const Verdict got = star ? meant->verdict : result.verdict;
    const std::string_view verdict = to_string(got);
    if (answer.verdict.empty() && exit_code(got) != 1)
        return fmt::format("should fail; it got \"{}\":", verdict);
    if (!answer.verdict.empty() && verdict != answer.verdict)
        return fmt::format("should get \"{}\"; it got \"{}\":", answer.verdict, verdict);
    if (!answer.task.empty() && (meant == result.tasks.end() || is_passed(*meant)))
        return fmt::format("should fail in the task {}, and passed it:", answer.task);
    if (screen.find(answer.says) == std::string::npos) return fmt::format("should say \"{}\":", answer.says);
    return "";
}

std::string why_tag_not_shown(const PlantedAnswer& answer, const Result& result) {
    if (!answer.tag) return "";
    std::set<int> shown;
    for (const TaskResult& task : result.tasks)
        if (answer.task.empty() || task.id == answer.task) shown.insert(task.tags.begin(), task.tags.end());
    if (shown.contains(*answer.tag)) return "";
    return fmt::format("has tag {}, which its verdict doesn't show (it shows {})", *answer.tag,
                       shown.empty() ? "none" : fmt::format("{}", fmt::join(shown, ", ")));
}

}  // namespace course

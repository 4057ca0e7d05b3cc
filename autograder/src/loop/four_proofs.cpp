// SPDX-License-Identifier: MIT
#include "loop/four_proofs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loop/judge_answer.hpp"

namespace course {

namespace {

JudgedAnswer judge_folder(const Kit& kit, const Manifest& manifest, const std::filesystem::path& folder) {
    JudgedAnswer judged =
        judge_answer(kit, {.manifest = manifest, .folder = folder, .options = {}, .judge_stub = true});
    judged.screen.own_answer = false;
    return judged;
}

/// The screen as a student sees it, behind a line of explanation.
std::string shown(const std::string& line, const JudgedAnswer& judged) {
    return line + "\n" + verdict_screen(judged.result, judged.screen);
}

Proof prove_stub(const Kit& kit, const Manifest& manifest) {
    Proof proof;
    const JudgedAnswer judged = judge_folder(kit, manifest, manifest.folder);
    const std::string_view verdict = to_string(judged.result.verdict);
    proof.text = fmt::format("ok ({})", verdict);
    if (verdict != manifest.stub_fails)
        proof.failures.push_back(shown(fmt::format("the stub should fail with \"{}\"; it got \"{}\":",
                                                   manifest.stub_fails, verdict), judged));
    return proof;
}

Proof prove_solution(const Kit& kit, const Manifest& manifest) {
    Proof proof;
    const JudgedAnswer judged = judge_folder(kit, manifest, kit.solution(manifest.folder));
    if (exit_code(judged.result.verdict) != 0)
        proof.failures.push_back(shown("the solution should pass:", judged));
    return proof;
}

std::string why_not_caught(const WrongAnswer& wrong, const JudgedAnswer& judged) {
    const std::string_view verdict = to_string(judged.result.verdict);
    // A GPU does what it likes with a race or an unset value: there, an answer must be caught, whatever it is told.
    if (judged.result.environment.backend == "cuda")
        return exit_code(judged.result.verdict) == 1 ? "" : "was not caught:";
    if (verdict != wrong.verdict) return fmt::format("should get \"{}\"; it got \"{}\":", wrong.verdict, verdict);
    const auto is_failed = [&](const TaskResult& task) {
        return task.id == wrong.task && exit_code(task.verdict) != 0;
    };
    const auto& tasks = judged.result.tasks;
    if (!wrong.task.empty() && std::none_of(tasks.begin(), tasks.end(), is_failed))
        return fmt::format("should fail in the task {}, and passed it:", wrong.task);
    if (verdict_screen(judged.result, judged.screen).find(wrong.says) == std::string::npos)   // what a student reads
        return fmt::format("should be told \"{}\":", wrong.says);
    return "";
}

Proof prove_wrong_answers(const Kit& kit, const Manifest& manifest) {
    Proof proof;
    for (const WrongAnswer& wrong : manifest.wrong) {
        const JudgedAnswer judged = judge_folder(kit, manifest, manifest.folder / "wrong" / wrong.name);
        if (const std::string why = why_not_caught(wrong, judged); !why.empty())
            proof.failures.push_back(shown(fmt::format("the wrong answer {} {}", wrong.name, why), judged));
    }
    proof.text = fmt::format("{} caught", manifest.wrong.size());
    return proof;
}

}  // namespace

bool FourProofs::hold() const {
    return stub.failures.empty() && solution.failures.empty() && wrong.failures.empty() && hints.failures.empty();
}

FourProofs prove(const Kit& kit, const ExerciseFolder& folder) {
    FourProofs proofs;
    proofs.name = folder.name;
    try {
        // Reading the manifest is the proof of the hints: it accepts three, none of them empty, and nothing else.
        const Manifest manifest = read_manifest(folder.path);
        proofs.hints.text = fmt::format("{} rungs", manifest.hints.size());
        proofs.stub = prove_stub(kit, manifest);
        proofs.solution = prove_solution(kit, manifest);
        proofs.wrong = prove_wrong_answers(kit, manifest);
    } catch (const ManifestError& error) {
        proofs.hints.failures.push_back(error.what());
        for (Proof* proof : {&proofs.stub, &proofs.solution, &proofs.wrong}) proof->text = "-";
    }
    return proofs;
}

}  // namespace course

// SPDX-License-Identifier: MIT
#include "loop/four_proofs.hpp"

#include <fmt/format.h>

#include "loop/judge_answer.hpp"
#include "loop/planted_answer.hpp"
#include "loop/puzzle.hpp"
#include "support/files.hpp"

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

/// What a student gets to see must compile without a word, or the words of a student's own mistakes drown in it.
void refuse_warnings(Proof& proof, std::string_view which, const JudgedAnswer& judged) {
    if (!judged.result.warnings.empty())
        proof.failures.push_back(shown(fmt::format("the {} should compile without warnings:", which), judged));
}

Proof prove_stub(const Kit& kit, const Manifest& manifest) {
    Proof proof;
    const JudgedAnswer judged = judge_folder(kit, manifest, manifest.folder);
    const std::string_view verdict = to_string(judged.result.verdict);
    proof.text = fmt::format("ok ({})", verdict);
    if (verdict != manifest.stub_fails)
        proof.failures.push_back(shown(fmt::format("the stub should fail with \"{}\"; it got \"{}\":",
                                                   manifest.stub_fails, verdict), judged));
    refuse_warnings(proof, "stub", judged);
    return proof;
}

Proof prove_solution(const Kit& kit, const Manifest& manifest) {
    Proof proof;
    const JudgedAnswer judged = judge_folder(kit, manifest, kit.solution(manifest.folder));
    if (exit_code(judged.result.verdict) != 0)
        proof.failures.push_back(shown("the solution should pass:", judged));
    refuse_warnings(proof, "solution", judged);
    return proof;
}

Proof prove_wrong_answers(const Kit& kit, const Manifest& manifest) {
    Proof proof;
    int caught = 0;
    for (const WrongAnswer& wrong : manifest.wrong) {
        const JudgedAnswer judged = judge_folder(kit, manifest, manifest.folder / "wrong" / wrong.name);
        const std::string why = why_not_caught(wrong, judged.result, verdict_screen(judged.result, judged.screen));
        if (!why.empty())
            proof.failures.push_back(shown(fmt::format("the wrong answer {} {}", wrong.name, why), judged));
        else
            ++caught;
    }
    proof.text = fmt::format("{} caught", caught);
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
        // Reading the manifest is half of the proof of the hints: it accepts two, and two wrong lines, none empty.
        const Manifest manifest = read_manifest(folder.path);
        proofs.hints.text = fmt::format("{} rungs", manifest.hints.size() + 1);
        proofs.stub = prove_stub(kit, manifest);
        proofs.solution = prove_solution(kit, manifest);
        proofs.wrong = prove_wrong_answers(kit, manifest);
        proofs.hints.failures = faults_of_hints(kit, manifest);
    } catch (const ManifestError& error) {
        proofs.hints.failures.push_back(error.what());
        for (Proof* proof : {&proofs.stub, &proofs.solution, &proofs.wrong}) proof->text = "-";
    } catch (const FileError& error) {
        proofs.hints.failures.push_back(error.what());  // of the solution
    }
    return proofs;
}

}  // namespace course

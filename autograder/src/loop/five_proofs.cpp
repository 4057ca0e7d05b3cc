// SPDX-License-Identifier: MIT
#include "loop/five_proofs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loop/judge_answer.hpp"
#include "loop/planted_answer.hpp"

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
        proof.failures.push_back(shown(
            fmt::format("the stub should fail with \"{}\"; it got \"{}\":", manifest.stub_fails, verdict), judged));
    return proof;
}

Proof prove_right_answers(const Kit& kit, const Manifest& manifest) {
    Proof proof;
    const JudgedAnswer judged = judge_folder(kit, manifest, kit.solution(manifest.folder));
    if (exit_code(judged.result.verdict) != 0) proof.failures.push_back(shown("the solution should pass:", judged));
    for (const PlantedAnswer& right : manifest.right) {
        const JudgedAnswer other = judge_folder(kit, manifest, manifest.folder / "right" / right.name);
        if (exit_code(other.result.verdict) != 0)
            proof.failures.push_back(shown(fmt::format("the right answer {} should pass:", right.name), other));
    }
    if (!manifest.right.empty()) proof.text = fmt::format("ok, {} more", manifest.right.size());
    return proof;
}

/// Of the answers in the folder `kind`, "wrong" or "lazy".
Proof prove_caught(const Kit& kit, const Manifest& manifest, const std::string& kind,
                   const std::vector<PlantedAnswer>& answers) {
    Proof proof;
    int caught = 0, exempt = 0;
    for (const PlantedAnswer& answer : answers) {
        const JudgedAnswer judged = judge_folder(kit, manifest, manifest.folder / kind / answer.name);
        const std::string why = why_not_caught(answer, judged.result, verdict_screen(judged.result, judged.screen));
        if (!why.empty())
            proof.failures.push_back(shown(fmt::format("the {} answer {} {}", kind, answer.name, why), judged));
        const bool passed = exit_code(judged.result.verdict) == 0;
        ++(passed && why.empty() ? exempt : caught);
    }
    proof.text = fmt::format("{} caught", caught);
    if (exempt > 0) proof.text += fmt::format(", {} for check mode", exempt);  // on a GPU, which has none
    return proof;
}

}  // namespace

bool FiveProofs::hold() const {
    const auto all = columns();
    return std::all_of(all.begin(), all.end(),
                       [&](const Column& column) { return (this->*column.proof).failures.empty(); });
}

FiveProofs prove(const Kit& kit, const ExerciseFolder& folder) {
    FiveProofs proofs;
    proofs.name = folder.name;
    try {
        // Reading the manifest is the proof of the hints: it accepts three, none of them empty, and nothing else.
        const Manifest manifest = read_manifest(folder.path);
        proofs.hints.text = fmt::format("{} rungs", manifest.hints.size());
        proofs.stub = prove_stub(kit, manifest);
        proofs.solution = prove_right_answers(kit, manifest);
        proofs.wrong = prove_caught(kit, manifest, "wrong", manifest.wrong);
        proofs.lazy = prove_caught(kit, manifest, "lazy", manifest.lazy);
    } catch (const ManifestError& error) {
        for (const FiveProofs::Column& column : FiveProofs::columns()) (proofs.*column.proof).text = "-";
        proofs.hints.failures.push_back(error.what());
    }
    return proofs;
}

}  // namespace course

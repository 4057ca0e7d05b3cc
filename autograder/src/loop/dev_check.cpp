// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "loop/commands.hpp"
#include "loop/four_proofs.hpp"
#include "loop/output.hpp"

namespace course {

namespace {

std::string cell(const Proof& proof) {
    return proof.failures.empty() ? proof.text : "FAILED";
}

}  // namespace

int dev_check_command(const Kit& kit, const std::vector<int>& numbers) {
    std::vector<int> wanted = numbers;
    if (wanted.empty())
        for (const ExerciseFolder& folder : exercise_folders(kit.root)) wanted.push_back(folder.number);
    if (wanted.empty()) throw UsageError("this edition has no exercises");
    print(fmt::format("{:<20} {:<20} {:<10} {:<14} {}\n", "exercise", "stub", "solution", "wrong answers", "hints"));
    std::string failures;
    int failed = 0;
    for (const int number : wanted) {
        const FourProofs proofs = prove(kit, kit.find(number));
        print(fmt::format("{:<20} {:<20} {:<10} {:<14} {}\n", fmt::format("{} {}", number, proofs.name),
                          cell(proofs.stub), cell(proofs.solution), cell(proofs.wrong), cell(proofs.hints)));
        for (const Proof* proof : {&proofs.stub, &proofs.solution, &proofs.wrong, &proofs.hints})
            for (const std::string& failure : proof->failures)
                failures += fmt::format("\nexercise {} {}: {}\n", number, proofs.name, failure);
        failed += proofs.hold() ? 0 : 1;
    }
    print(failures);
    print(fmt::format("\n{} of {} exercises hold.\n", static_cast<int>(wanted.size()) - failed, wanted.size()));
    return failed == 0 ? 0 : 1;
}

}  // namespace course

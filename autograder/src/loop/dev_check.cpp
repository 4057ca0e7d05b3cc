// SPDX-License-Identifier: MIT
#include <array>

#include <fmt/format.h>

#include "loop/commands.hpp"
#include "loop/five_proofs.hpp"
#include "loop/output.hpp"

namespace course {

namespace {

constexpr std::array<int, 5> widths = {20, 14, 14, 14, 0};

std::string cell(const Proof& proof) { return proof.failures.empty() ? proof.text : "FAILED"; }

/// A line of the table: the exercise, and a cell for each proof.
template <class Cell>
std::string row(const std::string& exercise, const Cell& cell_of) {
    std::string text = fmt::format("{:<20}", exercise);
    for (std::size_t k = 0; k < FiveProofs::columns().size(); ++k)
        text += fmt::format(" {:<{}}", cell_of(FiveProofs::columns()[k]), widths[k]);
    return text + "\n";
}

}  // namespace

int dev_check_command(const Kit& kit, const std::vector<int>& numbers) {
    std::vector<int> wanted = numbers;
    if (wanted.empty())
        for (const ExerciseFolder& folder : exercise_folders(kit.root)) wanted.push_back(folder.number);
    if (wanted.empty()) throw UsageError("this edition has no exercises");
    print(row("exercise", [](const FiveProofs::Column& column) { return std::string(column.title); }));
    std::string failures;
    int failed = 0;
    for (const int number : wanted) {
        const FiveProofs proofs = prove(kit, kit.find(number));
        print(row(fmt::format("{} {}", number, proofs.name),
                  [&](const FiveProofs::Column& column) { return cell(proofs.*column.proof); }));
        for (const FiveProofs::Column& column : FiveProofs::columns())
            for (const std::string& failure : (proofs.*column.proof).failures)
                failures += fmt::format("\nexercise {} {}: {}\n", number, proofs.name, failure);
        failed += proofs.hold() ? 0 : 1;
    }
    print(failures);
    print(fmt::format("\n{} of {} exercises hold.\n", static_cast<int>(wanted.size()) - failed, wanted.size()));
    return failed == 0 ? 0 : 1;
}

}  // namespace course

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "author/mutate/equivalents.hpp"
#include "author/mutate/mutants.hpp"

namespace course {

/// How a mutant was judged.
struct MutantResult {
    std::string key;
    std::string circumstances;   ///< what it was judged by: a result under other ones says nothing
    std::string verdict;         ///< "wrong", ...; "passed": it survived
    std::string task;            ///< the first that failed
    double seconds = 0;
    [[nodiscard]] bool compiles() const { return verdict != "does not compile"; }
    [[nodiscard]] bool survived() const { return verdict == "passed"; }
};

std::string to_json_line(const MutantResult& result);
/// None for another text: what else a program prints, or a line that was cut.
std::optional<MutantResult> parse_mutant_result(std::string_view line);

/// A mutant of an exercise and what came of it.
struct JudgedMutant {
    std::string exercise;   ///< "08-raw-add"
    Mutant mutant;
    std::optional<MutantResult> result = {};
    const Equivalent* listed = nullptr;
};

/// The tables of killed, equivalent and surviving mutants by exercise and by operator, what the killed ones got, and
/// all equivalent ones by rule; in Markdown. Pure.
std::string mutants_page(const std::vector<JudgedMutant>& mutants, const EquivalentsList& equivalents);

/// A mutant as the terminal shows it: where it is, and its line before and after. Pure.
std::string mutant_text(const JudgedMutant& one);

}  // namespace course

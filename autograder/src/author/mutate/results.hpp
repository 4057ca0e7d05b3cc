// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "author/mutate/mutants.hpp"

namespace course {

/// Mutants that aren't mistakes: the committed list says which, and why. An entry is for one place, or for a kind
/// described by `change`.
struct Equivalent {
    std::string exercise;        ///< "08-raw-add"; empty: any, for a kind
    std::string answer;          ///< "solution", ...; empty: every answer of the exercise
    std::string file;            ///< empty: any, for a kind
    std::string made_by;
    std::string before, after;   ///< as in Mutant; empty for a kind
    std::string change;          ///< for a kind: matches all of "before\nafter"
    std::optional<std::regex> pattern = {};   ///< `change`, compiled
    int occurrence = 0;          ///< 0: all of them
    std::string rule;            ///< a name of the list's [rules]
    std::string why;             ///< a sentence about this place; may be empty if the rule says everything

    [[nodiscard]] bool is(const std::string& exercise_folder, const Mutant& mutant) const;
};

struct EquivalentsList {
    std::map<std::string, std::string> rules;   ///< a sentence by name
    std::vector<Equivalent> entries;
};

/// Reads solutions/equivalent_mutants.toml, which student editions don't have; a missing one is empty. @throws
/// ManifestError.
EquivalentsList read_equivalents(const std::filesystem::path& root);

/// The verdict on a mutant.
struct MutantResult {
    std::string key;
    std::string circumstances;   ///< what it depended on: a result under other circumstances doesn't count
    std::string verdict;         ///< "wrong", ...; "passed": it survived
    std::string task;            ///< the first that failed
    double seconds = 0;
    [[nodiscard]] bool compiles() const { return verdict != "does not compile"; }
    [[nodiscard]] bool survived() const { return verdict == "passed"; }
};

std::string to_json_line(const MutantResult& result);
/// Nothing for other text: a program's other output, or a truncated line.
std::optional<MutantResult> parse_mutant_result(std::string_view line);

/// A mutant of an exercise and its result.
struct JudgedMutant {
    std::string exercise;   ///< "08-raw-add"
    Mutant mutant;
    std::optional<MutantResult> result = {};
    const Equivalent* listed = nullptr;
};

/// Tables of killed, equivalent and surviving mutants by exercise and by operator, the verdicts on killed ones, and all
/// equivalent ones by rule; in Markdown. Pure.
std::string mutants_page(const std::vector<JudgedMutant>& mutants, const EquivalentsList& equivalents);

/// A mutant for the terminal: its place, and its line before and after. Pure.
std::string mutant_text(const JudgedMutant& one);

}  // namespace course

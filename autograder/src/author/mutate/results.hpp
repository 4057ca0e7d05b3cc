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

/// Mutants that are no mistakes, whatever is judged: the committed list says which, and why. Those of one place, or a
/// kind, which `change` describes.
struct Equivalent {
    std::string exercise;        ///< "08-raw-add"; empty: any, of a kind
    std::string answer;          ///< "solution", ...; empty: every answer of the exercise
    std::string file;            ///< empty: any, of a kind
    std::string made_by;
    std::string before, after;   ///< as Mutant has them; those of a kind are empty
    std::string change;          ///< of a kind: matches all of "before\nafter"
    std::optional<std::regex> pattern = {};   ///< `change`, compiled
    int occurrence = 0;          ///< 0: all of them
    std::string rule;            ///< a name of the list's [rules]
    std::string why;             ///< a sentence on this place; may be empty where the rule says it all

    [[nodiscard]] bool is(const std::string& exercise_folder, const Mutant& mutant) const;
};

struct EquivalentsList {
    std::map<std::string, std::string> rules;   ///< a sentence by name
    std::vector<Equivalent> entries;
};

/// solutions/equivalent_mutants.toml, which no student's edition has; a missing one is empty. @throws ManifestError.
EquivalentsList read_equivalents(const std::filesystem::path& root);

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

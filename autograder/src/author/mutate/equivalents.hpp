// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <string>
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

}  // namespace course

// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collect/code_tokens.hpp"

namespace course {

/// A range of a file's text and its replacement.
struct Edit {
    std::size_t begin = 0, end = 0;
    std::string by;
    std::string says = {};   ///< a description, if the resulting text is too long to read
};

/// A kind of mistake, applied wherever the student's parts of a file allow it.
struct MutationOperator {
    std::string_view name;          ///< "guard dropped"
    std::string_view description;   ///< a sentence
    std::vector<Edit> (*edits)(const CodeTokens&);
};

/// All operators, in the order of the tables.
std::span<const MutationOperator> mutation_operators();

/// A right answer's file with one mistake.
struct Mutant {
    std::string answer;         ///< "solution", or the name of an answer in right/
    std::string file;           ///< "raw_add.cu"
    std::string_view made_by;   ///< the operator's name
    int line = 0;               ///< the first one changed, from 1
    std::string before, after;  ///< that line, without comments; or Edit::says
    int occurrence = 1;         ///< among this file's mutants with the same values above
    Edit edit;
    std::optional<std::string> star = {};   ///< it is in the part of this starred task (empty: of any); or in none
    std::string key = {};       ///< unchanged as long as these lines are, whatever surrounds them

    [[nodiscard]] std::string text(const std::string& original) const;
};

/// All mutants of a file, in the order of the operators and then of the places; without duplicates, and none equal to
/// the file. Pure.
std::vector<Mutant> mutants_of(const std::string& answer, const std::string& file, const std::string& text);

}  // namespace course

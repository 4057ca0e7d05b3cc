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

/// A piece of a file's text and what stands there instead.
struct Edit {
    std::size_t begin = 0, end = 0;
    std::string by;
    std::string says = {};   ///< what it does, where the text that it makes is too long to read
};

/// A kind of mistake, made wherever the student's parts of a file have a place for it.
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
    int line = 0;               ///< the first that is changed, from 1
    std::string before, after;  ///< that line, without comments; or what Edit::says
    int occurrence = 1;         ///< among the mutants of this file that all of the above names alike
    Edit edit;
    std::optional<std::string> star = {};   ///< it stands in the part of this starred task (empty: of any); or in none
    std::string key = {};       ///< the same as long as these lines are the same, whatever stands around them

    [[nodiscard]] std::string text(const std::string& original) const;
};

/// All mutants of a file, in the order of the operators and then of the places; none twice, and none that equals the
/// file. Pure.
std::vector<Mutant> mutants_of(const std::string& answer, const std::string& file, const std::string& text);

}  // namespace course

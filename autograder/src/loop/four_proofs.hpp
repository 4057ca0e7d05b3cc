// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "loop/kit.hpp"

namespace course {

/// One proof: a short text for the table, and what speaks against it.
struct Proof {
    std::string text = "ok";
    std::vector<std::string> failures;
};

/// What must hold for every exercise before a student sees it.
struct FourProofs {
    std::string name;
    Proof stub;       ///< judged all the same, it fails as the manifest says
    Proof solution;   ///< passes
    Proof wrong;      ///< each planted wrong answer gets its verdict, in its task, with its text
    Proof hints;      ///< there are two and a puzzle; no hint says a line of the solution, no wrong line is one
    [[nodiscard]] bool hold() const;
};

/// Judges the stub, the solution and all planted answers of an exercise. A manifest that can't be read fails the proof
/// that it is in the way of.
FourProofs prove(const Kit& kit, const ExerciseFolder& folder);

}  // namespace course

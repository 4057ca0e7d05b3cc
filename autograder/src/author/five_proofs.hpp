// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "author/dev_commands.hpp"
#include "kit/kit.hpp"
#include "manifest/manifest.hpp"
#include "report/result_json.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// What must hold for every exercise before a student sees it.
struct FiveProofs {
    std::string name;
    Proof stub;      ///< judged anyway, it fails as the manifest says
    Proof solution;  ///< passes, as in class grading (RunOptions::replays), and so do other right answers
    Proof wrong;     ///< each planted wrong answer gets its verdict, in its task, with its text
    Proof lazy;      ///< so does each answer that avoids the work of the exercise
    Proof hints;     ///< there are two and a puzzle; no hint contains a line of the solution, no wrong line is one
    [[nodiscard]] bool hold() const;

    struct Column {
        std::string_view title;
        Proof FiveProofs::*proof;
    };
    static constexpr std::array<Column, 5> columns();  ///< in the order of the table
};

constexpr std::array<FiveProofs::Column, 5> FiveProofs::columns() {
    return {{{"stub", &FiveProofs::stub},
             {"solution", &FiveProofs::solution},
             {"wrong answers", &FiveProofs::wrong},
             {"lazy answers", &FiveProofs::lazy},
             {"hints", &FiveProofs::hints}}};
}

/// Judges the stub, the solution and all planted answers of an exercise. An unreadable manifest fails the proof that it
/// prevents.
/// @param replays  judge all answers as in class grading, not only the right ones
/// @param part     every `part.second`-th of the planted answers; the stub and the solution always
FiveProofs prove(const Kit& kit, const ExerciseFolder& folder, bool replays = false, Part part = {1, 1});

/// Why a wrong or lazy answer wasn't caught as its manifest says, as the end of a sentence about it; empty if it was.
/// The same on every device: what a GPU doesn't report, check mode on the host finds.
/// @param screen what a student reads
std::string why_not_caught(const PlantedAnswer& answer, const Result& result, const std::string& screen);

/// The end of a sentence about a caught answer whose verdict doesn't show the misconception that the manifest tags it
/// with; empty if it does, or there is no tag.
std::string why_tag_not_shown(const PlantedAnswer& answer, const Result& result);

}  // namespace course

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "answer/case_to_look_at.hpp"
#include "judge/judge.hpp"
#include "manifest/manifest.hpp"

namespace course {

/// What was drawn: the task, its case, and the file's text.
struct Pictures {
    std::string task, case_name, text;
    std::string problem;  ///< why there is none
};

/// What to draw, and how long it may take.
struct PaintOrder {
    std::string task;       ///< empty: see case_to_look_at()
    std::string case_name;  ///< empty: the one that the verdict shows
    std::string file;       ///< as Request::pictures has it: "page.html", "map.txt"
    double seconds = 20;
    bool passed_only = false;  ///< a task that isn't passed isn't drawn
};

/// Draws one case of one task once all have their verdicts: for AnswerToJudge::after_tasks.
class Painter {
public:
    /// @param manifest must live as long as the painter
    Painter(PaintOrder order, const Manifest& manifest) : order_(std::move(order)), manifest_(manifest) {}

    void operator()(std::span<const JudgedTask> tasks, Caller& caller, const std::filesystem::path& folder);

    Pictures pictures;

private:
    const PaintOrder order_;
    const Manifest& manifest_;
};

}  // namespace course

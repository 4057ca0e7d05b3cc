// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "answer/case_to_look_at.hpp"
#include "judge/judge.hpp"
#include "manifest/manifest.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// Writes the result's images into `folder` as NAME.png, and notes their paths relative to `root`. Removes what an
/// earlier verdict left there first; other files stay. Creates no folder if there is nothing to write.
/// @throws FileError if the folder can't be written to; images that have a file by then stay.
void write_images(Result& result, const std::filesystem::path& folder, const std::filesystem::path& root);

/// A drawing: the task, its case, and the file's text.
struct Pictures {
    std::string task, case_name, text;
    std::string problem;  ///< why there is none
};

/// What to draw, and the time limit.
struct RenderRequest {
    std::string task;       ///< empty: see case_to_look_at()
    std::string case_name;  ///< empty: the one that the verdict shows
    std::string file;       ///< as in Request::pictures: "page.html", "map.txt"
    double seconds = 20;
    bool passed_only = false;  ///< only draw a task that passed
};

/// Draws one case of one task once all tasks have their verdicts: for AnswerToJudge::after_tasks.
class TraceRenderer {
public:
    /// @param manifest must live as long as the painter
    TraceRenderer(RenderRequest order, const Manifest& manifest) : order_(std::move(order)), manifest_(manifest) {}

    void operator()(std::span<const JudgedTask> tasks, Caller& caller, const std::filesystem::path& folder);

    Pictures pictures;

private:
    const RenderRequest order_;
    const Manifest& manifest_;
};

}  // namespace course

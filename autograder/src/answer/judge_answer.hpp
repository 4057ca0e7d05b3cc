// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "answer/reference_runner.hpp"
#include "judge/judge.hpp"
#include "kit/kit.hpp"
#include "kit/probe.hpp"
#include "report/terminal.hpp"

namespace course {

/// How `course run` judges.
struct RunOptions {
    int number = 0;
    std::string from;                    ///< a folder to judge instead of work/NN-topic
    std::string pictures;                ///< with `from`: the folder for the check's pictures; empty: none
    bool json = false;                   ///< result.json on stdout instead of the screen
    bool counts = false;                 ///< each line's work in the kernels, below the verdict
    bool watched = false;                ///< run by `course watch`, whose keys choose what comes next
    bool timings = false;                ///< where the seconds went, below the verdict; speed on the host backend too
    std::string device;                  ///< "host", "cuda:0"; empty: libgpu's own choice
    std::optional<std::uint64_t> seed;   ///< of the inputs; a new secret one each time if not given
    bool replays = false;                ///< counts that decide come from a replay; `review` if there is none
    double call_seconds = 0;             ///< limit of one call; 0: the manifest's
};

/// What to judge, and how.
struct AnswerToJudge {
    const Manifest& manifest;
    std::filesystem::path folder;      ///< where the answer lies
    RunOptions options;
    /// The folder for building it, which stays; empty: one that is removed at the end.
    std::filesystem::path build_in = {};
    bool judge_stub = false;           ///< continue even if the files equal the stub: the first of the five proofs
    /// Called when all tasks have their verdicts, while the runner exists: pictures that it draws are in the folder.
    std::function<void(std::span<const JudgedTask>, Caller&, const std::filesystem::path& folder)> after_tasks = {};
    /// As JudgeOptions::before_timing.
    std::function<void(const Task&, const std::string& case_name, const Function&, std::span<const Value>)>
        before_timing = {};
    MeasureSpeed measure_speed = MeasureSpeed::on_gpu;
    bool stops_at_failure = false;     ///< judge no task after the first that fails
    bool judge_stars = true;           ///< false: every starred task counts as not begun
    std::filesystem::path shown_below = {};    ///< messages name files relative to it; empty: to the course's root
    std::filesystem::path hidden_check = {};   ///< a plug-in with further cases that no student sees; empty: none
    const ProbeAnswer* device = nullptr;   ///< from look_at_device(), for many answers in a row; null: probe the device
    ReferenceRunner* reference = nullptr;  ///< for many answers in a row; null: a separate one, if needed
    const SharedKernels* kernels = nullptr;   ///< already compiled, of the same exercise; null: none
};

/// True if a task of the exercise has a speed line.
bool asks_for_speed(const Manifest& manifest);

/// The device that would judge this exercise, and its bandwidth if the exercise has a speed line.
ProbeAnswer look_at_device(const Kit& kit, const Manifest& manifest, const RunOptions& options);

/// An answer's verdict and what its screen needs.
struct JudgedAnswer {
    Result result;
    Screen screen;
    std::string answer;   ///< its digest; empty: it couldn't be collected
    std::optional<Result> hidden = {};   ///< of the tasks that have hidden cases; none: not reached
    std::shared_ptr<void> ending = {};   ///< its killed runners: releasing them waits until they have closed a GPU
};

/// Runs all stages: collect, build, run, judge. Every fault of the machine or the student becomes a verdict; only a
/// program error throws.
JudgedAnswer judge_answer(const Kit& kit, const AnswerToJudge& answer);

}  // namespace course

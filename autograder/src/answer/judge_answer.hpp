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
    std::string pictures;                ///< with `from`: where the check's pictures go; empty: nowhere
    bool json = false;                   ///< result.json on stdout instead of the screen
    bool counts = false;                 ///< what each line of the kernels did, below the verdict
    bool watched = false;                ///< `course watch` runs it, and its keys say what comes next
    bool timings = false;                ///< where the seconds went, below the verdict; speed on the host backend too
    std::string device;                  ///< "host", "cuda:0"; empty: libgpu's own choice
    std::optional<std::uint64_t> seed;   ///< of the inputs; a new secret one each time if not given
    bool replays = false;                ///< counts that decide come from a replay; what can't be replayed is `review`
    double call_seconds = 0;             ///< limit of one call; 0: the manifest's
};

/// What is judged, and how.
struct AnswerToJudge {
    const Manifest& manifest;
    std::filesystem::path folder;      ///< where the answer lies
    RunOptions options;
    /// Where it is built, and stays; empty: in a folder that is removed at the end.
    std::filesystem::path build_in = {};
    bool judge_stub = false;           ///< go on although the files equal the stub: the first of the five proofs
    /// Called when all tasks have their verdicts, while the runner lives: pictures that it asks for lie in the folder.
    std::function<void(std::span<const JudgedTask>, Caller&, const std::filesystem::path& folder)> after_tasks = {};
    MeasureSpeed measure_speed = MeasureSpeed::on_gpu;
    bool stops_at_failure = false;     ///< judge no task after the first that fails
    bool judge_stars = true;           ///< false: every starred task counts as not begun
    std::filesystem::path shown_below = {};    ///< messages name files from here; empty: from the course's root
    std::filesystem::path hidden_check = {};   ///< a plug-in of further cases that no student sees; empty: none
    const ProbeAnswer* device = nullptr;   ///< from look_at_device(), for many answers in a row; null: it looks itself
    ReferenceRunner* reference = nullptr;  ///< for many answers in a row; null: one of its own, if it needs one
    const SharedKernels* kernels = nullptr;   ///< compiled already, of the same exercise; null: none
};

/// True if a task of the exercise has a speed line.
bool asks_for_speed(const Manifest& manifest);

/// What the device is that would judge this exercise, and its bandwidth where the exercise has a speed line.
ProbeAnswer look_at_device(const Kit& kit, const Manifest& manifest, const RunOptions& options);

/// An answer's verdict and what its screen needs to know of it.
struct JudgedAnswer {
    Result result;
    Screen screen;
    std::string answer;   ///< its digest; empty: it couldn't be collected
    std::optional<Result> hidden = {};   ///< of the tasks that have hidden cases; none: it didn't come to that
    std::shared_ptr<void> ending = {};   ///< its runners, killed: who lets them go waits until they have closed a GPU
};

/// The way through all stations: collect, build, run, judge. Whatever the machine or the student did wrong becomes a
/// verdict; only a program error throws.
JudgedAnswer judge_answer(const Kit& kit, const AnswerToJudge& answer);

}  // namespace course

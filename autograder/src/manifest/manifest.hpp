// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "protocol/protocol.hpp"
#include "support/patch.hpp"

namespace course {

using protocol::ValueType;

/// An unusable exercise.toml: file, line, what was expected. Plain text, whatever the file's strings contain.
class ManifestError : public std::runtime_error {
public:
    explicit ManifestError(const std::string& text);
};

/// The size of a call: limits grow with it.
struct CallSize {
    std::int64_t elements = 0;       ///< of its largest array
    std::vector<double> arguments = {};   ///< per argument: an array's elements, a number's value
    bool empty = false;              ///< there are arrays, and none of them has an element
};

/// plus + each * ceil(n / per), with n the elements of the call's largest array, or as given by its `of`-th argument.
struct Limit {
    double plus = 0, each = 0, per = 1;
    int of = 0;               ///< counted from 1: an array's elements, or a number's value; 0: the largest array
    /// @throws ManifestError if the call has no such argument.
    [[nodiscard]] double at(const CallSize& size) const;
    friend bool operator==(const Limit&, const Limit&) = default;
};

/// Bounds of a counter. They are equal if a manifest says `exactly`.
struct Budget {
    std::string counter;      ///< a name of manifest/names.hpp: "copies_to_device", "bytes_used_percent"
    std::optional<Limit> at_least = {}, at_most = {};
    std::string cure = {};    ///< what to do about it, if the author says more than budgets.cpp knows
    std::optional<int> tag = {};   ///< the misconception shown by exceeding it
};

/// A student's kernel that must run in each call with something to do.
struct RequiredKernel {
    std::string name;         ///< "add" also matches add<float>; empty: any kernel in the file
    std::string file;         ///< one of Manifest::edit
    std::string with = {};    ///< in the author's words: "a thread for each element"
    std::vector<Budget> budgets = {};   ///< first its launches; per launch grid, block, threads; of its work
};

/// The minimum speed, graded only on a GPU.
struct SpeedLine {
    double at_least = 1;           ///< speed-up over the Eigen baseline
    std::int64_t elements = 0;     ///< size of the timed call, for check.cpp
    double copy_percent = 0;       ///< share of the device's copy bandwidth; 0: not required
};

/// The limit on changed lines of the stub, in a task that repairs given code.
struct ChangeLimit {
    std::vector<std::string> files;   ///< of Manifest::edit, counted together
    int at_most = 0;
    std::string cure = {};            ///< what to do instead, if the author says more than the judge
};

/// A function that the student writes, as check.cpp calls it; or a given one.
struct Function {
    std::string name;
    std::vector<ValueType> takes, returns;  ///< `returns` lists in/out arguments after the returned values
    bool given = false;                     ///< the exercise's own, in bind.cpp: what it returns isn't an answer
};

/// A fragment of a verdict, and the misconception that it shows.
struct Sign {
    std::string says;         ///< a fragment of a wrong result's pattern, a statement, a finding, ...
    int tag = 0;
};

struct Task {
    std::string id, title;
    int points = 0;
    bool star = false;        ///< a bonus: judged and shown, without points, and ignored in the exercise's verdict
    std::vector<Budget> budgets;
    std::optional<SpeedLine> speed;
    std::vector<RequiredKernel> kernels = {};
    std::vector<Sign> signs = {};
    std::optional<ChangeLimit> changes = {};
    /// What right answers do that can't be replayed (names.hpp): then class grading may use their own process's counts.
    std::vector<std::string> not_replayed = {};
    std::string ahead = {};   ///< what a later task will ask for, for one that has passed; {global_reads}: as counted
};

/// An answer that exists to be judged: wrong/NAME.patch or lazy/NAME.patch, a patch of the solution preceded by what
/// the verdict must say; or right/NAME/, the files that differ from the solution.
struct PlantedAnswer {
    std::string name;
    std::string verdict;      ///< "wrong", "crashed", ...; empty: a lazy one may fail in any way, a right one passes
    std::string says;         ///< a fragment of the verdict's text
    std::string task;         ///< the task that must fail; empty: any
    std::string kind = {};    ///< for a lazy one, how it avoids the work: a name in manifest/names.hpp
    std::optional<int> tag = {};   ///< for a wrong one: the misconception behind it, 1 to 16
    bool in_class = false;    ///< for a lazy one: only class grading, which replays its work, catches it
    Patch patch = {};         ///< for a wrong or lazy one
};

/// A wrong line among the solution's in the third hint.
struct Distractor {
    std::string file;  ///< of `edit`
    std::string line;
    std::string why;  ///< what is wrong with it, for authors: students don't see it
};

/// Lines of one of the solution's files.
struct SolutionLines {
    std::string file;  ///< of `edit`
    std::vector<std::string> lines;
};

struct Manifest {
    std::filesystem::path folder;     ///< exercises/08-raw-add
    int number = 0;                   ///< 9, from the folder's name; 0: the capstone (manifest/lesson.hpp)
    std::string name;                 ///< "raw_add", from the folder's name
    std::vector<std::string> was;     ///< former names: progress under them counts
    std::string title, lesson, objective;
    std::vector<std::string> needs;   ///< names of exercises to do first
    bool bonus = false;               ///< optional: counted separately, and after all others
    int minutes = 0;
    std::vector<std::string> edit;    ///< the student's files
    bool is_own = false;              ///< a function that the student brought: `course own`
    bool is_program = false;          ///< they are a plain CUDA program with a main(), which gpucc compiles
    std::string stub_fails;           ///< the verdict of the untouched stub if it is judged anyway
    std::vector<std::string> hints;   ///< two rungs: nudge, where
    std::vector<Distractor> distractors;  ///< two, for the third rung: the solution's lines, shuffled
    std::vector<SolutionLines> third_hint;   ///< ready-made, in an edition without solutions and planted answers
    std::string picture;              ///< "map": shown for the student's kernel once it has passed; empty: none
    std::string picture_task;         ///< of this task; empty: of the first one
    bool linear_algebra = false;      ///< answers call gpu::matmul or gpu::linalg: the host needs its library for them
    double call_seconds = 10;
    int devices = 1;                  ///< number used: of the host backend's, and of GPUs if there are that many
    std::int64_t check_elements = 70'000;  ///< cases with at most this many elements in total run in check mode too
    std::vector<Function> functions;
    std::vector<Task> tasks;
    std::vector<PlantedAnswer> wrong;   ///< mistakes; these three lists are sorted by name
    std::vector<PlantedAnswer> lazy;    ///< apparently right values, without the work that the exercise is about
    std::vector<PlantedAnswer> right;   ///< alternatives to the solution that must pass
};

/// "exercise 8", "the capstone", or "your standardize". Pure.
std::string called(const Manifest& manifest);

/// Reads folder/exercise.toml. @throws ManifestError.
Manifest read_manifest(const std::filesystem::path& folder);

/// Reads folder/own.toml: how the port of a student's own function is judged. It has no number, hints or planted
/// answers. @throws ManifestError.
Manifest read_own_manifest(const std::filesystem::path& folder);

/// All exercises below root/exercises, by number. @throws ManifestError for the first unusable one.
std::vector<Manifest> read_course(const std::filesystem::path& root);

/// A common false belief of learners; wrong choices of questions are tagged with its number.
struct Misconception {
    int number = 0;
    std::string name, sentence;
};

/// Reads root/lessons/misconceptions.toml: numbered from 1, in order. @throws ManifestError.
std::vector<Misconception> read_misconceptions(const std::filesystem::path& root);

}  // namespace course

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

/// An exercise.toml that can't be used: file, line, what was expected. Plain text, whatever the file's strings hold.
class ManifestError : public std::runtime_error {
public:
    explicit ManifestError(const std::string& text);
};

/// What a call was given: limits grow with it.
struct CallSize {
    std::int64_t elements = 0;       ///< of its largest array
    std::vector<double> arguments = {};   ///< of each: an array's elements, a number's value
    bool empty = false;              ///< there are arrays, and none of them has an element
};

/// plus + each * ceil(n / per), n being the elements of the call's largest array, or what its `of`-th argument says.
struct Limit {
    double plus = 0, each = 0, per = 1;
    int of = 0;               ///< counted from 1: an array's elements, a number's value; 0: the largest array
    /// @throws ManifestError if the call has no such argument.
    [[nodiscard]] double at(const CallSize& size) const;
    friend bool operator==(const Limit&, const Limit&) = default;
};

/// Bounds of what is counted. The two are equal where a manifest says `exactly`.
struct Budget {
    std::string counter;      ///< a name of manifest/names.hpp: "copies_to_device", "bytes_used_percent"
    std::optional<Limit> at_least = {}, at_most = {};
    std::string cure = {};    ///< what to do about it, where the author says more than budgets.cpp knows
    std::optional<int> tag = {};   ///< the misconception that shows where it isn't kept
};

/// A kernel of the student's that must run in each call that has something to do.
struct RequiredKernel {
    std::string name;         ///< "add" is also add<float>; empty: any kernel of the file
    std::string file;         ///< one of Manifest::edit
    std::string with = {};    ///< what its threads are for, in the author's words: "a thread for each element"
    std::vector<Budget> budgets = {};   ///< its launches first; of each launch grid, block, threads; of its work
};

/// The least speed, graded on a GPU only.
struct SpeedLine {
    double at_least = 1;           ///< speed-up over the Eigen baseline
    std::int64_t elements = 0;     ///< size of the timed call, for check.cpp
    double copy_percent = 0;       ///< share of the device's copy bandwidth; 0: it isn't asked
};

/// How many lines of its stub an answer may change, in a task that repairs what is given.
struct ChangeLimit {
    std::vector<std::string> files;   ///< of Manifest::edit, counted together
    int at_most = 0;
    std::string cure = {};            ///< what to do instead, where the author says more than the judge
};

/// A function that the student writes, as check.cpp calls it; or one that is given.
struct Function {
    std::string name;
    std::vector<ValueType> takes, returns;  ///< `returns` lists in/out arguments after the returned values
    bool given = false;                     ///< the exercise's own, in bind.cpp: what it returns is no answer
};

/// What a verdict may say, and the misconception that shows by it.
struct Sign {
    std::string says;         ///< a fragment of what wrong elements have in common, a statement, a finding, ...
    int tag = 0;
};

struct Task {
    std::string id, title;
    int points = 0;
    bool star = false;        ///< a bonus: judged and shown, worth no points, and no part of the exercise's verdict
    std::vector<Budget> budgets;
    std::optional<SpeedLine> speed;
    std::vector<RequiredKernel> kernels = {};
    std::vector<Sign> signs = {};
    std::optional<ChangeLimit> changes = {};
    /// What right answers do that can't be replayed (names.hpp): their own process may count it in class grading, too.
    std::vector<std::string> not_replayed = {};
    std::string ahead = {};   ///< what a later task will ask for, for one that has passed; {global_reads}: as counted
};

/// An answer that is there to be judged: wrong/NAME.patch or lazy/NAME.patch, a patch of the solution below what the
/// verdict must say of it; or right/NAME/, the files that differ from the solution.
struct PlantedAnswer {
    std::string name;
    std::string verdict;      ///< "wrong", "crashed", ...; empty: a lazy one may fail in any way, a right one passes
    std::string says;         ///< a fragment of the verdict's text
    std::string task;         ///< the task that must fail; empty: any
    std::string kind = {};    ///< of a lazy one, how it avoids the work: a name of manifest/names.hpp
    std::optional<int> tag = {};   ///< of a wrong one: the misconception behind it, 1 to 16
    bool in_class = false;    ///< of a lazy one: class grading alone, which does its work again, catches it
    Patch patch = {};         ///< of a wrong or lazy one
};

/// A wrong line among those of the solution in the third hint.
struct Distractor {
    std::string file;  ///< of `edit`
    std::string line;
    std::string why;  ///< what is wrong with it, for authors: no student is shown it
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
    std::vector<std::string> was;     ///< names that it had before: progress under them is its own
    std::string title, lesson, objective;
    std::vector<std::string> needs;   ///< names of exercises to do before
    bool bonus = false;               ///< nobody has to do it: it counts apart, and comes after all others
    int minutes = 0;
    std::vector<std::string> edit;    ///< the student's files
    std::string stub_fails;           ///< the verdict of the untouched stub when it is judged all the same
    std::vector<std::string> hints;   ///< two rungs: nudge, where
    std::vector<Distractor> distractors;  ///< two, for the third rung: the solution's lines, shuffled
    std::vector<SolutionLines> third_hint;   ///< prepared, in an edition without solutions and planted answers
    std::string picture;              ///< "map": shown of the student's kernel once it has passed; empty: none
    std::string picture_task;         ///< of this task; empty: of the first
    bool linear_algebra = false;      ///< answers call gpu::matmul or gpu::linalg: the host needs its library for them
    double call_seconds = 10;
    int devices = 1;                  ///< that it takes: the host backend has so many, and a GPU is used if there are
    std::int64_t check_elements = 70'000;  ///< cases with at most so many elements, all in all, run in check mode too
    std::vector<Function> functions;
    std::vector<Task> tasks;
    std::vector<PlantedAnswer> wrong;   ///< mistakes; these three lists are in the order of the names
    std::vector<PlantedAnswer> lazy;    ///< right values, or so it seems, without the work that the exercise is about
    std::vector<PlantedAnswer> right;   ///< other answers than the solution that must pass
};

/// "exercise 8", or "the capstone". Pure.
std::string called(const Manifest& manifest);

/// Reads folder/exercise.toml. @throws ManifestError.
Manifest read_manifest(const std::filesystem::path& folder);

/// All exercises below root/exercises, by number. @throws ManifestError for the first that can't be used.
std::vector<Manifest> read_course(const std::filesystem::path& root);

/// Something that learners believe and that isn't so; wrong choices of questions carry its number as their tag.
struct Misconception {
    int number = 0;
    std::string name, sentence;
};

/// Reads root/lessons/misconceptions.toml: numbered from 1, in order. @throws ManifestError.
std::vector<Misconception> read_misconceptions(const std::filesystem::path& root);

}  // namespace course

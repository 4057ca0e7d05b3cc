// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "run/protocol.hpp"

namespace course {

using protocol::ValueType;

/// An exercise.toml that can't be used: file, line, what was expected.
class ManifestError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A limit on counted work: plus + each * ceil(n / per), n being the elements of the call's largest array argument.
struct Budget {
    std::string counter;      ///< a name of manifest/names.hpp: "copies_to_device", "sectors_per_request"
    double plus = 0, each = 0, per = 1;
    [[nodiscard]] double at(std::int64_t n) const;
};

/// The least speed-up over the Eigen baseline, graded on a GPU only.
struct SpeedLine {
    double at_least = 1;
    std::int64_t elements = 0;     ///< size of the timed call, for check.cpp
};

/// A function that the student writes, as check.cpp calls it.
struct Function {
    std::string name;
    std::vector<ValueType> takes, returns;  ///< `returns` lists in/out arguments after the returned values
};

struct Task {
    std::string id, title;
    int points = 0;
    std::vector<Budget> budgets;
    std::optional<SpeedLine> speed;
};

/// A planted wrong answer in wrong/NAME/ and what the verdict must say of it.
struct WrongAnswer {
    std::string name;
    std::string verdict;      ///< "wrong", "does not compile", "crashed", "timed out", ...
    std::string says;         ///< a fragment of the verdict's text
    std::string task;         ///< the task that must fail; empty: any
};

/// A wrong line among those of the solution in the third hint.
struct Distractor {
    std::string file;  ///< of `edit`
    std::string line;
    std::string why;  ///< what is wrong with it, for authors: no student is shown it
};

struct Manifest {
    std::filesystem::path folder;     ///< exercises/08-raw-add
    int number = 0;                   ///< 9, from the folder's name
    std::string name;                 ///< "raw_add", from the folder's name
    std::string title, lesson, objective;
    std::vector<std::string> needs;   ///< names of exercises to do before
    int minutes = 0;
    std::vector<std::string> edit;    ///< the student's files
    std::string stub_fails;           ///< the verdict of the untouched stub when it is judged all the same
    std::vector<std::string> hints;   ///< two rungs: nudge, where
    std::vector<Distractor> distractors;  ///< two, for the third rung: the solution's lines, shuffled
    double call_seconds = 10;
    std::int64_t check_elements = 70'000;  ///< cases with at most so many elements, all in all, run in check mode too
    std::vector<Function> functions;
    std::vector<Task> tasks;
    std::vector<WrongAnswer> wrong;
};

/// Reads folder/exercise.toml. @throws ManifestError.
Manifest read_manifest(const std::filesystem::path& folder);

/// All exercises below root/exercises, by number. @throws ManifestError for the first that can't be used.
std::vector<Manifest> read_course(const std::filesystem::path& root);

}  // namespace course

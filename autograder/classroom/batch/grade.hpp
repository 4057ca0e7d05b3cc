// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "command_line.hpp"

namespace course {

/// What `course grade` grades, and how.
struct GradeOptions {
    std::string submissions;            ///< the folder or archive that was handed in
    std::string results;                ///< where the results go
    std::string roster;                 ///< a CSV file; empty: none
    std::vector<int> exercises;         ///< empty: all
    std::vector<std::string> students;  ///< empty: all
    bool regrade = false;               ///< also grade what hasn't changed
    std::string hidden;                 ///< the folder of hidden cases; empty: none
    bool no_hidden = false;             ///< drop hidden cases, although these results were graded with some
    bool dry_run = false;               ///< print what would be done, and why; write nothing
    bool allow_unsandboxed = false;
    bool anonymous = false, reveal = false;  ///< hide names from now on; show them again
    std::string shard;          ///< "2/8": only the second of eight shares; empty: the whole class
    int workers = 0;            ///< 0: as many as this machine can run
    std::string device;         ///< "host", "cuda:0"; empty: libgpu's own choice
    double call_seconds = 0;    ///< limit per call; 0: the manifests'
    double job_seconds = 1200;  ///< limit per answer, for all stages together
};

/// `course grade`: 0 all is graded, 4 environment or usage, 5 some could not be graded by the grader's fault.
AddCommand add_grade;

}  // namespace course

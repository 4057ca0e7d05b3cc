// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// A submission as Gradescope's export describes it.
struct GradescopeSubmission {
    struct Submitter {
        std::string name, sid, email;
    };
    std::vector<Submitter> submitters;  ///< several: a group
    std::string created_at;
};

/// Reads submission_metadata.yml: each submission by its folder. It is read in passing, since the results of every test
/// stand in it as well. @throws IntakeError if it isn't YAML.
std::map<std::string, GradescopeSubmission> read_gradescope_metadata(std::string_view text);

}  // namespace course

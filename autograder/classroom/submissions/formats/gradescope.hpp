// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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

/// submission.json, the list that `make submit` puts first into its archive. A student can write it: it finds mistakes,
/// and proves nothing.
struct SubmittedList {
    struct File {
        std::string path, digest;
        std::uint64_t bytes = 0;
    };
    std::string student_id, student_name;
    std::vector<File> files;
};

/// The most bytes that such a list may have.
inline constexpr std::size_t submitted_list_bytes = std::size_t{1} << 20;

/// Reads it; nothing if the text is another one. Pure.
std::optional<SubmittedList> read_submitted_list(std::string_view text);

}  // namespace course

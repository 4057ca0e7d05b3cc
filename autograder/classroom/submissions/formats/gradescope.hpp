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

/// Reads submission_metadata.yml: each submission by its folder. It is parsed as a stream of events, because it also
/// has the results of every test. @throws IntakeError if it isn't YAML.
std::map<std::string, GradescopeSubmission> read_gradescope_metadata(std::string_view text);

/// submission.json, the list that `make submit` puts first into its archive. Students can write it: it reveals
/// mistakes, but proves nothing.
struct SubmittedList {
    struct File {
        std::string path, digest;
        std::uint64_t bytes = 0;
    };
    std::string student_id, student_name;
    std::vector<File> files;
};

/// The maximum size of such a list.
inline constexpr std::size_t submitted_list_bytes = std::size_t{1} << 20;

/// Parses it; nothing if the text is something else. Pure.
std::optional<SubmittedList> read_submitted_list(std::string_view text);

}  // namespace course

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "submissions/answer_choice.hpp"

namespace course {

/// Writes what was taken to RESULTS/submissions/<id>/, though ids are known only once everything was read: until then
/// it lies in RESULTS/submissions/.taking/. What is there already, byte for byte, is left alone.
class Staging {
public:
    /// @throws FileError.
    Staging(const std::filesystem::path& results, bool dry_run);
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;
    ~Staging();

    /// The files of the submission with this number and source. @throws FileError.
    void write(std::size_t unit, const std::string& source, const std::vector<TakenAnswer>& answers);
    /// Gives each submission, by number, its place; what was there before is gone. @throws FileError.
    void move(const std::vector<std::string>& ids);

private:
    [[nodiscard]] bool is_there(const std::filesystem::path& folder, const std::vector<TakenAnswer>& answers) const;
    [[nodiscard]] std::filesystem::path staged(std::size_t unit) const { return folder_ / std::to_string(unit); }

    bool is_dry_;
    std::filesystem::path submissions_, folder_;
    std::map<std::string, std::string> earlier_;  // ids of what was taken in before, by source
    std::map<std::size_t, std::string> kept_;     // ids of those that are unchanged, by number
    std::set<std::string> taken_;                 // ids that kept_ has
};

}  // namespace course

// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "classroom/submissions/take_in.hpp"
#include "command_line.hpp"

namespace course {

/// Names that replace students': "Student 17". The number doesn't reveal who it is.
class Anonymity {
public:
    /// @param order ids; a student's number is the position in it
    Anonymity(const ClassIntake& intake, const std::vector<std::string>& order);

    /// "Student 17"; for an unknown id "Student ?".
    [[nodiscard]] std::string of(const std::string& id) const;
    /// "Student 17-2", for a submission's id.
    [[nodiscard]] std::string of_submission(const std::string& id) const;
    /// Replaces the class's names, ids, addresses and uploads in a line, where they occur as words.
    [[nodiscard]] std::string in(const std::string& line) const;
    /// The same for everything in an intake except the submissions' ids, which name folders.
    void hide(ClassIntake& intake) const;

private:
    void know(const std::string& word, const std::string& name);

    std::map<std::string, std::string> students_, submissions_;
    std::array<std::vector<std::pair<std::string, std::string>>, 256> words_;  ///< by their first byte; long ones first
};

/// Which names to show: as last time, hidden, or real.
enum class Names { as_before, hidden, shown };

/// Names for the class if they must be hidden. RESULTS/anonymous.json stores that, and each student's number, even
/// while names are shown; a new student gets the next number, in random order. @param keep false: nothing is written
/// @throws IntakeError if the file can't be read, FileError
std::optional<Anonymity> anonymity(const std::filesystem::path& results, const ClassIntake& intake, Names names,
                                   bool keep);

/// Adds --anonymous and --reveal to a command.
void add_hiding(const CommandOptions& command, bool& anonymous, bool& reveal);

}  // namespace course

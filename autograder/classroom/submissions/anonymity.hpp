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

/// Names that stand for students: "Student 17". The number says nothing about who it is.
class Anonymity {
public:
    /// @param order ids; the place of each is its number
    Anonymity(const ClassIntake& intake, const std::vector<std::string>& order);

    /// "Student 17"; an id that isn't known is "Student ?".
    [[nodiscard]] std::string of(const std::string& id) const;
    /// "Student 17-2", of a submission's id.
    [[nodiscard]] std::string of_submission(const std::string& id) const;
    /// A line of which the class's names, ids, addresses and uploads are replaced, as far as they stand there as words.
    [[nodiscard]] std::string in(const std::string& line) const;
    /// The same of everything in an intake but the submissions' ids, which name folders.
    void hide(ClassIntake& intake) const;

private:
    void know(const std::string& word, const std::string& name);

    std::map<std::string, std::string> students_, submissions_;
    std::array<std::vector<std::pair<std::string, std::string>>, 256> words_;  ///< by their first byte; long ones first
};

/// What is asked for names: what held last time, that they are hidden, that they are shown.
enum class Names { as_before, hidden, shown };

/// Names for the class if they are to be hidden. RESULTS/anonymous.json remembers that, and each student's number, also
/// while names are shown; a student who is new gets the next one, by chance. @param keep false: nothing is written
/// @throws IntakeError if the file can't be read, FileError
std::optional<Anonymity> anonymity(const std::filesystem::path& results, const ClassIntake& intake, Names names,
                                   bool keep);

/// Adds --anonymous and --reveal to a command.
void add_hiding(const CommandOptions& command, bool& anonymous, bool& reveal);

}  // namespace course

// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace course {

/// How far a student is with one exercise.
struct ExerciseProgress {
    bool passed = false;
    int hints_used = 0;
};

/// The student's progress, by exercise name: a small text file that may be deleted, edited or half understood.
class Progress {
public:
    using Records = std::map<std::string, ExerciseProgress>;

    explicit Progress(const std::filesystem::path& work) : file_(work / ".progress"), lock_(work / ".progress.lock") {}

    /// What the file says; lines that make no sense are passed over, a missing file is an empty one.
    [[nodiscard]] Records read() const;
    [[nodiscard]] ExerciseProgress of(const std::string& name) const { return read()[name]; }

    /// Changes one exercise's record under a lock and replaces the file. @throws FileError
    void update(const std::string& name, const std::function<void(ExerciseProgress&)>& change) const;

private:
    std::filesystem::path file_, lock_;
};

/// The file's text for these records, and the way back.
std::string progress_text(const Progress::Records& records);
Progress::Records parse_progress(const std::string& text);

}  // namespace course

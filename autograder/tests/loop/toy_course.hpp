// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "support/process.hpp"

namespace test {

/// How a run of `course` ended: exit code (128 + signal if it died), and what it printed, stdout and stderr together.
struct Ran {
    int code = 0;
    std::string text;
};

/// A copy of the toy course to work in and to break, and the real `course` on it. The folder's name is always the same,
/// so that the toys' checks are built once and not for each test; what is made there is made anew each time.
class ToyCourse {
public:
    ToyCourse();

    [[nodiscard]] const std::filesystem::path& root() const { return root_; }
    /// TMPDIR of the runs: empty before and after each of them.
    [[nodiscard]] std::filesystem::path scratch() const { return folder_ / "tmp"; }
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return root_ / name; }

    void write(const std::string& name, const std::string& text) const;
    [[nodiscard]] std::string read(const std::string& name) const;
    /// Replaces a piece of a file that must be there.
    void change(const std::string& name, const std::string& what, const std::string& by) const;
    /// The answer to exercise 1 with this in place of `return 2 * x;`, below these lines.
    void answer(const std::string& statement, const std::string& above = "") const;
    /// What a planted answer, "wrong/thrice", makes of a file.
    [[nodiscard]] std::string planted(const std::string& exercise, const std::string& name,
                                      const std::string& file) const;
    /// Copies the solution to work/.
    void solve(const std::string& exercise) const;

    /// Runs `course ARGUMENTS...` on this course, on the host backend, with inputs that are always the same.
    [[nodiscard]] Ran run(const std::vector<std::string>& arguments) const { return run(command(arguments)); }
    /// The same, to be changed before it is run.
    [[nodiscard]] course::Command command(const std::vector<std::string>& arguments) const;
    [[nodiscard]] Ran run(const course::Command& command) const;
    /// Sets a variable of a command's environment.
    static void set(course::Command& command, const std::string& name, const std::string& value);

    /// The text without what differs from run to run: times, folders, progress lines.
    [[nodiscard]] std::string masked(const Ran& ran) const;
    /// Compares with golden/NAME.txt.
    void check_golden(const std::string& name, const Ran& ran) const;

private:
    std::filesystem::path folder_, root_;
};

/// True if this process is root and can become nobody; then `command` is run as nobody.
bool as_nobody(course::Command& command);

/// Says why a test can't run here, as `make test` lists it.
void skip(const std::string& name, const std::string& reason);

}  // namespace test

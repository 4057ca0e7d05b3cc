// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace course {

/// What the baselines of an exercise's speed lines took on this machine, kept in a file for a day: a verdict needn't
/// wait for them each time. The file is the grader's own as its check plug-in is: the runner doesn't know of it, and
/// one that others than this user may read or write, or that holds anything odd, isn't believed.
class Baselines {
public:
    /// @param circumstances what else a baseline's time depends on: the processor, the compiler, its flags, the check
    Baselines(std::filesystem::path file, std::string circumstances);

    /// Seconds of the baseline of this call; none if it wasn't measured under these circumstances within the last day.
    [[nodiscard]] std::optional<double> find(const std::string& call) const;

    /// Notes what was measured just now. A file that can't be written is none: it will be measured again.
    void keep(const std::string& call, double seconds);

private:
    struct Measured {
        double seconds = 0;
        long long at = 0;  // since 1970
    };
    [[nodiscard]] std::map<std::string, Measured> read() const;

    std::filesystem::path file_;
    std::string circumstances_;
};

}  // namespace course

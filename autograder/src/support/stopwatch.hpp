// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace course {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Adds the seconds of its scope to a sum.
class AddedSeconds {
public:
    explicit AddedSeconds(double& sum) : sum_(sum) {}
    ~AddedSeconds() { sum_ += seconds_since(start_); }
    AddedSeconds(const AddedSeconds&) = delete;
    AddedSeconds& operator=(const AddedSeconds&) = delete;

private:
    double& sum_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace course

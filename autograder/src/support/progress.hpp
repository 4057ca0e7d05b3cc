// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <string>
#include <thread>

namespace course {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Adds the duration of its scope to a sum, in seconds.
class ScopedTimer {
public:
    explicit ScopedTimer(double& sum) : sum_(sum) {}
    ~ScopedTimer() { sum_ += seconds_since(start_); }
    ScopedTimer(const ScopedTimer&) = delete;
    ScopedTimer& operator=(const ScopedTimer&) = delete;

private:
    double& sum_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// The time now: "2026-11-23T01:02:03Z".
inline std::string utc_time() {
    const std::time_t seconds = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    char text[32];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// Prints on stderr what is being done if it takes more than two seconds; on a terminal the line disappears at the end.
class ProgressLine {
public:
    explicit ProgressLine(std::string text);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Changes the text. On a terminal it is shown at once, with the seconds so far; elsewhere every 15 seconds.
    void say(std::string text);

private:
    void wait_and_print();

    std::string text_;
    std::mutex mutex_;
    std::condition_variable over_;
    bool is_over_ = false, is_new_ = false;
    std::thread thread_;   // last: it uses all of the above
};

}  // namespace course

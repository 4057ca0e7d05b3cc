// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace course {

/// Says on stderr what is being done if it takes more than two seconds; on a terminal the line goes away at the end.
class ProgressLine {
public:
    explicit ProgressLine(std::string text);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Another text from now on. On a terminal it is shown at once, with the seconds so far; elsewhere every 15
    /// seconds.
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

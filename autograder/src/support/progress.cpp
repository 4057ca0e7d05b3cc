// SPDX-License-Identifier: MIT
#include "support/progress.hpp"

#include <chrono>

#include <unistd.h>

namespace course {

namespace {

void print(const std::string& text) {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

ProgressLine::ProgressLine(std::string text) : text_(std::move(text)), thread_([this] { wait_and_print(); }) {}

ProgressLine::~ProgressLine() {
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    over_.notify_all();
    thread_.join();
}

void ProgressLine::say(std::string text) {
    {
        const std::lock_guard lock(mutex_);
        text_ = std::move(text);
        is_new_ = true;
    }
    over_.notify_all();
}

void ProgressLine::wait_and_print() {
    std::unique_lock lock(mutex_);
    const auto start = std::chrono::steady_clock::now();
    if (over_.wait_for(lock, std::chrono::seconds(2), [this] { return is_over_; })) return;
    const bool terminal = ::isatty(STDERR_FILENO) == 1;
    is_new_ = true;
    while (!is_over_) {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start);
        if (terminal) print("\r\x1b[K" + text_ + " " + std::to_string(seconds.count()) + " s");
        else if (is_new_) print(text_ + "\n");
        is_new_ = false;
        if (terminal) over_.wait_for(lock, std::chrono::seconds(1), [this] { return is_over_ || is_new_; });
        else over_.wait_for(lock, std::chrono::seconds(15), [this] { return is_over_; });
    }
    if (terminal) print("\r\x1b[K");
}

}  // namespace course

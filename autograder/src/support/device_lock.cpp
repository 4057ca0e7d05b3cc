// SPDX-License-Identifier: MIT
#include "support/device_lock.hpp"

#include <algorithm>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>

#include "support/progress_line.hpp"

namespace course {

namespace {

using Clock = std::chrono::steady_clock;

// Reading is enough for a lock, so that the file may belong to another user.
OpenFile open_lock(const std::filesystem::path& file) {
    constexpr int reading = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    OpenFile there(::open(file.c_str(), reading));
    if (there) return there;
    OpenFile made(::open(file.c_str(), reading | O_CREAT | O_EXCL, 0644));
    return made ? std::move(made) : OpenFile(::open(file.c_str(), reading));
}

/// "-GPU-5d1e..." of a UUID; nothing that would lead to another folder.
std::string as_file_name(const std::string& name) {
    std::string text = name.empty() ? "" : "-" + name.substr(0, 100);
    const auto is_safe = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    };
    std::replace_if(text.begin(), text.end(), [&](char c) { return !is_safe(c); }, '-');
    return text;
}

bool is_locked_by(Clock::time_point end, const OpenFile& file, int kind) noexcept {
    while (::flock(file.get(), kind | LOCK_NB) != 0) {
        if (Clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

}  // namespace

DeviceLock::DeviceLock(const std::string& name, const std::filesystem::path& folder,
                       std::chrono::milliseconds longest_wait)
    : longest_wait_(longest_wait),
      turnstile_(open_lock(folder / ("course-gpu" + as_file_name(name) + "-turnstile.lock"))),
      device_(open_lock(folder / ("course-gpu" + as_file_name(name) + ".lock"))) {}

// Whoever waits for the device holds the turnstile, so that those who share it can't keep out one that wants it alone.
void DeviceLock::acquire(Use use) {
    if (!turnstile_ || !device_) return;
    const int kind = use == Use::alone ? LOCK_EX : LOCK_SH;
    const auto lock_by = [&](Clock::time_point end) {
        return is_locked_by(end, turnstile_, LOCK_EX) && is_locked_by(end, device_, kind);
    };
    bool is_held = lock_by(Clock::now());
    if (!is_held && !waited_in_vain_) {
        const ProgressLine progress("waiting for the GPU, where a time is being measured ...");
        is_held = lock_by(Clock::now() + longest_wait_);
    }
    waited_in_vain_ = !is_held;
    ::flock(turnstile_.get(), LOCK_UN);
}

void DeviceLock::release() noexcept { ::flock(device_.get(), LOCK_UN); }

}  // namespace course

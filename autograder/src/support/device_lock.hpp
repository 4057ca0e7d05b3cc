// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>

#include "support/open_file.hpp"

namespace course {

/// The GPUs of a machine, shared by all graders that compute on them and held alone by one that measures a time: what
/// another kernel takes of the memory's bandwidth would be measured as well. Locks of open files, so that a grader which
/// is killed keeps nobody waiting.
///
/// Nobody waits for ever: after the longest wait a grader goes on without the lock, and the measured times show whether
/// they can be trusted. Where the files can't be made, there is no lock.
class DeviceLock {
public:
    /// Waits until nobody measures; shared until destruction.
    explicit DeviceLock(const std::filesystem::path& folder = "/tmp",
                        std::chrono::milliseconds longest_wait = std::chrono::seconds(60));

    /// Held alone while it lives, shared again afterwards.
    class [[nodiscard]] Alone {
    public:
        explicit Alone(DeviceLock* lock) : lock_(lock) {
            if (lock_) lock_->hold_alone();
        }
        Alone(const Alone&) = delete;
        Alone& operator=(const Alone&) = delete;
        ~Alone() {
            if (lock_) lock_->share();
        }

    private:
        DeviceLock* lock_;
    };

private:
    void share() noexcept;
    void hold_alone();
    void acquire(int kind) noexcept;
    [[nodiscard]] bool wait_for(const OpenFile& file, int kind) const noexcept;

    std::chrono::milliseconds longest_wait_;
    OpenFile turnstile_, device_;
};

}  // namespace course

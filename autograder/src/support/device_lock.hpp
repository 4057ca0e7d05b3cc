// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "support/open_file.hpp"

namespace course {

/// A GPU of this machine, shared by all graders whose calls compute on it and held alone by one that measures a time:
/// what another kernel takes of the memory's bandwidth would be measured as well. Locks of open files, so that a grader
/// which is killed keeps nobody waiting.
///
/// Nobody waits for ever: after the longest wait a grader goes on without the lock, and the measured times show whether
/// they can be trusted. From then on it only looks whether the lock is free, until it is: who holds it may be stopped,
/// and a verdict has hundreds of calls. Where the files can't be made, there is no lock.
class DeviceLock {
public:
    /// @param name of the GPU, the same for everybody who uses it, whatever CUDA_VISIBLE_DEVICES says: its UUID; empty:
    ///     one whose UUID isn't known
    explicit DeviceLock(const std::string& name = {}, const std::filesystem::path& folder = "/tmp",
                        std::chrono::milliseconds longest_wait = std::chrono::seconds(60));

    enum class Use { shared, alone };

    /// Waits until the device may be used like that, and holds it while it lives. One at a time of each lock; null: no
    /// lock.
    class [[nodiscard]] Held {
    public:
        Held(DeviceLock* lock, Use use) : lock_(lock) {
            if (lock_) lock_->acquire(use);
        }
        Held(const Held&) = delete;
        Held& operator=(const Held&) = delete;
        ~Held() {
            if (lock_) lock_->release();
        }

    private:
        DeviceLock* lock_;
    };

private:
    void acquire(Use use);
    void release() noexcept;

    std::chrono::milliseconds longest_wait_;
    bool waited_in_vain_ = false;   ///< and the lock has not been free since
    OpenFile turnstile_, device_;
};

}  // namespace course

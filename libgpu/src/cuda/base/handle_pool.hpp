// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace gpu::detail::cuda {

/// Handles (plain values) of a library, each used by one thread at a time. They are kept for later calls and never
/// destroyed: at process exit, their library and the driver may be gone.
template <class Handle>
class HandlePool {
public:
    /// A handle for the duration of a scope.
    class Lease {
    public:
        Lease(HandlePool& pool, int device, Handle handle) : pool_(&pool), device_(device), handle_(handle) {}
        Lease(Lease&& other) noexcept
            : pool_(std::exchange(other.pool_, nullptr)), device_(other.device_), handle_(other.handle_) {}
        Lease& operator=(Lease&&) = delete;
        ~Lease() {
            if (!pool_) return;
            const std::lock_guard lock(pool_->mutex_);
            pool_->idle_.find(device_)->second.push_back(handle_);  // take() has reserved the room
        }

        const Handle& operator*() const noexcept { return handle_; }
        const Handle* operator->() const noexcept { return &handle_; }
        /// Changes persist: the next lease sees them.
        Handle* operator->() noexcept { return &handle_; }

    private:
        HandlePool* pool_;
        int device_;
        Handle handle_;
    };

    /// An idle handle of the device, or what `make` returns.
    template <class Make>
    [[nodiscard]] Lease take(int device, const Make& make) {
        {
            const std::lock_guard lock(mutex_);
            std::vector<Handle>& idle = idle_[device];
            if (!idle.empty()) {
                const Handle handle = idle.back();
                idle.pop_back();
                return Lease(*this, device, handle);
            }
            idle.reserve(static_cast<std::size_t>(++made_[device]));
        }
        return Lease(*this, device, make());
    }

private:
    std::mutex mutex_;
    std::map<int, std::vector<Handle>> idle_;
    std::map<int, int> made_;
};

}  // namespace gpu::detail::cuda

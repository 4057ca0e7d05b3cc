// SPDX-License-Identifier: MIT
#include "support/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>

#include "support/progress.hpp"

namespace course {

void in_pieces(std::int64_t count, std::int64_t piece, const std::function<void(std::int64_t, std::int64_t)>& work,
               int threads) {
    const std::int64_t pieces = (count + piece - 1) / piece;
    if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const std::int64_t helpers = std::min<std::int64_t>(pieces, threads) - 1;
    std::atomic<std::int64_t> next{0};
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(std::max<std::int64_t>(pieces, 0)));
    const auto take_pieces = [&] {
        for (std::int64_t k; (k = next.fetch_add(1)) < pieces;) {
            try {
                work(k * piece, std::min(count, (k + 1) * piece));
            } catch (...) {
                failures[static_cast<std::size_t>(k)] = std::current_exception();
            }
        }
    };
    {
        std::vector<std::jthread> team;
        for (std::int64_t k = 0; k < helpers; ++k) team.emplace_back(take_pieces);
        take_pieces();
    }
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

void prefer_large_pages(void* data, std::size_t bytes) noexcept {
    constexpr std::size_t worth_it = std::size_t{32} << 20, page = 4096;
    if (bytes < worth_it) return;
    const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(data) + page - 1) / page * page;
    const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(data) + bytes) / page * page;
    ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);  // only a hint
}

void copy_bytes(void* to, const void* from, std::size_t bytes) {
    constexpr std::int64_t piece = std::int64_t{4} << 20;
    if (bytes == 0) return;
    in_pieces(static_cast<std::int64_t>(bytes), piece, [&](std::int64_t begin, std::int64_t end) {
        std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin,
                    static_cast<std::size_t>(end - begin));
    });
}

namespace {

using Clock = std::chrono::steady_clock;

// A lock only needs read access, so the file may belong to another user.
UniqueFd open_lock(const std::filesystem::path& file) {
    constexpr int reading = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    UniqueFd there(::open(file.c_str(), reading));
    if (there) return there;
    UniqueFd made(::open(file.c_str(), reading | O_CREAT | O_EXCL, 0644));
    return made ? std::move(made) : UniqueFd(::open(file.c_str(), reading));
}

/// "-GPU-5d1e..." for a UUID; can't lead to another folder.
std::string as_file_name(const std::string& name) {
    std::string text = name.empty() ? "" : "-" + name.substr(0, 100);
    const auto is_safe = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    };
    std::replace_if(text.begin(), text.end(), [&](char c) { return !is_safe(c); }, '-');
    return text;
}

bool is_locked_by(Clock::time_point end, const UniqueFd& file, int kind) noexcept {
    while (::flock(file.get(), kind | LOCK_NB) != 0) {
        if (Clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

}  // namespace

DeviceLock::DeviceLock(const std::string& name, const std::filesystem::path& folder,
                       std::chrono::milliseconds max_wait)
    : max_wait_(max_wait),
      turnstile_(open_lock(folder / ("course-gpu" + as_file_name(name) + "-turnstile.lock"))),
      device_(open_lock(folder / ("course-gpu" + as_file_name(name) + ".lock"))) {}

// A waiting thread holds the turnstile, so that those who share the device can't starve one that wants it exclusively.
void DeviceLock::acquire(Use use) {
    if (held_++ > 0 || !turnstile_ || !device_) return;
    const int kind = use == Use::alone ? LOCK_EX : LOCK_SH;
    const auto lock_by = [&](Clock::time_point end) {
        return is_locked_by(end, turnstile_, LOCK_EX) && is_locked_by(end, device_, kind);
    };
    bool is_held = lock_by(Clock::now());
    if (!is_held && !waited_in_vain_) {
        const ProgressLine progress("waiting for the GPU, where a time is being measured ...");
        is_held = lock_by(Clock::now() + max_wait_);
    }
    waited_in_vain_ = !is_held;
    ::flock(turnstile_.get(), LOCK_UN);
}

void DeviceLock::release() noexcept {
    if (--held_ == 0) ::flock(device_.get(), LOCK_UN);
}

}  // namespace course

// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/files.hpp"

namespace course {

/// Calls work(begin, end) for the pieces of [0, count) on several threads, and waits for all of them. The pieces depend
/// neither on the number of threads nor on the schedule; a single piece runs on the calling thread. Rethrows the
/// exception of the first piece that failed.
/// @param threads 0: as many as this program may use
void in_pieces(std::int64_t count, std::int64_t piece, const std::function<void(std::int64_t, std::int64_t)>& work,
               int threads = 0);

/// Requests large pages for a fresh buffer that is large enough: first touching it then costs less.
void prefer_large_pages(void* data, std::size_t bytes) noexcept;

/// memcpy on several threads where it pays: they share the page faults of a fresh buffer.
void copy_bytes(void* to, const void* from, std::size_t bytes);

/// A stream of random numbers that is the same on every machine: FNV-1a of the seed, then SplitMix64.
class SeededRng {
public:
    explicit SeededRng(std::string_view seed) {
        for (const char c : seed) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    }
    /// A number below `end`.
    std::size_t below(std::size_t end) {
        state_ += 0x9E3779B97F4A7C15;
        std::uint64_t number = (state_ ^ state_ >> 30) * 0xBF58476D1CE4E5B9;
        number = (number ^ number >> 27) * 0x94D049BB133111EB;
        return static_cast<std::size_t>((number ^ number >> 31) % end);
    }
    template <class T>
    void shuffle(std::vector<T>& list) {
        for (std::size_t k = list.size(); k > 1; --k) std::swap(list[k - 1], list[below(k)]);
    }

private:
    std::uint64_t state_ = 0xCBF29CE484222325;
};

/// The lock of a GPU of this machine: shared by all graders whose calls compute on it, exclusive for one that measures
/// a time, because another kernel's use of the memory bandwidth would be measured as well. Uses locks of open files, so
/// a killed grader blocks nobody.
///
///  Nobody waits forever: after `max_wait` a grader goes on without the lock, and the measured times show whether they
///  can be trusted. From then on it only tries the lock, until it is free: the holder may be stopped, and a verdict has
///  hundreds of calls. If the files can't be created, there is no lock.
class DeviceLock {
public:
    /// @param name of the GPU, the same for all users whatever CUDA_VISIBLE_DEVICES says: its UUID; empty: one whose
    /// UUID isn't known
    explicit DeviceLock(const std::string& name = {}, const std::filesystem::path& folder = "/tmp",
                        std::chrono::milliseconds max_wait = std::chrono::seconds(60));

    enum class Use { shared, alone };

    /// Waits until the device may be used that way, and holds it for its lifetime; null: no lock. While a lock holds
    /// its device, further ones of the same lock have no effect.
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

    std::chrono::milliseconds max_wait_;
    int held_ = 0;                  ///< how many are alive
    bool waited_in_vain_ = false;   ///< and the lock has not been free since
    UniqueFd turnstile_, device_;
};

}  // namespace course

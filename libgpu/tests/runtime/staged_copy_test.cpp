// SPDX-License-Identifier: MIT
// The ring through which large copies go, with a device that is a thread of this process.
#include "cuda/memory/staging.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

using namespace gpu::detail::cuda;

namespace {

/// A "device" that does what it is told in order, late, on a thread of its own, as a stream does. A slot that is
/// touched before its last transfer was waited for gives wrong data.
class FakeLink {
public:
    FakeLink(std::vector<char>& device_memory, int slots, std::size_t slot_bytes)
        : device_(device_memory),
          slot_bytes_(slot_bytes),
          slots_(static_cast<std::size_t>(slots) * slot_bytes, '?'),
          pending_(static_cast<std::size_t>(slots), 0),
          engine_([this] { work(); }) {}
    ~FakeLink() {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        changed_.notify_all();
        engine_.join();
    }
    FakeLink(const FakeLink&) = delete;
    FakeLink& operator=(const FakeLink&) = delete;

    int enter() {
        ++entered;
        return 0;
    }
    char* slot(int k) { return slots_.data() + static_cast<std::size_t>(k) * slot_bytes_; }
    int send(int k, CopyChunk piece) {
        return start(k, [this, k, piece] { std::memcpy(device_.data() + piece.offset, slot(k), piece.bytes); });
    }
    int fetch(int k, CopyChunk piece) {
        return start(k, [this, k, piece] { std::memcpy(slot(k), device_.data() + piece.offset, piece.bytes); });
    }
    int wait(int k) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return pending_[static_cast<std::size_t>(k)] == 0; });
        return 0;
    }
    void finish() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return queue_.empty() && !busy_; });
    }

    std::atomic<int> entered{0}, started{0};
    int fails_at = 0;  // the number of the transfer that fails; 0: none

private:
    int start(int k, std::function<void()> transfer) {
        if (++started == fails_at) return 700;
        {
            const std::lock_guard lock(mutex_);
            ++pending_[static_cast<std::size_t>(k)];
            queue_.push_back([this, k, transfer] {
                transfer();
                const std::lock_guard held(mutex_);
                --pending_[static_cast<std::size_t>(k)];
            });
        }
        changed_.notify_all();
        return 0;
    }
    void work() {
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
            if (queue_.empty()) return;
            const auto next = queue_.front();
            queue_.pop_front();
            busy_ = true;
            lock.unlock();
            next();
            lock.lock();
            busy_ = false;
            changed_.notify_all();
        }
    }

    std::vector<char>& device_;
    std::size_t slot_bytes_;
    std::vector<char> slots_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> queue_;
    std::vector<int> pending_;
    bool stopping_ = false, busy_ = false;
    std::thread engine_;
};

std::vector<char> numbered(std::size_t n) {
    std::vector<char> bytes(n);
    for (std::size_t k = 0; k < n; ++k) bytes[k] = static_cast<char>(k * 31 % 251);
    return bytes;
}

constexpr std::size_t piece = 1000;

}  // namespace

TEST_CASE("pieces cover a copy without gaps") {
    CHECK(piece_count(0, 10) == 0);
    CHECK(piece_count(1, 10) == 1);
    CHECK(piece_count(10, 10) == 1);
    CHECK(piece_count(11, 10) == 2);
    CHECK(piece_count(SIZE_MAX, 2) == SIZE_MAX / 2 + 1);
    CHECK(piece_at(0, 25, 10) == CopyChunk{0, 10});
    CHECK(piece_at(2, 25, 10) == CopyChunk{20, 5});
    CHECK(piece_at(1, 20, 10) == CopyChunk{10, 10});
}

TEST_CASE("as many threads as there is work, slots and cores for") {
    CHECK(staging_threads(1, 8, 16) == 1);
    CHECK(staging_threads(3, 8, 16) == 1);
    CHECK(staging_threads(4, 8, 16) == 2);
    CHECK(staging_threads(1000, 8, 16) == 4);
    CHECK(staging_threads(1000, 8, 2) == 2);
    CHECK(staging_threads(1000, 8, 0) == 1);  // cores unknown
    CHECK(staging_threads(SIZE_MAX, 8, 16) == 4);
}

TEST_CASE("all sizes go both ways whole, with any number of threads") {
    for (const int threads : {1, 2, 4}) {
        for (const std::size_t n :
             {std::size_t{1}, piece - 1, piece, piece + 1, 2 * piece, 7 * piece + 123, 64 * piece}) {
            CAPTURE(threads);
            CAPTURE(n);
            const std::vector<char> host = numbered(n);
            std::vector<char> device(n, '-');
            FakeLink link(device, threads * slots_per_thread, piece);
            CHECK(StagedCopy<FakeLink>(link, n, piece).to_device(host.data(), threads) == 0);
            link.finish();
            CHECK(device == host);
            CHECK(link.entered == threads);
            std::vector<char> back(n, '-');
            CHECK(StagedCopy<FakeLink>(link, n, piece).to_host(back.data(), threads) == 0);
            CHECK(back == host);
            CHECK(link.started == 2 * static_cast<int>(piece_count(n, piece)));
        }
    }
}

TEST_CASE("the first error ends a copy and is returned") {
    const std::vector<char> host = numbered(50 * piece);
    for (const int failing : {1, 2, 7, 50}) {
        std::vector<char> device(host.size()), back(host.size());
        FakeLink link(device, 4, piece);
        link.fails_at = failing;
        CHECK(StagedCopy<FakeLink>(link, host.size(), piece).to_device(host.data(), 2) == 700);
        link.finish();
        CHECK(link.started <= failing + 2);
        link.started = 0;
        CHECK(StagedCopy<FakeLink>(link, host.size(), piece).to_host(back.data(), 2) == 700);
        link.finish();
    }
}

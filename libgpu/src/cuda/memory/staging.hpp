// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "cuda/base/cudart.hpp"
#include "cuda/base/handle_pool.hpp"

namespace gpu::detail::cuda {

/// Large copies between pageable memory and a device go through a ring of page-locked memory, one per device, created
/// on first use. The driver's own staging uses one thread and reaches less than half the speed of several.
class Staging {
public:
    explicit Staging(int device_count);
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    /// The minimum size of a copy for which this pays.
    static constexpr std::size_t worth = std::size_t{4} << 20;

    /// Waits for the stream's earlier work, copies, and waits for the copy. Returns false without copying if there is
    /// no page-locked memory. @throws LaunchError, DeviceError
    bool to_device(int device, void* to, const void* from, std::size_t bytes, cudaStream_t stream);
    bool to_host(int device, void* to, const void* from, std::size_t bytes, cudaStream_t stream);

private:
    struct Ring;
    template <class Copy>
    bool through_ring(int device, void* device_data, std::size_t bytes, cudaStream_t stream, Copy copy);

    std::vector<std::unique_ptr<Ring>> rings_;
};

/// True if CUDA can access all of this host memory directly: it is page-locked, or managed.
/// @throws DeviceError if it is a device's memory
[[nodiscard]] bool is_page_locked(const void* data, std::size_t bytes);

/// Copies of a few bytes to the host, such as item()'s. Into pageable memory, the driver would copy in two steps and
/// wait for both; into page-locked memory, the host waits once.
class SmallCopies {
public:
    static constexpr std::size_t max_bytes = 4096;  ///< bytes of a copy

    /// Returns when the bytes have arrived. The device must be the thread's current one.
    void to_host(int device, void* to, const void* from, std::size_t bytes, cudaStream_t stream);

private:
    HandlePool<void*> places_;
};

// How a copy between pageable memory and a device goes through a ring of page-locked slots: while the contents of some
// slots are transferred, several threads copy between others and the pageable memory. Independent of CUDA, so tests can
// drive it.

/// A part of a copy.
struct CopyChunk {
    std::size_t offset = 0, bytes = 0;
    friend bool operator==(const CopyChunk&, const CopyChunk&) = default;
};

[[nodiscard]] constexpr std::size_t piece_count(std::size_t bytes, std::size_t piece_bytes) {
    return bytes / piece_bytes + (bytes % piece_bytes != 0 ? 1 : 0);
}

[[nodiscard]] constexpr CopyChunk piece_at(std::size_t k, std::size_t bytes, std::size_t piece_bytes) {
    return {k * piece_bytes, std::min(piece_bytes, bytes - k * piece_bytes)};
}

/// Each thread owns two slots: while one is transferred, it copies from or to the other.
inline constexpr int slots_per_thread = 2;

/// As many threads as there are slots, cores, and two pieces for each; at least one.
[[nodiscard]] constexpr int staging_threads(std::size_t pieces, int slots, int cores) {
    const int wanted = static_cast<int>(std::min<std::size_t>(pieces / 2, 1000));
    return std::max(1, std::min({wanted, slots / slots_per_thread, cores}));
}

/// Moves the pieces of one copy. `Link` is the connection to the device:
///   int enter()                       once in each thread, first
///   char* slot(int slot)              a slot's memory, `piece_bytes` long
///   int send(int slot, Piece)         starts a transfer from slot to device; fetch() from device to slot
///   int wait(int slot)                waits for the slot's last transfer
/// Its functions return 0 or an error's number, don't throw, and are called by several threads for different slots.
template <class Link>
class StagedCopy {
public:
    StagedCopy(Link& link, std::size_t bytes, std::size_t piece_bytes)
        : link_(link), bytes_(bytes), piece_bytes_(piece_bytes), pieces_(piece_count(bytes, piece_bytes)) {}

    /// Returns when all of `from` has been read; the last pieces may still be in transfer.
    int to_device(const char* from, int threads) {
        return run(threads, [this, from](int first_slot) { send_pieces(from, first_slot); });
    }
    /// Returns when all of `to` has been written.
    int to_host(char* to, int threads) {
        return run(threads, [this, to](int first_slot) { fetch_pieces(to, first_slot); });
    }

private:
    template <class F>
    int run(int threads, F work) {
        const auto one = [this, &work](int thread) {
            if (good(link_.enter())) work(thread * slots_per_thread);
        };
        std::vector<std::thread> others;
        others.reserve(static_cast<std::size_t>(threads));
        for (int thread = 1; thread < threads; ++thread) {
            try {
                others.emplace_back(one, thread);
            } catch (const std::system_error&) {
                break;  // the system allows no more: the threads that run do all the work
            }
        }
        one(0);
        for (std::thread& other : others) other.join();
        return error_.load();
    }

    void send_pieces(const char* from, int first_slot) {
        bool sent[slots_per_thread] = {};
        for (int turn = 0;; turn = 1 - turn) {
            const std::size_t k = next_.fetch_add(1, std::memory_order_relaxed);
            if (k >= pieces_ || error_.load(std::memory_order_relaxed) != 0) return;
            const CopyChunk piece = piece_at(k, bytes_, piece_bytes_);
            const int slot = first_slot + turn;
            if (sent[turn] && !good(link_.wait(slot))) return;
            std::memcpy(link_.slot(slot), from + piece.offset, piece.bytes);
            if (!good(link_.send(slot, piece))) return;
            sent[turn] = true;
        }
    }

    void fetch_pieces(char* to, int first_slot) {
        CopyChunk fetched[slots_per_thread];
        const auto put_away = [&](int turn) {
            CopyChunk& piece = fetched[turn];
            if (piece.bytes == 0) return true;
            if (!good(link_.wait(first_slot + turn))) return false;
            std::memcpy(to + piece.offset, link_.slot(first_slot + turn), piece.bytes);
            piece.bytes = 0;
            return true;
        };
        int turn = 0;
        for (;; turn = 1 - turn) {
            if (!put_away(turn)) return;
            const std::size_t k = next_.fetch_add(1, std::memory_order_relaxed);
            if (k >= pieces_ || error_.load(std::memory_order_relaxed) != 0) break;
            const CopyChunk piece = piece_at(k, bytes_, piece_bytes_);
            if (!good(link_.fetch(first_slot + turn, piece))) return;
            fetched[turn] = piece;
        }
        (void)put_away(1 - turn);
    }

    bool good(int result) {
        int none = 0;
        if (result != 0) error_.compare_exchange_strong(none, result);
        return result == 0;
    }

    Link& link_;
    std::size_t bytes_, piece_bytes_, pieces_;
    std::atomic<std::size_t> next_{0};
    std::atomic<int> error_{0};  // the first
};

}  // namespace gpu::detail::cuda

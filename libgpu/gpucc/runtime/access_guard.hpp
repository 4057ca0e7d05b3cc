// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "gpucc/runtime/program.hpp"

namespace gpucc {

/// Without check mode: host code that uses device memory ends as with a GPU, by a segmentation fault, with a message
/// that says where. While no work is under way and nobody is in a call of the API, device memory is inaccessible.
///
/// Each change of that costs system calls, so it ends after some thousands of them: what is wrong shows at a program's
/// beginning. Check mode has a watch of its own, which knows no such limit.
class AccessGuard {
public:
    static AccessGuard& get();

    /// Begins. It stays off where there are several devices.
    void begin();
    /// Device memory, until it is freed and used again.
    void add(const void* data, std::size_t bytes, const Call& call);
    void mark_freed(const void* data);
    /// True if memory is guarded and nothing is under way.
    [[nodiscard]] bool is_idle();

    /// While one exists, device memory is accessible to everybody.
    class [[nodiscard]] Scope {
    public:
        explicit Scope(Effect effect) : effect_(effect), mark_(get().enter(effect)) {}
        ~Scope() { get().leave(effect_, mark_); }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        Effect effect_;
        std::uint64_t mark_;
    };

private:
    /// The handler of faults reads these.
    struct Piece {
        std::atomic<std::uintptr_t> begin{0};
        std::atomic<std::size_t> bytes{0};
        std::atomic<bool> is_freed{false};
        Call call{"", "", 0};
        [[nodiscard]] bool holds(std::uintptr_t address) const { return address - begin < bytes; }
    };

    std::uint64_t enter(Effect effect);
    void leave(Effect effect, std::uint64_t mark);
    void set_access(int protection);
    [[nodiscard]] Piece* piece_at(std::uintptr_t address);
    static void handle(int signal, siginfo_t* info, void* context);

    std::mutex mutex_;
    std::array<Piece, 512> pieces_;
    std::atomic<std::size_t> used_{0};  // pieces beyond are free
    std::atomic<bool> is_on_{false}, is_closed_{false};
    std::uint64_t queued_ = 0, done_ = 0;
    int inside_ = 0;
    std::size_t cost_ = 0;
};

}  // namespace gpucc

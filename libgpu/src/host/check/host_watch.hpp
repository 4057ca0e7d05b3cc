// SPDX-License-Identifier: MIT
#pragma once

#include <execinfo.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gpu/check.hpp>

#include "backend/host_access.hpp"
#include "host/base/fork_guard.hpp"
#include "host/check/stream_order.hpp"
#include "host/memory/guarded_memory.hpp"

namespace gpu::detail::host {

/// Where host code is: an instruction, and the calls that led there. Plain memory, which a signal handler may fill.
class CallFrames {
public:
    /// Loads what backtrace() needs: a signal handler mustn't.
    static void prepare() {
        void* frame = nullptr;
        (void)::backtrace(&frame, 1);
    }

    /// Here. @param instruction of a signal handler: the one that faulted; the frames before it are the handler's.
    void capture(std::uintptr_t instruction = 0) noexcept {
        void* frames[max_frames + 8];
        const int count = ::backtrace(frames, static_cast<int>(std::size(frames)));
        void** const end = frames + count;
        void** frame = frames;
        std::size_t used = 0;
        if (instruction != 0) {
            frames_[used++] = instruction;
            frame = std::find(frames, end, reinterpret_cast<void*>(instruction));
            if (frame < end) ++frame;
        }
        for (; used < max_frames; ++used)
            frames_[used] = frame < end ? reinterpret_cast<std::uintptr_t>(*frame++) - 1 : 0;  // within the call itself
    }

    /// Innermost first.
    [[nodiscard]] std::vector<std::uintptr_t> stack() const {
        return {std::begin(frames_), std::find(std::begin(frames_), std::end(frames_), 0U)};
    }

private:
    static constexpr std::size_t max_frames = 32;
    std::uintptr_t frames_[max_frames] = {};  // 0: no more
};

/// Notices who touches host memory while an asynchronous copy may still use it: nobody may write what it reads, and
/// nobody may read or write what it writes, until the host has waited for it.
///
/// The memory's pages are write-protected for that time, or inaccessible, so whoever touches them faults; the signal
/// handler notes it, makes them accessible, and the program goes on. What else lies on the first and the last page
/// can be used: there the handler lets one instruction pass (on x86-64). Where pages can't be protected, as on a stack,
/// and where others were let pass, the bytes are compared with those of the copy.
class HostBufferWatch {
public:
    /// The memory of a copy.
    struct Buffer {
        std::uintptr_t start = 0;
        std::size_t bytes = 0;
        bool is_written = false;  ///< by the copy
        bool is_pageable = false;
        int elements = -1;  ///< their DType; -1: not known
    };
    /// What somebody did to a buffer.
    enum class Use { read, write, unknown, changed, freed, copy_reads, copy_writes };
    /// Use of a buffer before the host had waited for its copy.
    struct EarlyUse {
        Buffer buffer;
        std::string copy_stream;
        CallFrames copied_at;
        Use use = Use::unknown;
        std::uintptr_t address = 0;
        CallFrames used_at;
        std::string other_stream;     ///< of another copy
        std::size_t before = 0;       ///< how many findings came before
    };

    void begin();
    /// Nothing is protected any more.
    void end(std::size_t findings) noexcept;

    /// An asynchronous copy has been put into a stream.
    void add(const std::shared_ptr<const StreamOperation>& copy, const Buffer& buffer);
    /// A copy may run at the same time as one that uses this buffer otherwise: false if there is none.
    bool find_conflict(const UnorderedOperations& unordered, const Buffer& buffer, const std::string& stream,
                       std::size_t findings);
    /// The host has waited: copies that are done don't count any more.
    void host_waited(const StreamOrder& order, std::size_t findings);
    /// This page-locked memory has got an owner, who uses so many bytes of it. No earlier copy counts any more.
    void pinned_given(std::uintptr_t start, std::size_t bytes) noexcept;

    /// libgpu itself works: what it touches is nobody's mistake.
    void open() noexcept;
    void close() noexcept;

    /// A finding each, in their order.
    struct OrderedFinding {
        std::size_t before = 0;
        Finding finding;
    };
    [[nodiscard]] std::vector<OrderedFinding> findings() const;

    // Called by signal handlers. True if the instruction can be tried again, or gone on from.
    /// A fault of host code. `context` is the handler's.
    static bool note(std::uintptr_t address, HostAccessKind kind, std::uintptr_t instruction, void* context) noexcept;
    /// A fault of a kernel, which may use page-locked memory.
    static bool let_pass(std::uintptr_t address) noexcept;
    /// One instruction has been let pass.
    static bool stepped(void* context) noexcept;

private:
    static constexpr std::size_t max_slots = 256;
    static constexpr int max_steps = 4096;
    enum State : int { unused, watched, noted };
    /// A copy under way. The handler reads all but `copy`, `copied_at` and `kept`.
    struct Slot {
        std::atomic<State> state{unused};
        Buffer buffer;
        std::uintptr_t inner_begin = 0, inner_end = 0;  // pages that hold nothing else
        std::uintptr_t outer_begin = 0, outer_end = 0;  // those that are protected
        std::atomic<bool> lapsed{false};                // accessible until libgpu has worked
        std::atomic<int> steps{0};
        Use use = Use::unknown;
        std::uintptr_t address = 0;
        CallFrames used_at;
        std::shared_ptr<const StreamOperation> copy;
        CallFrames copied_at;
        std::vector<unsigned char> kept;  // the bytes that aren't on inner pages, as they must stay

        [[nodiscard]] bool protects(std::uintptr_t where) const noexcept {
            return state.load(std::memory_order_acquire) == watched && where - outer_begin < outer_end - outer_begin;
        }
    };

    class Work;

    void choose_pages(Slot& slot) const;
    [[nodiscard]] bool is_exclusive(std::uintptr_t address) const;
    template <class F>
    static void for_kept(const Slot& slot, F&& f);
    static void keep(Slot& slot);
    static void compare(Slot& slot);
    static void protect(const Slot& slot) noexcept;
    void protect_all(std::uintptr_t begin, std::uintptr_t end) const noexcept;
    void protect_lapsed() noexcept;
    void lapse(std::uintptr_t address) noexcept;
    bool step(std::uintptr_t address, void* context) noexcept;
    void release(Slot& slot, std::size_t findings);
    [[nodiscard]] static EarlyUse early_use(const Slot& slot, std::size_t findings);

    mutable ForkSafeMutex mutex_;
    Slot slots_[max_slots];
    std::atomic<std::size_t> used_slots_{0};  // all later ones are unused
    std::atomic<bool> active_{false}, open_{false}, can_step_{true};
    std::atomic<int> stepping_thread_{0};
    std::uintptr_t stepped_page_ = 0;
    std::map<std::uintptr_t, std::size_t> pinned_;  // blocks of page-locked memory: the bytes that are used
    std::vector<EarlyUse> found_;
};

/// Notices host code that reads or writes arrays of the device while a check goes on: on a GPU it would crash.
///
/// Arrays are inaccessible but for the time of an Opening, which is whenever libgpu itself or a kernel works. Who else
/// touches one faults; the signal handler notes that, makes the array accessible, and the program goes on. So each
/// array is noted once between two operations of libgpu's.
class HostAccessWatch {
public:
    explicit HostAccessWatch(HostBufferWatch& buffers) : buffers_(buffers) {}

    /// The memory of a device, before any check.
    void add(GuardedMemory& memory) { memories_.push_back(&memory); }

    /// Nothing works on the memories. @throws Error if another backend is being watched
    void begin();
    /// All is accessible again.
    void end() noexcept;

    /// While it lives, memory is accessible. Does nothing outside of a check.
    class [[nodiscard]] Opening {
    public:
        explicit Opening(HostAccessWatch& watch) : watch_(watch.open() ? &watch : nullptr) {}
        ~Opening() {
            if (watch_ != nullptr) watch_->close();
        }
        Opening(const Opening&) = delete;
        Opening& operator=(const Opening&) = delete;

    private:
        HostAccessWatch* watch_;
    };

    /// What a kernel calls the array that begins here.
    void name(std::uintptr_t array, const std::string& parameter) { names_.try_emplace(array, parameter); }
    [[nodiscard]] std::string name_of(std::uintptr_t array) const {
        const auto known = names_.find(array);
        return known != names_.end() ? known->second : "";
    }
    /// True if the address lies in an array of any of the devices.
    [[nodiscard]] bool is_array(std::uintptr_t address) const noexcept {
        AddressRange range;
        return ranges_.find(address, range);
    }
    /// How many accesses have been noted.
    [[nodiscard]] std::size_t noted() const noexcept;
    struct NotedFinding {
        std::size_t number;  ///< below noted()
        Finding finding;
    };
    /// A finding each, in their order; reads, and writes, of one place and name are one.
    [[nodiscard]] std::vector<NotedFinding> findings() const;

    /// Called by the handler of a fault outside of kernels. True if it was an access to a watched array: the
    /// instruction can be tried again.
    static bool note(HostAccess access, std::uintptr_t instruction) noexcept;

private:
    static constexpr std::size_t max_noted = 64;
    struct Note {
        HostAccess access;
        CallFrames frames;  // where it happened
        std::atomic<bool> complete{false};
    };

    bool open();
    void close() noexcept;

    HostBufferWatch& buffers_;  // opened and closed with the arrays
    std::vector<GuardedMemory*> memories_;
    AddressRanges ranges_;
    ForkSafeMutex mutex_;
    bool active_ = false;
    int openings_ = 0;
    std::map<std::uintptr_t, std::string> names_;
    Note notes_[max_noted];
    std::atomic<std::size_t> used_{0};
};

}  // namespace gpu::detail::host

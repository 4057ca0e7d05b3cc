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
#include "base/fork_safe_mutex.hpp"
#include "host/check/stream_order.hpp"
#include "host/memory/guarded_memory.hpp"

namespace gpu::detail::host {

/// Where host code is: an instruction, and the calls that led there. Plain memory, which a signal handler may fill in.
class CallFrames {
public:
    /// Loads what backtrace() needs: a signal handler can't.
    static void prepare() {
        void* frame = nullptr;
        (void)::backtrace(&frame, 1);
    }

    /// Captures the current place. @param instruction in a signal handler: the one that faulted; frames before it are
    /// the handler's.
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
            frames_[used] = frame < end ? reinterpret_cast<std::uintptr_t>(*frame++) - 1 : 0;  // inside the call itself
    }

    /// Innermost first.
    [[nodiscard]] std::vector<std::uintptr_t> stack() const {
        return {std::begin(frames_), std::find(std::begin(frames_), std::end(frames_), 0U)};
    }

private:
    static constexpr std::size_t max_frames = 32;
    std::uintptr_t frames_[max_frames] = {};  // 0: no more
};

/// Detects accesses to host memory while an asynchronous copy may still use it: its source must not be written, and its
/// target neither read nor written, until the host has waited for the copy. The same for page-locked memory that a
/// kernel has used in place.
///
/// During that time, the memory's pages are write-protected or inaccessible, so accesses fault; the signal handler
/// notes the fault, makes the pages accessible, and the program continues. Other data on the first and the last page
/// can be used: there the handler lets one instruction pass (on x86-64). If pages can't be protected, as on a stack, or
/// where others were let pass, the bytes are compared with those of the copy.
class HostBufferWatch {
public:
    /// The memory of a copy, or of a kernel.
    struct Buffer {
        std::uintptr_t start = 0;
        std::size_t bytes = 0;
        bool is_written = false;  ///< by the copy or kernel
        bool is_pageable = false;
        int elements = -1;  ///< their DType; -1: not known
    };
    /// What was done to a buffer.
    enum class Use { read, write, unknown, changed, freed, copy_reads, copy_writes };
    /// Use of a buffer before the host had waited for its copy.
    struct EarlyUse {
        Buffer buffer;
        std::string copy_stream;
        CallFrames copied_at;
        std::string kernel;  ///< "kernel add", if it was no copy
        Use use = Use::unknown;
        std::uintptr_t address = 0;
        CallFrames used_at;
        std::string other_stream;     ///< of the other copy
        std::size_t before = 0;       ///< how many findings came before
    };

    void begin();
    /// Unprotects everything.
    void end(std::size_t findings) noexcept;

    /// An asynchronous copy was queued in a stream.
    void add(const std::shared_ptr<const StreamOperation>& copy, const Buffer& buffer);
    /// A kernel uses memory in place: it counts if it is page-locked.
    void add_kernel(const std::shared_ptr<const StreamOperation>& launch, const Buffer& buffer);
    /// Notes a copy that may run concurrently with one that uses this buffer differently: false if there is none.
    bool find_conflict(const UnorderedOperations& unordered, const Buffer& buffer, const std::string& stream,
                       std::size_t findings);
    /// The host has waited: finished copies no longer count.
    void host_waited(const StreamOrder& order, std::size_t findings);
    /// This page-locked memory has a new owner, who uses this many bytes of it. Earlier copies no longer count.
    void pinned_given(std::uintptr_t start, std::size_t bytes) noexcept;

    /// libgpu itself works: its accesses are no mistakes.
    void open() noexcept;
    void close() noexcept;

    /// One finding each, in order.
    struct OrderedFinding {
        std::size_t before = 0;
        Finding finding;
    };
    [[nodiscard]] std::vector<OrderedFinding> findings() const;

    // Called by signal handlers. True if the instruction can be retried, or continued after.
    /// A fault in host code. `context` is the handler's.
    static bool note(std::uintptr_t address, HostAccessKind kind, std::uintptr_t instruction, void* context) noexcept;
    /// A fault in a kernel, which may use page-locked memory.
    static bool let_pass(std::uintptr_t address) noexcept;
    /// One instruction was let pass.
    static bool stepped(void* context) noexcept;

private:
    static constexpr std::size_t max_slots = 256;
    static constexpr int max_steps = 4096;
    enum State : int { unused, watched, noted };
    /// A copy in progress. The handler reads everything but `copy`, `copied_at` and `kept`.
    struct Slot {
        std::atomic<State> state{unused};
        Buffer buffer;
        std::uintptr_t inner_begin = 0, inner_end = 0;  // pages that hold nothing else
        std::uintptr_t outer_begin = 0, outer_end = 0;  // the protected pages
        std::atomic<bool> lapsed{false};                // accessible until libgpu has finished its work
        std::atomic<int> steps{0};
        Use use = Use::unknown;
        std::uintptr_t address = 0;
        CallFrames used_at;
        std::shared_ptr<const StreamOperation> copy;  // or launch
        bool is_kernel = false;
        CallFrames copied_at;
        std::vector<unsigned char> kept;  // the bytes outside the inner pages, which must not change

        [[nodiscard]] bool protects(std::uintptr_t where) const noexcept {
            return state.load(std::memory_order_acquire) == watched && where - outer_begin < outer_end - outer_begin;
        }
    };

    class Work;

    void choose_pages(Slot& slot) const;
    [[nodiscard]] bool is_exclusive(std::uintptr_t address) const;
    void watch(const std::shared_ptr<const StreamOperation>& work, const Buffer& buffer, bool is_kernel);
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
    std::map<std::uintptr_t, std::size_t> pinned_;  // blocks of page-locked memory: bytes in use
    std::vector<EarlyUse> found_;
};

/// Detects host code that reads or writes device arrays during a check: with a GPU it would crash.
///
/// Arrays are accessible only during a Scope, whenever libgpu itself or a kernel works. Any other access faults; the
/// signal handler notes it, makes the array accessible, and the program continues. So each array is noted once between
/// two of libgpu's operations.
class HostAccessWatch {
public:
    explicit HostAccessWatch(HostBufferWatch& buffers) : buffers_(buffers) {}

    /// Adds the memory of a device, before any check.
    void add(GuardedMemory& memory) { memories_.push_back(&memory); }

    /// Begins; nothing may be using the memories. @throws Error if another backend is being watched
    void begin();
    /// Makes everything accessible again.
    void end() noexcept;

    /// While one exists, memory is accessible. Does nothing outside a check.
    class [[nodiscard]] Scope {
    public:
        explicit Scope(HostAccessWatch& watch) : watch_(watch.open() ? &watch : nullptr) {}
        ~Scope() {
            if (watch_ != nullptr) watch_->close();
        }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        HostAccessWatch* watch_;
    };

    /// Records a kernel's name for the array that begins here.
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
    /// The number of noted accesses.
    [[nodiscard]] std::size_t noted() const noexcept;
    struct NotedFinding {
        std::size_t number;  ///< below noted()
        Finding finding;
    };
    /// One finding each, in order; reads of one place and name are joined, and so are writes.
    [[nodiscard]] std::vector<NotedFinding> findings() const;

    /// Called by the handler of faults outside kernels. True if it was an access to a watched array: the instruction
    /// can be retried.
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

    HostBufferWatch& buffers_;  // opened and closed together with the arrays
    std::vector<GuardedMemory*> memories_;
    AddressMap ranges_;
    ForkSafeMutex mutex_;
    bool active_ = false;
    int openings_ = 0;
    std::map<std::uintptr_t, std::string> names_;
    Note notes_[max_noted];
    std::atomic<std::size_t> used_{0};
};

}  // namespace gpu::detail::host

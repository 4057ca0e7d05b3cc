// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/check/checked_memory.hpp"
#include "host/check/raw_finding.hpp"
#include "host/memory/guarded_memory.hpp"
#include "host/modules/checked_module.hpp"

namespace gpu::detail::host {

/// A stream as launches and copies refer to it; null: the device's default stream.
struct StreamPlace {
    int device = 0;
    void* stream = nullptr;
};

/// Memory that a copy or fill reads or writes. Host memory belongs to no device, and isn't watched here.
struct CopiedPiece {
    GuardedMemory* memory = nullptr;
    std::uintptr_t start = 0;
    std::size_t bytes = 0;
    bool writes = false;
};

/// Work in a stream: a launch, a copy or a fill.
struct StreamOperation {
    std::string name;  ///< "kernel fill", "a copy"
    std::uint64_t first_serial = 0, end_serial = 0;  ///< of the stamps of its accesses
    std::shared_ptr<CheckedModule> module = {};      ///< a kernel's
    std::vector<CopiedPiece> pieces = {};            ///< a copy's, until they are recorded in cells

    bool to_host = false;     ///< a copy that the host must wait for
    bool holds_host = false;  ///< with a GPU the host waits for it, although nobody asked for that

    unsigned stream = 0;
    std::uint64_t time = 0;    ///< by its stream's clock
    std::uint64_t number = 0;  ///< among all operations
    std::string stream_name = {};
};

/// Operations that nothing orders before another one: on a GPU they may run concurrently. Sorted by serial.
using UnorderedOperations = std::vector<std::shared_ptr<StreamOperation>>;

/// The one that made a stamp's access, or null.
[[nodiscard]] const StreamOperation* operation_of(const UnorderedOperations& operations, std::uint64_t serial) noexcept;

/// The order of work in a check's streams: each stream has a vector clock (Mattern 1989), which events, the default
/// streams and the host's waits carry from one to another. All host threads count as one: their synchronisation isn't
/// seen. Thread-safe.
class StreamOrder {
public:
    void clear();
    /// Restarts the serials.
    void forget_operations();
    /// An array or a piece of foreign memory is gone; 0 bytes: only what begins here.
    void forget_memory(std::uintptr_t start, std::size_t bytes) noexcept;

    /// Adds work to a stream. Returns the earlier operations that it isn't ordered after.
    UnorderedOperations add(StreamPlace where, const std::shared_ptr<StreamOperation>& operation);

    /// Takes the remaining pieces from these operations; by serial.
    std::vector<std::pair<std::uint64_t, CopiedPiece>> take_pieces(const UnorderedOperations& operations);

    void record(StreamPlace where, const void* event);
    void wait(StreamPlace where, const void* event);
    /// The host has waited.
    void synchronize(StreamPlace where);
    void synchronize(const void* event);

    [[nodiscard]] bool host_has_waited_for(const StreamOperation& operation) const;

    void destroy_stream(const void* stream) noexcept;
    void destroy_event(const void* event) noexcept;

    /// Memory of the device is freed: with a GPU this is work of its default stream, so that later work doesn't run
    /// concurrently with earlier work. It orders no accesses.
    void freed(int device) noexcept;
    /// The maximum number of streams so far, over all devices, whose work may run concurrently.
    [[nodiscard]] std::uint64_t max_at_once() const;
    /// Copies to the host that it has not waited for.
    [[nodiscard]] std::uint64_t not_awaited() const;

private:
    using Clock = std::vector<std::uint64_t>;  // per stream: how many of its operations have happened before
    struct Stream {
        int device = 0;
        bool is_default = false;
        Clock clock = {};
        std::uint64_t held = 0;  // the number of the last operation that makes the host wait on a GPU
    };

    unsigned number_of(StreamPlace where);
    Clock& enter(StreamPlace where);
    static void join(Clock& clock, const Clock& other);
    void host_waited();
    [[nodiscard]] bool is_before_host(const StreamOperation& operation) const {
        return operation.stream < host_.size() && operation.time <= host_[operation.stream];
    }

    mutable std::mutex mutex_;
    std::vector<Stream> streams_;
    std::map<std::pair<const void*, int>, unsigned> numbers_;  // by handle; default streams by device
    std::vector<unsigned> unused_;                             // numbers of destroyed streams
    std::map<const void*, Clock> events_;
    Clock host_;
    std::deque<std::shared_ptr<StreamOperation>> operations_;
    std::uint64_t added_ = 0, max_at_once_ = 0;
    std::map<int, std::uint64_t> freed_;  // by device: the number of the last operation before it
};

// Copies and fills access whole pieces of arrays at once, without a kernel's instructions. Their stamps are put into
// cells only if something may run concurrently, so a program with one stream pays nothing for them.

/// Puts these operations' copies into their arrays' cells, unless they are there.
void remember_copies(CheckedMemory& memory, StreamOrder& order, const UnorderedOperations& operations);

/// An access to this piece by one of the operations that races with the copy; nothing if there is none. The finding's
/// variable is left empty. `array`: the piece's.
std::optional<RawFinding> conflict_of(CheckedMemory& memory, const CopiedPiece& piece,
                                      const UnorderedOperations& operations, std::uintptr_t& array);

/// Describes the earlier operation in a finding.
void describe_other(RawFinding& finding, const StreamOperation& operation, Stamp stamp, bool wrote);

}  // namespace gpu::detail::host

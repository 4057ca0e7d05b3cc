// SPDX-License-Identifier: MIT
#include "host/check/stream_order.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace gpu::detail::host {

namespace {

// A program that never waits keeps only the newest; older ones count as done.
constexpr std::size_t max_operations = 1024;
// From then on, a new stream is ordered after a destroyed one.
constexpr std::size_t max_streams = 32;

}  // namespace

const StreamOperation* operation_of(const UnorderedOperations& operations, std::uint64_t serial) noexcept {
    const auto after = std::upper_bound(
        operations.begin(), operations.end(), serial,
        [](std::uint64_t value, const std::shared_ptr<StreamOperation>& one) { return value < one->first_serial; });
    if (after == operations.begin()) return nullptr;
    const StreamOperation& operation = **std::prev(after);
    return serial < operation.end_serial ? &operation : nullptr;
}

void StreamOrder::clear() {
    const std::lock_guard lock(mutex_);
    streams_.clear();
    numbers_.clear();
    unused_.clear();
    events_.clear();
    host_.clear();
    operations_.clear();
    freed_.clear();
    added_ = max_at_once_ = 0;
}

void StreamOrder::forget_operations() {
    const std::lock_guard lock(mutex_);
    operations_.clear();
}

void StreamOrder::forget_memory(std::uintptr_t start, std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    for (const auto& operation : operations_)
        std::erase_if(operation->pieces, [start, bytes](const CopiedPiece& piece) {
            return piece.start < start + std::max<std::size_t>(bytes, 1) && start < piece.start + piece.bytes;
        });
}

void StreamOrder::join(Clock& clock, const Clock& other) {
    if (clock.size() < other.size()) clock.resize(other.size());
    for (std::size_t k = 0; k < other.size(); ++k) clock[k] = std::max(clock[k], other[k]);
}

unsigned StreamOrder::number_of(StreamPlace where) {
    const bool is_default = where.stream == nullptr;
    const auto [known, is_new] = numbers_.try_emplace({where.stream, is_default ? where.device : 0}, 0U);
    if (!is_new) return known->second;
    const auto same_device = [&](unsigned number) { return streams_[number].device == where.device; };
    const auto old = std::find_if(unused_.begin(), unused_.end(), same_device);
    if (!is_default && streams_.size() >= max_streams && old != unused_.end()) {
        known->second = *old;
        unused_.erase(old);
    } else {
        known->second = static_cast<unsigned>(streams_.size());
        streams_.push_back({.device = where.device, .is_default = is_default});
    }
    return known->second;
}

// New work in the stream is ordered after this: what the host waited for and, on the same device, the default stream's
// work or, in the default stream, all work.
StreamOrder::Clock& StreamOrder::enter(StreamPlace where) {
    const unsigned number = number_of(where);
    Stream& stream = streams_[number];
    join(stream.clock, host_);
    for (const Stream& other : streams_)
        if (&other != &stream && other.device == where.device && (stream.is_default || other.is_default))
            join(stream.clock, other.clock);
    return stream.clock;
}

UnorderedOperations StreamOrder::add(StreamPlace where, const std::shared_ptr<StreamOperation>& operation) {
    const std::lock_guard lock(mutex_);
    Clock& clock = enter(where);
    const unsigned number = number_of(where);
    UnorderedOperations unordered;
    if (streams_.size() > 1)
        for (const auto& other : operations_)
            if (other->time > (other->stream < clock.size() ? clock[other->stream] : 0)) unordered.push_back(other);
    std::set<unsigned> beside;
    for (const auto& other : unordered) {
        const Stream& theirs = streams_[other->stream];
        const std::uint64_t done = theirs.device == where.device ? std::max(theirs.held, freed_[where.device])
                                                                 : theirs.held;
        if (other->number > done) beside.insert(other->stream);
    }
    max_at_once_ = std::max<std::uint64_t>(max_at_once_, beside.size() + 1);
    if (clock.size() <= number) clock.resize(number + 1);
    operation->stream = number;
    operation->time = ++clock[number];
    operation->number = ++added_;
    if (operation->holds_host) streams_[number].held = added_;
    const std::string device = where.device > 0 ? " of host:" + std::to_string(where.device) : "";
    if (streams_[number].is_default) {
        operation->stream_name = "the default stream" + device;
    } else {
        const auto created = std::count_if(streams_.begin(), streams_.begin() + number + 1,
                                           [](const Stream& stream) { return !stream.is_default; });
        operation->stream_name = "stream " + std::to_string(created);
    }
    operations_.push_back(operation);
    if (operations_.size() > max_operations) operations_.pop_front();
    return unordered;
}

std::vector<std::pair<std::uint64_t, CopiedPiece>> StreamOrder::take_pieces(const UnorderedOperations& operations) {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<std::uint64_t, CopiedPiece>> taken;
    for (const auto& operation : operations)
        for (const CopiedPiece& piece : std::exchange(operation->pieces, {}))
            taken.emplace_back(operation->first_serial, piece);
    return taken;
}

void StreamOrder::record(StreamPlace where, const void* event) {
    const std::lock_guard lock(mutex_);
    events_[event] = enter(where);
}

void StreamOrder::wait(StreamPlace where, const void* event) {
    const std::lock_guard lock(mutex_);
    Clock& clock = enter(where);
    if (const auto known = events_.find(event); known != events_.end()) join(clock, known->second);
}

void StreamOrder::synchronize(StreamPlace where) {
    const std::lock_guard lock(mutex_);
    join(host_, enter(where));
    host_waited();
}

void StreamOrder::synchronize(const void* event) {
    const std::lock_guard lock(mutex_);
    const auto known = events_.find(event);
    if (known == events_.end()) return;
    join(host_, known->second);
    host_waited();
}

// Everything later is ordered after what the host has waited for.
void StreamOrder::host_waited() {
    std::erase_if(operations_, [this](const auto& operation) { return is_before_host(*operation); });
}

bool StreamOrder::host_has_waited_for(const StreamOperation& operation) const {
    const std::lock_guard lock(mutex_);
    return is_before_host(operation);
}

void StreamOrder::destroy_stream(const void* stream) noexcept {
    const std::lock_guard lock(mutex_);
    const auto known = stream != nullptr ? numbers_.find({stream, 0}) : numbers_.end();
    if (known == numbers_.end()) return;
    unused_.push_back(known->second);
    numbers_.erase(known);
}

void StreamOrder::destroy_event(const void* event) noexcept {
    const std::lock_guard lock(mutex_);
    events_.erase(event);
}

void StreamOrder::freed(int device) noexcept {
    const std::lock_guard lock(mutex_);
    freed_[device] = added_;
}

std::uint64_t StreamOrder::max_at_once() const {
    const std::lock_guard lock(mutex_);
    return max_at_once_;
}

std::uint64_t StreamOrder::not_awaited() const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::uint64_t>(
        std::count_if(operations_.begin(), operations_.end(), [](const auto& one) { return one->to_host; }));
}

namespace {

/// The cells of a piece of an array.
struct PieceOfCells {
    CheckedArray* array = nullptr;
    Cell* first = nullptr;
    std::size_t count = 0;
};

PieceOfCells cells_of(CheckedMemory& memory, const CopiedPiece& piece) {
    CheckedArray* const array = memory.find(*piece.memory, piece.start);
    if (array == nullptr) return {};
    const std::size_t offset = piece.start - array->start, bytes = std::min(piece.bytes, array->bytes - offset);
    Cell* const first = array->cells(offset, bytes);
    return {array, first, bytes >> array->shift()};
}

}  // namespace

void remember_copies(CheckedMemory& memory, StreamOrder& order, const UnorderedOperations& operations) {
    for (const auto& [serial, piece] : order.take_pieces(operations)) {
        const PieceOfCells cells = cells_of(memory, piece);
        const Stamp now = time_of(serial, 0);
        for (Cell* cell = cells.first; cell != cells.first + cells.count; ++cell) {
            Stamp& stamp = piece.writes ? cell->write : *std::min_element(std::begin(cell->read), std::end(cell->read));
            stamp = std::max(stamp, now);
            cells.array->forget_vetted(cell);
        }
    }
}

std::optional<RawFinding> conflict_of(CheckedMemory& memory, const CopiedPiece& piece,
                                      const UnorderedOperations& operations, std::uintptr_t& array) {
    const PieceOfCells cells = cells_of(memory, piece);
    const Stamp floor = time_of(operations.front()->first_serial, 0);
    for (const Cell* cell = cells.first; cell != cells.first + cells.count; ++cell) {
        for (const Stamp stamp : {cell->write, piece.writes ? cell->read[0] : 0, piece.writes ? cell->read[1] : 0}) {
            if (stamp < floor) continue;
            const StreamOperation* const other = operation_of(operations, serial_of(stamp));
            if (other == nullptr) continue;
            array = cells.array->start;
            RawFinding finding;
            finding.kind = FindingKind::missing_event;
            finding.action.verb = piece.writes ? "writes" : "reads";
            describe_other(finding, *other, stamp, stamp == cell->write);
            return finding;
        }
    }
    return std::nullopt;
}

void describe_other(RawFinding& finding, const StreamOperation& operation, Stamp stamp, bool wrote) {
    finding.other.verb = !wrote ? "reads" : is_atomic(stamp) ? "updates" : "writes";
    finding.other_work = operation.name;
    finding.other_stream = operation.stream_name;
    finding.other_module = operation.module;
    if (operation.module != nullptr) finding.other.site = operation.module->site_offset(site_of(stamp));
}

}  // namespace gpu::detail::host

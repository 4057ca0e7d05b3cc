// SPDX-License-Identifier: MIT
#include "host/check/launch_facts.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

#include "facts/device_model.hpp"
#include "host/check/array_resolver.hpp"
#include "host/fibers/block_scheduler.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::size_t max_stops = 8192;

Dim3 dim3_of(uint3 v) { return {v.x, v.y, v.z}; }

}  // namespace

AccessRecorder::AccessRecorder(const TraceOptions& options, const LaunchFacts& facts)
    : threads_(std::min<unsigned>(facts.block.x * facts.block.y * facts.block.z,
                                  static_cast<unsigned>(std::clamp(options.threads, 1, 1024)))),
      blocks_(static_cast<std::uint64_t>(std::max(options.blocks, 1))),
      records_(static_cast<std::size_t>(std::max(options.accesses, 1))),
      stops_(max_stops),
      ended_(max_block_threads) {}

void AccessRecorder::begin_block(std::uint64_t block) noexcept {
    block_ = block;
    on_trial_ = block >= blocks_;
    is_kept_ = false;
    used_before_ = used_;
    stops_before_ = stops_used_;
    interval_ = 0;
    written_ = nullptr;
    std::fill(ended_.begin(), ended_.end(), false);
    std::fill(std::begin(epochs_), std::end(epochs_), 0U);
}

GPU_ON_KERNEL_STACK void AccessRecorder::read_bits(Record& record) noexcept {
    std::memcpy(&record.bits, reinterpret_cast<const void*>(record.address), std::min<std::size_t>(record.size, 8));
}

GPU_ON_KERNEL_STACK void AccessRecorder::settle() noexcept {
    if (written_ != nullptr) read_bits(*written_);
    written_ = nullptr;
}

GPU_ON_KERNEL_STACK void AccessRecorder::access(const CheckedArray* array, std::uintptr_t address, std::size_t size,
                                                MemoryOperation operation, std::size_t site, unsigned thread) noexcept {
    settle();
    // The access that ends the kernel is recorded whatever the thread, in the last place if need be.
    if ((thread >= threads_ || used_ == records_.size()) && array != nullptr) {
        ++left_out_;
        return;
    }
    if (used_ == records_.size()) {
        ++left_out_;
        --used_;
    }
    Record& record = records_[used_++];
    record = {array,
              address,
              0,
              0,
              site,
              static_cast<std::uint32_t>(block_),
              epochs_[thread / 32],
              static_cast<std::uint16_t>(thread),
              interval_,
              static_cast<std::uint8_t>(size),
              operation};
    if (array == nullptr) return;
    read_bits(record);
    record.before = record.bits;
    if (operation != MemoryOperation::read) written_ = &record;
}

GPU_ON_KERNEL_STACK void AccessRecorder::stop(unsigned thread, StopKind kind, int line) noexcept {
    if (thread >= threads_ || stops_used_ == stops_.size()) return;
    stops_[stops_used_++] = {static_cast<std::uint32_t>(block_), static_cast<std::uint16_t>(thread), interval_, kind,
                             line};
}

GPU_ON_KERNEL_STACK void AccessRecorder::barrier(int line) noexcept {
    settle();
    for (unsigned thread = 0; thread < threads_; ++thread)
        if (!ended_[thread]) stop(thread, StopKind::barrier, line);
    if (interval_ < 0xffff) ++interval_;
    for (std::uint32_t& epoch : epochs_) ++epoch;
}

GPU_ON_KERNEL_STACK void AccessRecorder::thread_ends(unsigned thread) noexcept {
    settle();
    ended_[thread] = true;
    stop(thread, StopKind::ends, 0);
}

void AccessRecorder::end_block(bool succeeded, const BlockScheduler& scheduler) noexcept {
    written_ = nullptr;
    for (unsigned thread = 0; !succeeded && thread < threads_; ++thread) {
        const int line = scheduler.waits_at(static_cast<int>(thread));
        if (!ended_[thread] && line > 0) stop(thread, StopKind::waits, line);
    }
    if (!succeeded || !on_trial_ || is_kept_) return;
    left_out_ += used_ - used_before_;
    used_ = used_before_;
    stops_used_ = stops_before_;
}

int AccessRecorder::last(std::uint64_t block, unsigned thread, std::size_t site, std::uintptr_t address,
                         std::size_t size, bool writes) const noexcept {
    for (std::size_t k = used_; k-- > 0;) {
        const Record& record = records_[k];
        if (record.block == block && record.thread == thread && record.site == site &&
            record.address < address + size && address < record.address + record.size &&
            (record.operation != MemoryOperation::read) == writes)
            return static_cast<int>(k);
    }
    return -1;
}

void AccessRecorder::number_accesses(TracedLaunch& launch) const {
    for (TracedFinding& finding : launch.findings)
        for (TracedFinding::Side* const side : {&finding.first, &finding.second}) {
            const auto record = static_cast<std::size_t>(side->access);
            side->access = side->access >= 0 && record < numbers_.size() ? numbers_[record] : -1;
        }
}

TracedLaunch AccessRecorder::take(LaunchFacts& facts, const ArrayResolver& arrays) {
    TracedLaunch launch;
    launch.kernel = facts.kernel.name();
    const SourceText& learners = facts.module.learners();
    launch.file = learners.file;
    launch.source = learners.text;
    launch.first_line = learners.line;
    launch.grid = dim3_of(facts.grid);
    launch.block = dim3_of(facts.block);
    launch.left_out = left_out_;
    records_.resize(used_);

    // The kernel's arguments first, then other arrays in the order of their first accesses.
    std::vector<std::uintptr_t> starts;
    std::map<const CheckedArray*, int> numbers;
    const auto number_of = [&](const CheckedArray* array) {
        const auto [found, is_new] = numbers.try_emplace(array, static_cast<int>(launch.arrays.size()));
        if (is_new) {
            launch.arrays.push_back(arrays.traced(*array));
            starts.push_back(array->start);
        }
        return found->second;
    };
    const gpu_module& module = facts.kernel.module();
    for (int k = 0; k < module.parameter_count; ++k) {
        if (!module.parameters[k].is_pointer) continue;
        const auto address = reinterpret_cast<std::uintptr_t>(*static_cast<void* const*>(facts.arguments[k]));
        const CheckedArray* const array = facts.memory.find(facts.guarded, address);
        if (array == nullptr) continue;
        TracedArray& argument = launch.arrays[static_cast<std::size_t>(number_of(array))];
        argument.output = argument.output || !module.parameters[k].is_const;
    }
    std::vector<std::size_t> sites;
    for (const Record& record : records_) {
        if (record.array != nullptr) number_of(record.array);
        sites.push_back(record.site);
    }
    std::sort(sites.begin(), sites.end());
    sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
    facts.module.find_places(sites);

    std::map<std::tuple<std::uint32_t, std::uint16_t, std::size_t, std::uint32_t>, int> turns;
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> first_turns;
    for (const Record& record : records_) {
        TracedAccess access;
        access.block = static_cast<int>(record.block);
        access.thread = record.thread;
        access.bytes = record.size;
        access.operation = record.operation;
        access.interval = record.interval;
        access.bits = record.bits;
        access.bits_before = record.before;
        numbers_.push_back(-1);
        access.instruction =
            static_cast<int>(std::lower_bound(sites.begin(), sites.end(), record.site) - sites.begin());
        const SourcePlace place = facts.module.place(record.site);
        access.line = place.file == launch.file ? place.line : 0;
        // A request: the k-th execution of an instruction since the warp last synchronised.
        const int turn = turns[{record.block, record.thread, record.site, record.epoch}]++;
        access.turn = static_cast<int>(record.epoch << 16 | static_cast<unsigned>(std::min(turn, 0xffff)));
        if (record.array != nullptr) {
            access.array = number_of(record.array);
            access.byte = static_cast<std::int64_t>(record.address - record.array->start);
        } else {
            access.out_of_bounds = true;
            // The array that the index left: the nearest one.
            std::uintptr_t min_distance = ~std::uintptr_t{0};
            access.array = -1;
            for (std::size_t k = 0; k < starts.size(); ++k) {
                const std::uintptr_t end =
                    starts[k] + static_cast<std::uintptr_t>(launch.arrays[k].elements) * launch.arrays[k].element;
                const std::uintptr_t distance = record.address < starts[k] ? starts[k] - record.address
                                                : record.address >= end    ? record.address - end
                                                                           : 0;
                if (distance >= min_distance) continue;
                min_distance = distance;
                access.array = static_cast<int>(k);
                access.byte = static_cast<std::int64_t>(record.address) - static_cast<std::int64_t>(starts[k]);
            }
            if (access.array < 0 || min_distance > 65536) continue;
        }
        numbers_.back() = static_cast<int>(launch.accesses.size());
        launch.accesses.push_back(access);
    }
    for (std::size_t k = 0; k < stops_used_; ++k) {
        const Stop& stop = stops_[k];
        launch.stops.push_back({static_cast<int>(stop.block), stop.thread, stop.kind, stop.line, stop.interval});
    }
    return launch;
}

TracedFinding traced(const RawFinding& finding, const Finding& told, uint3 grid, uint3 block) {
    const auto linear = [](uint3 at, uint3 of) { return static_cast<int>((at.z * of.y + at.y) * of.x + at.x); };
    const auto side = [&](const Action& action) {
        TracedFinding::Side made;
        made.line = action.place.line;
        const bool is_of_all = finding.kind == FindingKind::divergent_barrier || finding.kind == FindingKind::deadlock;
        if (action.verb.empty() && (made.line == 0 || is_of_all)) return made;
        made.block = linear(action.block, grid);
        made.thread = linear(action.thread, block);
        made.verb = action.verb;
        made.access = action.record;
        return made;
    };
    TracedFinding made;
    made.kind = finding.kind;
    made.variable = finding.variable;
    made.element = finding.element;
    made.second = side(finding.action);
    made.first = side(finding.other);
    if (made.first.block < 0) std::swap(made.first, made.second);
    made.text = told.what + (told.who.empty() ? "" : "\n" + told.who) + (told.advice.empty() ? "" : "\n" + told.advice);
    return made;
}

namespace {

constexpr std::size_t max_operations = 512;

using Kind = TracedOperation::Kind;

std::int64_t blocks_of(const TracedOperation& operation) {
    return operation.kind == Kind::kernel ? operation.grid.x * operation.grid.y * operation.grid.z
                                          : modelled::multiprocessors;
}

}  // namespace

int ModelledSchedule::number_of(StreamPlace where) {
    const bool is_default = where.stream == nullptr;
    const auto [known, is_new] =
        numbers_.try_emplace({where.stream, is_default ? where.device : 0}, static_cast<int>(streams_.size()));
    if (is_new) streams_.push_back({where.device, is_default, 0});
    return known->second;
}

// Operations of the default stream and of the device's other streams wait for each other.
double ModelledSchedule::ready_us(const Stream& stream) const {
    double ready = stream.done_us;
    for (const Stream& other : streams_)
        if (other.device == stream.device && (stream.is_default || other.is_default))
            ready = std::max(ready, other.done_us);
    return ready;
}

void ModelledSchedule::keep(TracedOperation operation) {
    if (operations_.size() < max_operations)
        operations_.push_back(std::move(operation));
    else
        ++left_out_;
}

void ModelledSchedule::add(StreamPlace where, TracedOperation operation, double us) {
    operation.stream = number_of(where);
    operation.device = where.device;
    Stream& stream = streams_[static_cast<std::size_t>(operation.stream)];
    Device& device = devices_[where.device];
    operation.asked_us = now_us_;
    now_us_ += modelled::call_us;
    double start = std::max(now_us_, ready_us(stream));
    double* const engine = operation.kind == Kind::copy_to_device ? &device.to_device_us
                           : operation.kind == Kind::copy_to_host ? &device.to_host_us
                                                                  : nullptr;
    if (engine != nullptr) {
        start = std::max(start, *engine);
    } else {
        const std::int64_t wanted = std::min<std::int64_t>(blocks_of(operation), modelled::multiprocessors);
        for (;;) {
            std::int64_t busy = 0;
            double next = 0;
            for (const Running& kernel : device.kernels) {
                if (!(kernel.end_us > start)) continue;
                busy += std::min<std::int64_t>(kernel.blocks, modelled::multiprocessors);
                next = next == 0 ? kernel.end_us : std::min(next, kernel.end_us);
            }
            if (busy == 0 || busy + wanted <= modelled::multiprocessors) break;
            start = next;
        }
    }
    operation.start_us = start;
    operation.end_us = start + us;
    stream.done_us = operation.end_us;
    if (engine != nullptr) {
        *engine = operation.end_us;
    } else {
        std::erase_if(device.kernels, [this](const Running& kernel) { return kernel.end_us <= now_us_; });
        device.kernels.push_back({operation.end_us, blocks_of(operation)});
    }
    if (operation.host_waits) now_us_ = std::max(now_us_, operation.end_us);
    keep(std::move(operation));
}

void ModelledSchedule::record(StreamPlace where, const void* event) {
    events_[event] = ready_us(streams_[static_cast<std::size_t>(number_of(where))]);
}

void ModelledSchedule::wait(StreamPlace where, const void* event) {
    const auto known = events_.find(event);
    Stream& stream = streams_[static_cast<std::size_t>(number_of(where))];
    if (known != events_.end()) stream.done_us = std::max(stream.done_us, known->second);
}

void ModelledSchedule::host_waits(double until_us) {
    if (!(until_us > now_us_)) return;
    TracedOperation operation;
    operation.kind = Kind::wait;
    operation.name = "wait";
    operation.host_waits = true;
    operation.asked_us = operation.start_us = now_us_;
    operation.end_us = now_us_ = until_us;
    keep(std::move(operation));
}

void ModelledSchedule::synchronize(StreamPlace where) {
    host_waits(ready_us(streams_[static_cast<std::size_t>(number_of(where))]));
}

void ModelledSchedule::synchronize(const void* event) {
    if (const auto known = events_.find(event); known != events_.end()) host_waits(known->second);
}

void ModelledSchedule::freed(int device) {
    Stream& stream = streams_[static_cast<std::size_t>(number_of({device, nullptr}))];
    stream.done_us = ready_us(stream);
}

void ModelledSchedule::destroy_stream(const void* stream) noexcept {
    if (stream != nullptr) numbers_.erase({stream, 0});
}

void MemorySnapshot::add(std::uintptr_t start, std::size_t bytes) {
    const auto* const first = reinterpret_cast<const std::byte*>(start);
    pieces_.push_back({start, std::vector<std::byte>(first, first + bytes)});
}

std::optional<MemorySnapshot> MemorySnapshot::of(const LaunchFacts& facts, std::size_t max_bytes) {
    MemorySnapshot made;
    std::size_t bytes = 0;
    const gpu_module& about = facts.kernel.module();
    for (int k = 0; k < about.parameter_count; ++k) {
        if (!about.parameters[k].is_pointer) continue;
        const auto value = reinterpret_cast<std::uintptr_t>(*static_cast<void* const*>(facts.arguments[k]));
        NearArray array;
        if (value == 0) continue;
        if (!facts.guarded.find(value, array) || array.freed) return std::nullopt;
        if (made.covers(array.start)) continue;
        bytes += array.bytes;
        if (bytes > max_bytes) return std::nullopt;
        made.add(array.start, array.bytes);
    }
    for (const ModuleVariable& variable : facts.module.symbols().variables) {
        if (variable.is_shared || variable.is_constant || variable.name.empty()) continue;
        bytes += variable.bytes;
        if (bytes > max_bytes) return std::nullopt;
        made.add(facts.module.base() + variable.offset, variable.bytes);
    }
    return made;
}

MemorySnapshot MemorySnapshot::taken_again() const {
    MemorySnapshot made;
    for (const Piece& piece : pieces_) made.add(piece.start, piece.content.size());
    return made;
}

// Values that are already equal aren't written: the module's variables may be in read-only memory.
void MemorySnapshot::restore() const noexcept {
    for (const Piece& piece : pieces_) {
        void* const place = reinterpret_cast<void*>(piece.start);
        if (std::memcmp(place, piece.content.data(), piece.content.size()) != 0)
            std::memcpy(place, piece.content.data(), piece.content.size());
    }
}

bool MemorySnapshot::covers(std::uintptr_t start) const noexcept {
    return std::any_of(pieces_.begin(), pieces_.end(), [start](const Piece& piece) { return piece.start == start; });
}

}  // namespace gpu::detail::host

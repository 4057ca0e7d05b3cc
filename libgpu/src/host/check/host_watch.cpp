// SPDX-License-Identifier: MIT
#include "host/check/host_watch.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpu/dtype.hpp>
#include <gpu/error.hpp>

#include "codegen/kernel_tokens.hpp"
#include "host/check/raw_finding.hpp"
#include "host/fibers/thread_pool.hpp"
#include "host/memory/kernel_stacks.hpp"
#include "symbolize/program_places.hpp"

namespace gpu::detail::host {

namespace {

std::atomic<HostAccessWatch*> active_watch{nullptr};

std::string advice_of(const HostAccess& access) {
    return access.kind == HostAccessKind::write
               ? "data() is an address on the device: on a GPU the program ends here. Write to host memory and copy it "
                 "over, or write in a kernel"
               : "data() is an address on the device: on a GPU the program ends here. Work with a copy, such as "
                 "std::vector h = gpu::to_host(x), or in a kernel";
}

bool noted(const HostAccess& access, std::uintptr_t instruction, void* context) noexcept {
    return HostBufferWatch::note(access.address, access.kind, instruction, context) ||
           HostAccessWatch::note(access, instruction);
}

constexpr FaultListener listener{HostBufferWatch::stepped, noted, HostBufferWatch::let_pass, tell_debugger_of_fault};

}  // namespace

void HostAccessWatch::begin() {
    HostAccessWatch* none = nullptr;
    if (!active_watch.compare_exchange_strong(none, this) && none != this)
        throw Error("gpu::check inside of another: one check at a time in a process");
    CallFrames::prepare();
    set_fault_listener(listener);
    install_fault_handlers();
    names_.clear();
    for (Note& note : notes_) note.complete = false;
    used_ = 0;
    const std::lock_guard lock(mutex_);
    openings_ = 0;
    active_ = true;
    for (GuardedMemory* memory : memories_) memory->watch(ranges_);
}

void HostAccessWatch::end() noexcept {
    const std::lock_guard lock(mutex_);
    if (!active_) return;
    active_ = false;
    for (GuardedMemory* memory : memories_) memory->end_watch();
    active_watch = nullptr;
}

bool HostAccessWatch::open() {
    const std::lock_guard lock(mutex_);
    if (!active_) return false;
    if (openings_++ > 0) return true;
    for (GuardedMemory* memory : memories_) memory->open();
    buffers_.open();
    return true;
}

void HostAccessWatch::close() noexcept {
    const std::lock_guard lock(mutex_);
    if (!active_ || --openings_ > 0) return;
    buffers_.close();
    for (GuardedMemory* memory : memories_) memory->close();
}

bool HostAccessWatch::note(HostAccess access, std::uintptr_t instruction) noexcept {
    HostAccessWatch* const watch = active_watch.load();
    if (watch == nullptr || !watch->ranges_.find(access.address, access.range)) return false;
    const int error = errno;
    const AddressRange& range = access.range;
    const bool opened = ::mprotect(reinterpret_cast<void*>(range.begin), range.length, PROT_READ | PROT_WRITE) == 0;
    if (const std::size_t at = opened ? watch->used_.fetch_add(1) : max_noted; at < max_noted) {
        Note& note = watch->notes_[at];
        note.access = access;
        note.frames.capture(instruction);
        note.complete.store(true, std::memory_order_release);
    }
    errno = error;
    return opened;
}

std::size_t HostAccessWatch::noted() const noexcept { return std::min(used_.load(), max_noted); }

std::vector<HostAccessWatch::NotedFinding> HostAccessWatch::findings() const {
    std::vector<NotedFinding> findings;
    std::vector<std::vector<std::uintptr_t>> stacks;
    std::vector<std::size_t> notes;
    for (std::size_t k = 0; k < noted(); ++k) {
        if (!notes_[k].complete.load(std::memory_order_acquire)) continue;
        notes.push_back(k);
        stacks.push_back(notes_[k].frames.stack());
    }
    const std::vector<ProgramPlace> places = learners_places(stacks);
    for (std::size_t k = 0; k < notes.size(); ++k) {
        const HostAccess& access = notes_[notes[k]].access;
        const auto name = names_.find(access.range.array);
        Finding finding;
        finding.kind = FindingKind::host_access;
        finding.rule = Rule::host_only_queues;
        finding.file = places[k].file;
        finding.line = places[k].line;
        finding.variable = name != names_.end() ? name->second : "";
        finding.what = (finding.file.empty() ? "" : finding.file + ':' + std::to_string(finding.line) + ": ") +
                       sentence(access, finding.variable);
        finding.who = places[k].function.empty() ? "" : "in " + places[k].function;
        finding.advice = advice_of(access);
        const bool known = std::any_of(findings.begin(), findings.end(), [&](const NotedFinding& noted) {
            const Finding& other = noted.finding;
            return other.file == finding.file && other.line == finding.line && other.who == finding.who &&
                   other.variable == finding.variable && notes_[noted.number].access.kind == access.kind &&
                   !finding.file.empty();
        });
        if (!known) findings.push_back({notes[k], std::move(finding)});
    }
    return findings;
}

namespace {

std::atomic<HostBufferWatch*> active_buffers{nullptr};

// How often memory has begun, and finished, to be made accessible. A thread may fault before and be handled during or
// after that: such a fault is no mistake, and the instruction can be retried. Once: a fault with another cause comes
// again.
std::atomic<unsigned> begun{0}, ended{0};
thread_local unsigned ended_before = 0;

class SettingFree {
public:
    SettingFree() noexcept { ++begun; }
    ~SettingFree() { ++ended; }
    SettingFree(const SettingFree&) = delete;
    SettingFree& operator=(const SettingFree&) = delete;
};

bool is_set_free_now(unsigned& how_often) noexcept {
    how_often = ended.load();
    return begun.load() != how_often;
}

bool may_be_tried_again() noexcept {
    unsigned now = 0;
    return is_set_free_now(now) || std::exchange(ended_before, now) != now;
}

constexpr std::size_t max_kept = std::size_t{1} << 20;
#if defined(__x86_64__)
constexpr greg_t trap_flag = 0x100;
#endif

std::uintptr_t page_of(std::uintptr_t address) noexcept { return address & ~(page_size() - 1); }
std::uintptr_t page_behind(std::uintptr_t address) noexcept { return page_of(address + page_size() - 1); }

void set_access(std::uintptr_t begin, std::uintptr_t end, int access) noexcept {
    if (begin < end) ::mprotect(reinterpret_cast<void*>(begin), end - begin, access);
}

bool overlap(std::uintptr_t a, std::size_t a_bytes, std::uintptr_t b, std::size_t b_bytes) noexcept {
    return a < b + b_bytes && b < a + a_bytes;
}

// Stacks can't be protected: the system puts a signal handler's frame there.
bool is_on_stack(std::uintptr_t begin, std::uintptr_t end) {
    stack_t signals{};
    if (::sigaltstack(nullptr, &signals) == 0 && (signals.ss_flags & SS_DISABLE) == 0 &&
        overlap(begin, end - begin, reinterpret_cast<std::uintptr_t>(signals.ss_sp), signals.ss_size))
        return true;
    pthread_attr_t attributes;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return true;
    void* low = nullptr;
    std::size_t size = 0;
    ::pthread_attr_getstack(&attributes, &low, &size);
    ::pthread_attr_destroy(&attributes);
    return overlap(begin, end - begin, reinterpret_cast<std::uintptr_t>(low), size);
}

// Memory may have been freed and reused since: unprotect only what looks as if we had protected it.
void give_access_to_what_is_left(std::uintptr_t begin, std::uintptr_t end) {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        unsigned long first = 0, last = 0, inode = 1;
        char access[5] = {};
        if (std::sscanf(line.c_str(), "%lx-%lx %4s %*s %*s %lu", &first, &last, access, &inode) != 4) continue;
        const bool is_ours = inode == 0 && access[1] == '-' && access[2] == '-';
        if (is_ours) set_access(std::max<std::uintptr_t>(first, begin), std::min<std::uintptr_t>(last, end),
                                PROT_READ | PROT_WRITE);
    }
}

// A debugger would stop at each step.
bool is_traced() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (int tracer = 0; word == "TracerPid:" && status >> tracer) return tracer != 0;
    return false;
}

}  // namespace

/// While one exists, libgpu itself reads buffers.
class HostBufferWatch::Work {
public:
    explicit Work(HostBufferWatch& watch) : watch_(watch), was_open_(watch.open_.exchange(true)) {}
    ~Work() {
        if (was_open_) return;
        watch_.open_ = false;
        watch_.protect_lapsed();
    }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    /// True if it is nested in another one: buffers have been compared, and may have been written since.
    [[nodiscard]] bool is_inner() const noexcept { return was_open_; }

private:
    HostBufferWatch& watch_;
    const bool was_open_;
};

void HostBufferWatch::begin() {
    const std::lock_guard lock(mutex_);
    found_.clear();
    open_ = false;
    active_ = true;
    active_buffers = this;
}

void HostBufferWatch::end(std::size_t findings) noexcept {
    const std::lock_guard lock(mutex_);
    {
        const Work work(*this);
        for (std::size_t k = 0; k < used_slots_; ++k) {
            if (!work.is_inner()) compare(slots_[k]);
            release(slots_[k], findings);
        }
    }
    used_slots_ = 0;
    active_ = false;
    active_buffers = nullptr;
}

// If the buffer fills a block of page-locked memory, nothing else is on its first and last page.
bool HostBufferWatch::is_exclusive(std::uintptr_t address) const {
    const auto after = pinned_.upper_bound(address);
    if (after == pinned_.begin()) return false;
    const auto& [start, bytes] = *std::prev(after);
    return address == start || address == start + bytes;
}

void HostBufferWatch::choose_pages(Slot& slot) const {
    const Buffer& buffer = slot.buffer;
    const std::uintptr_t begin = buffer.start, end = begin + buffer.bytes;
    slot.outer_begin = page_of(begin);
    slot.outer_end = page_behind(end);
    if (slot.is_kernel) {  // page-locked memory has pages of its own
        slot.inner_begin = slot.outer_begin;
        slot.inner_end = slot.outer_end;
        return;
    }
    slot.inner_begin = is_exclusive(begin) ? slot.outer_begin : page_behind(begin);
    slot.inner_end = is_exclusive(end) ? slot.outer_end : page_of(end);
    const bool has_inner = slot.inner_begin < slot.inner_end;
    if (!has_inner) slot.inner_begin = slot.inner_end = slot.outer_begin;
    if (buffer.is_pageable && is_on_stack(slot.outer_begin, slot.outer_end)) {
        slot.inner_begin = slot.inner_end = slot.outer_end = slot.outer_begin;
    } else if (!buffer.is_pageable && has_inner) {
        // The next chunk's memory is adjacent, and a system call that fills it meanwhile would fail.
        slot.outer_begin = slot.inner_begin;
        slot.outer_end = slot.inner_end;
    }
}

// The number of unchanged bytes. The program may have freed them, so sanitizers must not check this.
__attribute__((noinline, no_sanitize("address", "thread"))) static std::size_t equal_bytes(std::uintptr_t address,
                                                                                          const unsigned char* kept,
                                                                                          std::size_t bytes) {
    const auto* const now = reinterpret_cast<const unsigned char*>(address);
    std::size_t same = 0;
    while (same < bytes && now[same] == kept[same]) ++same;
    return same;
}

/// Calls f(address, bytes, offset in `kept`) for the parts of the buffer outside its inner pages.
template <class F>
void HostBufferWatch::for_kept(const Slot& slot, F&& f) {
    const std::uintptr_t begin = slot.buffer.start, end = begin + slot.buffer.bytes;
    const bool has_inner = slot.inner_begin < slot.inner_end;
    const std::uintptr_t first_end = has_inner ? std::clamp(slot.inner_begin, begin, end) : end;
    const std::size_t first = std::min<std::size_t>(first_end - begin, max_kept);
    if (first > 0) f(begin, first, 0);
    if (has_inner && slot.inner_end < end) f(slot.inner_end, end - slot.inner_end, first);
}

void HostBufferWatch::keep(Slot& slot) {
    for_kept(slot, [&slot](std::uintptr_t address, std::size_t bytes, std::size_t place) {
        if (slot.kept.size() < place + bytes) slot.kept.resize(place + bytes);
        std::memcpy(slot.kept.data() + place, reinterpret_cast<const void*>(address), bytes);
    });
}

void HostBufferWatch::compare(Slot& slot) {
    if (slot.state != watched || slot.kept.empty()) return;
    bool is_used = false;
    for_kept(slot, [&slot, &is_used](std::uintptr_t address, std::size_t bytes, std::size_t place) {
        if (is_used) return;
        const bool is_there = is_host_address(address) && is_host_address(address + bytes - 1);
        const std::size_t same = is_there ? equal_bytes(address, slot.kept.data() + place, bytes) : 0;
        if (is_there && same == bytes) return;
        slot.use = is_there ? Use::changed : Use::freed;
        slot.address = address + same;
        slot.used_at.capture();
        is_used = true;
    });
    if (!is_used) return;
    const SettingFree now;
    slot.state = noted;
    give_access_to_what_is_left(slot.outer_begin, slot.outer_end);
}

void HostBufferWatch::protect(const Slot& slot) noexcept {
    set_access(slot.outer_begin, slot.inner_begin, PROT_READ);
    set_access(slot.inner_begin, slot.inner_end, slot.buffer.is_written ? PROT_NONE : PROT_READ);
    set_access(std::max(slot.inner_end, slot.outer_begin), slot.outer_end, PROT_READ);
}

// Buffers that copies write come last, since they are protected most.
void HostBufferWatch::protect_all(std::uintptr_t begin, std::uintptr_t end) const noexcept {
    for (const bool is_written : {false, true})
        for (std::size_t k = 0; k < used_slots_; ++k) {
            const Slot& slot = slots_[k];
            if (slot.state == watched && !slot.lapsed && slot.buffer.is_written == is_written &&
                slot.outer_begin < end && begin < slot.outer_end)
                protect(slot);
        }
}

void HostBufferWatch::add(const std::shared_ptr<const StreamOperation>& copy, const Buffer& buffer) {
    const std::lock_guard lock(mutex_);
    if (active_) watch(copy, buffer, false);
}

void HostBufferWatch::add_kernel(const std::shared_ptr<const StreamOperation>& launch, const Buffer& buffer) {
    const std::lock_guard lock(mutex_);
    const auto behind = pinned_.upper_bound(buffer.start);
    const bool is_pinned =
        behind != pinned_.begin() && buffer.start - std::prev(behind)->first < std::prev(behind)->second;
    if (!active_ || !is_pinned) return;
    for (std::size_t k = 0; k < used_slots_; ++k) {  // as loops of launches would fill all slots
        Slot& slot = slots_[k];
        if (slot.state != watched || !slot.is_kernel || slot.copy->stream != launch->stream ||
            slot.buffer.start != buffer.start || slot.buffer.bytes != buffer.bytes ||
            slot.buffer.is_written != buffer.is_written)
            continue;
        slot.copy = launch;
        slot.copied_at.capture();
        return;
    }
    watch(launch, buffer, true);
}

void HostBufferWatch::watch(const std::shared_ptr<const StreamOperation>& copy, const Buffer& buffer,
                            bool is_kernel) {
    const Work work(*this);
    if (used_slots_ == 0) can_step_ = !is_traced();
    Slot* const slot =
        std::find_if(std::begin(slots_), std::end(slots_), [](const Slot& one) { return one.state == unused; });
    if (slot == std::end(slots_)) return;
    slot->buffer = buffer;
    slot->copy = copy;
    slot->is_kernel = is_kernel;
    slot->copied_at.capture();
    slot->lapsed = true;  // protected when this ends
    slot->steps = 0;
    choose_pages(*slot);
    keep(*slot);
    slot->state.store(watched, std::memory_order_release);
    used_slots_ = std::max<std::size_t>(used_slots_, slot - slots_ + 1);
    install_fault_handlers(true);
}

HostBufferWatch::EarlyUse HostBufferWatch::early_use(const Slot& slot, std::size_t findings) {
    return {.buffer = slot.buffer,
            .copy_stream = slot.copy->stream_name,
            .copied_at = slot.copied_at,
            .kernel = slot.is_kernel ? slot.copy->name : std::string(),
            .use = slot.use,
            .address = slot.address,
            .used_at = slot.used_at,
            .other_stream = {},
            .before = findings};
}

bool HostBufferWatch::find_conflict(const UnorderedOperations& unordered, const Buffer& buffer,
                                    const std::string& stream, std::size_t findings) {
    const std::lock_guard lock(mutex_);
    for (std::size_t k = 0; k < used_slots_; ++k) {
        const Slot& slot = slots_[k];
        if (slot.state == unused || !(slot.buffer.is_written || buffer.is_written) ||
            !overlap(slot.buffer.start, slot.buffer.bytes, buffer.start, buffer.bytes) ||
            std::find(unordered.begin(), unordered.end(), slot.copy) == unordered.end())
            continue;
        EarlyUse found = early_use(slot, findings);
        found.use = buffer.is_written ? Use::copy_writes : Use::copy_reads;
        found.address = std::max(slot.buffer.start, buffer.start);
        found.used_at.capture();
        found.other_stream = stream;
        found_.push_back(std::move(found));
        return true;
    }
    return false;
}

void HostBufferWatch::release(Slot& slot, std::size_t findings) {
    if (slot.state == unused) return;
    if (slot.state == noted) {  // and accessible since then
        found_.push_back(early_use(slot, findings));
        slot.state.store(unused, std::memory_order_release);
    } else {
        const SettingFree now;
        slot.state.store(unused, std::memory_order_release);
        set_access(slot.outer_begin, slot.outer_end, PROT_READ | PROT_WRITE);
    }
    protect_all(slot.outer_begin, slot.outer_end);
    slot.copy.reset();
    slot.kept.clear();
}

void HostBufferWatch::host_waited(const StreamOrder& order, std::size_t findings) {
    const std::lock_guard lock(mutex_);
    if (used_slots_ == 0) return;
    const Work work(*this);
    for (std::size_t k = 0; k < used_slots_; ++k) {
        Slot& slot = slots_[k];
        if (slot.state == unused || !order.host_has_waited_for(*slot.copy)) continue;
        if (!work.is_inner()) compare(slot);
        release(slot, findings);
    }
    while (used_slots_ > 0 && slots_[used_slots_ - 1].state == unused) --used_slots_;
}

void HostBufferWatch::pinned_given(std::uintptr_t start, std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    const auto known = pinned_.find(start);
    for (std::size_t k = 0; known != pinned_.end() && k < used_slots_; ++k)
        if (slots_[k].state == watched &&
            overlap(slots_[k].buffer.start, slots_[k].buffer.bytes, start, known->second))
            release(slots_[k], 0);
    if (bytes == 0 && known != pinned_.end())
        pinned_.erase(known);
    else if (bytes > 0)
        pinned_.insert_or_assign(start, bytes);
}

void HostBufferWatch::open() noexcept {
    open_ = true;
    if (used_slots_ == 0) return;
    const std::lock_guard lock(mutex_);
    for (std::size_t k = 0; k < used_slots_; ++k) compare(slots_[k]);
    // Pages that hold other things, too: a system call of libgpu's would fail there. The others wait for a fault.
    for (std::size_t k = 0; k < used_slots_; ++k) {
        Slot& slot = slots_[k];
        if (slot.state != watched || (slot.outer_begin == slot.inner_begin && slot.outer_end == slot.inner_end))
            continue;
        slot.lapsed = true;
        set_access(slot.outer_begin, slot.outer_end, PROT_READ | PROT_WRITE);
    }
}

void HostBufferWatch::close() noexcept {
    if (used_slots_ > 0) {
        const std::lock_guard lock(mutex_);
        for (std::size_t k = 0; k < used_slots_; ++k)
            if (slots_[k].state == watched && !slots_[k].kept.empty()) keep(slots_[k]);
        open_ = false;
        protect_lapsed();
    }
    open_ = false;
}

void HostBufferWatch::protect_lapsed() noexcept {
    std::uintptr_t begin = ~std::uintptr_t{0}, end = 0;
    for (std::size_t k = 0; k < used_slots_; ++k) {
        Slot& slot = slots_[k];
        if (slot.state != watched || !slot.lapsed.exchange(false)) continue;
        begin = std::min(begin, slot.outer_begin);
        end = std::max(end, slot.outer_end);
    }
    protect_all(begin, end);
}

// --- called by signal handlers

void HostBufferWatch::lapse(std::uintptr_t address) noexcept {
    for (std::size_t k = 0; k < used_slots_; ++k) {
        Slot& slot = slots_[k];
        if (!slot.protects(address)) continue;
        slot.lapsed = true;
        set_access(slot.outer_begin, slot.outer_end, PROT_READ | PROT_WRITE);
    }
}

bool HostBufferWatch::let_pass(std::uintptr_t address) noexcept {
    HostBufferWatch* const watch = active_buffers.load();
    bool is_ours = false;
    for (std::size_t k = 0; watch != nullptr && k < watch->used_slots_; ++k)
        is_ours = is_ours || watch->slots_[k].protects(address);
    if (is_ours) watch->lapse(address);
    return is_ours || may_be_tried_again();
}

bool HostBufferWatch::note(std::uintptr_t address, HostAccessKind kind, std::uintptr_t instruction,
                           void* context) noexcept {
    HostBufferWatch* const watch = active_buffers.load();
    const int error = errno;
    bool is_ours = false;
    Slot* used = nullptr;
    for (std::size_t k = 0; watch != nullptr && k < watch->used_slots_; ++k) {
        Slot& slot = watch->slots_[k];
        if (!slot.protects(address)) continue;
        is_ours = true;
        const bool is_inside = address - slot.buffer.start < slot.buffer.bytes;
        if (is_inside && (slot.buffer.is_written || kind != HostAccessKind::read) && used == nullptr) used = &slot;
    }
    if (!is_ours) return may_be_tried_again();
    if (watch->open_) {
        watch->lapse(address);
    } else if (used != nullptr) {
        used->use = kind == HostAccessKind::read    ? Use::read
                    : kind == HostAccessKind::write ? Use::write
                                                    : Use::unknown;
        used->address = address;
        used->used_at.capture(instruction);
        const SettingFree now;
        watch->lapse(address);
        used->state.store(noted, std::memory_order_release);
    } else if (!watch->step(address, context)) {
        watch->lapse(address);
    }
    errno = error;
    return true;
}

bool HostBufferWatch::step([[maybe_unused]] std::uintptr_t address, [[maybe_unused]] void* context) noexcept {
#if defined(__x86_64__)
    auto* const user = static_cast<ucontext_t*>(context);
    if (!can_step_ || ::sigismember(&user->uc_sigmask, SIGTRAP) != 0) return false;
    for (std::size_t k = 0; k < used_slots_; ++k)
        if (slots_[k].protects(address) && slots_[k].steps.fetch_add(1) >= max_steps) return false;
    int nobody = 0;
    if (!stepping_thread_.compare_exchange_strong(nobody, static_cast<int>(::syscall(SYS_gettid)))) return false;
    stepped_page_ = page_of(address);
    set_access(stepped_page_, stepped_page_ + page_size(), PROT_READ | PROT_WRITE);
    user->uc_mcontext.gregs[REG_EFL] |= trap_flag;
    return true;
#else
    return false;
#endif
}

bool HostBufferWatch::stepped([[maybe_unused]] void* context) noexcept {
#if defined(__x86_64__)
    HostBufferWatch* const watch = active_buffers.load();
    if (watch == nullptr || watch->stepping_thread_ != static_cast<int>(::syscall(SYS_gettid))) return false;
    const int error = errno;
    static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
    unsigned before = 0, after = 0;
    bool is_busy = is_set_free_now(before);
    if (!watch->open_) watch->protect_all(watch->stepped_page_, watch->stepped_page_ + page_size());
    is_busy = is_set_free_now(after) || is_busy;
    if (is_busy || before != after) {  // what was just unprotected may be nobody's mistake
        set_access(watch->stepped_page_, watch->stepped_page_ + page_size(), PROT_READ | PROT_WRITE);
        watch->lapse(watch->stepped_page_);
    }
    watch->stepping_thread_ = 0;
    errno = error;
    return true;
#else
    return false;
#endif
}

// The texts of what HostBufferWatch noted.

namespace {

using Use = HostBufferWatch::Use;

std::string shown(const ProgramPlace& place) { return place.file + ':' + std::to_string(place.line); }

// The frames without libgpu's own innermost ones, unless the program's code is there: the caller is wanted.
std::vector<std::uintptr_t> callers(std::vector<std::uintptr_t> stack) {
    Dl_info ours{}, theirs{};
    const bool is_known = ::dladdr(reinterpret_cast<const void*>(&callers), &ours) != 0 && ours.dli_fname != nullptr;
    if (!is_known || std::string(ours.dli_fname).find("libgpu.so") == std::string::npos) return stack;
    const auto first = std::find_if(stack.begin(), stack.end(), [&](std::uintptr_t instruction) {
        if (::dladdr(reinterpret_cast<const void*>(instruction), &theirs) == 0) return true;
        const bool is_gpucc = theirs.dli_fname != nullptr && std::strstr(theirs.dli_fname, "/libgpucc.so") != nullptr;
        return theirs.dli_fbase != ours.dli_fbase && !is_gpucc;
    });
    stack.erase(stack.begin(), first);
    return stack;
}

// "element 3 of 100 float32 in host memory".
std::string element_of(const HostBufferWatch::EarlyUse& early) {
    const bool is_typed = early.buffer.elements >= 0;
    const auto type = static_cast<DType>(std::max(early.buffer.elements, 0));
    const std::size_t width = is_typed ? size_of(type) : 1;
    return (is_typed ? "element " : "byte ") + std::to_string((early.address - early.buffer.start) / width) + " of " +
           std::to_string(early.buffer.bytes / width) + ' ' + (is_typed ? std::string(name(type)) : "bytes") +
           (early.kernel.empty() ? " in host memory" : " in managed or page-locked memory");
}

std::string sentence(const HostBufferWatch::EarlyUse& early, const ProgramPlace& used, const ProgramPlace& copied) {
    const std::string user = used.file.empty() ? "host code" : shown(used);
    const std::string before = used.file.empty() ? "" : " before " + shown(used);
    const std::string copy = !early.kernel.empty()
                                 ? early.kernel + (copied.file.empty() ? "" : ", launched by " + shown(copied) + ',')
                             : copied.file.empty() ? "an asynchronous copy"
                                                   : "the copy of " + shown(copied);
    const std::string still = early.buffer.is_written ? " may not have written yet" : " may still be reading";
    switch (early.use) {
        case Use::read: return user + " reads " + element_of(early) + ", which " + copy + still;
        case Use::write: return user + " writes " + element_of(early) + ", which " + copy + still;
        case Use::unknown: return user + " uses " + element_of(early) + ", which " + copy + still;
        case Use::changed: return element_of(early) + ", which " + copy + still + ", has changed" + before;
        case Use::freed: return "host memory that " + copy + still + " has been freed" + before;
        case Use::copy_reads:
            return user + ": a copy reads host memory that " + copy + still + ", in another stream";
        case Use::copy_writes:
            return user + ": a copy writes host memory that " + copy + still + ", in another stream";
    }
    return {};
}

constexpr std::string_view kernel_word = "kernel ";

bool is_counted(const std::string& stream) { return stream.compare(0, 7, "stream ") == 0; }

std::string advice_of(const HostBufferWatch::EarlyUse& early) {
    if (!early.kernel.empty())
        return "a launch returns before its kernel has run, and host and kernel use the same memory: wait first, with "
               "gpu::synchronize()";
    if (!early.other_stream.empty())
        return "streams work at the same time: record an event behind the first copy and let the other stream wait "
               "for it, event.record(first) and second.wait(event), or give each copy memory of its own";
    if (early.buffer.is_written)
        return "the values are there when the copy is done, not when the call returns: wait first, with the event that "
               "copy_to_async() returns, event.synchronize(), or with gpu::synchronize()";
    return "the copy reads the memory when its turn in the stream comes, not when the call returns: before you write "
           "or free it, wait for the event that copy_from_async() returns, event.synchronize(), or fill another buffer "
           "meanwhile";
}

}  // namespace

std::vector<HostBufferWatch::OrderedFinding> HostBufferWatch::findings() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::vector<std::uintptr_t>> stacks;
    for (const EarlyUse& early : found_) {
        stacks.push_back(callers(early.used_at.stack()));
        stacks.push_back(callers(early.copied_at.stack()));
        // Plain CUDA's launches come from a function in the kernel's place and of its name.
        stacks.push_back(stacks.back());
        if (!stacks.back().empty()) stacks.back().erase(stacks.back().begin());
    }
    const std::vector<ProgramPlace> places = learners_places(stacks);
    std::vector<OrderedFinding> findings;
    for (std::size_t k = 0; k < found_.size(); ++k) {
        const EarlyUse& early = found_[k];
        const std::string kernel = bare_name(early.kernel.substr(std::min(early.kernel.size(), kernel_word.size())));
        const bool is_stub = !kernel.empty() && bare_name(places[3 * k + 1].function) == kernel;
        const ProgramPlace &used = places[3 * k], &copied = places[3 * k + (is_stub ? 2 : 1)];
        Finding finding;
        finding.kind = FindingKind::host_buffer_in_use;
        finding.rule = Rule::host_only_queues;
        const bool is_seen = early.use != Use::changed && early.use != Use::freed;
        finding.file = is_seen ? used.file : copied.file;
        finding.line = is_seen ? used.line : copied.line;
        finding.what = "buffer in use: " + sentence(early, used, copied);
        finding.who = (used.function.empty() ? "" : "in " + used.function + "; ") +
                      (!early.kernel.empty()       ? early.kernel
                       : early.buffer.is_written ? "the copy to the host"
                                                 : "the copy to the device") +
                      " is in " + early.copy_stream +
                      (early.other_stream.empty() ? "" : ", the other one in " + early.other_stream) +
                      (is_counted(early.copy_stream) || is_counted(early.other_stream)
                           ? " (counted as they are first used)"
                           : "");
        finding.advice = advice_of(early);
        findings.push_back({early.before, std::move(finding)});
    }
    return findings;
}

}  // namespace gpu::detail::host

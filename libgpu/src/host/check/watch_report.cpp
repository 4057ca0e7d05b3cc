// SPDX-License-Identifier: MIT
// How a watch tells what it found in memory. On kernels' stacks, too; what doesn't return leaves no locals behind.
#include <algorithm>

#include "host/check/block_watch_hot.hpp"

namespace gpu::detail::host {

namespace {

std::string amount(std::size_t n, const std::string& noun) {
    return std::to_string(n) + ' ' + noun + (n == 1 ? "" : "s");
}

}  // namespace

std::string BlockWatch::name_of(const CheckedArray& array) const {
    if (array.space != Space::global) return array.name;
    const std::string name = facts_.parameter_at(array.start, array.bytes, nullptr);
    return name.empty() ? "an array" : name;
}

std::size_t BlockWatch::element_size(const CheckedArray& array, std::size_t size) const {
    std::size_t element = 0;
    if (array.space == Space::global) facts_.parameter_at(array.start, array.bytes, &element);
    if (element == 0) {
        element = size;
        const std::vector<std::size_t> lengths = facts_.module.declared_lengths(array.name);
        std::size_t product = 1;
        for (const std::size_t length : lengths) product *= length;
        if (product > 0 && array.bytes % product == 0 && !lengths.empty()) element = array.bytes / product;
    }
    return std::max<std::size_t>(element, 1);
}

std::string BlockWatch::element_text(const CheckedArray& array, long index, std::size_t element) const {
    const std::string name = name_of(array);
    if (array.space != Space::global) {
        if (array.bytes == element) return name;
        std::vector<std::size_t> lengths = facts_.module.declared_lengths(array.name);
        std::size_t inner = 1;
        for (std::size_t k = 1; k < lengths.size(); ++k) inner *= lengths[k];
        if (lengths.size() > 1 && inner > 0 && index >= 0) {
            std::string text = name;
            auto rest = static_cast<std::size_t>(index);
            for (std::size_t k = 0; k < lengths.size(); ++k) {
                text += '[' + std::to_string(rest / inner) + ']';
                rest %= inner;
                if (k + 1 < lengths.size()) inner /= lengths[k + 1];
            }
            return text;
        }
    }
    return name + '[' + std::to_string(index) + ']';
}

Action BlockWatch::current_action(Access kind, std::size_t site) const {
    Action action;
    action.block = facts_.block_index(block_);
    action.thread = facts_.thread_index(static_cast<unsigned>(scheduler_.current()));
    action.verb = kind == Access::atomic_update ? "updates" : writes(kind) ? "writes" : "reads";
    action.site = site;
    return action;
}

RawFinding BlockWatch::describe(FindingKind kind, const CheckedArray& array, std::size_t offset,
                                std::size_t size) const {
    RawFinding finding;
    finding.kind = kind;
    finding.space = array.space;
    finding.variable = name_of(array);
    const std::size_t element = element_size(array, size);
    finding.element = element_text(array, static_cast<long>(offset / element), element);
    finding.extent =
        finding.variable + " (" + amount(array.bytes / element, "element") + " of " + amount(element, "byte") + ')';
    return finding;
}

void BlockWatch::uninitialized(CheckedArray& array, std::size_t offset, std::size_t size, std::size_t site) {
    if (array.space != Space::shared) {
        // A structure may have padding that nobody writes.
        const bool whole = size <= 8 || array.untouched(offset, size);
        array.initialize(offset, size);
        if (!whole) return;
    }
    facts_.log.add({FindingKind::uninitialized_read, &array, name_of(array), site}, found_at(), [&] {
        RawFinding finding = describe(FindingKind::uninitialized_read, array, offset, size);
        finding.action = current_action(Access::read, site);
        return finding;
    });
}

void BlockWatch::race(CheckedArray& array, std::size_t offset, Stamp before, Stamp now, bool before_wrote,
                      bool now_writes, unsigned size, std::size_t site) {
    FindingKind kind = FindingKind::missing_barrier;
    if (!clock_.is_own(serial_of(before)))
        kind = FindingKind::inter_block_race;
    else if (thread_of(before) / 32 == thread_of(now) / 32)
        kind = FindingKind::missing_syncwarp;
    facts_.log.add({kind, array.space == Space::global ? &array : nullptr, name_of(array), 0}, found_at(), [&] {
        RawFinding finding = describe(kind, array, offset, size);
        const auto verb = [](bool wrote, Stamp stamp) {
            return std::string(!wrote ? "reads" : host::is_atomic(stamp) ? "updates" : "writes");
        };
        finding.action.block = facts_.block_index(block_);
        finding.action.thread = facts_.thread_index(thread_of(now));
        finding.action.verb = verb(now_writes, now);
        finding.action.site = site;
        finding.other.block = facts_.block_index(facts_.block_of(serial_of(before)));
        finding.other.thread = facts_.thread_index(thread_of(before));
        finding.other.verb = verb(before_wrote, before);
        finding.other.site = facts_.module.site_offset(site_of(before));
        return finding;
    });
}

// Not instrumented: the kernel is left from here, and nothing of this frame is destroyed.
GPU_ON_KERNEL_STACK void BlockWatch::fail() {
    Fault fault;
    fault.kind = Fault::Kind::checked;
    worker_.fail(fault);
}

// Which array an index has run out of: the one of shared memory that ends before the address, or the nearest of the
// device's.
void BlockWatch::describe_outside(RawFinding& finding, std::uintptr_t address, std::size_t size) {
    const CheckedArray* nearest = nullptr;
    std::unique_ptr<CheckedArray> global;
    if (address - shared_begin_ < shared_end_ - shared_begin_ + 4096 && !shared_.empty()) {
        nearest = shared_.front().array.get();
        for (const SharedVariable& variable : shared_)
            if (variable.array->start <= address) nearest = variable.array.get();
    }
    NearArray near;
    if (nearest == nullptr && facts_.guarded.find(address, near)) {
        if (near.freed) {
            finding.element = "an array of " + amount(near.bytes, "byte") + " that has been freed";
            return;
        }
        global = std::make_unique<CheckedArray>(Space::global, near.start, near.bytes);
        nearest = global.get();
    }
    if (nearest == nullptr) {
        const bool is_stack = worker_.stacks().stack_of(address) >= 0;
        finding.element = address < 4096 ? "through a null pointer"
                          : is_stack     ? "a local variable of another thread"
                                         : "an address that belongs to no array of the device";
        return;
    }
    const auto element = static_cast<long>(element_size(*nearest, size));
    const long offset = static_cast<long>(address) - static_cast<long>(nearest->start);
    const long index = offset >= 0 ? offset / element : -((-offset + element - 1) / element);
    const long length = static_cast<long>(nearest->bytes) / element;
    finding.space = nearest->space;
    finding.variable = name_of(*nearest);
    finding.element = element_text(*nearest, index, static_cast<std::size_t>(element));
    finding.extent = finding.variable + " (" + amount(static_cast<std::size_t>(length), "element") + " of " +
                     amount(static_cast<std::size_t>(element), "byte") + ')';
    finding.beyond = index < 0 ? index : index >= length ? index - length + 1 : 0;
}

GPU_ON_KERNEL_STACK void BlockWatch::out_of_bounds(std::uintptr_t address, std::size_t size, Access kind,
                                                   std::size_t site) {
    prepare_outside(address, size, kind, site);
    fail();
}

void BlockWatch::prepare_outside(std::uintptr_t address, std::size_t size, Access kind, std::size_t site) {
    RawFinding finding;
    finding.kind = FindingKind::out_of_bounds;
    finding.action = current_action(kind, site);
    describe_outside(finding, address, size);
    fatal_ = std::move(finding);
}

}  // namespace gpu::detail::host

// SPDX-License-Identifier: MIT
// How a watch tells what it found. On kernels' stacks, too; what doesn't return leaves no locals behind.
#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "host/check/block_watch_hot.hpp"

namespace gpu::detail::host {

namespace {

// What the compilers' bounds checks hand over.
struct SourceLocation {
    const char* file;
    std::uint32_t line, column;
};
struct TypeDescription {
    std::uint16_t kind, info;  // of integers: info is 1 if signed, plus twice the logarithm of the width
    char name[1];
};
struct BoundsDescription {
    SourceLocation place;
    const TypeDescription *array, *index;
};
struct MismatchDescription {
    SourceLocation place;
    const TypeDescription* type;
    unsigned char log_alignment, check;
};

std::string amount(std::size_t n, const std::string& noun) {
    return std::to_string(n) + ' ' + noun + (n == 1 ? "" : "s");
}

bool names(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The '[' that belongs to the ']' at `at`; npos if there is none.
std::size_t opening(const std::string& line, std::size_t at) {
    for (int depth = 0;; --at) {
        if (line[at] == ']') ++depth;
        if (line[at] == '[' && --depth == 0) return at;
        if (at == 0) return std::string::npos;
    }
}

// The array that is indexed: "tile" of "x = tile[i][j];". g++ gives the column of a subscript's end, clang that of the
// whole expression's start.
std::string indexed_name(const std::string& line, std::size_t column) {
    if (column == 0 || column > line.size()) return {};
    std::size_t at = column - 1, end = line.find('[', at);
    if (line[at] == ']') {
        for (end = opening(line, at); end != std::string::npos && end > 0 && line[end - 1] == ']';)
            end = opening(line, end - 1);
    }
    if (end == std::string::npos) return {};
    while (end > 0 && line[end - 1] == ' ') --end;
    std::size_t begin = end;
    while (begin > 0 && names(line[begin - 1])) --begin;
    return line.substr(begin, end - begin);
}

// "'float [8]'" without quotes.
std::string type_name(const TypeDescription& type) {
    std::string name = type.name;
    if (name.size() > 1 && name.front() == '\'' && name.back() == '\'') name = name.substr(1, name.size() - 2);
    return name;
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

Deed BlockWatch::deed_now(Access kind, std::size_t site) const {
    Deed deed;
    deed.block = facts_.block_index(block_);
    deed.thread = facts_.thread_index(static_cast<unsigned>(scheduler_.current()));
    deed.verb = kind == Access::atomic_update ? "updates" : writes(kind) ? "writes" : "reads";
    deed.site = site;
    return deed;
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
        finding.deed = deed_now(Access::read, site);
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
        finding.deed.block = facts_.block_index(block_);
        finding.deed.thread = facts_.thread_index(thread_of(now));
        finding.deed.verb = verb(now_writes, now);
        finding.deed.site = site;
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
    finding.deed = deed_now(kind, site);
    describe_outside(finding, address, size);
    fatal_ = std::move(finding);
}

void BlockWatch::prepare_bounds(const void* description, unsigned long raw, std::size_t site) {
    const auto& about = *static_cast<const BoundsDescription*>(description);
    long index = static_cast<long>(raw);
    if (about.index->kind == 0) {
        const unsigned width = 1U << (about.index->info >> 1);
        if (width < 64) {
            index = static_cast<long>(raw & ((1UL << width) - 1));
            if ((about.index->info & 1) != 0 && (index >> (width - 1) & 1) != 0) index -= 1L << width;
        }
    }
    RawFinding finding;
    finding.kind = FindingKind::out_of_bounds;
    finding.deed = deed_now(Access::read, site);
    finding.deed.verb = "uses";
    finding.deed.place = {facts_.module.learners().file, static_cast<int>(about.place.line)};
    finding.variable = indexed_name(facts_.module.line_text(finding.deed.place.line), about.place.column);
    const auto is_this = [&finding](const SharedVariable& v) { return v.array->name == finding.variable; };
    const bool is_shared = std::any_of(shared_.begin(), shared_.end(), is_this);
    finding.space = is_shared ? Space::shared : Space::module;
    if (finding.variable.empty()) finding.variable = "a local array";
    const std::string type = type_name(*about.array);
    finding.element = finding.variable + '[' + std::to_string(index) + ']';
    const std::size_t bracket = type.find('[');
    const long length = bracket == std::string::npos ? 0 : std::atol(type.c_str() + bracket + 1);
    finding.beyond = index < 0 ? index : index - length + 1;
    finding.extent = finding.variable + " (" + type + ')';
    fatal_ = std::move(finding);
}

GPU_ON_KERNEL_STACK void BlockWatch::on_bounds(const void* description, unsigned long index, const void* site) {
    BlockWatch& watch = *this_watch;
    watch.prepare_bounds(description, index, reinterpret_cast<std::uintptr_t>(site) - watch.text_begin_);
    watch.fail();
}

void BlockWatch::prepare_misaligned(const void* description, std::uintptr_t address, std::size_t alignment,
                                    std::size_t site) {
    RawFinding finding;
    finding.kind = FindingKind::misaligned_access;
    finding.deed = deed_now(Access::read, site);
    finding.deed.verb = "accesses";
    std::string type;
    if (description != nullptr) {
        const auto& about = *static_cast<const MismatchDescription*>(description);
        alignment = std::size_t{1} << about.log_alignment;
        finding.deed.verb = about.check == 1 || about.check == 2 ? "writes" : "reads";
        type = type_name(*about.type);
    }
    std::uintptr_t counted = 0;
    const CheckedArray* const array = array_at(address, counted);
    if (array != nullptr) finding.variable = name_of(*array);
    finding.detail = (type.empty() ? amount(alignment, "byte") : "a " + type) + " at byte " +
                     (array != nullptr ? std::to_string(address - array->start) + " of " + finding.variable
                                       : std::to_string(address % alignment) + " of a larger one") +
                     ", which is no multiple of " + std::to_string(alignment);
    fatal_ = std::move(finding);
}

GPU_ON_KERNEL_STACK void BlockWatch::on_misaligned(const void* description, const void* p, const void* site) {
    BlockWatch& watch = *this_watch;
    watch.prepare_misaligned(description, reinterpret_cast<std::uintptr_t>(p), 0,
                             reinterpret_cast<std::uintptr_t>(site) - watch.text_begin_);
    watch.fail();
}

GPU_ON_KERNEL_STACK void BlockWatch::on_misaligned_access(const void* p, unsigned size, const void* site) {
    BlockWatch& watch = *this_watch;
    watch.prepare_misaligned(nullptr, reinterpret_cast<std::uintptr_t>(p), size,
                             reinterpret_cast<std::uintptr_t>(site) - watch.text_begin_);
    watch.fail();
}

// clang copies a float4 by memcpy() and says nothing of alignment. Where one side is an array of such a type, and the
// line itself calls no memcpy(), the other side must be aligned as well.
GPU_ON_KERNEL_STACK void BlockWatch::check_vector_copy(const void* to, const void* from, const void* site) {
    for (const void* const side : {to, from}) {
        const auto bad = reinterpret_cast<std::uintptr_t>(side),
                   other = reinterpret_cast<std::uintptr_t>(side == to ? from : to);
        if (bad % 16 == 0 || other % 16 != 0) continue;
        if (!copies_vectors(other, reinterpret_cast<std::uintptr_t>(site) - text_begin_)) continue;
        prepare_misaligned(nullptr, bad, 16, reinterpret_cast<std::uintptr_t>(site) - text_begin_);
        fail();
    }
}

bool BlockWatch::copies_vectors(std::uintptr_t address, std::size_t site) {
    std::uintptr_t counted = 0;
    std::size_t element = 0;
    const CheckedArray* const array = array_at(address, counted);
    if (array == nullptr || array->space != Space::global) return false;
    facts_.parameter_at(array->start, array->bytes, &element);
    return element == 16 && facts_.module.line_text(facts_.module.place(site).line).find("memcpy") == std::string::npos;
}

void BlockWatch::prepare_division(std::size_t site) {
    fatal_ = RawFinding{};
    fatal_.kind = FindingKind::division_by_zero;
    fatal_.deed = deed_now(Access::read, site);
}

void BlockWatch::prepare_overflow(std::size_t site) {
    fatal_ = RawFinding{};
    fatal_.kind = FindingKind::stack_overflow;
    fatal_.deed = deed_now(Access::read, site);
}

GPU_ON_KERNEL_STACK void BlockWatch::on_division(const void*, const void* site) {
    BlockWatch& watch = *this_watch;
    watch.prepare_division(reinterpret_cast<std::uintptr_t>(site) - watch.text_begin_);
    watch.fail();
}

}  // namespace gpu::detail::host

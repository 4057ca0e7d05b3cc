// SPDX-License-Identifier: MIT
// What the compiler's own checks in a kernel found: bounds of arrays with a known length, alignment, division. Called
// on kernels' stacks; what doesn't return leaves no locals behind.
#include <algorithm>
#include <cstdlib>

#include "codegen/kernel_tokens.hpp"

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
    while (begin > 0 && is_name_part(line[begin - 1])) --begin;
    return line.substr(begin, end - begin);
}

// "'float [8]'" without quotes.
std::string type_name(const TypeDescription& type) {
    std::string name = type.name;
    if (name.size() > 1 && name.front() == '\'' && name.back() == '\'') name = name.substr(1, name.size() - 2);
    return name;
}

}  // namespace

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
    finding.detail = (type.empty() ? std::to_string(alignment) + " bytes" : "a " + type) + " at byte " +
                     (array != nullptr ? std::to_string(address - array->start) + " of " + finding.variable
                                       : std::to_string(address % alignment) + " of a larger one") +
                     ", which is not a multiple of " + std::to_string(alignment);
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

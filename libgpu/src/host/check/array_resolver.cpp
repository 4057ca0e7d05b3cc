// SPDX-License-Identifier: MIT
#include "host/check/array_resolver.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "backend/address_map.hpp"
#include "base.hpp"
#include "codegen/kernel_tokens.hpp"
#include "host/check/check_calls.hpp"
#include "host/check/checked_memory.hpp"
#include "host/fibers/context_switch.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::size_t counted_alignment = 256;  // of arrays on a GPU

std::uintptr_t round_up(std::uintptr_t value, std::size_t to) { return (value + to - 1) / to * to; }

// The records that the compilers' bounds checks pass.
struct SourceLocation {
    const char* file;
    std::uint32_t line, column;
};
struct TypeDescription {
    std::uint16_t kind, info;  // for integers: info is 1 if signed, plus twice the logarithm of the width
    char name[1];
};
struct BoundsDescription {
    SourceLocation place;
    const TypeDescription *array, *index;
};
struct ShiftDescription {
    SourceLocation place;
    const TypeDescription *shifted, *by;
};
struct MismatchDescription {
    SourceLocation place;
    const TypeDescription* type;
    unsigned char log_alignment, check;
};

// The array that is indexed: "tile" in "x = tile[i][j];". g++ gives the column of a subscript's end, clang that of the
// expression's start.
std::string indexed_name(const std::string& line, std::size_t column) {
    if (column == 0 || column > line.size()) return {};
    const std::vector<Token> tokens = tokens_of(line);
    std::size_t at = 0;
    while (at < tokens.size() && tokens[at].end() < column) ++at;
    if (at < tokens.size() && tokens[at].text == "]" && tokens[at].offset + 1 == column) {
        do {
            int depth = 0;
            do {
                depth += tokens[at].text == "]" ? 1 : tokens[at].text == "[" ? -1 : 0;
            } while (depth > 0 && at-- > 0);
            if (depth > 0) return {};
        } while (at > 0 && tokens[at - 1].text == "]" && at-- > 0);
    } else {
        at = find_token(tokens, "[", at);
    }
    return at > 0 && at < tokens.size() && tokens[at - 1].is_name() ? std::string(tokens[at - 1].text) : "";
}

// "'float [8]'" without quotes.
std::string type_name(const TypeDescription& type) {
    std::string name = type.name;
    if (name.size() > 1 && name.front() == '\'' && name.back() == '\'') name = name.substr(1, name.size() - 2);
    return name;
}

// "a float4" for "const struct float4".
std::string with_article(std::string type) {
    for (const std::string_view word : {"const ", "volatile ", "struct "})
        if (type.starts_with(word)) type.erase(0, word.size());
    return (type.find_first_of("aeiou") == 0 ? "an " : "a ") + type;
}

}  // namespace

ArrayResolver::ArrayResolver(LaunchFacts& facts, const KernelStacks& stacks, const gpu_thread_state* state)
    : facts_(facts), stacks_(stacks) {
    const std::lock_guard lock(facts.mutex);
    const bool is_first = facts.objects.empty();
    const std::uintptr_t own = reinterpret_cast<std::uintptr_t>(state) - facts.module.symbols().state_offset;
    std::uintptr_t counted = 0;
    for (const ModuleVariable& variable : facts.module.symbols().variables) {
        const bool dynamic = variable.name == "gpu_dynamic_shared";
        if (!variable.is_shared && !is_first) continue;
        const Space space = variable.is_shared ? Space::shared : Space::module;
        const std::uintptr_t start = (variable.is_shared ? own : facts.module.base()) + variable.offset;
        auto array = std::make_unique<CheckedArray>(space, start, dynamic ? facts.dynamic_shared : variable.bytes);
        array->name = dynamic ? facts.module.dynamic_shared_name() : variable.name;
        array->is_constant = variable.is_constant;
        array->is_never_set = facts.module.is_never_set(variable);
        array->element = variable.element;
        if (!variable.is_shared) {
            facts.objects.push_back(std::move(array));
            continue;
        }
        if (shared_.empty()) shared_begin_ = start;
        shared_end_ = start + variable.bytes;
        shared_.push_back({std::move(array), counted});
        counted = round_up(counted + variable.bytes, 128);
    }
}

void ArrayResolver::poison_shared() noexcept {
    constexpr int poison = 0xC7;  // -102287.56 as a float
    for (const SharedVariable& variable : shared_)
        std::memset(reinterpret_cast<void*>(variable.array->start), poison, variable.array->bytes);
}

void ArrayResolver::forget_shared() noexcept {
    for (const SharedVariable& variable : shared_) variable.array->forget_accesses();
}

CheckedArray* ArrayResolver::find(std::uintptr_t address, std::uintptr_t& counted) {
    if (address - shared_begin_ < shared_end_ - shared_begin_) {
        for (const SharedVariable& variable : shared_) {
            if (address - variable.array->start >= variable.array->bytes) continue;
            counted = variable.counted;
            return variable.array.get();
        }
        return nullptr;
    }
    for (const auto& object : facts_.objects) {
        if (address - object->start >= object->bytes) continue;
        counted = round_up(object->start, counted_alignment);
        return object.get();
    }
    if (facts_.heap.holds(address)) {
        counted = facts_.heap.array()->start;
        return facts_.heap.array();
    }
    CheckedArray* const array = facts_.memory.find(facts_.guarded, address);
    if (array == nullptr) return nullptr;
    counted = round_up(array->start, counted_alignment);
    if (facts_.notes_reached && array->start != last_reached_) {
        const std::lock_guard lock(facts_.mutex);
        facts_.reached.insert(last_reached_ = array->start);
    }
    return array;
}

bool ArrayResolver::is_argument(std::uintptr_t address) const noexcept {
    const gpu_module& about = facts_.kernel.module();
    for (int k = 0; k < about.parameter_count; ++k)
        if (address - reinterpret_cast<std::uintptr_t>(facts_.arguments[k]) < about.parameters[k].size) return true;
    return false;
}

std::string ArrayResolver::name_of(const CheckedArray& array) const {
    if (array.space != Space::global) return array.name;
    if (array.is_heap) return "memory of malloc()";
    const std::string name = facts_.parameter_at(array.start, array.bytes, nullptr);
    return name.empty() ? "an array" : name;
}

std::string ArrayResolver::parameters_of(const CheckedArray& array) const {
    const gpu_module& about = facts_.kernel.module();
    std::vector<std::string> names;
    for (int k = 0; k < about.parameter_count; ++k) {
        if (!about.parameters[k].is_pointer) continue;
        const auto value = reinterpret_cast<std::uintptr_t>(*static_cast<void* const*>(facts_.arguments[k]));
        if (value - array.start < array.bytes) names.push_back(facts_.kernel.parameter_name(k));
    }
    if (names.size() < 2) return {};
    std::string text = names.front();
    for (std::size_t k = 1; k < names.size(); ++k) text += (k + 1 < names.size() ? ", " : " and ") + names[k];
    return text;
}

std::size_t ArrayResolver::element_size(const CheckedArray& array, std::size_t size) const {
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

std::vector<std::size_t> ArrayResolver::lengths_of(const CheckedArray& array, std::size_t element) const {
    std::vector<std::size_t> lengths = facts_.module.declared_lengths(array.name);
    const std::size_t elements = array.bytes / std::max<std::size_t>(element, 1);
    const auto unknown = std::find(lengths.begin(), lengths.end(), std::size_t{0});
    std::size_t product = 1;
    for (const std::size_t length : lengths) product *= length == 0 ? 1 : length;
    if (unknown != lengths.end() && elements % product == 0) {   // tile[32][width], in a template<int width>
        *unknown = elements / product;
        product = elements;
    }
    if (product != elements || std::count(lengths.begin(), lengths.end(), std::size_t{0}) > 0) lengths.clear();
    return lengths;
}

std::string ArrayResolver::element_text(const CheckedArray& array, long index, std::size_t element) const {
    const std::string name = name_of(array);
    if (array.space != Space::global) {
        if (array.bytes == element) return name;
        const std::vector<std::size_t> lengths = lengths_of(array, element);
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

RawFinding ArrayResolver::describe(FindingKind kind, const CheckedArray& array, std::size_t offset,
                                     std::size_t size) const {
    RawFinding finding;
    finding.kind = kind;
    finding.space = array.space;
    if (array.is_heap) {
        describe_piece(finding, array.start + offset, size);
        return finding;
    }
    finding.variable = name_of(array);
    const std::size_t element = element_size(array, size);
    finding.element = element_text(array, static_cast<long>(offset / element), element);
    finding.extent =
        finding.variable + " (" + plural(array.bytes / element, "element") + " of " + plural(element, "byte") + ')';
    return finding;
}

void ArrayResolver::describe_piece(RawFinding& finding, std::uintptr_t address, std::size_t size) const {
    const CheckedHeap::Piece piece = facts_.heap.piece_at(address);
    const std::size_t element = std::max<std::size_t>(size, 1);
    const auto index = static_cast<long>((address - piece.start) / element);
    const auto length = static_cast<long>(piece.bytes / element);
    finding.variable = "malloc(" + std::to_string(piece.bytes) + ")";
    finding.element = finding.variable + '[' + std::to_string(index) + ']';
    finding.extent = finding.variable + " (" + plural(length, "element") + " of " +
                     plural(element, "byte") + ')';
    finding.beyond = index >= length ? index - length + 1 : 0;
    if (finding.kind == FindingKind::uninitialized_read)
        finding.advice = "malloc() and new give memory of anything: write each element before it is read";
    if (!piece.is_free && piece.start != 0) return;
    finding.variable.clear();
    finding.extent.clear();
    finding.element = piece.start == 0
                          ? "an address that belongs to no array of the device"
                          : "memory of malloc() or new (" + plural(piece.bytes, "byte") + ") that has been freed";
    finding.beyond = 0;
    finding.advice = "no thread may use what another has freed: free it behind the last use, with a barrier between";
}

TracedArray ArrayResolver::traced(const CheckedArray& array) const {
    TracedArray made;
    made.name = name_of(array);
    made.shared = array.space == Space::shared;
    made.element = static_cast<unsigned>(element_size(array, 4));
    made.elements = static_cast<std::int64_t>(array.bytes / made.element);
    if (array.space == Space::global) {
        NearArray near;
        if (facts_.guarded.find(array.start, near) && near.dtype >= 0) {
            const auto dtype = static_cast<DType>(near.dtype);
            if (size_of(dtype) == made.element) made.type = kernel_name(dtype);
            if (near.shape.size() == made.elements) made.lengths.assign(near.shape.begin(), near.shape.end());
        }
    } else {
        made.type = facts_.module.declared_type(array.name);
        const std::vector<std::size_t> lengths = lengths_of(array, made.element);
        made.lengths.assign(lengths.begin(), lengths.end());
    }
    return made;
}

// The pointer among the kernel's arguments that points to the process's own memory and is nearest to this address; -1:
// there is none.
int ArrayResolver::host_pointer_near(std::uintptr_t address) const {
    constexpr std::uintptr_t far = std::uintptr_t{1} << 30;
    const gpu_module& about = facts_.kernel.module();
    const ModuleSymbols& symbols = facts_.module.symbols();
    int nearest = -1;
    std::uintptr_t min_distance = far;
    for (int k = 0; k < about.parameter_count; ++k) {
        if (!about.parameters[k].is_pointer) continue;
        const auto value = reinterpret_cast<std::uintptr_t>(*static_cast<void* const*>(facts_.arguments[k]));
        const std::uintptr_t distance = value < address ? address - value : value - address;
        NearArray own;
        if (value == 0 || distance >= min_distance || facts_.guarded.find(value, own) ||
            facts_.memory.is_foreign(value) || facts_.host_access.is_array(value) ||
            value - facts_.module.base() < symbols.object_end || !is_host_address(value))
            continue;
        nearest = k;
        min_distance = distance;
    }
    return nearest;
}

// Identified by their sizes, since no table has their types.
std::vector<std::pair<std::string, std::int64_t>> ArrayResolver::integer_arguments() const {
    std::vector<std::pair<std::string, std::int64_t>> integers;
    const gpu_module& about = facts_.kernel.module();
    for (int k = 0; k < about.parameter_count; ++k) {
        if (about.parameters[k].is_pointer) continue;
        const void* const value = facts_.arguments[k];
        if (about.parameters[k].size == sizeof(std::int32_t))
            integers.emplace_back(facts_.kernel.parameter_name(k), *static_cast<const std::int32_t*>(value));
        else if (about.parameters[k].size == sizeof(std::int64_t))
            integers.emplace_back(facts_.kernel.parameter_name(k), *static_cast<const std::int64_t*>(value));
    }
    return integers;
}

OutsideAccess ArrayResolver::outside_access(const RawFinding& finding, const Shape& shape, long index,
                                               long length) const {
    const auto place = [](unsigned block, unsigned width, unsigned thread) {
        return static_cast<std::int64_t>(block) * width + thread;
    };
    const Action& action = finding.action;
    OutsideAccess access{.index = index, .length = length, .array = finding.variable};
    access.x = place(action.block.x, facts_.block.x, action.thread.x);
    access.y = place(action.block.y, facts_.block.y, action.thread.y);
    access.width = place(facts_.grid.x, facts_.block.x, 0);
    access.height = place(facts_.grid.y, facts_.block.y, 0);
    access.is_flat = facts_.grid.z * facts_.block.z == 1;
    if (length > 0 && shape.size() == length && shape.rank() == 2) access.shapes = {{shape[0], shape[1]}};
    if (!access.shapes.empty() || (access.height == 1 && access.width >= length)) return access;
    std::vector<std::int64_t> lengths;  // of a matrix in a flat array: rows and columns are parameters
    for (const auto& [name, value] : integer_arguments()) lengths.push_back(value);
    for (std::size_t k = 0; k < lengths.size(); ++k)
        for (std::size_t j = k + 1; j < lengths.size(); ++j)
            if (lengths[k] > 1 && lengths[j] > 1 && length % lengths[k] == 0 && length / lengths[k] == lengths[j])
                access.shapes.insert(access.shapes.end(), {{lengths[k], lengths[j]}, {lengths[j], lengths[k]}});
    return access;
}

std::string ArrayResolver::thread_without_column(const RawFinding& race, const CheckedArray& array,
                                                   std::size_t offset, std::size_t size) const {
    NearArray near;
    if (facts_.grid.y * facts_.block.y < 2 || !facts_.guarded.find(array.start, near)) return {};
    const std::size_t element = element_size(array, size);
    const auto index = static_cast<long>(offset / element), length = static_cast<long>(array.bytes / element);
    RawFinding earlier = race;
    earlier.action = race.other;
    return beside_matrix(outside_access(race, near.shape, index, length),
                         outside_access(earlier, near.shape, index, length));
}

// A variable of the module that ends shortly before the address, with none in between.
const CheckedArray* ArrayResolver::variable_before(std::uintptr_t address) const {
    const CheckedArray* nearest = nullptr;
    for (const auto& object : facts_.objects)
        if (object->start <= address && (nearest == nullptr || object->start > nearest->start)) nearest = object.get();
    return nearest != nullptr && address - nearest->start < nearest->bytes + 4096 ? nearest : nullptr;
}

std::vector<FarArray> ArrayResolver::far_arrays(std::uintptr_t address) const {
    std::vector<FarArray> far;
    const gpu_module& about = facts_.kernel.module();
    for (int k = 0; k < about.parameter_count; ++k) {
        const auto start = reinterpret_cast<std::uintptr_t>(*static_cast<void* const*>(facts_.arguments[k]));
        NearArray array;
        if (!about.parameters[k].is_pointer || about.parameters[k].element == 0) continue;
        if (!facts_.guarded.find(start, array)) continue;
        const auto element = static_cast<long>(about.parameters[k].element);
        const long offset = static_cast<long>(address) - static_cast<long>(start);
        if (offset % element != 0) continue;
        far.push_back({.name = facts_.kernel.parameter_name(k),
                       .index = offset / element,
                       .length = static_cast<long>(array.start + array.bytes - start) / element,
                       .element = static_cast<std::size_t>(element)});
    }
    return far;
}

void ArrayResolver::describe_outside(RawFinding& finding, std::uintptr_t address, std::size_t size) const {
    if (const int argument = host_pointer_near(address); argument >= 0) {
        finding.kind = FindingKind::host_pointer;
        finding.variable = facts_.kernel.parameter_name(argument);
        return;
    }
    if (facts_.heap.holds(address)) return describe_piece(finding, address, size);
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
            finding.element = "an array of " + plural(near.bytes, "byte") + " that has been freed";
            return;
        }
        global = std::make_unique<CheckedArray>(Space::global, near.start, near.bytes);
        nearest = global.get();
    }
    if (nearest == nullptr) nearest = variable_before(address);
    if (nearest == nullptr) {
        const bool is_stack = stacks_.stack_of(address) >= 0;
        finding.element = address < 4096 ? "through a null pointer"
                          : is_stack     ? "a local variable of another thread"
                                         : "an address that belongs to no array of the device";
        if (address >= 4096 && !is_stack) finding.far_arrays = far_arrays(address);
        return;
    }
    const auto element = static_cast<long>(element_size(*nearest, size));
    const long offset = static_cast<long>(address) - static_cast<long>(nearest->start);
    const long index = offset >= 0 ? offset / element : -((-offset + element - 1) / element);
    const long length = static_cast<long>(nearest->bytes) / element;
    finding.space = nearest->space;
    finding.variable = name_of(*nearest);
    finding.element = element_text(*nearest, index, static_cast<std::size_t>(element));
    finding.extent = finding.variable + " (" + plural(length, "element") + " of " +
                     plural(element, "byte") + ')';
    finding.beyond = index < 0 ? index : index >= length ? index - length + 1 : 0;
    const long taken = static_cast<long>(size) / element;
    // A float4 covers four elements; memset() pieces that are entirely outside are excluded.
    if (global != nullptr && index >= 0 && taken > 1 && (index < length || size == 16)) {
        finding.element += " to " + element_text(*nearest, index + taken - 1, static_cast<std::size_t>(element));
        finding.beyond = index + taken - length;
        finding.advice = "one access of " + std::to_string(size) + " bytes takes " + std::to_string(taken) +
                         " elements: make it only where the last of them is there, and take what is left one by one";
    } else if (global != nullptr && static_cast<long>(size) == element) {
        const OutsideAccess access = outside_access(finding, near.shape, index, length);
        finding.length = length;
        finding.blocks = facts_.grid.x;
        finding.integers = integer_arguments();
        finding.has_own_element = has_own_element(access);
        finding.advice = likely_mistake(access);
    }
    if (nearest->space == Space::shared && index >= length && nearest->name == facts_.module.dynamic_shared_name())
        finding.advice = facts_.dynamic_shared == 0
                             ? "an extern array has the bytes that the launch gives it, and this one gives none: "
                               "k({.grid = ..., .block = ..., .shared = bytes}, ...)"
                             : "an extern array has the bytes that the launch gives it: this launch's .shared is " +
                                   std::to_string(facts_.dynamic_shared);
}

void ArrayResolver::describe_bounds(RawFinding& finding, const void* description, unsigned long raw) const {
    const auto& about = *static_cast<const BoundsDescription*>(description);
    long index = static_cast<long>(raw);
    if (about.index->kind == 0) {
        const unsigned width = 1U << (about.index->info >> 1);
        if (width < 64) {
            index = static_cast<long>(raw & ((1UL << width) - 1));
            if ((about.index->info & 1) != 0 && (index >> (width - 1) & 1) != 0) index -= 1L << width;
        }
    }
    finding.action.verb = "uses";
    finding.action.place = {facts_.module.learners().file, static_cast<int>(about.place.line)};
    finding.variable = indexed_name(facts_.module.line_text(finding.action.place.line), about.place.column);
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
}

bool ArrayResolver::is_only_an_address(const void* description) const {
    const auto& about = *static_cast<const BoundsDescription*>(description);
    const std::string line = facts_.module.line_text(static_cast<int>(about.place.line));
    return about.place.column > 0 && about.place.column <= line.size() &&
           (line[about.place.column - 1] == '+' || line[about.place.column - 1] == '-');
}

void ArrayResolver::describe_shift(RawFinding& finding, const void* description, unsigned long by) {
    const auto& about = *static_cast<const ShiftDescription*>(description);
    const unsigned width = 1U << (about.by->info >> 1);
    const bool is_signed = (about.by->info & 1) != 0;
    auto bits = static_cast<long long>(by);
    if (is_signed && width < 64) bits = static_cast<long long>(by << (64 - width)) >> (64 - width);
    finding.detail = "a number of type " + type_name(*about.shifted) + " by " + std::to_string(bits) + ", which has " +
                     std::to_string(1U << (about.shifted->info >> 1)) + " bits";
}

void ArrayResolver::describe_misaligned(RawFinding& finding, const void* description, std::uintptr_t address,
                                          std::size_t alignment) {
    finding.action.verb = "accesses";
    std::string type;
    if (description != nullptr) {
        const auto& about = *static_cast<const MismatchDescription*>(description);
        alignment = std::size_t{1} << about.log_alignment;
        type = type_name(*about.type);
        // 1 is a store; 2 binds a reference, as copying a vector does.
        const bool writes = about.check == 1 || (about.check == 2 && !type.starts_with("const "));
        finding.action.verb = writes ? "writes" : "reads";
    }
    std::uintptr_t counted = 0;
    const CheckedArray* const array = find(address, counted);
    if (array != nullptr) finding.variable = name_of(*array);
    // On a GPU, arrays begin at a multiple of 256; here, one smaller than the access may be less aligned.
    if (array != nullptr && array->space == Space::global && (address - array->start) % alignment == 0) {
        finding.kind = FindingKind::out_of_bounds;
        return describe_outside(finding, address, alignment);
    }
    if (alignment <= 4)
        finding.advice = "what has " + std::to_string(alignment) + " bytes must begin at a multiple of " +
                         std::to_string(alignment) + ": choose an offset that is, or fetch it byte by byte, with " +
                         "memcpy(&value, place, sizeof value)";
    finding.detail = (type.empty() ? std::to_string(alignment) + " bytes" : with_article(type)) + " at byte " +
                     (array != nullptr ? std::to_string(address - array->start) + " of " + finding.variable
                                       : std::to_string(address % alignment) + " of a larger one") +
                     ", which is not a multiple of " + std::to_string(alignment);
}

bool ArrayResolver::copies_vectors(std::uintptr_t address, std::size_t site) {
    std::uintptr_t counted = 0;
    std::size_t element = 0, alignment = 0;
    const CheckedArray* const array = find(address, counted);
    if (array == nullptr || array->space != Space::global) return false;
    facts_.parameter_at(array->start, array->bytes, &element, &alignment);
    return element == 16 && alignment == 16 &&
           facts_.module.line_text(facts_.module.place(site).line).find("memcpy") == std::string::npos;
}

std::string LocalArray::element_text(std::uintptr_t address) const {
    if (columns == 0) return name;
    const std::size_t index = (address - start) / element;
    const std::string row = columns > 1 ? '[' + std::to_string(index / columns) + ']' : "";
    return name + row + '[' + std::to_string(index % (columns > 1 ? columns : bytes)) + ']';
}

void LocalArrayShadow::begin_block() noexcept {
    if (count_ == 0) return;
    for (Thread& thread : threads_) thread.used = 0;
    count_ = 0;
}

GPU_ON_KERNEL_STACK void LocalArrayShadow::begins(unsigned thread, std::uintptr_t start, std::size_t bytes,
                                                  unsigned element, unsigned columns, const char* name) {
    ends(thread, start);
    if (threads_.size() <= thread) threads_.resize(thread + 1);
    Thread& of = threads_[thread];
    if (of.used == max_arrays) return;
    if (of.used == of.arrays.size()) of.arrays.emplace_back();
    LocalArray& array = of.arrays[of.used++];
    ++count_;
    array.start = start;
    array.bytes = bytes;
    array.element = element;
    array.columns = columns;
    array.name = name;
    array.written.assign((bytes + 63) / 64, 0);
}

GPU_ON_KERNEL_STACK void LocalArrayShadow::ends(unsigned thread, std::uintptr_t start) noexcept {
    if (thread >= threads_.size()) return;
    Thread& of = threads_[thread];
    for (std::size_t k = of.used; k-- > 0;) {
        if (of.arrays[k].start != start) continue;
        std::swap(of.arrays[k], of.arrays[--of.used]);
        --count_;
        return;
    }
}

GPU_ON_KERNEL_STACK const LocalArray* LocalArrayShadow::access(unsigned thread, std::uintptr_t address,
                                                               std::size_t size, bool reads) noexcept {
    if (thread >= threads_.size()) return nullptr;
    Thread& of = threads_[thread];
    for (std::size_t k = of.used; k-- > 0;) {
        LocalArray& array = of.arrays[k];
        const std::size_t first = address - array.start;
        if (first >= array.bytes) continue;
        const std::size_t end = std::min(first + size, array.bytes);
        // Members and padding of a structure may be unwritten: a whole element must be missing.
        const std::size_t whole = std::min((end + array.element - 1) / array.element * array.element, array.bytes);
        bool is_written = false;
        for (std::size_t at = first / array.element * array.element; at < whole; ++at) {
            std::uint64_t& bits = array.written[at / 64];
            const std::uint64_t bit = std::uint64_t{1} << at % 64;
            is_written = is_written || (bits & bit) != 0;
            if (at >= first && at < end) bits |= bit;  // by a read, too: it is reported once
        }
        return reads && !is_written ? &array : nullptr;
    }
    return nullptr;
}

namespace {

constexpr unsigned polls_before_waiting = 4;  // reads of the same value before it counts as waiting
constexpr unsigned rounds_before_deadlock = 256;

}  // namespace

void SpinDetector::begin_block(std::uint64_t block) {
    block_ = block;
    idle_ = 0;
    waits_ = false;
    if (polls_ != nullptr) std::fill_n(polls_.get(), max_block_threads, Poll{});
}

void SpinDetector::go_on() noexcept {
    idle_ = 0;
    if (waits_) facts_.turns->set_waiting(false);
    waits_ = false;
}

SpinDetector::Outcome SpinDetector::polled(unsigned thread, std::uintptr_t address, std::uint64_t value,
                                           std::size_t size, std::size_t site, bool alone) {
    if (polls_ == nullptr) polls_.reset(new Poll[max_block_threads]);
    Poll& poll = polls_[thread];
    if (poll.address != address || poll.value != value) {
        const bool has_waited = poll.address == address && poll.has_waited;
        poll = {address, value, size, site, 0, has_waited, poll.begun};
        facts_.turns->progress();
        go_on();
        return Outcome::go_on;
    }
    if (!alone) {
        facts_.turns->progress();
        go_on();
    }
    if (poll.repeats == 0) facts_.add_flag(address, LaunchFacts::polled);
    if (++poll.repeats < polls_before_waiting) return Outcome::go_on;
    return let_others_run(poll);
}

SpinDetector::Outcome SpinDetector::let_others_run(Poll& poll) {
    CooperativeScheduler& turns = *facts_.turns;
    const auto runnable = static_cast<unsigned>(scheduler_.runnable());
    if (const std::uint64_t progress = turns.progress_so_far(); progress != seen_progress_) {
        seen_progress_ = progress;
        go_on();
    }
    // Each of the block's threads has had its turn, and polls.
    if (++idle_ >= 2 * runnable && idle_ % runnable == 0) {
        if (!waits_) turns.set_waiting(true);
        waits_ = true;
        if (!poll.has_waited) poll.begun = facts_.begun();
        poll.has_waited = true;
        turns.pass();
        if (facts_.log.has_fatal()) return Outcome::given_up;
        if (idle_ / runnable > rounds_before_deadlock && turns.all_wait()) return Outcome::deadlock;
    }
    scheduler_.let_others_run();
    return Outcome::go_on;
}

RawFinding SpinDetector::describe(unsigned thread) const {
    const Poll& poll = polls_[thread];
    std::uintptr_t counted = 0;
    RawFinding finding;
    if (CheckedArray* const array = arrays_.find(poll.address, counted))
        finding = arrays_.describe(FindingKind::deadlock, *array, poll.address - array->start, poll.size);
    else
        finding.element = "memory";
    finding.kind = FindingKind::deadlock;
    finding.action.block = facts_.block_index(block_);
    finding.action.thread = facts_.thread_index(thread);
    finding.action.verb = "reads";
    finding.action.site = poll.site;
    return finding;
}

void SpinDetector::deadlock(RawFinding& finding) const {
    finding = describe(static_cast<unsigned>(scheduler_.current()));
    finding.polls = true;
    std::map<std::uintptr_t, std::pair<int, unsigned>> readers;
    for (unsigned thread = 0; thread < max_block_threads; ++thread)
        if (polls_[thread].repeats >= polls_before_waiting) {
            auto& [count, first] = readers[polls_[thread].address];
            if (count++ == 0) first = thread;
        }
    for (const auto& [address, who] : readers)
        finding.detail += (finding.detail.empty() ? "" : ", ") + plural(who.first, "thread") +
                          (who.first == 1 ? " waits for " : " wait for ") + describe(who.second).element;
    for (const Arrivals& place : scheduler_.arrivals()) finding.detail += ", " + waiting_text(place);
    if (scheduler_.ended() > 0) finding.detail += ", " + plural(scheduler_.ended(), "thread") + " ended";
}

std::optional<RawFinding> SpinDetector::waited_for_later_block(unsigned thread, Stamp writer) {
    Poll& poll = polls_[thread];
    poll.has_waited = false;
    if (serial_of(writer) < facts_.first_serial || facts_.cooperative) return std::nullopt;
    const std::uint64_t other = facts_.block_of(serial_of(writer));
    if (other <= block_ || facts_.turn_of(other) < poll.begun) return std::nullopt;
    RawFinding finding = describe(thread);
    finding.waits_for_later_block = true;
    finding.other.block = facts_.block_index(other);
    return finding;
}

}  // namespace gpu::detail::host

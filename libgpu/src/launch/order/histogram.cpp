// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gpu/create.hpp>
#include <gpu/error.hpp>
#include <gpu/masks.hpp>
#include <gpu/sorting.hpp>

#include "codegen/node.hpp"
#include "codegen/order_text.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/evaluate.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/graph.hpp"
#include "runtime/storage.hpp"

// Counting: bincount() and histogram().
namespace gpu::detail {

namespace {

// The limit on every GPU without opting in, but for the kernels' own variable.
constexpr std::int64_t shared_bytes = 48 * 1024 - 16;

/// How `n` elements are counted in `bins` bins.
struct CountingPlan {
    CountingPlan(Device device, std::int64_t n, std::int64_t bins, CountTypes given);

    CountTypes types;
    BuiltinBlocks blocks;
    std::int64_t rows = 1;  ///< of the counts, to be added up
    int copies = 1;
};

CountingPlan::CountingPlan(Device device, std::int64_t n, std::int64_t bins, CountTypes given) : types(given) {
    const std::int64_t count = std::max(1, known_properties(device).multiprocessors);
    if (!backend(device).traits().by_blocks) {
        constexpr std::int64_t min_elements = 16384, of_bin = 32;  // with fewer elements, another row isn't worth it
        types.place = CountingPlace::rows;
        rows = std::clamp<std::int64_t>(n / std::max(min_elements, of_bin * bins), 1, 4 * count);
        blocks = {.blocks = rows, .threads = 1, .elements = n};
        return;
    }
    const std::int64_t bytes = types.cell_bytes();
    types.place = bins <= shared_bytes / bytes ? CountingPlace::shared : CountingPlace::common;
    const bool in_shared = types.place == CountingPlace::shared;
    constexpr std::int64_t threads = 1024, each = 16, on_one = 2;
    // The counters of a block are numbers of 32 bits.
    const std::int64_t wanted = std::clamp<std::int64_t>(n / (threads * each), 1, count * on_one);
    blocks = {.blocks = std::max(wanted, (n >> 31) + 1), .threads = threads};
    if (!in_shared) return;
    if (types.weighted) {
        constexpr std::int64_t bytes_of_copies = 32 * 1024, max_copies = 16;
        const std::int64_t fitting = std::clamp<std::int64_t>(bytes_of_copies / (bins * bytes), 1, max_copies);
        copies = static_cast<int>(std::bit_floor(static_cast<std::uint64_t>(fitting)));
    }
    blocks.shared = bins * bytes * copies;
}

std::string key_of(const char* name, const CountTypes& types) {
    std::string key = name;
    for (const int part : {static_cast<int>(types.element), static_cast<int>(types.edges),
                           static_cast<int>(types.place), int{types.weighted}, static_cast<int>(types.rounded)}) {
        key += static_cast<char>('a' + part);
    }
    return key;
}

void check_weights(const char* operation, const NodePointer& weights, const Shape& shape) {
    if (weights == nullptr || weights->shape == shape) return;
    throw ShapeError(std::string(operation) + ": weights of shape " + to_string(weights->shape) +
                     " for an array of shape " + to_string(shape));
}

ArrayCore zeros(DType dtype, const Shape& shape) { return full(dtype, shape, scalar_node(dtype, std::int64_t{0})); }

// The sum of the first `length` counts of each row.
ArrayCore sum_of_rows(ArrayCore table, std::int64_t length) {
    if (table.shape[0] == 1) {
        const bool is_whole = table.shape[1] == length;
        table.shape = Shape{length};
        table.strides = dense_strides(table.shape, Layout::row_major);
        return is_whole ? table : copy_of(table);
    }
    table.shape = Shape{table.shape[0], length};
    return reduce({.kind = Reduction::sum, .element = table.dtype, .result = table.dtype}, leaf(table), {.axis = 0});
}

std::int64_t extreme(Reduction kind, const ArrayCore& array) {
    std::int64_t value = 0;
    read_item(reduce({.kind = kind, .element = DType::int64, .result = DType::int64}, leaf(array), {}), &value);
    return value;
}

[[noreturn]] void refuse_elements(const ArrayCore& array) {
    const std::int64_t min_element = extreme(Reduction::min, array), max_element = extreme(Reduction::max, array);
    throw IndexError("bincount: an element is " + std::to_string(min_element < 0 ? min_element : max_element) +
                     "; elements are counted by 0, 1, 2, ...");
}

/// The elements of a vector, counted in any number of bins.
struct Counted {
    ArrayCore table;    ///< a row of counts for each part of the elements
    ArrayCore largest;  ///< 0-d, if it is sought: the largest element as a number of 64 bits without a sign
};

Counted counted(const ArrayCore& array, const ArrayCore* weights, std::int64_t bins, bool seeks_largest) {
    const Device device = array.storage->device();
    const CountingPlan plan(device, array.shape.size(), bins, {.element = array.dtype, .weighted = weights != nullptr});
    const Counted made{zeros(weights == nullptr ? DType::int64 : DType::float64, Shape{plan.rows, bins}),
                       seeks_largest ? zeros(DType::uint64, Shape{}) : ArrayCore{}};
    void *const x = address_of(array), *const w = weights == nullptr ? nullptr : address_of(*weights);
    void *const counts = address_of(made.table), *const largest = seeks_largest ? address_of(made.largest) : nullptr;
    const std::int64_t n = array.shape.size();
    const void* const arguments[] = {&x, &w, &counts, &largest, &n, &bins, &plan.copies};
    launch_builtin_blocks(
        device, key_of("bincount", plan.types), [&] { return bincount_text(plan.types); }, plan.blocks,
        const_cast<void* const*>(arguments), std::size(arguments));
    made.table.storage->mark_written();
    if (seeks_largest) made.largest.storage->mark_written();
    return made;
}

template <class T>
std::vector<std::int64_t> widened(const unsigned char* bytes, std::int64_t n) {
    std::vector<std::int64_t> made(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < made.size(); ++k) {
        T value;
        std::memcpy(&value, bytes + k * sizeof(T), sizeof(T));
        made[k] = static_cast<std::int64_t>(value);  // too large a number becomes negative, which is refused as well
    }
    return made;
}

std::vector<std::int64_t> widened(DType type, const unsigned char* bytes, std::int64_t n) {
    switch (type) {
        case DType::boolean:
        case DType::uint8: return widened<std::uint8_t>(bytes, n);
        case DType::int8: return widened<std::int8_t>(bytes, n);
        case DType::int16: return widened<std::int16_t>(bytes, n);
        case DType::uint16: return widened<std::uint16_t>(bytes, n);
        case DType::int32: return widened<std::int32_t>(bytes, n);
        case DType::uint32: return widened<std::uint32_t>(bytes, n);
        case DType::uint64: return widened<std::uint64_t>(bytes, n);
        default: return widened<std::int64_t>(bytes, n);
    }
}

template <class C, class Addend>
ArrayCore counted_on_host(DType type, const std::vector<std::int64_t>& elements, std::int64_t length, Addend addend) {
    std::vector<C> counts(static_cast<std::size_t>(length));
    for (std::size_t k = 0; k < elements.size(); ++k) counts[static_cast<std::size_t>(elements[k])] += addend(k);
    const ArrayCore made = make_array(type, Shape{length});
    copy_from_host_dense(made, counts.data(), length);
    return made;
}

constexpr std::int64_t few_elements = 1024, few_bins = 65536;

// Of few elements where device and host are one processor: a launch takes longer than counting them. Bincount waits for
// the largest element in any case. Null if there would be many bins.
std::optional<ArrayCore> few_counted(const ArrayCore& array, const ArrayCore* weights, std::int64_t minlength) {
    alignas(8) unsigned char bytes[8 * few_elements];
    const std::int64_t n = array.shape.size();
    copy_to_host(array, bytes, n);
    const std::vector<std::int64_t> elements = widened(array.dtype, bytes, n);
    const auto [least, most] = std::minmax_element(elements.begin(), elements.end());
    if (*least < 0) refuse_elements(array);
    if (std::max(*most, minlength) >= few_bins) return {};
    const std::int64_t length = std::max(minlength, *most + 1);
    if (weights == nullptr)
        return counted_on_host<std::int64_t>(DType::int64, elements, length, [](std::size_t) { return 1; });
    std::vector<double> addends(elements.size());
    copy_to_host(*weights, addends.data(), n);
    return counted_on_host<double>(DType::float64, elements, length, [&](std::size_t k) { return addends[k]; });
}

// Elements are counted in so many bins while the largest is sought: often that suffices.
std::int64_t assumed_bins(const ArrayCore& array, std::int64_t minlength) {
    constexpr std::int64_t few = 256;
    const bool by_blocks = backend(array.storage->device()).traits().by_blocks;
    const std::int64_t many = by_blocks ? shared_bytes / 8 : 65536;
    const std::int64_t bins = by_blocks ? few : std::clamp(array.shape.size() / 64, few, many);
    return minlength <= many ? std::max(bins, minlength) : bins;
}

/// The smallest and the largest element, by one kernel. Each is NaN if an element is.
struct Extremes {
    ArrayCore min, max;
};

Extremes extremes_of(const ArrayCore& array) {
    const Device device = array.storage->device();
    const Extremes found{make_array(array.dtype, Shape{}), make_array(array.dtype, Shape{})};
    const NodePointer value = leaf(array);
    const Flattened parts = flatten(*value);
    const std::string type(kernel_name(array.dtype)), key = "extremes " + type;
    const std::string element = expression_text(*value, parts);
    ReductionCall call{
        .device = device,
        .shape = array.shape,
        .reduced = std::vector<bool>(static_cast<std::size_t>(array.shape.rank()), true),
        .bindings = bind_expression(parts),
        .key = key,
        .text = [&] {
            const std::string preamble =
                "typedef " + type + " T;\nstruct gpu_extremes { T min_x, max_x; };\n" +
                "__device__ inline gpu_extremes gpu_of(T x) { return gpu_extremes{x, x}; }\n" +
                "__device__ inline gpu_extremes gpu_joined(gpu_extremes a, gpu_extremes b) {\n" +
                "    return gpu_extremes{gpu_minimum(a.min_x, b.min_x), gpu_maximum(a.max_x, b.max_x)};\n}\n";
            return ReductionText{.name = "extremes",
                                 .parameters = {},
                                 .accumulator = "gpu_extremes",
                                 .typedefs = "",
                                 .preamble = {preamble, "libgpu", 1},
                                 .map = {"gpu_of(" + element + ")", "extremes", 1},
                                 .reduce = {"gpu_joined(a, b)", "extremes", 1},
                                 .post = {"min_x = a.min_x; max_x = a.max_x", "extremes", 1},
                                 .identity = ""};
        }};
    for (Binding& binding : call.bindings) binding.parameter.map_stage_only = true;
    call.bindings.push_back(output_binding("min_x", found.min));
    call.bindings.push_back(output_binding("max_x", found.max));
    launch_reduction(call);
    return found;
}

// The edges of the bins and, unless it is null, a table of zeros to count in, by one kernel. Edges of halves are
// doubles that are rounded once.
ArrayCore edges_of(DType type, const ArrayCore& array, const HistogramOptions& options, const ArrayCore* table) {
    const HistogramRange& range = options.range;
    const bool is_half = is_short_float(type);
    const DType working = is_half ? DType::float64 : type;
    const ArrayCore edges = make_array(working, Shape{options.bins + 1});
    Extremes extremes;
    const void *min = nullptr, *max = nullptr;
    double low = range.given() ? range.low() : 0, high = range.given() ? range.high() : 1;
    if (!range.given() && array.shape.size() > 0) {
        extremes = extremes_of(array);
        min = address_of(extremes.min);
        max = address_of(extremes.max);
    }
    void *const to = address_of(edges), *const counts = table == nullptr ? nullptr : address_of(*table);
    const std::int64_t cells = table == nullptr ? 0 : table->shape.size();
    const void* const arguments[] = {&min, &max, &low, &high, &to, &counts, &options.bins, &cells};
    const CountTypes types{.element = array.dtype, .edges = working};
    launch_builtin(
        array.storage->device(), key_of("histogram_edges", types), [&] { return histogram_edges_text(types); },
        std::max(cells, options.bins + 1), const_cast<void* const*>(arguments), std::size(arguments),
        std::max(cells, options.bins + 1));
    edges.storage->mark_written();
    if (table != nullptr) table->storage->mark_written();
    return is_half ? evaluate(cast_node(type, leaf(edges))) : edges;
}

}  // namespace

ArrayCore bincount(const NodePointer& value, const NodePointer& weights, std::int64_t minlength) {
    if (value->shape.rank() != 1)
        throw ShapeError("bincount: an array of shape " + to_string(value->shape) + "; it takes vectors");
    check_weights("bincount", weights, value->shape);
    if (minlength < 0) throw ShapeError("bincount: a minlength of " + std::to_string(minlength) + " is negative");
    const ArrayCore array = dense_value(value, value->dtype);
    const ArrayCore addends = weights == nullptr ? ArrayCore{} : dense_value(weights, DType::float64);
    const ArrayCore* const added = weights == nullptr ? nullptr : &addends;
    std::vector<const ArrayCore*> arrays{&array};
    if (added != nullptr) arrays.push_back(added);
    const DeviceGuard guard(common_device(arrays, "bincount"));
    if (array.shape.size() == 0) return zeros(weights == nullptr ? DType::int64 : DType::float64, Shape{minlength});

    refuse_in_capture("bincount", "it waits for the largest element: do it before the capture, or after a replay");
    if (array.shape.size() <= few_elements && !backend(array.storage->device()).traits().by_blocks)
        if (auto counts = few_counted(array, added, minlength)) return *std::move(counts);
    const std::int64_t assumed = assumed_bins(array, minlength);
    const Counted first = counted(array, added, assumed, true);
    std::uint64_t largest = 0;
    read_item(first.largest, &largest);
    if (largest >= std::uint64_t{std::numeric_limits<std::int64_t>::max()}) refuse_elements(array);
    const std::int64_t length = std::max(minlength, static_cast<std::int64_t>(largest) + 1);
    return sum_of_rows(length <= assumed ? first.table : counted(array, added, length, false).table, length);
}

namespace {

void check_options(const HistogramOptions& options) {
    const HistogramRange& range = options.range;
    if (options.bins < 1)
        throw ShapeError("histogram: " + std::to_string(options.bins) + " bins; there must be at least one");
    if (range.given() && !(range.low() <= range.high() && std::isfinite(range.high() - range.low()))) {
        throw ShapeError("histogram: a range from " + number_text(*double_node(range.low())) + " to " +
                         number_text(*double_node(range.high())) + "; it must be finite, and not end before it starts");
    }
}

ArrayCore counted_elements(const NodePointer& value) {
    return dense_value(value, value->dtype == DType::boolean ? DType::uint8 : comparable(value->dtype));
}

// By a search for each element. The bins are numbered from 1; what lies outside them comes before and behind.
ArrayCore counts_between(DType type, const NodePointer& value, const ArrayCore& edges, const NodePointer& weights) {
    const DType element = comparable(type == DType::boolean ? DType::uint8 : type);
    const std::int64_t bins = edges.shape[0] - 1, n = value->shape.size();
    const ArrayCore x = reshaped(dense_value(value, element), Shape{n});
    const ArrayCore borders = dense_value(leaf(edges), element);
    const SearchRequest request{.name = "histogram", .type = element, .after = true};
    const ArrayCore places = search_sorted(request, leaf(borders), leaf(x));
    ArrayCore last = borders;
    last.offset += bins;
    last.shape = Shape{};
    last.strides = {};
    const auto number = [](std::int64_t k) { return scalar_node(DType::int64, k); };
    const NodePointer is_last = node(Op::equal, DType::boolean, element, leaf(x), leaf(last));
    const ArrayCore bin = evaluate(where_node(DType::int64, is_last, number(bins), leaf(places)));
    ArrayCore added;
    if (weights != nullptr) added = reshaped(dense_value(weights, DType::float64), Shape{n});
    const Counted made = counted(bin, weights == nullptr ? nullptr : &added, bins + 2, false);
    ArrayCore counts = sum_of_rows(made.table, bins + 2);
    counts.offset += 1;
    counts.shape = Shape{bins};
    return copy_of(counts);
}

}  // namespace

HistogramCores histogram(DType type, const NodePointer& value, const NodePointer& edges, const NodePointer& weights) {
    if (edges->shape.rank() != 1 || edges->shape[0] < 2) {
        throw ShapeError("histogram: edges of shape " + to_string(edges->shape) +
                         "; they are a vector of at least two, in ascending order");
    }
    check_weights("histogram", weights, value->shape);
    const ArrayCore given = dense_value(edges, edges->dtype);
    const DeviceGuard guard(given.storage->device());
    return {counts_between(type, value, given, weights), copy_of(given)};
}

HistogramCores histogram(DType type, const NodePointer& value, const HistogramOptions& options,
                         const NodePointer& weights) {
    check_options(options);
    check_weights("histogram", weights, value->shape);
    const ArrayCore array = counted_elements(value);
    const DeviceGuard guard(array.storage->device());
    const ArrayCore edges = edges_of(type, array, options, nullptr);
    return {counts_between(promote_types(array.dtype, type), leaf(array), edges, weights), edges};
}

ArrayCore histogram_density(const ArrayCore& counts, const ArrayCore& edges) {
    const DeviceGuard guard(counts.storage->device());
    const std::int64_t bins = counts.shape.size();
    ArrayCore low = dense_value(leaf(edges), DType::float64);
    low.shape = Shape{bins};
    ArrayCore high = low;
    high.offset += 1;
    const NodePointer amounts = cast_node(DType::float64, leaf(counts));
    const ArrayCore all =
        reduce({.kind = Reduction::sum, .element = DType::float64, .result = DType::float64}, amounts, {});
    const NodePointer widths = double_operation(Op::subtract, leaf(high), leaf(low));
    return evaluate(double_operation(Op::divide, double_operation(Op::divide, amounts, widths), leaf(all)));
}

HistogramCores histogram(DType type, const NodePointer& value, const HistogramOptions& options) {
    check_options(options);
    const ArrayCore array = counted_elements(value);
    const Device device = array.storage->device();
    const DeviceGuard guard(device);
    const std::int64_t n = array.shape.size();
    const CountingPlan plan(device, n, options.bins,
                            {.element = array.dtype, .edges = comparable(type), .rounded = type});
    const ArrayCore table = make_array(DType::int64, Shape{plan.rows, options.bins});
    const ArrayCore edges = edges_of(type, array, options, &table);
    const ArrayCore borders = dense_value(leaf(edges), comparable(type));
    if (n > 0) {
        void *const x = address_of(array), *const from = address_of(borders), *const counts = address_of(table);
        const void* const arguments[] = {&x, &from, &counts, &n, &options.bins, &plan.copies};
        launch_builtin_blocks(
            device, key_of("histogram", plan.types), [&] { return histogram_text(plan.types); }, plan.blocks,
            const_cast<void* const*>(arguments), std::size(arguments));
        table.storage->mark_written();
    }
    return {sum_of_rows(table, options.bins), edges};
}

}  // namespace gpu::detail

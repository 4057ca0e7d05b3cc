// SPDX-License-Identifier: MIT
#include <gpu/random.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <random>

#include <gpu/error.hpp>
#include <gpu/indexing.hpp>
#include <gpu/reductions.hpp>
#include <gpu/sorting.hpp>

#include "backend/backend.hpp"
#include "codegen/indexing_text.hpp"
#include "codegen/node.hpp"
#include "codegen/random_text.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/generated_call.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu {

namespace detail {

namespace {

using random::Generator;

// A draw's kernel, and the numbers that it takes.
struct Drawing {
    Draw draw;
    DType dtype;
    std::vector<NodePointer> values;

    [[nodiscard]] std::string key(const char* kernel) const {
        return std::string(kernel) + static_cast<char>('0' + static_cast<int>(draw)) + static_cast<char>(dtype);
    }
    [[nodiscard]] std::vector<RandomNumber> numbers() const { return random_numbers(draw, dtype); }
};

// Fills `count` groups of elements at the start of `out`, one per thread.
void draw_groups(const Drawing& drawing, const ArrayCore& out, std::int64_t count) {
    ArrayCore groups = out;
    groups.shape = Shape{count};
    groups.strides = Strides{1};
    const std::string key = drawing.key("random");
    ElementwiseCall call{.device = current_device(),
                         .shape = groups.shape,
                         .bindings = {},
                         .key = key,
                         .text = [&] { return random_text(drawing.draw, drawing.dtype); },
                         .needs = {.uses_index = true}};
    call.bindings.push_back({{Parameter::Role::output, random_group, "out", false}, out.dtype, &groups, nullptr});
    const std::vector<RandomNumber> names = drawing.numbers();
    for (std::size_t k = 0; k < names.size(); ++k) {
        const Parameter parameter{Parameter::Role::scalar, std::string(kernel_name(names[k].dtype)), names[k].name,
                                  false};
        call.bindings.push_back({parameter, names[k].dtype, nullptr, drawing.values[k].get()});
    }
    launch_elementwise(call);
}

// The same where the first element is inside a block.
void draw_shifted(const Drawing& drawing, const ArrayCore& out, std::int64_t count) {
    constexpr std::size_t max_numbers = 8;
    alignas(16) unsigned char bytes[max_numbers][16] = {};
    void* data = address_of(out);
    void* arguments[1 + max_numbers] = {&data};
    const std::vector<RandomNumber> names = drawing.numbers();
    for (std::size_t k = 0; k < names.size(); ++k) {
        store_number(*drawing.values[k], names[k].dtype, bytes[k]);
        arguments[1 + k] = bytes[k];
    }
    launch_builtin(
        current_device(), drawing.key("shifted"), [&] { return shifted_random_text(drawing.draw, drawing.dtype); },
        divided_up(count, 31) * 32, arguments, static_cast<int>(1 + names.size()));
    out.storage->mark_written();
}

NodePointer whole_number(std::uint64_t value) { return scalar_node(DType::uint64, static_cast<std::int64_t>(value)); }
NodePointer real_number(double value) { return scalar_node(DType::float64, value); }

ArrayCore drawn(Generator& from, Draw draw, DType dtype, const Shape& shape, std::initializer_list<NodePointer> own) {
    const ArrayCore result = make_array(dtype, shape);
    const std::int64_t size = result.shape.size();
    Drawing drawing{draw, dtype, {whole_number(from.seed()), whole_number(from.offset()),
                                  scalar_node(DType::int64, size)}};
    drawing.values.insert(drawing.values.end(), own);
    const int each = elements_per_block(draw, dtype);
    const std::int64_t groups = size / each + (size % each != 0);
    const bool is_inside = from.offset() % static_cast<std::uint64_t>(each) != 0;
    if (is_inside && groups > 0 && backend(device_of(result)).traits().by_blocks)
        draw_shifted(drawing, result, groups);
    else
        draw_groups(drawing, result, groups);
    from.skip(static_cast<std::uint64_t>(size));
    return result;
}

// Rounded to the type; infinite if out of range.
double rounded(DType dtype, double value) {
    if (dtype == DType::float64) return value;
    if (dtype == DType::float32) return static_cast<float>(value);
    if (dtype == DType::bfloat16) return static_cast<double>(static_cast<float>(bfloat16(static_cast<float>(value))));
    return static_cast<double>(static_cast<float>(half(static_cast<float>(value))));
}

// The type's largest number below `value`, which is one of its numbers.
double below(DType dtype, double value) {
    if (dtype == DType::float64) return std::nextafter(value, -INFINITY);
    if (dtype == DType::float32) return std::nextafter(static_cast<float>(value), -INFINITY);
    const auto of = [dtype](float number) {
        return dtype == DType::float16 ? half(number).bits() : bfloat16(number).bits();
    };
    const unsigned bits = of(static_cast<float>(value));
    const bool negative = (bits & 0x8000u) != 0, zero = (bits & 0x7fffu) == 0;
    const auto next = static_cast<std::uint16_t>(zero ? 0x8001u : negative ? bits + 1u : bits - 1u);
    return dtype == DType::float16 ? float{half::from_bits(next)} : float{bfloat16::from_bits(next)};
}

[[noreturn]] void refuse(const std::string& operation, const std::string& what) {
    throw Error(operation + ": " + what);
}

std::string text_of(double value) {
    std::string text = std::to_string(value);
    if (text.find('.') != std::string::npos) {
        while (text.back() == '0') text.pop_back();
        if (text.back() == '.') text.pop_back();
    }
    return text;
}

double finite(const char* operation, const char* what, DType dtype, double value) {
    const double result = rounded(real_dtype(dtype), value);
    if (!std::isfinite(result)) {
        refuse(operation, std::string(what) + " " + text_of(value) + " isn't a finite " + std::string(name(dtype)));
    }
    return result;
}

double not_negative(const char* operation, const char* what, DType dtype, double value) {
    if (value < 0) refuse(operation, std::string(what) + " " + text_of(value) + " is negative");
    return finite(operation, what, dtype, value);
}

template <class T>
[[noreturn]] void refuse_range(T low, T high, const std::string& why) {
    refuse("integers", "from " + std::to_string(low) + " to below " + std::to_string(high) + ": " + why);
}

ArrayCore integers_in(Generator& from, DType dtype, const Shape& shape, std::uint64_t low, std::uint64_t range) {
    const bool wide = range > (std::uint64_t{1} << 32);
    return drawn(from, wide ? Draw::wide_integers : Draw::integers, dtype, shape,
                 {whole_number(low), whole_number(range)});
}

}  // namespace

ArrayCore random_bits(Generator& from, DType dtype, const Shape& shape) {
    return drawn(from, Draw::bits, dtype, shape, {});
}

ArrayCore random_uniform(Generator& from, DType dtype, const Shape& shape, double low, double high) {
    const double first = finite("uniform", "low", dtype, low), end = finite("uniform", "high", dtype, high);
    if (first > end) refuse("uniform", "low " + text_of(low) + " is above high " + text_of(high));
    const double width = finite("uniform", "high - low", dtype, end - first);
    const double last = first < end ? below(dtype, end) : end;
    return drawn(from, Draw::uniform, dtype, shape, {real_number(first), real_number(width), real_number(last)});
}

ArrayCore random_normal(Generator& from, DType dtype, const Shape& shape, double mean, double stddev) {
    const double centre = finite("normal", "mean", dtype, mean);
    const double spread = not_negative("normal", "stddev", dtype, stddev);
    return drawn(from, Draw::normal, dtype, shape, {real_number(centre), real_number(spread)});
}

ArrayCore random_exponential(Generator& from, DType dtype, const Shape& shape, double scale) {
    return drawn(from, Draw::exponential, dtype, shape,
                 {real_number(not_negative("exponential", "scale", dtype, scale))});
}

ArrayCore random_bernoulli(Generator& from, const Shape& shape, double probability) {
    if (!(probability >= 0 && probability <= 1)) {
        refuse("bernoulli", "the probability " + text_of(probability) + " isn't between 0 and 1");
    }
    return drawn(from, Draw::bernoulli, DType::boolean, shape, {real_number(probability)});
}

ArrayCore random_integers(Generator& from, DType dtype, const Shape& shape, std::int64_t low, std::int64_t high) {
    if (low >= high) refuse_range(low, high, "there is none");
    const int width = static_cast<int>(8 * size_of(dtype));
    if (width < 64) {
        const std::int64_t min_value = is_unsigned(dtype) ? 0 : -(std::int64_t{1} << (width - 1));
        const std::int64_t beyond = std::int64_t{1} << (is_unsigned(dtype) ? width : width - 1);
        if (low < min_value || high > beyond) refuse_range(low, high, "not all are " + std::string(name(dtype)));
    }
    const auto first = static_cast<std::uint64_t>(low);
    return integers_in(from, dtype, shape, first, static_cast<std::uint64_t>(high) - first);
}

ArrayCore random_unsigned(Generator& from, const Shape& shape, std::uint64_t low, std::uint64_t high) {
    if (low >= high) refuse_range(low, high, "there is none");
    return integers_in(from, DType::uint64, shape, low, high - low);
}

namespace {

// The first ones of 0, 1, ... count - 1 in random order.
ArrayCore permuted_positions(Generator& from, std::int64_t count, std::int64_t wanted) {
    const ArrayCore result = make_array(DType::int64, Shape{wanted});
    PhiloxBlock key = philox(from.seed(), from.offset(), permutation_stream);
    key.words[2] |= 1;  // what is added to the others round by round
    key.words[3] |= 1;
    from.skip(1);
    // More values than elements, and at least 256: in a network over few bits, rounds have little to mix.
    const int bits = std::max(8, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count))));
    const Device device = device_of(result);
    constexpr std::int64_t threads_of_one = 2048;  // of a multiprocessor
    const std::int64_t threads = threads_of_one * std::max(1, known_properties(device).multiprocessors);
    const auto each = static_cast<std::int32_t>(std::clamp<std::int64_t>(wanted / threads, 1, 32));
    launch_builtin_with(device, "permutation", permutation_text, wanted == 0 ? 0 : divided_up(wanted, 32 * each) * 32,
                        address_of(result), wanted, count, bits / 2, bits - bits / 2, key, each);
    result.storage->mark_written();
    return result;
}

}  // namespace

ArrayCore random_permutation(Generator& from, std::int64_t count) {
    if (count < 0) refuse("permutation", "a count of " + std::to_string(count));
    return permuted_positions(from, count, count);
}

ArrayCore random_permuted(Generator& from, const ArrayCore& array) {
    if (array.shape.rank() == 0) throw ShapeError("permutation: an array without axes has no order");
    const DeviceGuard guard(device_of(array));
    const ArrayCore order = random_permutation(from, array.shape[0]);
    if (array.shape.size() == 0) return copy_of(array);
    return take(leaf(array), leaf(order), {.axis = 0});
}

namespace {

// For each of 64 random bits, `first` and the number of edges that are at most them.
ArrayCore looked_up(DType result, const ArrayCore& edges, const ArrayCore& words, std::int64_t first) {
    const ArrayCore made = make_array(result, words.shape);
    launch_builtin_with(
        words.storage->device(), std::string("lookup") + static_cast<char>('a' + static_cast<int>(result)),
        [&] { return lookup_text(result); }, {made.shape.size(), made.shape.size()}, address_of(edges),
        address_of(words), address_of(made),
        edges.shape.size(), made.shape.size(), first);
    made.storage->mark_written();
    return made;
}

/// The distribution function of Poisson's distribution in units of 2^-64: `edges[k]` is the probability of at most
/// `first + k`; that of the last possible integer, 1, is left out.
struct PoissonTable {
    std::int64_t first = 0;
    std::vector<std::uint64_t> edges;
};

// Neighbouring probabilities have the ratio rate / k. From the most likely integer on, which is given the weight 1,
// that takes products, quotients and sums, which every host rounds alike.
PoissonTable poisson_table(double rate) {
    constexpr double negligible = 0x1p-66;  // of the largest weight: less than 2^-66 of the sum
    const auto mode = static_cast<std::int64_t>(rate);
    std::vector<double> below, weights;
    double weight = 1, total = 0;
    for (std::int64_t k = mode; k > 0; --k) {
        weight = weight * static_cast<double>(k) / rate;
        if (weight < negligible) break;
        below.push_back(weight);
    }
    weights.assign(below.rbegin(), below.rend());
    weights.push_back(1);
    weight = 1;
    for (std::int64_t k = mode + 1;; ++k) {
        weight = weight * rate / static_cast<double>(k);
        if (weight < negligible) break;
        weights.push_back(weight);
    }
    for (const double each : weights) total += each;
    // As whole numbers their sums are exact; the most likely integer gets what is missing from 2^64.
    std::vector<std::uint64_t> shares;
    std::uint64_t others = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const bool is_mode = k == below.size();
        shares.push_back(is_mode ? 0 : static_cast<std::uint64_t>(std::ldexp(weights[k] / total, 64)));
        others += shares.back();
    }
    shares[below.size()] = 0 - others;
    PoissonTable table{.first = mode - static_cast<std::int64_t>(below.size()), .edges = {}};
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k + 1 < shares.size(); ++k) table.edges.push_back(sum += shares[k]);
    return table;
}

}  // namespace

ArrayCore random_poisson(Generator& from, DType dtype, const Shape& shape, double rate) {
    constexpr double max_rate = 0x1p30;
    if (!(rate >= 0 && rate <= max_rate))
        refuse("poisson", "a rate of " + text_of(rate) + "; it must be between 0 and 2^30");
    const PoissonTable table = poisson_table(rate);
    const auto count = static_cast<std::int64_t>(table.edges.size());
    const double last = static_cast<double>(table.first + count);
    if (!fits(*scalar_node(DType::float64, last), dtype)) {
        refuse("poisson", "with a rate of " + text_of(rate) + ", integers up to " + text_of(last) +
                              " occur, and not all are " + std::string(name(dtype)));
    }
    const ArrayCore edges = make_array(DType::uint64, Shape{count});
    if (count > 0) copy_from_host(edges, table.edges.data(), count);
    return looked_up(dtype, edges, drawn(from, Draw::poisson, DType::uint64, shape, {}), table.first);
}

namespace {

double item_of(const ArrayCore& array) {
    double value = 0;
    read_item(array, &value);
    return value;
}

ArrayCore extreme_of(Reduction kind, const ArrayCore& array) {
    return reduce({.kind = kind, .element = array.dtype, .result = array.dtype}, leaf(array), {});
}

// The weights as doubles, after a check that waits; and their largest.
struct CheckedWeights {
    ArrayCore weights;
    double largest = 0;
};
CheckedWeights checked_weights(const NodePointer& p, std::int64_t count) {
    if (!(p->shape == Shape{count})) {
        refuse("choice", "p has shape " + to_string(p->shape) + "; it needs a number for each of " +
                             std::to_string(count) + " elements");
    }
    CheckedWeights made{.weights = dense_value(p, DType::float64)};
    const double min_weight = item_of(extreme_of(Reduction::min, made.weights));
    made.largest = item_of(extreme_of(Reduction::max, made.weights));
    if (!(min_weight >= 0) || !std::isfinite(made.largest)) {
        refuse("choice", "p has elements from " + text_of(min_weight) + " to " + text_of(made.largest) +
                             "; they must be finite, and not negative");
    }
    if (made.largest == 0) refuse("choice", "all elements of p are 0");
    return made;
}

// The weights in proportion to the largest, as whole numbers whose sum is below 2^63: sums are then exact, and the same
// in every order.
ArrayCore chosen_with_replacement(Generator& from, const CheckedWeights& p, const Shape& shape) {
    const std::int64_t count = p.weights.shape[0];
    const double scale = std::ldexp(1, 63 - std::bit_width(static_cast<std::uint64_t>(count)));
    const auto both = [](Op op, const NodePointer& a, const NodePointer& b) {
        return node(op, DType::float64, DType::float64, a, b);
    };
    const NodePointer share = both(Op::divide, leaf(p.weights), real_number(p.largest));
    const NodePointer whole = node(Op::round, DType::float64, both(Op::multiply, share, real_number(scale)));
    const ArrayCore sums =
        cumulative(leaf(evaluate(cast_node(DType::uint64, whole))), DType::uint64, false, OptionalAxis());
    std::uint64_t total = 0;
    ArrayCore last = sums;
    last.offset += count - 1;
    last.shape = Shape{1};
    read_item(last, &total);
    return looked_up(DType::int64, sums, integers_in(from, DType::uint64, shape, 0, total), 0);
}

// The smallest of exponential numbers, each divided by its element's weight, in ascending order.
ArrayCore chosen_without_replacement(Generator& from, const CheckedWeights& p, const Shape& shape) {
    const std::int64_t count = p.weights.shape[0], wanted = shape.size();
    std::int64_t possible = 0;
    read_item(reduce({.kind = Reduction::count_nonzero, .element = DType::boolean, .result = DType::int64},
                     leaf(p.weights), {}),
              &possible);
    if (possible < wanted) {
        refuse("choice", std::to_string(wanted) + " elements without replacement, but p is above 0 for only " +
                             std::to_string(possible));
    }
    const NodePointer waits = leaf(random_exponential(from, DType::float64, Shape{count}, 1));
    const NodePointer zero = real_number(0), weights = leaf(p.weights);
    const auto both = [](Op op, const NodePointer& a, const NodePointer& b) {
        return node(op, DType::float64, DType::float64, a, b);
    };
    // An impossible element comes behind all others, even those whose quotient overflows.
    const NodePointer key =
        both(Op::minimum, both(Op::divide, waits, weights), real_number(std::numeric_limits<double>::max()));
    const NodePointer possible_at = node(Op::greater, DType::boolean, DType::float64, weights, zero);
    const NodePointer keys =
        where_node(DType::float64, possible_at, key, real_number(std::numeric_limits<double>::infinity()));
    ArrayCore order = argsort(keys, 0);
    order.shape = Shape{wanted};
    return reshaped(copy_of(order), TargetShape(shape));
}

}  // namespace

ArrayCore random_choice(Generator& from, std::int64_t count, const Shape& shape, bool replace,
                        const NodePointer& weights) {
    const std::int64_t wanted = shape.size();
    if (count < 0 || (count == 0 && wanted > 0)) {
        refuse("choice", std::to_string(wanted) + " of " + std::to_string(count) + " elements");
    }
    if (!replace && wanted > count) {
        refuse("choice", std::to_string(wanted) + " of " + std::to_string(count) +
                             " elements without replacement: there aren't as many");
    }
    if (count == 0) return make_array(DType::int64, shape);
    if (weights == nullptr) {
        if (replace) return integers_in(from, DType::int64, shape, 0, static_cast<std::uint64_t>(count));
        return reshaped(permuted_positions(from, count, wanted), TargetShape(shape));
    }
    const CheckedWeights p = checked_weights(weights, count);
    const DeviceGuard guard(device_of(p.weights));
    return replace ? chosen_with_replacement(from, p, shape) : chosen_without_replacement(from, p, shape);
}

ArrayCore random_chosen(Generator& from, const NodePointer& array, const Shape& shape, bool replace,
                        const NodePointer& weights) {
    if (array->shape.rank() == 0) throw ShapeError("choice: an array without axes has no elements to choose from");
    const ArrayCore source = array_value(array);
    const DeviceGuard guard(device_of(source));
    const ArrayCore positions = random_choice(from, array->shape[0], shape, replace, weights);
    return take(leaf(source), leaf(positions), {.axis = 0});
}

}  // namespace detail

namespace random {

Generator Generator::split() noexcept {
    const detail::PhiloxBlock block = detail::philox(seed_, offset_, detail::spawn_stream);
    skip(1);
    return Generator(static_cast<std::uint64_t>(block.words[1]) << 32 | block.words[0]);
}

std::vector<Generator> Generator::spawn(int count) {
    if (count < 0) throw Error("spawn: a count of " + std::to_string(count));
    std::vector<Generator> result;
    for (int k = 0; k < count; ++k) result.push_back(split());
    return result;
}

Generator& default_generator() {
    // A seed from the system for each thread: two unseeded threads draw different numbers.
    thread_local Generator generator = [] {
        std::random_device source;
        return Generator(static_cast<std::uint64_t>(source()) << 32 | source());
    }();
    return generator;
}

void seed(std::uint64_t value) { default_generator() = Generator(value); }

}  // namespace random
}  // namespace gpu

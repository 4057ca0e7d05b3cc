// SPDX-License-Identifier: MIT
#include <gpu/random.hpp>

#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <random>

#include <gpu/error.hpp>
#include <gpu/indexing.hpp>

#include "codegen/random_text.hpp"
#include "launch/generated_call.hpp"
#include "runtime/devices/registry.hpp"

namespace gpu {

namespace detail {

namespace {

using random::Generator;

// Calls a kernel that takes only numbers, over `count` elements at the start of `out`.
void launch_numbers(const ArrayCore& out, std::int64_t count, const char* type, const std::vector<RandomNumber>& names,
                    const std::vector<NodePointer>& values, std::string_view key,
                    std::function<ElementwiseText()> text) {
    ArrayCore groups = out;
    groups.shape = Shape{count};
    groups.strides = Strides{1};
    ElementwiseCall call{.device = current_device(),
                         .shape = groups.shape,
                         .bindings = {},
                         .key = key,
                         .text = std::move(text),
                         .needs = {.uses_index = true}};
    call.bindings.push_back({{Parameter::Role::output, type, "out", false}, out.dtype, &groups, nullptr});
    for (std::size_t k = 0; k < names.size(); ++k) {
        const Parameter parameter{Parameter::Role::scalar, std::string(kernel_name(names[k].dtype)), names[k].name,
                                  false};
        call.bindings.push_back({parameter, names[k].dtype, nullptr, values[k].get()});
    }
    launch_elementwise(call);
}

NodePointer whole_number(std::uint64_t value) { return scalar_node(DType::uint64, static_cast<std::int64_t>(value)); }
NodePointer real_number(double value) { return scalar_node(DType::float64, value); }

ArrayCore drawn(Generator& from, Draw draw, DType dtype, const Shape& shape, std::initializer_list<NodePointer> own) {
    ArrayCore result = make_array(dtype, shape);
    const std::int64_t size = result.shape.size();
    std::vector<NodePointer> values{whole_number(from.seed()), whole_number(from.offset()),
                                    scalar_node(DType::int64, size)};
    values.insert(values.end(), own);
    const int each = elements_per_block(draw, dtype);
    launch_numbers(result, size / each + (size % each != 0), random_group, random_numbers(draw, dtype), values,
                   std::string("random") + static_cast<char>('0' + static_cast<int>(draw)) + static_cast<char>(dtype),
                   [&] { return random_text(draw, dtype); });
    from.skip(static_cast<std::uint64_t>(size));
    return result;
}

// Rounded to the type; infinite if out of range.
double rounded(DType dtype, double value) {
    if (dtype == DType::float64) return value;
    if (dtype == DType::float32) return static_cast<float>(value);
    return static_cast<double>(static_cast<float>(half(static_cast<float>(value))));
}

// The type's largest number below `value`, which is one of its numbers.
double below(DType dtype, double value) {
    if (dtype == DType::float64) return std::nextafter(value, -INFINITY);
    if (dtype == DType::float32) return std::nextafter(static_cast<float>(value), -INFINITY);
    const auto bits = half(static_cast<float>(value)).bits();
    const bool negative = (bits & 0x8000u) != 0, zero = (bits & 0x7fffu) == 0;
    return half::from_bits(static_cast<std::uint16_t>(zero ? 0x8001u : negative ? bits + 1u : bits - 1u));
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
        const std::int64_t least = is_unsigned(dtype) ? 0 : -(std::int64_t{1} << (width - 1));
        const std::int64_t beyond = std::int64_t{1} << (is_unsigned(dtype) ? width : width - 1);
        if (low < least || high > beyond) refuse_range(low, high, "not all are " + std::string(name(dtype)));
    }
    const auto first = static_cast<std::uint64_t>(low);
    return integers_in(from, dtype, shape, first, static_cast<std::uint64_t>(high) - first);
}

ArrayCore random_unsigned(Generator& from, const Shape& shape, std::uint64_t low, std::uint64_t high) {
    if (low >= high) refuse_range(low, high, "there is none");
    return integers_in(from, DType::uint64, shape, low, high - low);
}

ArrayCore random_permutation(Generator& from, std::int64_t count) {
    if (count < 0) refuse("permutation", "a count of " + std::to_string(count));
    ArrayCore result = make_array(DType::int64, Shape{count});
    const PhiloxBlock key = philox(from.seed(), from.offset(), permutation_stream);
    from.skip(1);
    // More values than elements, and at least 256: in a network over few bits, rounds have little to mix.
    const int bits = std::max(8, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count))));
    launch_numbers(result, count, "long long", permutation_numbers(),
                   {scalar_node(DType::int64, count), scalar_node(DType::int32, std::int64_t{bits / 2}),
                    scalar_node(DType::int32, std::int64_t{bits - bits / 2}), whole_number(key.words[0]),
                    whole_number(key.words[1]), whole_number(key.words[2] | 1), whole_number(key.words[3] | 1)},
                   "permutation", permutation_text);
    return result;
}

ArrayCore random_permuted(Generator& from, const ArrayCore& array) {
    if (array.shape.rank() == 0) throw ShapeError("permutation: an array without axes has no order");
    const DeviceGuard guard(device_of(array));
    const ArrayCore order = random_permutation(from, array.shape[0]);
    if (array.shape.size() == 0) return copy_of(array);
    return take(leaf(array), leaf(order), {.axis = 0});
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

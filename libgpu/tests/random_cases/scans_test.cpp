// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "random_cases/cases.hpp"

// Random scans beside running sums in long double; of integers, in 64 bits.

namespace {

using namespace random_cases;

/// What a running combination is in the reference, and how far off a result may be.
template <class A>
using Wide = std::conditional_t<is_complex_type<A>, std::complex<Real>,
                                std::conditional_t<is_real<A>, Real, std::uint64_t>>;

template <class A, class T>
Wide<A> widened(const T& value) {
    if constexpr (is_complex_type<A> && is_complex_type<T>)
        return {static_cast<Real>(value.real()), static_cast<Real>(value.imag())};
    else if constexpr (is_real<T>) return static_cast<Wide<A>>(static_cast<double>(value));
    else if constexpr (std::is_same_v<Wide<A>, std::uint64_t>)
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    else return static_cast<Wide<A>>(value);
}

template <class A>
constexpr bool is_short_float = std::is_same_v<A, gpu::half> || std::is_same_v<A, gpu::bfloat16>;

/// A unit in the last place of 1, of the result's type.
template <class A>
constexpr Real unit() {
    return std::is_same_v<A, gpu::half>       ? 0x1p-11L
           : std::is_same_v<A, gpu::bfloat16> ? 0x1p-8L
           : sizeof(A) / (is_complex_type<A> ? 2 : 1) == 4 ? 0x1p-24L
                                                           : 0x1p-53L;
}
/// The same of the type that is computed in: halves accumulate as floats.
template <class A>
constexpr Real working_unit() {
    return is_short_float<A> ? 0x1p-24L : unit<A>();
}

/// The roundings between an element and a result that it is part of: of 16 elements each, level by level.
Real roundings(std::int64_t n) { return 20 * (1 + std::log2(static_cast<Real>(n + 1)) / 4); }

template <class A>
bool is_close(const Held<A>& got, const Wide<A>& want, Real error) {
    if constexpr (is_complex_type<A>) {
        return std::abs(std::complex<Real>(got.real(), got.imag()) - want) <= error;
    } else if constexpr (is_real<A>) {
        const auto value = static_cast<Real>(static_cast<double>(got));
        if (std::isnan(want)) return std::isnan(value);
        if (std::isinf(want)) return value == want;
        if (is_short_float<A>) {
            constexpr bool is_half = std::is_same_v<A, gpu::half>;
            error += std::fabs(want) * unit<A>() + (is_half ? 0x1p-25L : 0);
            constexpr Real largest = is_half ? 65504 : 0x1.fep127L;
            if (std::isinf(value)) return std::fabs(want) + error >= largest && (value > 0) == (want > 0);
        }
        return std::fabs(value - want) <= error;
    } else {
        return static_cast<std::uint64_t>(got) == want;
    }
}

enum class Numbers { any, near_one, special };

/// Numbers whose sums stay finite; near 1 so that products do; or with infinities, NaN and zeros of either sign.
template <class T>
Held<T> drawn_number(Numbers kind, std::int64_t n, Random& draw) {
    const auto real = [&]() -> double {
        if (kind == Numbers::near_one) {
            const double spread = 4.0 / static_cast<double>(n + 4);
            return (draw.chance(50) ? 1 : -1) * (1 + spread * (2 * draw.unit() - 1));
        }
        if (kind == Numbers::special && draw.chance(20)) {
            constexpr double list[] = {0, -0.0, std::numeric_limits<double>::infinity(),
                                       std::numeric_limits<double>::quiet_NaN()};
            return (draw.chance(50) ? 1 : -1) * list[draw.below(4)];
        }
        return 2 * draw.unit() - (draw.chance(80) ? 1 : 0);
    };
    if constexpr (std::is_same_v<T, bool>) return draw.chance(50);
    else if constexpr (is_complex_type<T>) {
        if (kind != Numbers::near_one) return T(static_cast<typename T::value_type>(real()),
                                                static_cast<typename T::value_type>(real()));
        const double size = std::fabs(real()), angle = 6.3 * draw.unit();
        return T(static_cast<typename T::value_type>(size * std::cos(angle)),
                 static_cast<typename T::value_type>(size * std::sin(angle)));
    } else if constexpr (is_real<T>) return static_cast<T>(static_cast<float>(real()));
    else return static_cast<T>(draw.next());
}

template <class T>
Input<T> drawn_numbers(Numbers kind, const gpu::Shape& shape, std::int64_t n, Case& one) {
    std::vector<Held<T>> values;
    for (std::int64_t k = 0; k < shape.size(); ++k) values.push_back(drawn_number<T>(kind, n, one.draw));
    Input<T> made = input_of<T>(shape, std::move(values), one);
    made.text = std::string(gpu::name(gpu::dtype_of<T>)) + ' ' + gpu::to_string(shape) + ", " + made.text;
    return made;
}

template <class A>
Real size_of_number(const Wide<A>& value) {
    if constexpr (std::is_same_v<Wide<A>, std::uint64_t>) return 0;
    else return static_cast<Real>(std::abs(value));
}

/// Compares each line with a running combination. `starts` says where it begins again; it may be empty.
template <class A, class T>
std::string problem_of_sums(const ArrayCore& got, const gpu::Shape& shape, const LinesAlong& lines,
                            const std::vector<Held<T>>& values, bool product, const std::vector<char>& starts = {}) {
    std::string problem = problem_of_form<A>(got, shape);
    if (!problem.empty()) return problem;
    const std::vector<Held<A>> results = on_host<A>(got);
    for (std::int64_t line = 0; line < lines.count; ++line) {
        Wide<A> running = product ? 1 : 0;
        Real sizes = 0;
        std::int64_t length = 0;
        for (std::int64_t k = 0; k < lines.n; ++k, ++length) {
            if (!starts.empty() && starts[static_cast<std::size_t>(k)] != 0) {
                running = product ? 1 : 0;
                sizes = 0;
                length = 0;
            }
            const Wide<A> value = widened<A>(static_cast<T>(values[lines.at(line, k)]));
            if (product) running *= value;
            else running += value;
            sizes += size_of_number<A>(value);
            const Real error = product ? 3 * static_cast<Real>(length + 1) * size_of_number<A>(running)
                                       : roundings(length) * sizes;
            const std::size_t at = lines.at(line, k);
            if (!is_close<A>(results[at], running, error * working_unit<A>()))
                return "element " + std::to_string(k) + " of line " + std::to_string(line) + " is wrong";
        }
    }
    return {};
}

template <class T>
std::string sums_of(Case& one) {
    using A = gpu::detail::SumOf<T>;
    const bool product = one.plan.chance(40), is_flat = one.plan.chance(25);
    const int rank = 1 + one.plan.below(4), axis = one.plan.below(rank);
    const gpu::Shape shape = drawn_shape(one, rank, axis);
    const gpu::Shape made = is_flat ? gpu::Shape{shape.size()} : shape;
    const LinesAlong lines(made, is_flat ? 0 : axis);
    const Numbers kind = product ? Numbers::near_one : one.draw.chance(20) && !is_complex_type<T> ? Numbers::special
                                                                                                  : Numbers::any;
    const Input<T> x = drawn_numbers<T>(kind, shape, lines.n, one);
    const gpu::OptionalAxis along =
        is_flat ? gpu::OptionalAxis{} : gpu::OptionalAxis(written_axis(one.draw, axis, rank));
    one.text = std::string(product ? "cumprod" : "cumsum") +
               (is_flat ? ", flat: " : " along axis " + std::to_string(axis) + ": ") + x.text;
    const ArrayCore got = gpu::detail::cumulative(x.node(), gpu::dtype_of<A>, product, along);
    return problem_of_sums<A, T>(got, made, lines, x.values, product);
}

std::string sums_call(Case& one) {
    const auto type = static_cast<DType>(one.plan.below(gpu::detail::dtype_count));
    return property::with_type(type, [&]<class T>(property::Type<T>) { return sums_of<T>(one); });
}

/// The largest or smallest so far, from the first NaN on NaN: exactly.
template <class T>
std::string extremes_of(Case& one) {
    const bool largest = one.plan.chance(50);
    const int rank = 1 + one.plan.below(3), axis = one.plan.below(rank);
    const gpu::Shape shape = drawn_shape(one, rank, axis);
    const Input<T> x = drawn_input<T>(shape, one);
    one.text = std::string(largest ? "cummax" : "cummin") + " along axis " + std::to_string(axis) + ": " + x.text;
    const ArrayCore got = gpu::detail::scan_by(
        {.name = largest ? "cummax" : "cummin",
         .operation = largest ? gpu::detail::running_maximum : gpu::detail::running_minimum,
         .result = gpu::dtype_of<T>},
        x.node(), axis);
    std::string problem = problem_of_form<T>(got, shape);
    if (!problem.empty()) return problem;
    const std::vector<Held<T>> results = on_host<T>(got);
    const LinesAlong lines(shape, axis);
    for (std::int64_t line = 0; line < lines.count; ++line) {
        for (std::int64_t k = 0, best = 0; k < lines.n; ++k) {
            const Held<T>&now = x.values[lines.at(line, k)], &before = x.values[lines.at(line, best)];
            if (!is_nan(before) && (is_nan(now) || (largest ? before < now : now < before))) best = k;
            const Held<T>&want = x.values[lines.at(line, best)], &is = results[lines.at(line, k)];
            if (!(is == want || (is_nan(is) && is_nan(want))))
                return "element " + std::to_string(k) + " of line " + std::to_string(line) + " is wrong";
        }
    }
    return {};
}

std::string extremes_call(Case& one) {
    const auto type = static_cast<DType>(one.plan.below(gpu::detail::dtype_count - 2));
    return property::with_type(type, [&]<class T>(property::Type<T>) -> std::string {
        if constexpr (is_complex_type<T>) return "a complex type has no order";
        else return extremes_of<T>(one);
    });
}

// x -> m x + c (mod 97) as 100 m + c: "first a, then b" is associative and not commutative.
constexpr const char* composition = "(a / 100 * (b / 100) % 97) * 100 + (b / 100 * (a % 100) + b % 100) % 97";
std::int64_t composed(std::int64_t a, std::int64_t b) {
    return (a / 100 * (b / 100) % 97) * 100 + (b / 100 * (a % 100) + b % 100) % 97;
}

std::string operations_call(Case& one) {
    const bool is_exclusive = one.plan.chance(50);
    const int rank = 1 + one.plan.below(3), axis = one.plan.below(rank);
    const gpu::Shape shape = drawn_shape(one, rank, axis);
    std::vector<std::int64_t> values;
    for (std::int64_t k = 0; k < shape.size(); ++k)
        values.push_back(one.draw.between(0, 96) * 100 + one.draw.between(0, 96));
    const Input<std::int64_t> x = input_of<std::int64_t>(shape, values, one);
    const std::int64_t init = one.draw.between(0, 96) * 100 + one.draw.between(0, 96);
    one.text = std::string(is_exclusive ? "exclusive_scan" : "scan") + " of compositions along axis " +
               std::to_string(axis) + " of " + gpu::to_string(shape) + ", " + x.text;
    gpu::detail::ScanRequest request{.operation = composition, .result = DType::int64};
    if (is_exclusive) {
        request.name = "exclusive_scan";
        request.init = gpu::detail::scalar_node(DType::int64, init);
    }
    const ArrayCore got = gpu::detail::scan_by(request, x.node(), written_axis(one.draw, axis, rank));
    std::vector<std::int64_t> want(values.size());
    const LinesAlong lines(shape, axis);
    for (std::int64_t line = 0; line < lines.count; ++line) {
        std::int64_t running = init;
        for (std::int64_t k = 0; k < lines.n; ++k) {
            const std::size_t at = lines.at(line, k);
            const std::int64_t next = k == 0 && !is_exclusive ? values[at] : composed(running, values[at]);
            want[at] = is_exclusive ? running : next;
            running = next;
        }
    }
    return problem_of_bits<std::int64_t>(got, shape, want);
}

/// Sums of runs of equal keys: all of them, or up to each element.
template <class T>
std::string runs_of(Case& one) {
    using A = gpu::detail::SumOf<T>;
    const bool reduces = one.plan.chance(50), has_real_keys = one.plan.chance(40);
    const int rank = 1 + one.plan.below(3);
    gpu::Shape shape = drawn_shape(one, rank, 0);
    const std::int64_t n = shape[0], mean_length = std::int64_t{1} << one.draw.between(0, 12);
    std::vector<float> keys;
    std::vector<char> starts;
    for (std::int64_t k = 0; k < n; ++k) {
        const bool changes = k == 0 || one.draw.between(1, mean_length) == 1;
        keys.push_back(!changes                                ? keys.back()
                       : one.draw.chance(5) && has_real_keys   ? static_cast<float>(property::not_a_number)
                                                               : static_cast<float>(one.draw.between(-3, 3)));
        // A NaN equals nothing.
        const bool differs = k == 0 || !(keys[static_cast<std::size_t>(k) - 1] == keys.back());
        starts.push_back(differs ? 1 : 0);
    }
    const Input<T> x = drawn_numbers<T>(Numbers::any, shape, n, one);
    const gpu::Shape length{n};
    std::vector<std::int32_t> whole;
    for (const float key : keys) whole.push_back(key == key ? static_cast<std::int32_t>(key) : 0);
    const Input<float> real_keys = input_of<float>(length, keys, one);
    const Input<std::int32_t> whole_keys = input_of<std::int32_t>(length, whole, one);
    one.text = std::string(reduces ? "reduce_by_key" : "scan_by_key") + ", runs of about " +
               std::to_string(mean_length) + ", values " + x.text;
    const auto& key_node = has_real_keys ? real_keys.node() : whole_keys.node();
    const gpu::detail::ScanRequest request{.name = reduces ? "reduce_by_key" : "scan_by_key",
                                           .operation = "a + b",
                                           .result = gpu::dtype_of<A>};
    if (!reduces) {
        return problem_of_sums<A, T>(gpu::detail::scan_by_key(request, key_node, x.node()), shape,
                                     LinesAlong(shape, 0), x.values, false, starts);
    }
    const gpu::detail::KeyedCores got = gpu::detail::reduce_by_key(request, key_node, x.node());
    std::vector<std::int64_t> ends;
    for (std::int64_t k = 0; k < n; ++k)
        if (k + 1 == n || starts[static_cast<std::size_t>(k) + 1] != 0) ends.push_back(k);
    const gpu::Shape runs{static_cast<std::int64_t>(ends.size())};
    if (has_real_keys) {
        std::vector<float> want;
        for (const std::int64_t end : ends) want.push_back(real_keys.values[static_cast<std::size_t>(end)]);
        const std::string problem = problem_of_bits<float>(got.keys, runs, want);
        if (!problem.empty()) return "keys: " + problem;
    }
    // As a scan of which only the ends are compared: the others take what the reference has there.
    gpu::Shape reduced = shape;
    reduced[0] = runs[0];
    std::string problem = problem_of_form<A>(got.values, reduced);
    if (!problem.empty()) return problem;
    const std::vector<Held<A>> results = on_host<A>(got.values);
    const LinesAlong lines(shape, 0), made(reduced, 0);
    for (std::int64_t line = 0; line < lines.count; ++line) {
        std::int64_t k = 0;
        for (std::int64_t run = 0; run < runs[0]; ++run) {
            Wide<A> sum = 0;
            Real sizes = 0;
            const std::int64_t first = k, end = ends[static_cast<std::size_t>(run)];
            for (; k <= end; ++k) {
                const Wide<A> value = widened<A>(static_cast<T>(x.values[lines.at(line, k)]));
                sum += value;
                sizes += size_of_number<A>(value);
            }
            if (!is_close<A>(results[made.at(line, run)], sum, roundings(end - first) * sizes * working_unit<A>()))
                return "the sum of run " + std::to_string(run) + " of line " + std::to_string(line) + " is wrong";
        }
    }
    return {};
}

std::string runs_call(Case& one) {
    constexpr DType types[] = {DType::boolean, DType::int32,   DType::uint8,     DType::int64,
                               DType::float16, DType::float32, DType::float64,   DType::complex64};
    return property::with_type(types[one.plan.below(8)],
                               [&]<class T>(property::Type<T>) { return runs_of<T>(one); });
}

}  // namespace

TEST_CASE("random cumulative sums and products") { check_cases("sums", sums_call); }

TEST_CASE("random largest and smallest elements so far") { check_cases("extremes so far", extremes_call); }

TEST_CASE("random scans by an operation that isn't commutative") { check_cases("operations", operations_call); }

TEST_CASE("random scans and sums of runs of keys") { check_cases("runs of keys", runs_call); }

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <gpu/error.hpp>

#include "random_cases/cases.hpp"

// Random counts: of whole numbers, and in bins of equal width.

namespace {

using namespace random_cases;
using Counts = std::vector<std::int64_t>;

enum class Spread { even, skewed, equal, ascending, two_ends };
constexpr int spread_count = 5;

/// Numbers from 0 to `top`.
template <class T>
std::vector<Held<T>> drawn_counts(Spread spread, std::int64_t count, std::uint64_t top, Random& draw) {
    std::vector<Held<T>> values;
    const std::uint64_t common = draw.next() % (top + 1);
    for (std::int64_t k = 0; k < count; ++k) {
        std::uint64_t value = draw.next() % (top + 1);
        if (spread == Spread::equal || (spread == Spread::skewed && draw.chance(95))) value = common;
        if (spread == Spread::two_ends) value = value % 2 == 0 ? 0 : top;
        values.push_back(static_cast<Held<T>>(value));
    }
    if (spread == Spread::ascending) std::sort(values.begin(), values.end());
    return values;
}

template <class T>
std::string bincount_of(Case& one) {
    const bool weighted = one.plan.chance(35) , has_minlength = one.plan.chance(40);
    const std::int64_t n = drawn_length(one.draw, one.max_elements);
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    constexpr std::uint64_t tops[] = {0, 1, 9, 100, 255, 256, 4095, 6143, 6144, 12287, 12288, 40000, 150000};
    const std::uint64_t top = std::min(largest, tops[one.draw.below(13)]);
    const auto spread = static_cast<Spread>(one.draw.below(spread_count));
    const std::int64_t minlength = has_minlength ? one.draw.between(0, 20000) : 0;
    std::vector<Held<T>> values = drawn_counts<T>(spread, n, top, one.draw);
    // One element that is no count is an error that names it.
    std::int64_t refused = 0;
    if constexpr (std::is_signed_v<T>) {
        if (n > 0 && one.draw.chance(10)) {
            refused = one.draw.chance(50) ? -1 : static_cast<std::int64_t>(std::numeric_limits<T>::min());
            values[static_cast<std::size_t>(one.draw.between(0, n - 1))] = static_cast<Held<T>>(refused);
        }
    }
    const Input<T> x = input_of<T>(gpu::Shape{n}, values, one);
    std::vector<float> amounts;
    for (std::int64_t k = 0; k < n; ++k) amounts.push_back(static_cast<float>(2 * one.draw.unit() - 0.5));
    const Input<float> weights = input_of<float>(gpu::Shape{n}, amounts, one);
    one.text = "bincount of " + std::to_string(n) + ' ' + std::string(gpu::name(gpu::dtype_of<T>)) + " up to " +
               std::to_string(top) + ", spread " + std::to_string(static_cast<int>(spread)) + ", minlength " +
               std::to_string(minlength) + (weighted ? ", weighted, " : ", ") + x.text;
    const auto call = [&] {
        return gpu::detail::bincount(x.node(), weighted ? weights.node() : nullptr, minlength);
    };
    if (refused < 0) {
        try {
            (void)call();
        } catch (const gpu::IndexError& error) {
            const bool names_it = std::string(error.what()).find(' ' + std::to_string(refused) + ';') !=
                                  std::string::npos;
            return names_it ? std::string() : std::string("the message is: ") + error.what();
        }
        return "an element of " + std::to_string(refused) + " is counted";
    }
    std::int64_t bins = minlength;
    for (const Held<T> value : values) bins = std::max(bins, static_cast<std::int64_t>(value) + 1);
    Counts counts(static_cast<std::size_t>(bins));
    std::vector<Real> sums(counts.size()), sizes(counts.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
        const auto bin = static_cast<std::size_t>(values[k]);
        ++counts[bin];
        sums[bin] += amounts[k];
        sizes[bin] += std::fabs(amounts[k]);
    }
    const ArrayCore got = call();
    if (!weighted) return problem_of_bits<std::int64_t>(got, gpu::Shape{bins}, counts);
    std::string problem = problem_of_form<double>(got, gpu::Shape{bins});
    if (!problem.empty()) return problem;
    const std::vector<double> results = on_host<double>(got);
    return first_wrong(results.size(), [&](std::size_t k) {
        return std::fabs(results[k] - sums[k]) <= static_cast<Real>(counts[k]) * sizes[k] * 0x1p-53L;
    });
}

std::string bincount_call(Case& one) {
    constexpr DType types[] = {DType::boolean, DType::int8,  DType::int16,  DType::int32, DType::int64,
                               DType::uint8,   DType::uint16, DType::uint32, DType::uint64};
    return property::with_type(types[one.plan.below(9)], [&]<class T>(property::Type<T>) -> std::string {
        if constexpr (std::is_integral_v<T>) return bincount_of<T>(one);
        else return "a type that isn't counted";
    });
}

template <class T>
Held<T> drawn_real(double scale, Random& draw, bool has_specials) {
    if constexpr (std::is_same_v<T, bool>) {
        return draw.chance(50) ? 1 : 0;
    } else if constexpr (std::is_integral_v<T>) {
        const auto whole = draw.between(-200, 200);
        return static_cast<T>(std::is_signed_v<T> ? whole : std::abs(whole));
    } else {
        if (has_specials && draw.chance(3)) {
            constexpr double list[] = {std::numeric_limits<double>::quiet_NaN(), -0.0,
                                       std::numeric_limits<double>::infinity()};
            return static_cast<T>((draw.chance(50) ? 1 : -1) * list[draw.below(3)]);
        }
        return static_cast<T>(scale * (draw.unit() - 0.3));
    }
}

/// Counts agree with the edges that come with them, and these are where they belong.
template <class T>
std::string histogram_of(Case& one) {
    using Edge = gpu::detail::Floating<T>;
    const bool has_range = one.plan.chance(60), is_equal = one.draw.chance(10);
    const int rank = 1 + one.plan.below(3);
    const gpu::Shape shape = drawn_shape(one, rank, one.plan.below(rank));
    const double scale = std::ldexp(1.0, static_cast<int>(one.draw.between(-6, 9)));
    std::vector<Held<T>> values;
    for (std::int64_t k = 0; k < shape.size(); ++k) {
        const bool is_again = k > 0 && (is_equal || one.draw.chance(30));
        values.push_back(is_again ? values.front() : drawn_real<T>(scale, one.draw, has_range));
    }
    constexpr std::int64_t few[] = {1, 2, 10, 64, 256, 1000, 6143, 12287, 12288, 20000};
    const std::int64_t bins = few[one.draw.below(10)];
    const double low = scale * (one.draw.unit() - 0.5),
                 high = one.draw.chance(10) ? low : low + scale * one.draw.unit();
    const Input<T> x = input_of<T>(shape, values, one);
    one.text = "histogram of " + std::string(gpu::name(gpu::dtype_of<T>)) + ' ' + gpu::to_string(shape) + ", " +
               std::to_string(bins) + " bins" +
               (has_range ? " from " + std::to_string(low) + " to " + std::to_string(high) + ", " : ", ") + x.text;
    gpu::HistogramOptions options{.bins = bins};
    if (has_range) options.range = {low, high};
    const gpu::detail::HistogramCores got = gpu::detail::histogram(gpu::dtype_of<Edge>, x.node(), options);
    std::string problem = problem_of_form<std::int64_t>(got.counts, gpu::Shape{bins});
    if (problem.empty()) problem = problem_of_form<Edge>(got.edges, gpu::Shape{bins + 1});
    if (!problem.empty()) return problem;
    const std::vector<std::int64_t> counts = on_host<std::int64_t>(got.counts);
    std::vector<Real> edges;
    for (const auto edge : on_host<Edge>(got.edges)) edges.push_back(static_cast<Real>(static_cast<double>(edge)));

    Real first = low, last = high;
    if (!has_range) {
        first = property::infinity, last = -property::infinity;
        for (const auto value : values) {
            first = std::fmin(first, static_cast<Real>(static_cast<double>(value)));
            last = std::fmax(last, static_cast<Real>(static_cast<double>(value)));
        }
        if (values.empty()) first = 0, last = 1;
    }
    if (first == last) first -= 0.5L, last += 0.5L;
    const Real unit = std::is_same_v<Edge, gpu::half> ? 0x1p-11L : std::is_same_v<Edge, float> ? 0x1p-24L : 0x1p-51L;
    const Real within = unit * std::fmax(std::fabs(first), std::fabs(last)) + 0x1p-50L * std::fabs(last - first);
    problem = first_wrong(edges.size(), [&](std::size_t k) {
        const Real want = first + (last - first) * static_cast<Real>(k) / static_cast<Real>(bins);
        return std::fabs(edges[k] - want) <= within + 0x1p-25L * (std::is_same_v<Edge, gpu::half> ? 1 : 0);
    });
    if (!problem.empty()) return "edges: " + problem;
    Counts want(counts.size());
    for (const auto value : values) {
        const auto place = static_cast<Real>(static_cast<double>(value));
        if (!(place >= edges.front() && place <= edges.back())) continue;
        const auto above = std::upper_bound(edges.begin(), edges.end() - 1, place);
        ++want[static_cast<std::size_t>(above - edges.begin()) - 1];
    }
    return first_wrong(counts.size(), [&](std::size_t k) { return counts[k] == want[k]; });
}

std::string histogram_call(Case& one) {
    constexpr DType types[] = {DType::float32, DType::float64, DType::float16, DType::int32, DType::uint8,
                               DType::int64,   DType::float32, DType::boolean};
    return property::with_type(types[one.plan.below(8)], [&]<class T>(property::Type<T>) -> std::string {
        if constexpr (is_complex_type<T>) return "a complex type has no order";
        else return histogram_of<T>(one);
    });
}

}  // namespace

TEST_CASE("random counts of whole numbers, and sums of weights") { check_cases("bincount", bincount_call); }

TEST_CASE("random histograms") { check_cases("histogram", histogram_call); }

// SPDX-License-Identifier: MIT
// Sorts, scans, selections, histograms, and functions of rows and columns. Results are compared on the host, in double.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "bench.hpp"
#include "checks.hpp"
#include "computed_row.hpp"

namespace bench {

namespace {

using Positions = gpu::Array<std::int64_t>;
using Mask = gpu::Array<bool>;

/// A number that depends on which elements there are, not on their order.
template <class T>
std::uint64_t contents(const std::vector<T>& elements) {
    std::uint64_t sum = 0;
    for (const T& element : elements) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &element, sizeof element);
        bits = (bits ^ bits >> 31) * 0x9E3779B97F4A7C15U;
        sum += bits ^ bits >> 29;
    }
    return sum;
}

template <class T>
std::string wrong_sort(const gpu::Array<T>& x, const gpu::Array<T>& sorted) {
    const std::vector<T> before = gpu::to_host(x), after = gpu::to_host(sorted);
    if (before.size() != after.size() || contents(before) != contents(after)) return "other elements than before";
    const std::int64_t columns = x.shape()[x.shape().rank() - 1];
    return count_wrong(x.size(), [&](std::int64_t i) {
        const auto k = static_cast<std::size_t>(i);
        return i % columns == 0 || after[k - 1] <= after[k];
    });
}

std::string wrong_argsort(const Floats& x, const Positions& order) {
    const std::vector<float> values = gpu::to_host(x);
    const std::vector<std::int64_t> places = gpu::to_host(order);
    std::vector<bool> seen(values.size());
    return count_wrong(x.size(), [&](std::int64_t i) {
        const auto k = static_cast<std::size_t>(i);
        const auto place = static_cast<std::size_t>(places[k]);
        if (place >= values.size() || seen[place]) return false;
        seen[place] = true;
        if (i == 0) return true;
        const float last = values[static_cast<std::size_t>(places[k - 1])], next = values[place];
        return last < next || (last == next && places[k - 1] < places[k]);
    });
}

std::string wrong_cumsum(const Floats& x, const Floats& sums, std::int64_t n, std::int64_t inner) {
    const std::vector<float> values = gpu::to_host(x), got = gpu::to_host(sums);
    std::vector<double> running(static_cast<std::size_t>(inner));
    return count_wrong(x.size(), [&](std::int64_t i) {
        double& sum = running[static_cast<std::size_t>(i % inner)];
        if (i / inner % n == 0) sum = 0;
        sum += values[static_cast<std::size_t>(i)];
        return is_near(got[static_cast<std::size_t>(i)], sum, 1e-5);
    });
}

struct Masked {
    Floats x;
    Mask mask;
};
Masked masked(std::int64_t n, float from) {
    Floats x = gpu::random::uniform<float>({n});
    Mask mask = x > from;
    return {std::move(x), std::move(mask)};
}

std::vector<std::int64_t> true_places(const Mask& mask) {
    const auto host = gpu::to_host(mask);
    std::vector<std::int64_t> places;
    for (std::size_t i = 0; i < host.size(); ++i)
        if (host[i]) places.push_back(static_cast<std::int64_t>(i));
    return places;
}

std::string wrong_selection(const Masked& given, const Floats& kept) {
    const std::vector<std::int64_t> places = true_places(given.mask);
    const std::vector<float> x = gpu::to_host(given.x), got = gpu::to_host(kept);
    if (got.size() != places.size())
        return std::to_string(got.size()) + " elements, not " + std::to_string(places.size());
    return count_wrong(kept.size(), [&](std::int64_t i) {
        const auto k = static_cast<std::size_t>(i);
        return got[k] == x[static_cast<std::size_t>(places[k])];
    });
}

std::string wrong_places(const Mask& mask, const Positions& got) {
    return gpu::to_host(got) == true_places(mask) ? "" : "other positions than the mask's";
}

std::string wrong_counts(const gpu::Array<int>& x, const Positions& counts, int bins) {
    std::vector<std::int64_t> expected(static_cast<std::size_t>(bins));
    for (const int value : gpu::to_host(x)) ++expected[static_cast<std::size_t>(value)];
    return gpu::to_host(counts) == expected ? "" : "other counts than the host's";
}

std::string wrong_histogram(const Floats& x, const gpu::Histogram<float>& made) {
    const std::vector<float> edges = gpu::to_host(made.edges);
    std::vector<std::int64_t> expected(edges.size() - 1);
    for (const float value : gpu::to_host(x)) {
        const auto above = std::upper_bound(edges.begin(), edges.end() - 1, value);
        ++expected[static_cast<std::size_t>(above - edges.begin()) - 1];
    }
    return gpu::to_host(made.counts) == expected ? "" : "other counts than the host's";
}

Floats line(std::int64_t n) { return gpu::random::uniform<float>({n}); }
Floats square(std::int64_t n) { return gpu::random::uniform<float>({root_of(n), n / root_of(n)}); }
gpu::Array<int> integers(std::int64_t n, int below) { return gpu::random::integers<int>({n}, 0, below); }

/// A function of each line along an axis of a matrix, in double.
using LineFunction = void (*)(std::vector<double>& line);
void softmax_of(std::vector<double>& line) {
    const double largest = *std::max_element(line.begin(), line.end());
    double sum = 0;
    for (double& value : line) sum += value = std::exp(value - largest);
    for (double& value : line) value /= sum;
}
void standardised(std::vector<double>& line) {
    double mean = 0, squares = 0;
    for (const double value : line) mean += value / static_cast<double>(line.size());
    for (const double value : line) squares += (value - mean) * (value - mean);
    const double deviation = std::sqrt(squares / static_cast<double>(line.size()));
    for (double& value : line) value = (value - mean) / deviation;
}

std::string wrong_lines(const Floats& x, const Floats& result, int axis, LineFunction function) {
    const std::vector<float> values = gpu::to_host(x), got = gpu::to_host(result);
    const auto rows = static_cast<std::size_t>(x.shape()[0]), columns = static_cast<std::size_t>(x.shape()[1]);
    const std::size_t lines = axis == 1 ? rows : columns, n = axis == 1 ? columns : rows;
    std::string wrong;
    std::vector<double> line(n);
    for (std::size_t k = 0; k < lines && wrong.empty(); ++k) {
        const auto at = [&](std::size_t i) { return axis == 1 ? k * columns + i : i * columns + k; };
        for (std::size_t i = 0; i < n; ++i) line[i] = values[at(i)];
        function(line);
        wrong = count_wrong(static_cast<std::int64_t>(n), [&](std::int64_t i) {
            const auto place = static_cast<std::size_t>(i);
            return std::abs(got[at(place)] - line[place]) <= 1e-6 + 2e-5 * std::abs(line[place]);
        });
    }
    return wrong;
}

/// The rows or columns of a matrix, as one fused function.
template <int axis>
Floats standardise(const Floats& x) {
    static const auto fused = gpu::fuse([](auto a) {
        return (a - gpu::mean(a, {.axis = axis, .keepdims = true})) / gpu::stddev(a, {.axis = axis, .keepdims = true});
    });
    return fused(x);
}

}  // namespace

std::vector<Row> order_rows() {
    constexpr std::int64_t small = std::int64_t{1} << 20, large = std::int64_t{1} << 28;
    const auto sorted = [](const auto& x) { return gpu::sort(x); };
    const auto places = [](const Floats& x) { return gpu::argsort(x); };
    const auto kept = [](const Masked& given) { return gpu::compress(given.mask, given.x); };
    const auto counted = [](const gpu::Array<int>& x) { return gpu::bincount(x); };
    constexpr int many = 1 << 20;
    return {
        row("order/sort", {.largest = large}, line, sorted, wrong_sort<float>),
        row("order/sort_1048576", {.size = small}, line, sorted, wrong_sort<float>),
        row("order/sort_integers", {}, [](std::int64_t n) { return integers(n, 1 << 30); }, sorted, wrong_sort<int>),
        row("order/sort_doubles", {}, [](std::int64_t n) { return gpu::random::uniform<double>({n / 4}); }, sorted,
            wrong_sort<double>),
        row("order/sort_rows", {}, square, sorted, wrong_sort<float>),
        row("order/argsort", {.largest = large / 8}, line, places, wrong_argsort),
        row("order/argsort_1048576", {.size = small}, line, places, wrong_argsort),
        row("order/cumsum", {.bytes_per_element = 8, .largest = large}, line,
            [](const Floats& x) { return gpu::cumsum(x); },
            [](const Floats& x, const Floats& sums) { return wrong_cumsum(x, sums, x.size(), 1); }),
        row("order/cumsum_axis_0", {.bytes_per_element = 8}, square,
            [](const Floats& x) { return gpu::cumsum(x, {.axis = 0}); },
            [](const Floats& x, const Floats& sums) { return wrong_cumsum(x, sums, x.shape()[0], x.shape()[1]); }),
        row("order/cumsum_axis_1", {.bytes_per_element = 8}, square,
            [](const Floats& x) { return gpu::cumsum(x, {.axis = 1}); },
            [](const Floats& x, const Floats& sums) { return wrong_cumsum(x, sums, x.shape()[1], 1); }),
        row("order/compress_half", {.bytes_per_element = 7, .largest = large},
            [](std::int64_t n) { return masked(n, 0.5F); }, kept, wrong_selection),
        row("order/compress_few", {.bytes_per_element = 1}, [](std::int64_t n) { return masked(n, 0.999F); }, kept,
            wrong_selection),
        row("order/flatnonzero", {.bytes_per_element = 5, .largest = large},
            [](std::int64_t n) { return masked(n, 0.5F).mask; },
            [](const Mask& mask) { return gpu::flatnonzero(mask); }, wrong_places),
        row("order/bincount_256", {.bytes_per_element = 4, .largest = large},
            [](std::int64_t n) { return integers(n, 256); }, counted,
            [](const gpu::Array<int>& x, const Positions& counts) { return wrong_counts(x, counts, 256); }),
        row("order/bincount_skewed", {.bytes_per_element = 4},
            [](std::int64_t n) {
                gpu::Array<int> x = integers(n, 256);
                x(gpu::slice(0, n - n / 16)) = 255;
                return x;
            },
            counted, [](const gpu::Array<int>& x, const Positions& counts) { return wrong_counts(x, counts, 256); }),
        row("order/bincount_1048576", {.size = std::int64_t{1} << 26},
            [](std::int64_t n) {
                gpu::Array<int> x = integers(n, many);
                x(0) = many - 1;
                return x;
            },
            counted, [](const gpu::Array<int>& x, const Positions& counts) { return wrong_counts(x, counts, many); }),
        row("order/histogram_100", {.bytes_per_element = 4, .largest = large}, line,
            [](const Floats& x) { return gpu::histogram(x, {.bins = 100}); }, wrong_histogram),
        row("rows/softmax", {.bytes_per_element = 8, .largest = large}, square,
            [](const Floats& x) { return gpu::softmax(x, {.axis = 1}); },
            [](const Floats& x, const Floats& y) { return wrong_lines(x, y, 1, softmax_of); }),
        row("rows/standardise", {.bytes_per_element = 8}, square, standardise<1>,
            [](const Floats& x, const Floats& y) { return wrong_lines(x, y, 1, standardised); }),
        row("rows/standardise_columns", {.bytes_per_element = 8}, square, standardise<0>,
            [](const Floats& x, const Floats& y) { return wrong_lines(x, y, 0, standardised); }),
    };
}

}  // namespace bench

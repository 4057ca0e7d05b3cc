// SPDX-License-Identifier: MIT
// Sorts, scans, selections, histograms, and functions of rows and columns; sorts, scans and masks of random shapes.
// Results are compared on the host, in double.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
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

// Along the last axis, or with `inner` elements from one of a line to its next.
template <class T>
std::string wrong_lines_of_sort(const gpu::Array<T>& x, const gpu::Array<T>& sorted, std::int64_t n,
                                std::int64_t inner) {
    const std::vector<T> before = gpu::to_host(x), after = gpu::to_host(sorted);
    if (before.size() != after.size() || contents(before) != contents(after)) return "other elements than before";
    return count_wrong(x.size(), [&](std::int64_t i) {
        return i / inner % n == 0 || after[static_cast<std::size_t>(i - inner)] <= after[static_cast<std::size_t>(i)];
    });
}

template <class T>
std::string wrong_sort(const gpu::Array<T>& x, const gpu::Array<T>& sorted) {
    return wrong_lines_of_sort(x, sorted, x.shape()[x.shape().rank() - 1], 1);
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

template <class T, class S>
std::string wrong_cumsum(const gpu::Array<T>& x, const gpu::Array<S>& sums, std::int64_t n, std::int64_t inner) {
    const std::vector<T> values = gpu::to_host(x);
    const std::vector<S> got = gpu::to_host(sums);
    std::vector<double> running(static_cast<std::size_t>(inner));
    return count_wrong(x.size(), [&](std::int64_t i) {
        double& sum = running[static_cast<std::size_t>(i % inner)];
        if (i / inner % n == 0) sum = 0;
        sum += static_cast<double>(values[static_cast<std::size_t>(i)]);
        return is_near(static_cast<double>(got[static_cast<std::size_t>(i)]), sum, 1e-5);
    });
}

template <class T>
struct MaskedElements {
    gpu::Array<T> x;
    Mask mask;
};
using Masked = MaskedElements<float>;
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

template <class T>
std::string wrong_selection(const MaskedElements<T>& given, const gpu::Array<T>& kept) {
    const std::vector<std::int64_t> places = true_places(given.mask);
    const std::vector<T> x = gpu::to_host(given.x), got = gpu::to_host(kept);
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

/// Draws that no standard library changes: its engines are specified, its distributions aren't.
class DrawnCalls {
public:
    /// Twelve calls of each function, the same in each run: 2^10 to 2^26 elements of up to three axes.
    std::vector<Row> rows() {
        for (int k = 0; k < 4; ++k) {
            add_sort<float>();
            add_cumsum<float>();
            add_compress<float>();
            add_sort<double>();
            add_cumsum<double>();
            add_compress<double>();
            add_sort<int>();
            add_cumsum<int>();
            add_compress<std::int16_t>();
        }
        return std::move(rows_);
    }

private:
    /// A shape, an axis of it, and both in the row's name, from which CuPy's row is made.
    struct Call {
        gpu::Shape shape;
        int axis = 0;
        std::string text;
        [[nodiscard]] std::int64_t inner() const {
            std::int64_t count = 1;
            for (int k = axis + 1; k < shape.rank(); ++k) count *= shape[k];
            return count;
        }
    };

    std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(n)); }

    template <class T>
    Call drawn(const std::string& function, int max_rank) {
        Call call;
        const int rank = 1 + static_cast<int>(below(max_rank));
        std::int64_t left = (std::int64_t{1} << (10 + below(16))) + below(1000);
        left += below(left);
        call.axis = static_cast<int>(below(rank));
        for (int axis = 0; axis < rank; ++axis) {
            const bool is_last = axis + 1 == rank;
            const std::int64_t most = std::max<std::int64_t>(left / 8, 1), length =
                is_last ? left : std::min(most, below(2) == 0 ? 2 + below(30) : 33 + below(5000));
            call.shape.append(length);
            left = std::max<std::int64_t>(left / length, 1);
            call.text += (axis > 0 ? "x" : "") + std::to_string(length);
        }
        call.text = "drawn/" + function + '/' + std::string(gpu::name(gpu::dtype_of<T>)) + '/' + call.text + '/';
        return call;
    }

    template <class T>
    static gpu::Array<T> elements(const gpu::Shape& shape) {
        if constexpr (std::is_integral_v<T>) return gpu::random::integers<T>(shape, 0, 30000);
        else return gpu::random::uniform<T>(shape);
    }

    template <class T>
    void add_sort() {
        const Call call = drawn<T>("sort", 3);
        rows_.push_back(row(
            call.text + "axis_" + std::to_string(call.axis), {.size = call.shape.size()},
            [=](std::int64_t) { return elements<T>(call.shape); },
            [=](const gpu::Array<T>& x) { return gpu::sort(x, {.axis = call.axis}); },
            [=](const gpu::Array<T>& x, const gpu::Array<T>& sorted) {
                return wrong_lines_of_sort(x, sorted, call.shape[call.axis], call.inner());
            }));
    }

    template <class T>
    void add_cumsum() {
        const Call call = drawn<T>("cumsum", 3);
        rows_.push_back(row(
            call.text + "axis_" + std::to_string(call.axis), {.size = call.shape.size()},
            [=](std::int64_t) { return elements<T>(call.shape); },
            [=](const gpu::Array<T>& x) { return gpu::cumsum(x, {.axis = call.axis}); },
            [=](const gpu::Array<T>& x, const auto& sums) {
                return wrong_cumsum(x, sums, call.shape[call.axis], call.inner());
            }));
    }

    template <class T>
    void add_compress() {
        const Call call = drawn<T>("compress", 1);
        const std::int64_t percent = 1 + below(99);
        rows_.push_back(row(
            call.text + "percent_" + std::to_string(percent), {.size = call.shape.size()},
            [=](std::int64_t) {
                Mask mask = gpu::random::uniform<float>(call.shape) < static_cast<float>(percent) / 100;
                return MaskedElements<T>{elements<T>(call.shape), std::move(mask)};
            },
            [](const MaskedElements<T>& given) { return gpu::compress(given.mask, given.x); }, wrong_selection<T>));
    }

    std::mt19937_64 engine_{2026};
    std::vector<Row> rows_;
};

}  // namespace

std::vector<Row> drawn_rows() { return DrawnCalls().rows(); }

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
            [](std::int64_t n) { return masked(n, 0.5F); }, kept, wrong_selection<float>),
        row("order/compress_few", {.bytes_per_element = 1}, [](std::int64_t n) { return masked(n, 0.999F); }, kept,
            wrong_selection<float>),
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

// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "codegen/order_text.hpp"
#include "launch/builtin_kernel.hpp"
#include "runtime/storage.hpp"

// Counting in bins: each of the kernels, however the device that runs them would choose among them.

using gpu::detail::CountingPlace;
using gpu::detail::CountTypes;

namespace {

using Counts = std::vector<std::int64_t>;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

/// How a kernel is launched: small blocks, so that a test has several of them.
struct Shape {
    std::int64_t blocks = 3;
    std::uint32_t threads = 64;
    int copies = 4;
};

/// The counts of a kernel that counts in this place; rows are added up.
template <class R>
struct Counters {
    Counters(const CountTypes& given, std::int64_t bin_count, const Shape& shape)
        : types(given), bins(bin_count), copies(shape.copies),
          blocks{.blocks = shape.blocks, .threads = shape.threads} {
        rows = types.place == CountingPlace::rows ? blocks.blocks * shape.threads : 1;
        if (types.place == CountingPlace::shared) blocks.shared = bins * copies * types.cell_bytes();
        table = gpu::zeros<R>({rows, bins});
    }
    template <class... A>
    void launch(const char* name, const std::function<gpu::detail::RawText()>& text, const A&... arguments) {
        const std::string key = std::string("test ") + name + static_cast<char>('a' + static_cast<int>(types.element)) +
                                static_cast<char>('a' + static_cast<int>(types.place)) +
                                static_cast<char>('a' + static_cast<int>(types.edges)) +
                                (types.weighted ? 'w' : '-') + (types.rounded != types.edges ? 'c' : '-');
        void* const pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
        gpu::detail::launch_builtin_blocks(gpu::Device::current(), key, text, blocks, pointers, sizeof...(A));
        table.core().storage->mark_written();
    }
    [[nodiscard]] std::vector<R> total() const { return gpu::to_host(gpu::sum(table, {.axis = 0})); }

    CountTypes types;
    std::int64_t bins, rows = 1;
    int copies;
    gpu::detail::BuiltinBlocks blocks;
    gpu::Array<R> table;
};

/// What bincount's kernel finds.
template <class R>
struct Found {
    std::vector<R> counts;
    std::uint64_t largest = 0;
};

template <class T, class R = std::int64_t>
Found<R> bincount_by(CountingPlace place, const gpu::Array<T>& x, std::int64_t first, std::int64_t bins,
                     const Shape& shape = {}, const gpu::Array<double>* weights = nullptr) {
    const CountTypes types{.element = gpu::dtype_of<T>, .place = place, .weighted = weights != nullptr};
    Counters<R> counters(types, bins, shape);
    gpu::Array<std::uint64_t> largest = gpu::zeros<std::uint64_t>({1});
    const T* const from = x.data() + first;
    const double* const of_weights = weights == nullptr ? nullptr : weights->data() + first;
    R* const counts = counters.table.data();
    std::uint64_t* const top = largest.data();
    const std::int64_t n = x.size() - first;
    counters.launch("bincount", [&] { return gpu::detail::bincount_text(types); }, from, of_weights, counts, top, n,
                    bins, counters.copies);
    return {counters.total(), gpu::to_host(largest)[0]};
}

template <class X, class T>
Counts histogram_by(CountingPlace place, const gpu::Array<X>& x, const gpu::Array<T>& edges, bool coarse = false,
                    const Shape& shape = {}) {
    const CountTypes types{
        .element = gpu::dtype_of<X>, .place = place, .edges = gpu::dtype_of<T>,
        .rounded = coarse ? gpu::DType::float16 : gpu::dtype_of<T>};
    const std::int64_t n = x.size(), bins = edges.size() - 1;
    Counters<std::int64_t> counters(types, bins, shape);
    const X* const from = x.data();
    const T* const given = edges.data();
    std::int64_t* const counts = counters.table.data();
    counters.launch("histogram", [&] { return gpu::detail::histogram_text(types); }, from, given, counts, n, bins,
                    counters.copies);
    return counters.total();
}

/// The rule in words of its own: a bin for which the edges allow it, found from any start.
template <class X, class T>
Counts expected_histogram(const std::vector<X>& x, const std::vector<T>& edges) {
    const std::size_t bins = edges.size() - 1;
    Counts counts(bins);
    for (const X element : x) {
        const auto value = static_cast<double>(element);
        if (!(value >= edges.front() && value <= edges.back())) continue;
        const auto above = std::upper_bound(edges.begin(), edges.end() - 1, value,
                                            [](double v, T edge) { return v < static_cast<double>(edge); });
        ++counts[static_cast<std::size_t>(above - edges.begin()) - 1];
    }
    return counts;
}

/// Edges as histogram() computes them.
template <class T>
std::vector<T> edges_between(double low, double high, std::int64_t bins) {
    std::vector<T> edges;
    const double step = (high - low) / static_cast<double>(bins);
    for (std::int64_t k = 0; k < bins; ++k) edges.push_back(static_cast<T>(static_cast<double>(k) * step + low));
    edges.push_back(static_cast<T>(high));
    return edges;
}

constexpr CountingPlace places[] = {CountingPlace::shared, CountingPlace::common, CountingPlace::rows};

template <class T>
void check_bincount() {
    CAPTURE(gpu::name(gpu::dtype_of<T>));
    std::mt19937 random(11);
    for (const std::int64_t n : {0, 1, 3, 17, 1000, 5003}) {
        for (const int top : {1, 2, 100}) {
            std::vector<T> values;
            // Most are equal, so that a thread meets the same bin several times.
            for (std::int64_t k = 0; k < n; ++k)
                values.push_back(static_cast<T>(random() % 4 == 0 ? random() % top : 0));
            const gpu::Array<T> x = gpu::to_device(values);
            for (const std::int64_t first : {0, 1, 5}) {
                if (first > n) continue;
                CAPTURE(n);
                CAPTURE(first);
                Counts counts(100);
                std::uint64_t largest = 0;
                for (auto k = static_cast<std::size_t>(first); k < values.size(); ++k) {
                    ++counts[static_cast<std::size_t>(values[k])];
                    largest = std::max(largest, static_cast<std::uint64_t>(values[k]));
                }
                for (const CountingPlace place : places) {
                    CAPTURE(static_cast<int>(place));
                    const Found<std::int64_t> found = bincount_by(place, x, first, 100);
                    CHECK(found.counts == counts);
                    CHECK(found.largest == largest);
                }
            }
        }
    }
}

/// Numbers at which a bin is easily missed: the edges, their neighbours, and some between them and outside.
template <class X, class T>
std::vector<X> hard_numbers(const std::vector<T>& edges, std::mt19937& random) {
    std::vector<X> values;
    constexpr bool is_real = std::is_floating_point_v<X>;
    const auto add = [&](double value) {
        constexpr auto least = static_cast<double>(std::numeric_limits<X>::lowest()),
                       most = static_cast<double>(std::numeric_limits<X>::max());
        if (is_real || (value >= least && value < most)) values.push_back(static_cast<X>(value));
    };
    for (const T edge : edges) {
        add(static_cast<double>(edge));
        add(static_cast<double>(std::nextafter(edge, -std::numeric_limits<T>::max())));
        add(static_cast<double>(std::nextafter(edge, std::numeric_limits<T>::max())));
    }
    std::uniform_real_distribution<double> share(-0.1, 1.1);
    const auto low = static_cast<double>(edges.front()), high = static_cast<double>(edges.back());
    for (int k = 0; k < 3000; ++k) {
        const double s = share(random);
        add(low * (1 - s) + high * s);
    }
    if (is_real) {
        for (const double value : {0., -0., not_a_number, infinity, -infinity}) values.push_back(static_cast<X>(value));
    }
    return values;
}

template <class X, class T>
void check_histogram(double low, double high, std::int64_t bins) {
    CAPTURE(gpu::name(gpu::dtype_of<X>));
    CAPTURE(gpu::name(gpu::dtype_of<T>));
    CAPTURE(low);
    CAPTURE(high);
    CAPTURE(bins);
    std::mt19937 random(3);
    const std::vector<T> edges = edges_between<T>(low, high, bins);
    const std::vector<X> values = hard_numbers<X>(edges, random);
    const gpu::Array<X> x = gpu::to_device(values);
    const gpu::Array<T> e = gpu::to_device(edges);
    const Counts expected = expected_histogram(values, edges);
    for (const CountingPlace place : places) {
        CAPTURE(static_cast<int>(place));
        CHECK(histogram_by(place, x, e) == expected);
        CHECK(histogram_by(place, x, e, true) == expected);
    }
}

template <class T>
void check_ranges() {
    const double tiny = static_cast<double>(std::numeric_limits<T>::denorm_min()),
                 large = static_cast<double>(std::numeric_limits<T>::max()), unit = std::numeric_limits<T>::epsilon();
    for (const std::int64_t bins : {1, 2, 7, 10, 100, 999}) {
        check_histogram<T, T>(0, 1, bins);
        check_histogram<T, T>(-1, 1, bins);
        check_histogram<T, T>(0, static_cast<double>(bins), bins);
        check_histogram<T, T>(-7.3, 1e5, bins);
        check_histogram<T, T>(1e6, 1e6 + 1, bins);              // in float, many edges are equal
        check_histogram<T, T>(1, 1 + 3 * unit, bins);           // nearly all are
        check_histogram<T, T>(-1e-3 - unit, -1e-3 + unit, bins);
        check_histogram<T, T>(0, 5 * tiny, bins);               // numbers without all of their digits
        check_histogram<T, T>(-1000 * tiny, 3000 * tiny, bins);
        check_histogram<T, T>(-large / 2, large / 2.5, bins);
        check_histogram<T, T>(-large, static_cast<double>(-large) * 0.5, bins);
    }
    if (sizeof(T) == 4) check_histogram<T, T>(-large, large, 10);  // the range is beyond float
}

}  // namespace

TEST_CASE("bincount's kernels count in every place, from any address") {
    check_bincount<bool>();
    check_bincount<std::int8_t>();
    check_bincount<std::uint16_t>();
    check_bincount<int>();
    check_bincount<std::int64_t>();
}

TEST_CASE("bincount's kernels keep the largest element, and leave out what is beyond the bins") {
    const std::vector<int> values{5, 900, 2, 31, 32, 2};
    const std::vector<std::int8_t> negative{5, -1, 2};
    for (const CountingPlace place : places) {
        const Found<std::int64_t> found = bincount_by(place, gpu::to_device(values), 0, 32);
        CHECK(found.largest == 900);
        Counts counts(32);
        counts[2] = 2;
        counts[5] = counts[31] = 1;
        CHECK(found.counts == counts);
        const Found<std::int64_t> refused = bincount_by(place, gpu::to_device(negative), 0, 8);
        CHECK(refused.largest == ~std::uint64_t{0});
        CHECK(refused.counts == Counts{0, 0, 1, 0, 0, 1, 0, 0});
    }
}

TEST_CASE("bincount's kernels add weights") {
    std::mt19937 random(5);
    std::vector<int> values;
    std::vector<double> weights, sums(50);
    for (int k = 0; k < 4001; ++k) {
        values.push_back(static_cast<int>(random() % 3 == 0 ? random() % 50 : 7));
        weights.push_back(static_cast<double>(random() % 64) / 8 - 4);  // sums are exact
    }
    for (std::size_t k = 1; k < values.size(); ++k) sums[static_cast<std::size_t>(values[k])] += weights[k];
    const gpu::Array<double> w = gpu::to_device(weights);
    for (const CountingPlace place : places) {
        CHECK(bincount_by<int, double>(place, gpu::to_device(values), 1, 50, {}, &w).counts == sums);
    }
    weights[20] = not_a_number;
    const gpu::Array<double> lost = gpu::to_device(weights);
    for (const CountingPlace place : places) {
        const auto found = bincount_by<int, double>(place, gpu::to_device(values), 0, 50, {}, &lost);
        for (int k = 0; k < 50; ++k) {
            CHECK(std::isnan(found.counts[static_cast<std::size_t>(k)]) == (k == values[20]));
        }
    }
}

TEST_CASE("a histogram's kernels find the bin whose rounded edges enclose a number") {
    check_ranges<float>();
    check_ranges<double>();
    check_histogram<int, double>(-30, 47, 11);
    check_histogram<int, double>(-2147483648., 2147483647., 100);
    check_histogram<std::uint8_t, double>(0, 255, 256);
    check_histogram<std::int64_t, double>(-9.2e18, 9.2e18, 37);
    check_histogram<std::uint64_t, double>(0, 1.8446744073709552e19, 64);
    for (const CountingPlace place : places) {  // edges that aren't numbers
        const gpu::Array<float> edges = gpu::full<float>({4}, std::nanf(""));
        CHECK(histogram_by(place, gpu::arange<float>(100), edges) == Counts{0, 0, 0});
    }
}

TEST_CASE("check mode finds nothing in the kernels that count") {
    const gpu::Array<int> x = (gpu::arange<int>(2001) * 7) % 40;
    const gpu::Array<float> y = x.astype<float>();
    const gpu::Array<double> w = x.astype<double>();
    const gpu::Array<float> edges = gpu::to_device(edges_between<float>(0, 39, 13));
    if (gpu::Device::current().kind() != gpu::BackendKind::host) return;
    for (const CountingPlace place : places) {
        CAPTURE(static_cast<int>(place));
        const gpu::CheckReport report = gpu::check([&] {
            (void)bincount_by(place, x, 1, 40);
            (void)bincount_by<int, double>(place, x, 1, 40, {}, &w);
            (void)histogram_by(place, y, edges);
        });
        CHECK_MESSAGE(report.clean(), report.to_text());
    }
}

TEST_CASE("bincount of few, many and very many different numbers, and of views") {
    for (const int top : {1, 255, 256, 257, 4096, 4097, 12288, 12289, 100003}) {
        CAPTURE(top);
        const std::int64_t n = 70000;
        const gpu::Array<std::int64_t> x = gpu::arange<std::int64_t>(n) * 7919 % top;
        Counts expected(static_cast<std::size_t>(top));
        for (std::int64_t k = 0; k < n; ++k) ++expected[static_cast<std::size_t>(k * 7919 % top)];
        while (expected.back() == 0) expected.pop_back();
        CHECK(gpu::to_host(gpu::bincount(x)) == expected);
        CHECK(gpu::to_host(gpu::bincount(x.astype<int>())) == expected);
        Counts wide = expected;
        wide.resize(std::max<std::size_t>(wide.size(), 5000));
        CHECK(gpu::to_host(gpu::bincount(x, {.minlength = 5000})) == wide);
        const auto sums = gpu::to_host(gpu::bincount(x, gpu::full<float>({n}, 0.5f)));
        CHECK(std::equal(sums.begin(), sums.end(), expected.begin(), expected.end(),
                         [](double sum, std::int64_t count) { return sum == 0.5 * static_cast<double>(count); }));
    }
    const gpu::Array<int> x = gpu::to_device({0, 9, 1, 9, 1, 9, 3});
    CHECK(gpu::to_host(gpu::bincount(x(gpu::slice(0, 7, 2)))) == Counts{1, 2, 0, 1});
    CHECK(gpu::to_host(gpu::bincount(x(gpu::slice(2, 5)))) == Counts{0, 2, 0, 0, 0, 0, 0, 0, 0, 1});
    CHECK(gpu::to_host(gpu::bincount(gpu::to_device<std::uint8_t>({255, 0, 255})))[255] == 2);
}

TEST_CASE("bincount refuses elements that aren't counts, and says which") {
    const auto message = [](const auto& x) {
        try {
            (void)gpu::bincount(x);
        } catch (const gpu::IndexError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(message(gpu::to_device({3, -7, 2})) ==
          "bincount: an element is -7; elements are counted by 0, 1, 2, ...");
    CHECK(message(gpu::to_device<std::int8_t>({-128, 127})) ==
          "bincount: an element is -128; elements are counted by 0, 1, 2, ...");
    CHECK(message(gpu::to_device<std::int64_t>({1, std::numeric_limits<std::int64_t>::max()})) ==
          "bincount: an element is 9223372036854775807; elements are counted by 0, 1, 2, ...");
    CHECK(message(gpu::to_device<std::int16_t>({1, 2})).empty());
}

TEST_CASE("a histogram of a view, of many bins, and without a range") {
    const std::int64_t n = 60000;
    const gpu::Array<float> x = gpu::random::Generator(4).uniform<float>({n}) * 10.f - 3.f;
    const auto values = gpu::to_host(x);
    for (const std::int64_t bins : {1, 100, 1000, 20000}) {
        CAPTURE(bins);
        const auto [counts, edges] = gpu::histogram(x, {.bins = bins});
        CHECK(gpu::to_host(counts) == expected_histogram(values, gpu::to_host(edges)));
        CHECK(edges(0).item() == *std::min_element(values.begin(), values.end()));
        CHECK(edges(bins).item() == *std::max_element(values.begin(), values.end()));
    }
    const auto part = gpu::histogram(x(gpu::slice(1, n, 3)), {.bins = 50, .range = {-1, 2.5}});
    std::vector<float> taken;
    for (std::size_t k = 1; k < values.size(); k += 3) taken.push_back(values[k]);
    CHECK(gpu::to_host(part.counts) == expected_histogram(taken, gpu::to_host(part.edges)));
    const auto halves = x.astype<gpu::half>();
    const auto coarse = gpu::histogram(halves, {.bins = 500});
    CHECK(gpu::to_host(coarse.counts) ==
          expected_histogram(gpu::to_host(halves.astype<float>()), gpu::to_host(coarse.edges.astype<float>())));
    const auto shorts = x.astype<gpu::bfloat16>();
    const auto coarser = gpu::histogram(shorts, {.bins = 500});
    CHECK(gpu::to_host(coarser.counts) ==
          expected_histogram(gpu::to_host(shorts.astype<float>()), gpu::to_host(coarser.edges.astype<float>())));
    const auto bits = gpu::histogram(x > 0.f, {.bins = 2});
    CHECK(gpu::to_host(bits.counts)[1] == gpu::count_nonzero(x > 0.f).item());
    const auto whole = gpu::histogram(gpu::to_device<std::int64_t>({-5, 7, 7, 1}), {.bins = 3});
    CHECK(gpu::to_host(whole.counts) == Counts{1, 1, 2});
}

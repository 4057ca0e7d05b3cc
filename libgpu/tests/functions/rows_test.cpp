// SPDX-License-Identifier: MIT
// Several reductions of the same rows in one kernel. A layout given here makes the host backend run a GPU's text.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpu/gpu.hpp>

#include "functions/host_array.hpp"
#include "launch/rows/row_fusion.hpp"

using gpu::detail::RowLayout;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::nan("");
const gpu::ReduceOptions kept{.axis = -1, .keepdims = true};

/// While one exists, rows are fused in this layout.
class Fused {
public:
    explicit Fused(RowLayout layout) : layout_(layout) { gpu::detail::fuse_rows_as(&layout_); }
    ~Fused() { gpu::detail::fuse_rows_as(nullptr); }
    Fused(const Fused&) = delete;
    Fused& operator=(const Fused&) = delete;

private:
    RowLayout layout_;
};

constexpr RowLayout by_warps{.lanes = 32, .threads = 64, .packs = 1, .pack = 4};
constexpr RowLayout by_block{.lanes = 64, .threads = 64, .packs = 1, .pack = 4};
constexpr RowLayout long_rows{.lanes = 64, .threads = 64, .packs = 0, .pack = 4};
constexpr RowLayout in_shared{.lanes = 64, .threads = 64, .packs = 0, .pack = 4, .in_shared = true};
constexpr RowLayout short_rows{.lanes = 4, .threads = 64, .packs = 1, .pack = 1};

const auto softmax = [](const auto& x) {
    const auto e = exp(x - gpu::max(x, kept));
    return e / gpu::sum(e, kept);
};
const auto standardise = [](const auto& x) {
    return (x - gpu::mean(x, kept)) / gpu::stddev(x, {.axis = -1, .keepdims = true});
};
const auto cosine = [](const auto& x, const auto& y) {
    return gpu::sum(x * y, kept) / gpu::linalg::norm(x, {.axis = -1, .keepdims = true}) /
           gpu::linalg::norm(y, {.axis = -1, .keepdims = true});
};
const auto layer_norm = [](const auto& x, const auto& scale, const auto& shift) {
    const auto apart = x - gpu::mean(x, kept);
    return apart * gpu::rsqrt(gpu::mean(apart * apart, kept) + 1e-5f) * scale + shift;
};

template <class F>
std::uint64_t launches_of(const F& function) {
    const auto before = gpu::counts();
    (void)function();
    return (gpu::counts() - before).launches;
}

// The rows of a matrix in double.
template <class T>
std::vector<std::vector<double>> rows_of(const gpu::Array<T>& x) {
    const auto values = gpu::to_host(x);
    const auto n = static_cast<std::size_t>(x.shape()[1]);
    std::vector<std::vector<double>> rows(static_cast<std::size_t>(x.shape()[0]));
    for (std::size_t k = 0; k < values.size(); ++k) rows[k / n].push_back(static_cast<double>(values[k]));
    return rows;
}

template <class T>
void check_softmax(const gpu::Array<T>& y, const gpu::Array<T>& x, double tolerance) {
    const auto got = rows_of(y);
    const auto from = rows_of(x);
    for (std::size_t r = 0; r < from.size(); ++r) {
        double most = -infinity, sum = 0;
        for (const double each : from[r]) most = std::max(most, each);
        for (const double each : from[r]) sum += std::exp(each - most);
        for (std::size_t j = 0; j < from[r].size(); ++j) {
            const double want = std::exp(from[r][j] - most) / sum;
            REQUIRE(std::abs(got[r][j] - want) <= tolerance * want + 1e-7);
        }
    }
}

template <class T>
void check_standardised(const gpu::Array<T>& y, const gpu::Array<T>& x, double tolerance) {
    const auto got = rows_of(y);
    const auto from = rows_of(x);
    for (std::size_t r = 0; r < from.size(); ++r) {
        double mean = 0, squares = 0;
        const auto n = static_cast<double>(from[r].size());
        for (const double each : from[r]) mean += each / n;
        for (const double each : from[r]) squares += (each - mean) * (each - mean) / n;
        for (std::size_t j = 0; j < from[r].size(); ++j)
            REQUIRE(std::abs(got[r][j] - (from[r][j] - mean) / std::sqrt(squares)) <= tolerance);
    }
}

}  // namespace

TEST_CASE("a fused function with reductions of its rows") {
    //! [fuse rows]
    auto softmax = gpu::fuse([](auto x) {
        auto e = exp(x - gpu::max(x, {.axis = -1, .keepdims = true}));
        return e / gpu::sum(e, {.axis = -1, .keepdims = true});
    });
    gpu::Array<float> scores = gpu::to_device({1.f, 1.f, 1000.f, 1000.f, 0.f, 0.f}).reshape({3, 2});
    gpu::Array<float> parts = softmax(scores);  // on a GPU one kernel, which reads each row once
    //! [fuse rows]
    CHECK(gpu::to_host(parts) == std::vector<float>(6, 0.5f));
    //! [source]
    std::string kernels = softmax.source(scores);  // "// fused_rows", and its text
    //! [source]
    const std::string again = softmax.source(scores);
    CHECK(kernels == again);
    CHECK(kernels.find("exp(") != std::string::npos);
    const Fused as(by_warps);
    CHECK(softmax.source(scores).find("// fused_rows\n") == 0);
    CHECK(softmax.source(scores).find("__global__ void __launch_bounds__(64) fused_rows(float* out") !=
          std::string::npos);
}

TEST_CASE("fused rows of all lengths, in all layouts") {
    Drawn drawn(1);
    for (const RowLayout& layout : {by_warps, by_block, long_rows, in_shared, short_rows}) {
        const Fused as(layout);
        for (const int n : {1, 2, 3, 4, 31, 33, 100, 255, 256, 1001, 1024}) {
            if (layout.lanes == 4 && n > 33) continue;
            CAPTURE(layout.lanes);
            CAPTURE(layout.packs);
            CAPTURE(n);
            const auto x = drawn.array<float>({7, n});
            gpu::Array<float> y;
            CHECK(launches_of([&] { y = gpu::fuse(softmax)(x); }) == 1);
            check_softmax(y, x, 1e-6);
            if (n < 3) continue;
            CHECK(launches_of([&] { y = gpu::fuse(standardise)(x); }) == 1);
            check_standardised(y, x, 1e-5);
        }
    }
}

TEST_CASE("several results of the same rows are one kernel") {
    const gpu::Array<float> scores = gpu::to_device({1.f, 3.f, 2.f, 5.f, 4.f, 5.f}).reshape({2, 3});
    //! [several results]
    auto best = gpu::fuse([](auto x) {
        return std::pair(gpu::max(x, {.axis = -1, .keepdims = true}), gpu::argmax(x, {.axis = -1, .keepdims = true}));
    });
    auto [value, place] = best(scores);  // on a GPU one kernel: Array<float> and Array<std::int64_t> of shape (2, 1)
    //! [several results]
    CHECK(gpu::to_host(value) == std::vector<float>{3, 5});
    CHECK(gpu::to_host(place) == std::vector<std::int64_t>{1, 0});
    const auto softmaxes = gpu::fuse([](const auto& x) {
        auto largest = gpu::max(x, kept);
        const auto apart = x - largest;
        const auto e = exp(apart);
        const auto sum = gpu::sum(e, kept);
        const auto whole = log(sum) + largest;
        return std::tuple(e / sum, apart - log(sum), std::move(largest), whole);
    });
    Drawn drawn(7);
    const auto x = drawn.array<float>({7, 130});
    const auto separate = softmaxes(x);
    for (const RowLayout& layout : {by_warps, by_block, long_rows, in_shared}) {
        const Fused as(layout);
        std::pair<gpu::Array<float>, gpu::Array<std::int64_t>> found;
        CHECK(launches_of([&] { found = best(x); }) == 1);
        CHECK(gpu::array_equal(found.first, gpu::max(x, kept)).item());
        CHECK(gpu::array_equal(found.second, gpu::argmax(x, kept)).item());
        decltype(softmaxes(x)) all = softmaxes(x);
        CHECK(launches_of([&] { all = softmaxes(x); }) == 1);
        check_softmax(std::get<0>(all), x, 1e-6);
        CHECK(gpu::array_equal(std::get<2>(all), std::get<2>(separate)).item());
        CHECK(gpu::allclose(std::get<1>(all), gpu::log(std::get<0>(separate)), {.rtol = 2e-6, .atol = 2e-6}).item());
        CHECK(gpu::allclose(std::get<3>(all), gpu::logsumexp(x, kept), {.rtol = 1e-6}).item());
        // what is copied before is computed before
        gpu::Array<float> outside;
        const auto [apart, largest] = gpu::fuse([&](const auto& a) {
            auto most = gpu::max(a, kept);
            outside = most;
            return std::pair(a - most, std::move(most));
        })(x);
        CHECK(gpu::array_equal(outside, largest).item());
        CHECK(gpu::array_equal(apart, x - outside).item());
    }
}

TEST_CASE("several results of other kinds") {
    const Fused as(by_warps);
    const auto x = gpu::arange<float>(12).reshape({3, 4});
    const auto several = gpu::fuse([](const auto& a) {
        return std::tuple(a * 2.f, 7, a, gpu::sum(a, {.axis = 0, .keepdims = true}), gpu::sum(a, kept));
    });
    const auto [twice, number, same, down, across] = several(x);
    CHECK(gpu::array_equal(twice, x * 2.f).item());
    CHECK(number == 7);
    CHECK(gpu::array_equal(same, x).item());
    CHECK(gpu::to_host(down) == std::vector<float>{12, 15, 18, 21});
    CHECK(gpu::to_host(across) == std::vector<float>{6, 22, 38});
    const auto numbers = gpu::fuse([](const auto& a) { return std::pair(a * 2, a + 1); });
    CHECK(numbers(3) == std::pair(6, 4));
    const auto [doubled, more] = numbers(x);
    CHECK(gpu::array_equal(doubled, x * 2.f).item());
    CHECK(gpu::array_equal(more, x + 1.f).item());
    // an expression without an operation is a new array, too
    gpu::Array<float> changed = x.copy();
    const auto [copied, summed] = gpu::fuse([](const auto& a) {
        return std::pair(a.template astype<float>(), gpu::sum(a, kept).template astype<float>());
    })(changed);
    changed += 1.f;
    CHECK(gpu::array_equal(copied, x).item());
    CHECK(gpu::to_host(summed) == std::vector<float>{6, 22, 38});
    // a window on what waits is read when it has been computed
    const auto [first, apart] = gpu::fuse([](const auto& a) {
        const auto largest = gpu::max(a, kept);
        return std::pair(a - largest + largest(gpu::slice(0, 1), gpu::all), a - gpu::sum(a, kept));
    })(x);
    CHECK(gpu::array_equal(first, x - gpu::max(x, kept) + 3.f).item());
    CHECK(gpu::array_equal(apart, x - gpu::sum(x, kept)).item());
    // rows of other lengths are other kernels
    const auto y = gpu::arange<float>(10).reshape({5, 2});
    const auto [of_x, of_y] =
        gpu::fuse([](const auto& a, const auto& b) { return std::pair(a - gpu::max(a, kept), b - gpu::max(b, kept)); })(
            x, y);
    CHECK(gpu::array_equal(of_x, x - gpu::max(x, kept)).item());
    CHECK(gpu::array_equal(of_y, y - gpu::max(y, kept)).item());
}

TEST_CASE("row functions against the same in double, in rows of all lengths") {
    Drawn drawn(8);
    const auto log_softmax = gpu::fuse([](const auto& x) {
        const auto apart = x - gpu::max(x, kept);
        return apart - log(gpu::sum(exp(apart), kept));
    });
    for (const RowLayout& layout : {by_warps, by_block, long_rows, in_shared}) {
        const Fused as(layout);
        for (const int n : {1, 5, 64, 257, 1024}) {
            CAPTURE(layout.packs);
            CAPTURE(n);
            const auto x = drawn.array<float>({3, n}), y = drawn.array<float>({3, n});
            const auto scale = drawn.array<float>({n}), shift = drawn.array<float>({n});
            const auto logs = rows_of(log_softmax(x)), norms = rows_of(gpu::fuse(layer_norm)(x, scale, shift)),
                       cosines = rows_of(gpu::fuse(cosine)(x, y));
            const auto from = rows_of(x), other = rows_of(y);
            const auto factors = gpu::to_host(scale), shifts = gpu::to_host(shift);
            for (std::size_t r = 0; r < from.size(); ++r) {
                double most = -infinity, sum = 0, mean = 0, squares = 0, xx = 0, yy = 0, xy = 0;
                for (const double each : from[r]) most = std::max(most, each);
                for (std::size_t j = 0; j < from[r].size(); ++j) {
                    sum += std::exp(from[r][j] - most);
                    mean += from[r][j] / n;
                    xx += from[r][j] * from[r][j];
                    yy += other[r][j] * other[r][j];
                    xy += from[r][j] * other[r][j];
                }
                for (const double each : from[r]) squares += (each - mean) * (each - mean) / n;
                REQUIRE(std::abs(cosines[r][0] - xy / std::sqrt(xx) / std::sqrt(yy)) <= 2e-6);
                for (std::size_t j = 0; j < from[r].size(); ++j) {
                    const double want = from[r][j] - most - std::log(sum);
                    REQUIRE(std::abs(logs[r][j] - want) <= 1e-6 * (1 + std::abs(want)));
                    const double norm = (from[r][j] - mean) / std::sqrt(squares + 1e-5) * factors[j] + shifts[j];
                    REQUIRE(std::abs(norms[r][j] - norm) <= 1e-5 * (1 + std::abs(norm)));
                }
            }
        }
    }
}

TEST_CASE("a variance of rows, and its mean, in one step: as without fusion, whatever the offset and the size") {
    const auto both = gpu::fuse([](const auto& x) {
        return std::pair(gpu::mean(x, kept), gpu::stddev(x, {.axis = -1, .keepdims = true}));
    });
    const auto one =
        gpu::fuse([](const auto& x) { return gpu::var(x, {.axis = -1, .keepdims = true, .ddof = 1}) + 0.f; });
    const auto last = gpu::fuse([](const auto& x) { return gpu::var(x, {.axis = -1}); });
    const auto few = gpu::fuse(
        [](const auto& x) { return gpu::var(x, {.axis = -1, .keepdims = true, .ddof = 200}) + x * 0.f; });
    Drawn drawn(9);
    const auto x = drawn.array<float>({5, 100});
    const std::vector<gpu::Array<float>> inputs{x, x + 1e7f, x * 1e30f, x * 1e-30f, x * 0.f + 3.f};
    std::vector<std::vector<gpu::Array<float>>> want;
    const auto all = [&](const gpu::Array<float>& of) {
        const auto [mean, deviation] = both(of);
        return std::vector<gpu::Array<float>>{mean, deviation, one(of), last(of), few(of)};
    };
    for (const auto& input : inputs) want.push_back(all(input));
    for (const RowLayout& layout : {by_warps, by_block, long_rows, in_shared}) {
        const Fused as(layout);
        CHECK(launches_of([&] { return both(x); }) == 1);
        CHECK(launches_of([&] { return one(x); }) == 1);
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            const auto got = all(inputs[k]);
            for (std::size_t j = 0; j < got.size(); ++j) {
                CAPTURE(k);
                CAPTURE(j);
                const double tolerance = j == 0 ? 1e-5 : 3e-7;
                CHECK(gpu::allclose(got[j], want[k][j], {.rtol = tolerance, .atol = 0, .equal_nan = true}).item());
            }
        }
        const gpu::Array<gpu::half> halves = x.astype<gpu::half>();
        const auto [mean, deviation] = both(halves);
        CHECK(gpu::allclose(deviation, gpu::stddev(halves, {.axis = 1, .keepdims = true}), {.rtol = 1e-3}).item());
        CHECK(gpu::allclose(mean, gpu::mean(halves, kept), {.rtol = 1e-3, .atol = 1e-4}).item());
        const gpu::Array<float> sums = x + x;
        check_standardised(gpu::fuse(standardise)(x + x), sums, 1e-5);
    }
}

TEST_CASE("fused rows of other types") {
    Drawn drawn(2);
    const auto doubles = drawn.array<double>({5, 130});
    const auto halves = drawn.array<gpu::half>({5, 130});
    const auto integers = drawn.array<int>({5, 130});
    const auto bytes = drawn.array<std::uint8_t>({5, 130});
    const Fused as(by_warps);
    check_softmax(gpu::fuse(softmax)(doubles), doubles, 1e-14);
    check_softmax(gpu::softmax(halves, {.axis = 1}), halves, 2e-3);
    check_standardised(gpu::fuse(standardise)(doubles), doubles, 1e-12);
    const auto ranked = gpu::fuse([](const auto& x) { return x - gpu::min(x, kept) + gpu::sum(x, kept); });
    const auto place = gpu::fuse([](const auto& x) { return gpu::argmax(x, kept) * 1000 + gpu::max(x, kept); });
    gpu::Array<std::int64_t> got, placed;
    CHECK(launches_of([&] { got = ranked(integers); }) == 1);
    CHECK(launches_of([&] { placed = place(integers); }) == 1);
    const auto rows = rows_of(integers), values = rows_of(got);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        double least = rows[r][0], sum = 0;
        std::size_t first = 0;
        for (std::size_t j = 0; j < rows[r].size(); ++j) {
            least = std::min(least, rows[r][j]);
            if (rows[r][j] > rows[r][first]) first = j;
            sum += rows[r][j];
        }
        for (std::size_t j = 0; j < rows[r].size(); ++j) CHECK(values[r][j] == rows[r][j] - least + sum);
        CHECK(gpu::to_host(placed)[r] ==
              static_cast<std::int64_t>(first) * 1000 + static_cast<std::int64_t>(rows[r][first]));
    }
    const gpu::Array<std::uint8_t> least = gpu::fuse([](const auto& x) { return x - gpu::min(x, kept); })(bytes);
    CHECK(gpu::to_host(gpu::min(least, {.axis = 1})) == std::vector<std::uint8_t>(5, 0));
}

TEST_CASE("fused rows of NaN, infinities and nothing are as without fusion") {
    const std::vector<double> values{1,         not_a_number, 2,         3,         4,         5,      infinity, 1,
                                     -infinity, -infinity,    -infinity, -infinity, -infinity, 0,      3,        1,
                                     -0.,       -0.,          -0.,       -0.,       1e300,     -1e300, 1e300,    5};
    const gpu::Array<double> x = gpu::to_device(values).reshape({6, 4});
    const gpu::Array<float> floats = x.astype<float>();
    const auto all = [&] {
        std::vector<std::vector<double>> made;
        made.push_back(gpu::to_host(gpu::softmax(x, {.axis = 1})));
        made.push_back(gpu::to_host(gpu::logsumexp(x, {.axis = 1, .keepdims = true})));
        made.push_back(gpu::to_host(gpu::logsumexp(x, {.axis = 1})));
        made.push_back(gpu::to_host(gpu::fuse(softmax)(x)));
        made.push_back(gpu::to_host(gpu::fuse(softmax)(floats).astype<double>()));
        made.push_back(gpu::to_host(gpu::fuse(standardise)(floats).astype<double>()));
        made.push_back(gpu::to_host(gpu::fuse(standardise)(x)));
        made.push_back(gpu::to_host(gpu::fuse([](const auto& a) { return 1. / gpu::sum(a, kept); })(x)));
        made.push_back(gpu::to_host(gpu::fuse([](const auto& a) { return gpu::nanmax(a, kept) * a; })(x)));
        made.push_back(gpu::to_host(gpu::fuse([](const auto& a) { return gpu::nanmean(a, kept) + a; })(x)));
        return made;
    };
    const auto want = all();
    for (const RowLayout& layout : {by_warps, by_block, long_rows, in_shared, short_rows}) {
        const Fused as(layout);
        const auto got = all();
        for (std::size_t k = 0; k < want.size(); ++k) {
            for (std::size_t j = 0; j < want[k].size(); ++j) {
                CAPTURE(k);
                CAPTURE(j);
                if (std::isnan(want[k][j]))
                    CHECK(std::isnan(got[k][j]));
                else if (got[k][j] != want[k][j])
                    CHECK(got[k][j] == doctest::Approx(want[k][j]).epsilon(k == 4 || k == 5 ? 1e-6 : 1e-14));
            }
        }
        CHECK(gpu::fuse(softmax)(gpu::zeros<float>({0, 3})).shape() == gpu::Shape{0, 3});
        CHECK(gpu::fuse([](const auto& a) { return a + gpu::sum(a, kept); })(gpu::zeros<float>({3, 0})).shape() ==
              gpu::Shape{3, 0});
        CHECK_THROWS_AS((void)gpu::fuse(softmax)(gpu::zeros<float>({3, 0})), gpu::ShapeError);
        CHECK_THROWS_AS(
            (void)gpu::fuse([](const auto& a) { return a + gpu::sum(a, {.axis = 2, .keepdims = true}); })(x),
            gpu::AxisError);
    }
}

TEST_CASE("fused rows of several arrays, views and expressions") {
    Drawn drawn(3);
    const auto x = drawn.array<float>({6, 40}), y = drawn.array<float>({6, 40});
    const auto scale = drawn.array<float>({40}), shift = drawn.array<float>({40});
    const auto column = drawn.array<float>({6, 1});
    const auto block = drawn.array<float>({2, 3, 40});
    const auto results = [&] {
        std::vector<gpu::Array<float>> made;
        made.push_back(gpu::fuse(cosine)(x, y));
        made.push_back(gpu::fuse(layer_norm)(x, scale, shift));
        made.push_back(gpu::fuse(softmax)(x * column + y));
        made.push_back(gpu::fuse(softmax)(block));
        made.push_back(gpu::fuse(softmax)(x(gpu::all, gpu::slice(3, 30))));
        made.push_back(gpu::fuse(softmax)(x(gpu::slice(0, 6, 2), gpu::all)));
        made.push_back(gpu::fuse(softmax)(scale));
        made.push_back(gpu::fuse([](const auto& a) { return gpu::sum(a / gpu::max(a, kept), {.axis = -1}); })(x));
        made.push_back(gpu::softmax(x * 3.f, {.axis = 1}));
        return made;
    };
    const auto want = results();
    const Fused as(by_warps);
    std::vector<gpu::Array<float>> got;
    CHECK(launches_of([&] { got = results(); }) == want.size());
    for (std::size_t k = 0; k < want.size(); ++k) {
        CAPTURE(k);
        REQUIRE(got[k].shape() == want[k].shape());
        CHECK(gpu::allclose(got[k], want[k], {.rtol = 2e-6, .atol = 2e-6}).item());
    }
    // other steps than 1 along a row, and reductions over other axes, are computed one by one, or in pairs
    CHECK(launches_of([&] { return gpu::fuse(softmax)(x.transpose()); }) == 2);
    CHECK(launches_of([&] { return gpu::fuse(standardise)(x.transpose()); }) == 2);
    check_standardised(gpu::fuse(standardise)(x.transpose()), x.transpose().copy(), 1e-5);
    const auto spread = gpu::fuse([](const auto& a) { return a * gpu::stddev(a, {.axis = -1, .keepdims = true}); });
    const auto turned = x.transpose();
    CHECK(gpu::allclose(spread(turned), turned * gpu::stddev(turned, {.axis = -1, .keepdims = true})).item());
    CHECK(gpu::allclose(gpu::fuse(softmax)(x.transpose()), gpu::softmax(x.transpose(), {.axis = 1})).item());
    CHECK(gpu::allclose(gpu::fuse(softmax)(x(gpu::all, gpu::slice(0, 40, 2))),
                        gpu::softmax(x(gpu::all, gpu::slice(0, 40, 2)), {.axis = 1}))
              .item());
    const auto both =
        gpu::fuse([](const auto& a) { return a - gpu::mean(a, kept) - gpu::mean(a, {.axis = 0, .keepdims = true}); });
    const gpu::Array<float> apart = x - gpu::mean(x, kept) - gpu::mean(x, {.axis = 0, .keepdims = true});
    CHECK(gpu::allclose(both(x), apart, {.atol = 1e-6}).item());
}

TEST_CASE("standardised columns read an array twice: for means with deviations, and for the results") {
    const auto columns = [](const auto& a) {
        return (a - gpu::mean(a, {.axis = 0, .keepdims = true})) / gpu::stddev(a, {.axis = 0, .keepdims = true});
    };
    const auto whole = [](const auto& a) {
        return gpu::var(a, {.keepdims = true, .ddof = 1}) + a - gpu::mean(a, {.keepdims = true});
    };
    const auto apart = [](const auto& a) {
        return gpu::stddev(a, {.axis = {0, 2}, .keepdims = true}) / gpu::mean(a, {.axis = {2, 0}, .keepdims = true});
    };
    const auto means = [](const auto& a) {
        return gpu::mean(a, {.axis = 0, .keepdims = true}) + 0.f * gpu::stddev(a, {.axis = 0, .keepdims = true});
    };
    const auto spread = [](const auto& a) {
        return gpu::stddev(a, {.axis = 0, .keepdims = true}) + 0.f * gpu::mean(a, {.axis = 0, .keepdims = true});
    };
    Drawn drawn(5);
    const auto x = drawn.array<float>({37, 21});
    const gpu::Array<float> offset = x + 1e7f;
    const auto halves = drawn.array<gpu::half>({37, 21});
    const auto deep = drawn.array<float>({5, 4, 6});
    const gpu::Array<float> odd =
        gpu::to_device({INFINITY, 1.f, NAN, 2.f, 1.f, -INFINITY, 1.f, 2.f, 3.f, 4.f, 5.f, 2.f}).reshape({3, 4});
    const auto results = [&] {
        std::vector<gpu::Array<float>> made;
        made.push_back(gpu::fuse(columns)(x));
        made.push_back(gpu::fuse(spread)(offset));
        made.push_back(gpu::fuse(columns)(halves).template astype<float>());
        made.push_back(gpu::fuse(columns)(x.transpose()));
        made.push_back(gpu::fuse(columns)(odd));
        made.push_back(gpu::fuse(means)(odd));
        made.push_back(gpu::fuse(whole)(x));
        made.push_back(gpu::fuse([](const auto& a) {
            return gpu::mean<double>(a, {.axis = 0, .keepdims = true}) -
                   0. * gpu::stddev(a, {.axis = 0, .keepdims = true}).template astype<double>();
        })(offset).template astype<float>());
        made.push_back(gpu::fuse(apart)(deep));
        return made;
    };
    const auto want = results();
    const Fused as(by_warps);
    const auto got = results();
    for (std::size_t k = 0; k < want.size(); ++k) {
        CAPTURE(k);
        REQUIRE(got[k].shape() == want[k].shape());
        CHECK(gpu::allclose(got[k], want[k], {.rtol = k == 2 ? 2e-3 : 2e-6, .atol = 2e-6, .equal_nan = true}).item());
    }
    CHECK(launches_of([&] { return gpu::fuse(columns)(x); }) == 2);
    CHECK(launches_of([&] { return gpu::fuse(whole)(x); }) <=
          3);  // where the variance comes first, its mean is its own
}

TEST_CASE("softmax of columns reads an array twice: for maxima with sums, and for the results") {
    const auto columns = [](const auto& a) {
        const auto e = exp(a - gpu::max(a, {.axis = 0, .keepdims = true}));
        return e / gpu::sum(e, {.axis = 0, .keepdims = true});
    };
    const auto log_sums = [](const auto& a) {
        const auto largest = gpu::max(a, {.axis = {0, 1}, .keepdims = true});
        return log(gpu::sum(exp(a - largest), {.axis = {1, 0}, .keepdims = true})) + largest;
    };
    const auto other_axes = [](const auto& a) {  // the sums aren't those of the maxima's columns
        return gpu::sum(exp(a - gpu::max(a, {.axis = 0, .keepdims = true})), {.axis = {0, 1}, .keepdims = true});
    };
    const auto alone = [](const auto& a) { return a - gpu::max(a, {.axis = 0, .keepdims = true}); };
    Drawn drawn(11);
    const auto x = drawn.array<float>({301, 21});
    const auto doubles = drawn.array<double>({40, 30});
    const gpu::Array<float> large = x * 300.f;
    const gpu::Array<float> odd =
        gpu::to_device({INFINITY, 1.f, NAN, -INFINITY, 1.f, -INFINITY, 1.f, -INFINITY, 3.f, 4.f, 5.f, -INFINITY})
            .reshape({3, 4});
    const auto results = [&] {
        std::vector<gpu::Array<double>> made;
        for (const gpu::Array<float>* const each : {&x, &large, &odd}) {
            made.push_back(gpu::fuse(columns)(*each).template astype<double>());
            made.push_back(gpu::fuse(columns)(each->transpose()).template astype<double>());
            made.push_back(gpu::softmax(*each, {.axis = 0}).template astype<double>());
            made.push_back(gpu::fuse(log_sums)(*each).template astype<double>());
            made.push_back(gpu::fuse(other_axes)(*each).template astype<double>());
            made.push_back(gpu::fuse(alone)(*each).template astype<double>());
            made.push_back(gpu::fuse(columns)(*each * 2.f).template astype<double>());
        }
        made.push_back(gpu::fuse(columns)(doubles));
        made.push_back(gpu::softmax(doubles));
        return made;
    };
    const auto want = results();
    const Fused as(by_warps);
    const auto got = results();
    for (std::size_t k = 0; k < want.size(); ++k) {
        CAPTURE(k);
        REQUIRE(got[k].shape() == want[k].shape());
        const double tolerance = k < 21 ? 2e-6 : 1e-14;
        CHECK(gpu::allclose(got[k], want[k], {.rtol = tolerance, .atol = tolerance * 1e-3, .equal_nan = true}).item());
    }
    CHECK(launches_of([&] { return gpu::fuse(columns)(x); }) == 2);
    CHECK(launches_of([&] { return gpu::softmax(x, {.axis = 0}); }) == 2);
}

TEST_CASE("variances of floats read an array once, outside of fused functions, too") {
    Drawn drawn(10);
    const auto x = drawn.array<float>({37, 210});
    const auto halves = x.astype<gpu::half>().eval();
    const gpu::Array<float> offset = x + 1e7f, odd = gpu::to_device({1.f, INFINITY, 2.f}),
                            nan = gpu::to_device({1.f, NAN});
    const auto all = [&] {
        std::vector<gpu::Array<float>> made;
        for (const gpu::Array<float>* const each : {&x, &offset}) {
            made.push_back(gpu::var(*each));
            made.push_back(gpu::stddev(*each, {.axis = 0}));
            made.push_back(gpu::var(*each, {.axis = 1, .ddof = 1}));
            made.push_back(gpu::var(each->transpose(), {.axis = 0, .keepdims = true}));
        }
        made.push_back(gpu::var(x * 1e-30f, {.axis = 1, .ddof = 300}));
        made.push_back(gpu::stddev(x * 1e30f));
        made.push_back(gpu::stddev(x(gpu::all, gpu::slice(0, 200, 3)), {.axis = {0, 1}}));
        made.push_back(gpu::stddev(halves, {.axis = 1}).astype<float>());
        made.push_back(gpu::var(odd));
        made.push_back(gpu::var(nan));
        made.push_back(gpu::var(x.astype<int>(), {.axis = 0}).astype<float>());
        made.push_back(gpu::var<double>(x, {.axis = 0}).astype<float>());
        return made;
    };
    const auto want = all();
    const Fused as(by_warps);
    CHECK(launches_of([&] { return gpu::var(x, {.axis = 0}); }) == 1);
    CHECK(launches_of([&] { return gpu::var(x, {.axis = 0}); }) == 1);  // again, from the cache
    const auto got = all();
    for (std::size_t k = 0; k < want.size(); ++k) {
        CAPTURE(k);
        REQUIRE(got[k].shape() == want[k].shape());
        CHECK(gpu::allclose(got[k], want[k], {.rtol = k == 11 ? 1e-3 : 2e-7, .atol = 0, .equal_nan = true}).item());
    }
    CHECK(std::isnan(gpu::var(gpu::zeros<float>({0})).item()));
}

TEST_CASE("reductions that wait are computed before anybody can tell") {
    const auto x = gpu::arange<float>(12).reshape({3, 4});
    const std::vector<float> most{3, 7, 11};
    const Fused as(by_warps);
    gpu::Array<float> outside;
    const gpu::Array<float> y = gpu::fuse([&](const auto& a) {
        outside = gpu::max(a, kept);
        return a - outside;
    })(x);
    CHECK(gpu::to_host(outside) == most);
    CHECK(gpu::to_host(y) == std::vector<float>{-3, -2, -1, 0, -3, -2, -1, 0, -3, -2, -1, 0});
    CHECK(gpu::to_host(gpu::fuse([](const auto& a) { return gpu::max(a, kept); })(x)) == most);
    CHECK(gpu::to_host(gpu::fuse([](const auto& a) {
              const gpu::Array<float> largest = gpu::max(a, kept);
              return gpu::Array<float>(largest(gpu::all, 0));
          })(x)) == most);
    (void)gpu::fuse([&](const auto& a) {
        const gpu::Array<float> largest = gpu::max(a, kept);
        CHECK(gpu::to_host(largest) == most);
        CHECK(largest(1, 0).item() == 7);
        return a + largest;
    })(x);
    // what changes an input comes after what waits for it
    gpu::Array<float> changed = x.copy();
    const gpu::Array<float> after = gpu::fuse([&](const auto& a) {
        const gpu::Array<float> largest = gpu::max(changed, kept);
        changed += 100.f;
        return a * 0.f + largest;
    })(x);
    CHECK(gpu::to_host(after) == std::vector<float>{3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11});
    // a variance that is a kernel of its own
    const gpu::Array<float> spread = gpu::fuse([](const auto& a) {
        const auto largest = gpu::max(a, kept);
        return gpu::var(largest, {.axis = 0, .keepdims = true}) + largest * 0.f;
    })(x);
    CHECK(spread(0, 0).item() == doctest::Approx(32. / 3));
    // one inside another, both with waiting reductions
    const auto inner = gpu::fuse([](const auto& a) { return a - gpu::max(a, kept); });
    const gpu::Array<float> nested = gpu::fuse([&](const auto& a) {
        const auto least = gpu::min(a, kept);
        return inner(a) + least;
    })(x);
    CHECK(gpu::to_host(nested) == std::vector<float>{-3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8});
    // an error leaves nothing behind
    CHECK_THROWS_AS((void)gpu::fuse([&](const auto& a) {
                        const auto largest = gpu::max(a, kept);
                        if (a.shape()[0] == 3) throw gpu::Error("stop");
                        return a - largest;
                    })(x),
                    gpu::Error);
    const gpu::Array<float> plain = gpu::max(x, kept);
    CHECK(gpu::to_host(plain) == most);
    // in another stream than the one in which it waits
    const gpu::Stream stream;
    const gpu::Array<float> streamed = gpu::fuse([&](const auto& a) {
        const gpu::Array<float> largest = gpu::max(a, kept);
        const gpu::StreamGuard guard(stream);
        return gpu::Array<float>(a - largest);
    })(x);
    stream.synchronize();
    CHECK(gpu::to_host(streamed) == gpu::to_host(y));
}

TEST_CASE("an error of a reduction that waits is thrown by the function that it waits in, by no destructor") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) return;
    const Fused as(by_warps);
    const auto x = gpu::arange<float>(12).reshape({3, 4});
    const gpu::Array<float> elsewhere = [&] {
        const gpu::DeviceGuard guard(gpu::Device::host(1));
        return gpu::ones<float>({3, 4});
    }();
    const gpu::Stream stream;
    bool went_on = false;
    CHECK_THROWS_AS((void)gpu::fuse([&](const auto& a) {
                        gpu::Array<float> largest;
                        {
                            const gpu::StreamGuard guard(stream);
                            largest = gpu::max(a + elsewhere, kept);
                        }
                        went_on = true;
                        return largest;
                    })(x),
                    gpu::DeviceError);
    CHECK(went_on);
    CHECK_THROWS_AS((void)gpu::fuse([&](const auto& a) {
                        const gpu::StreamGuard guard(stream);
                        const gpu::Array<float> largest = gpu::max(a + elsewhere, kept);
                        if (a.shape()[0] == 3) throw gpu::Error("stop");
                        return largest;
                    })(x),
                    gpu::Error);
    CHECK(gpu::to_host(gpu::max(x, kept)) == std::vector<float>{3, 7, 11});
}

TEST_CASE("fused rows in a graph") {
    const Fused as(by_warps);
    Drawn drawn(6);
    gpu::Array<float> x = drawn.array<float>({4, 50});
    const auto other = drawn.array<float>({4, 50});
    const auto function = gpu::fuse(softmax);
    gpu::Array<float> y = function(x);
    gpu::GraphCapture capture;
    y = function(x);
    const gpu::Graph graph = capture.end();
    x(gpu::all, gpu::all) = other;
    graph.replay();
    check_softmax(y, other, 1e-6);
}

TEST_CASE("fused rows in check mode") {
    if (gpu::Device::current().kind() != gpu::BackendKind::host) return;
    Drawn drawn(4);
    const auto x = drawn.array<float>({3, 300});
    for (const RowLayout& layout : {by_block, long_rows, in_shared, by_warps}) {
        const Fused as(layout);
        gpu::Array<float> y, z;
        const gpu::CheckReport report = gpu::check([&] {
            y = gpu::fuse(softmax)(x);
            z = gpu::fuse(standardise)(x);
        });
        CHECK_MESSAGE(report.clean(), report.to_text());
        check_softmax(y, x, 1e-6);
        check_standardised(z, x, 1e-5);
    }
}

TEST_CASE("a result that waits in a fused function is refused to another thread, until the function has written it") {
    const Fused fused(by_warps);
    const gpu::Array<float> x = gpu::ones<float>({5, 128});
    const auto sum_elsewhere = [](const gpu::Array<float>& of) {
        std::string seen;
        std::thread([&] {
            try {
                seen = std::to_string(static_cast<double>(gpu::sum(of).item()));
            } catch (const gpu::Error& error) {
                seen = error.what();
            }
        }).join();
        return seen;
    };
    gpu::Array<float> left;
    std::string refused, seen_after_use;
    const gpu::Array<float> y = gpu::fuse([&](const auto& in) {
        const gpu::Array<float> sums = gpu::sum(in, kept);
        refused = sum_elsewhere(sums);
        CHECK(static_cast<double>(gpu::sum(sums).item()) == 640);   // here it is computed
        seen_after_use = sum_elsewhere(sums);
        left = gpu::max(in, kept);
        return gpu::Array<float>(in / sums);
    })(x);
    CHECK(refused.starts_with("this array is computed by a fused function that hasn't returned in another thread"));
    CHECK(seen_after_use == std::to_string(640.));
    CHECK(sum_elsewhere(left) == std::to_string(5.));
    CHECK(sum_elsewhere(y) == std::to_string(5.));
}

// SPDX-License-Identifier: MIT
// Reductions of many shapes and windows: however the threads of a GPU walk through them, each element counts once.
#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

/// 0, 1, ... 12 in a stir: sums of them are exact.
template <class T>
std::vector<T> small_numbers(std::int64_t n) {
    std::vector<T> values(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<T>(static_cast<double>(k * 7 % 13));
    return values;
}

struct Sizes {
    std::int64_t a, b, c;
};

/// Sums along each axis of a cube, and over all and over two of them, against a loop.
template <class T>
void check_sums(Sizes sizes, std::int64_t skipped, const std::string& about) {
    const auto [a, b, c] = sizes;
    const auto values = small_numbers<T>(skipped + a * b * c);
    const gpu::Array<T> all = gpu::to_device(values);
    const auto x = all(gpu::slice(skipped, skipped + a * b * c)).reshape({a, b, c});
    std::vector<double> first(static_cast<std::size_t>(b * c)), middle(static_cast<std::size_t>(a * c)),
        last(static_cast<std::size_t>(a * b)), planes(static_cast<std::size_t>(b));
    double total = 0;
    for (std::int64_t i = 0; i < a; ++i)
        for (std::int64_t j = 0; j < b; ++j)
            for (std::int64_t k = 0; k < c; ++k) {
                const auto value = static_cast<double>((skipped + (i * b + j) * c + k) * 7 % 13);
                first[static_cast<std::size_t>(j * c + k)] += value;
                middle[static_cast<std::size_t>(i * c + k)] += value;
                last[static_cast<std::size_t>(i * b + j)] += value;
                planes[static_cast<std::size_t>(j)] += value;
                total += value;
            }
    INFO(about << ": (" << a << "," << b << "," << c << ") from element " << skipped);
    CHECK(gpu::to_host(gpu::sum<double>(x, {.axis = 0})) == first);
    CHECK(gpu::to_host(gpu::sum<double>(x, {.axis = 1})) == middle);
    CHECK(gpu::to_host(gpu::sum<double>(x, {.axis = 2})) == last);
    CHECK(gpu::to_host(gpu::sum<double>(x, {.axis = {0, 2}})) == planes);
    CHECK(gpu::sum<double>(x).item() == total);
}

const std::vector<Sizes> shapes{{1, 1, 1},     {2, 3, 4},     {1, 1, 4099},  {4096, 1, 8},
                                {5000, 2, 3},  {8, 1, 5000},  {64, 64, 32},  {33, 7, 31},
                                {3, 20000, 1}, {16, 300, 24}, {2, 2, 30000}, {300, 1, 129},
                                {40, 12, 100}, {1, 513, 127}, {20, 128, 64}, {7, 5, 1024}};

}  // namespace

TEST_CASE("sums over every axis of many shapes, from an aligned element and from the next one") {
    for (const Sizes& sizes : shapes) {
        for (const std::int64_t skipped : {0, 1}) {
            check_sums<float>(sizes, skipped, "float32");
            check_sums<std::int8_t>(sizes, skipped, "int8");
        }
    }
}

TEST_CASE("sums of every size of element") {
    for (const Sizes& sizes : {Sizes{4096, 1, 8}, {33, 7, 31}, {16, 30, 24}, {20, 128, 64}}) {
        for (const std::int64_t skipped : {0, 3}) {
            check_sums<gpu::half>(sizes, skipped, "float16");
            check_sums<double>(sizes, skipped, "float64");
            check_sums<std::uint16_t>(sizes, skipped, "uint16");
            check_sums<std::int64_t>(sizes, skipped, "int64");
        }
    }
}

TEST_CASE("windows on a matrix: every second row or column, backwards, transposed, a part of it") {
    const std::int64_t m = 96, n = 520;
    const auto values = small_numbers<float>(m * n);
    const auto x = gpu::to_device(values).reshape({m, n});
    const auto check = [&](const auto& window, std::int64_t first, std::int64_t down, std::int64_t right,
                           const char* about) {
        const std::int64_t rows = window.shape()[0], columns = window.shape()[1];
        std::vector<double> by_row(static_cast<std::size_t>(rows)), by_column(static_cast<std::size_t>(columns));
        std::vector<std::int64_t> places(by_row.size());
        for (std::int64_t i = 0; i < rows; ++i) {
            float most = -1;
            for (std::int64_t j = 0; j < columns; ++j) {
                const float value = values[static_cast<std::size_t>(first + i * down + j * right)];
                by_row[static_cast<std::size_t>(i)] += static_cast<double>(value);
                by_column[static_cast<std::size_t>(j)] += static_cast<double>(value);
                if (value > most) most = value, places[static_cast<std::size_t>(i)] = j;
            }
        }
        INFO(about);
        CHECK(gpu::to_host(gpu::sum<double>(window, {.axis = 1})) == by_row);
        CHECK(gpu::to_host(gpu::sum<double>(window, {.axis = 0})) == by_column);
        CHECK(gpu::to_host(gpu::argmax(window, {.axis = 1})) == places);
        double total = 0;
        for (const double sum : by_row) total += sum;
        CHECK(gpu::sum<double>(window).item() == total);
    };
    using gpu::slice;
    check(x(slice(0, m, 2)), 0, 2 * n, 1, "every second row");
    check(x(slice(0, m), slice(0, n, 2)), 0, n, 2, "every second column");
    check(x(slice(0, m), slice(4, n)), 4, n, 1, "from column 4 on");
    check(x(slice(0, m), slice(1, n - 3)), 1, n, 1, "without the first column and the last three");
    check(x(slice(8, 24), slice(8, 40)), 8 * n + 8, n, 1, "a part of 16 x 32");
    check(x.transpose(), 0, 1, n, "transposed");
    check(x(slice(m - 1, gpu::none, -1)), (m - 1) * n, -n, 1, "rows backwards");
    check(x(slice(0, m), slice(n - 1, gpu::none, -1)), n - 1, n, -1, "columns backwards");
}

TEST_CASE("an operand that is broadcast along rows or columns counts at every element") {
    const std::int64_t m = 70, n = 264;
    const auto values = small_numbers<float>(m * n), w = small_numbers<float>(m), v = small_numbers<float>(n);
    const auto x = gpu::to_device(values).reshape({m, n});
    const auto weights = gpu::to_device(w).reshape({m, 1});
    const auto others = gpu::to_device(v);
    std::vector<float> rows(static_cast<std::size_t>(m)), columns(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            const float term = values[static_cast<std::size_t>(i * n + j)] * w[static_cast<std::size_t>(i)] +
                               v[static_cast<std::size_t>(j)];
            rows[static_cast<std::size_t>(i)] += term;
            columns[static_cast<std::size_t>(j)] += term;
        }
    CHECK(gpu::to_host(gpu::sum(x * weights + others, {.axis = 1})) == rows);
    CHECK(gpu::to_host(gpu::sum(x * weights + others, {.axis = 0})) == columns);
}

TEST_CASE("one NaN, infinity or denormal among many elements is found wherever it is") {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity(),
                tiny = std::numeric_limits<float>::denorm_min();
    const std::int64_t n = 40003;
    for (const std::int64_t place : {0, 1, 255, 256, 1023, 4099, 40000, 40002}) {
        INFO("at " << place);
        std::vector<float> values(static_cast<std::size_t>(n), 0.f);
        float& value = values[static_cast<std::size_t>(place)];
        value = tiny;
        CHECK(gpu::sum(gpu::to_device(values)).item() == tiny);
        CHECK(gpu::max(gpu::to_device(values)).item() == tiny);
        CHECK(gpu::argmax(gpu::to_device(values)).item() == place);
        value = infinity;
        CHECK(gpu::sum(gpu::to_device(values)).item() == infinity);
        value = nan;
        const auto x = gpu::to_device(values);
        const float sum = gpu::sum(x).item(), most = gpu::max(x).item();
        CHECK(sum != sum);
        CHECK(most != most);
        CHECK(gpu::argmax(x).item() == place);
        CHECK(gpu::nansum(x).item() == 0.f);
        CHECK(gpu::any(x).item());
    }
}

TEST_CASE("a sum has the same bits again and again, split over blocks or not") {
    for (const std::int64_t n : {1000, 100003, 1 << 20}) {
        std::vector<float> values(static_cast<std::size_t>(n));
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k] = static_cast<float>(static_cast<double>(k * 7919 % 100003) * 1e-5 - 0.5);
        const auto x = gpu::to_device(values);
        const float first = gpu::sum(x).item();
        for (int k = 0; k < 10; ++k) CHECK(gpu::sum(x).item() == first);
    }
}

// SPDX-License-Identifier: MIT
// How a GPU goes through arrays depends on their strides and addresses; the values must not. Every element is compared
// with a loop over the host's copies.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using gpu::slice;

/// The elements of any window in row-major order, by way of one contiguous copy.
template <class T, class W>
std::vector<T> values_of(const W& window) {
    return gpu::to_host(gpu::Array<T>(window));
}

template <class T>
gpu::Array<T> numbers(std::int64_t n, int step) {
    std::vector<T> host(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < host.size(); ++k)
        host[k] = static_cast<T>(static_cast<float>(k * static_cast<std::size_t>(step) % 61));
    return gpu::to_device(host);
}

/// z = x - 2 * y, by a kernel and by an expression, into windows that lie in any way.
template <class T, class X, class Y, class Z>
void check(const char* what, const X& x, const Y& y, Z&& z) {
    INFO(what);
    static const gpu::ElementwiseKernel kernel("T x, T y", "T z", "z = x - 2 * y", "walk");
    static const gpu::ElementwiseKernel counted("T x, T y", "T z", "z = x - 2 * y + i % 7", "walk_counted");
    const gpu::Shape shape = z.shape();
    const std::vector<T> a = values_of<T>(x.broadcast_to(shape)), b = values_of<T>(y.broadcast_to(shape));
    const auto compare = [&](int by_index) {
        const std::vector<T> got = values_of<T>(z);
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < got.size(); ++k) {
            const auto expected = static_cast<float>(a[k]) - 2 * static_cast<float>(b[k]) +
                                  static_cast<float>(by_index * static_cast<int>(k % 7));
            wrong += static_cast<float>(got[k]) != expected;
        }
        CHECK(wrong == 0);
    };
    kernel(x, y, gpu::out(z));
    compare(0);
    counted(x, y, gpu::out(z));
    compare(1);
    z = x - T(2.f) * y;
    compare(0);
}

template <class T>
void check_matrices(std::int64_t rows, std::int64_t columns) {
    const std::int64_t n = rows * columns;
    const auto x = numbers<T>(n, 7), y = numbers<T>(n, 11), row = numbers<T>(columns, 3), column = numbers<T>(rows, 5);
    gpu::Array<T> target = gpu::zeros<T>({rows, columns}), turned = gpu::zeros<T>({columns, rows});
    const auto X = x.reshape({rows, columns}), Y = y.reshape({rows, columns});
    const auto XT = x.reshape({columns, rows}).transpose(), YT = y.reshape({columns, rows}).transpose();
    check<T>("dense", X, Y, target);
    check<T>("row", X, row, target);
    check<T>("column", X, column.reshape({rows, 1}), target);
    check<T>("outer", column.reshape({rows, 1}), row, target);
    check<T>("mixed", X, YT, target);
    check<T>("both across", XT, YT, target);
    check<T>("all turned", XT, YT, turned.transpose());
    check<T>("into a turned array", X, Y, turned.transpose());
    check<T>("flipped", X(gpu::all, slice(-1, -columns - 1, -1)), YT(slice(-1, -rows - 1, -1)), target);
}

}  // namespace

TEST_CASE("matrices that lie in any order give the values of a plain loop") {
    check_matrices<float>(1, 1);
    check_matrices<float>(3, 700);
    check_matrices<float>(130, 260);
    check_matrices<float>(257, 1001);
    check_matrices<double>(64, 192);
    check_matrices<gpu::half>(40, 264);
    check_matrices<std::int16_t>(70, 130);
}

TEST_CASE("three axes in any order give the values of a plain loop") {
    const std::int64_t a = 9, b = 34, c = 150;
    const auto x = numbers<float>(a * b * c, 7), y = numbers<float>(a * b * c, 11);
    gpu::Array<float> z = gpu::zeros<float>({a, b, c});
    const auto Y = y.reshape({a, b, c});
    check<float>("(0,2,1)", x.reshape({a, c, b}).transpose({0, 2, 1}), Y, z);
    check<float>("(2,1,0)", x.reshape({c, b, a}).transpose({2, 1, 0}), Y, z);
    check<float>("(1,2,0)", x.reshape({c, a, b}).transpose({1, 2, 0}), Y, z);
    check<float>("(2,0,1)", x.reshape({b, c, a}).transpose({2, 0, 1}), y.reshape({c, b, a}).transpose({2, 1, 0}), z);
    check<float>("planes", numbers<float>(b * c, 3).reshape({b, c}), numbers<float>(a, 5).reshape({a, 1, 1}), z);
}

TEST_CASE("views that begin anywhere, and have any length, give the values of a plain loop") {
    for (const std::int64_t n : {1, 2, 5, 1030}) {
        const auto x = numbers<float>(2 * n + 8, 7), y = numbers<float>(n + 8, 11);
        const auto bytes = numbers<std::uint8_t>(n + 8, 3);
        for (std::int64_t k = 0; k < 5; ++k) {
            gpu::Array<float> z = gpu::zeros<float>({n + 8});
            check<float>("shifted", x(slice(k, k + n)), y(slice(k, k + n)), z(slice(k, k + n)));
            check<float>("inputs shifted", x(slice(k, k + n)), y(slice(1, 1 + n)), z(slice(0, n)));
            check<float>("output shifted", x(slice(0, n)), y(slice(0, n)), z(slice(k, k + n)));
            check<float>("every other", x(slice(k, k + 2 * n, 2)), y(slice(0, n)), z(slice(0, n)));
            gpu::Array<float> mixed = bytes(slice(k, k + n)) + x(slice(0, n));
            const auto w = gpu::to_host(mixed);
            for (std::size_t i = 0; i < w.size(); ++i)
                REQUIRE(w[i] == static_cast<float>((i + static_cast<std::size_t>(k)) * 3 % 61 + i * 7 % 61));
            const auto all = gpu::to_host(z);  // nothing is written behind the last one
            for (std::size_t i = static_cast<std::size_t>(n + k); i < all.size(); ++i) REQUIRE(all[i] == 0);
        }
    }
}

TEST_CASE("an input that overlaps the output in another place or order keeps its values until they are read") {
    const std::int64_t n = 200;
    const auto start = numbers<float>(n * n, 7);
    const std::vector<float> before = gpu::to_host(start);
    static const gpu::ElementwiseKernel kernel("T x", "T z", "z = x + 1", "plus_one");
    gpu::Array<float> later = start.copy();
    kernel(later(slice(0, n * n - 3)), gpu::out(later(slice(3, n * n))));
    const auto moved = gpu::to_host(later);
    for (std::size_t k = 3; k < moved.size(); ++k) REQUIRE(moved[k] == before[k - 3] + 1);
    gpu::Array<float> turned = start.reshape({n, n}).copy();
    kernel(turned.transpose(), gpu::out(turned));
    const auto values = gpu::to_host(turned);
    for (std::size_t i = 0; i < 200; ++i)
        for (std::size_t j = 0; j < 200; ++j) REQUIRE(values[i * 200 + j] == before[j * 200 + i] + 1);
    gpu::Array<float> twins = start.copy();
    kernel(twins(slice(0, n * n, 2)), gpu::out(twins(slice(1, n * n, 2))));
    const auto pairs = gpu::to_host(twins);
    for (std::size_t k = 0; k < pairs.size(); k += 2) REQUIRE(pairs[k + 1] == before[k] + 1);
    kernel(twins, gpu::out(twins));
    CHECK(gpu::to_host(twins)[0] == before[0] + 1);
}

TEST_CASE("NaN, infinities, denormals and the sign of zero go through every walk as they are") {
    const float special[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::denorm_min(),
                             -1e-40f, -0.f, 0.f};
    const std::int64_t rows = 140, columns = 150;
    std::vector<float> host(static_cast<std::size_t>(rows * columns));
    for (std::size_t k = 0; k < host.size(); ++k) host[k] = special[k % 7];
    const auto x = gpu::to_device(host);
    const auto same = [&](const std::vector<float>& got, const auto& place) {
        std::size_t wrong = 0;
        for (std::size_t k = 0; k < got.size(); ++k) {
            const float expected = host[place(k)];
            wrong += std::isnan(expected) ? !std::isnan(got[k]) : std::memcmp(&got[k], &expected, sizeof expected) != 0;
        }
        CHECK(wrong == 0);
    };
    const auto R = static_cast<std::size_t>(rows), C = static_cast<std::size_t>(columns);
    gpu::Array<float> line = x * 1.f;
    same(gpu::to_host(line), [](std::size_t k) { return k; });
    gpu::Array<float> across = x.reshape({columns, rows}).transpose() * 1.f;
    same(gpu::to_host(across), [&](std::size_t k) { return k % C * R + k / C; });
    gpu::Array<float> wide = x(slice(0, columns)).broadcast_to({rows, columns}) * 1.f;
    same(gpu::to_host(wide), [&](std::size_t k) { return k % C; });
    gpu::Array<float> shifted = x(slice(1, rows * columns)) * 1.f;
    same(gpu::to_host(shifted), [](std::size_t k) { return k + 1; });
}

TEST_CASE("a long body and a body with a loop see their own elements, in blocks of any size") {
    const gpu::ElementwiseKernel power("double x, double y, int32 count", "double z",
                                       "z = 1; for (int k = 0; k < count; ++k) z = z * x + y * 0;", "power");
    const std::int64_t rows = 33, columns = 70;
    const auto x = numbers<double>(rows, 3), y = numbers<double>(columns, 1);
    for (const int block : {0, 1, 32, 100, 1024}) {
        gpu::Array<double> z = gpu::zeros<double>({rows, columns});
        power(x.reshape({rows, 1}), y, 3, gpu::out(z), {.block = block});
        const auto host = gpu::to_host(z);
        for (std::size_t k = 0; k < host.size(); ++k) {
            const double one = static_cast<double>(k / 70 * 3 % 61);
            REQUIRE(host[k] == one * one * one);
        }
    }
    const gpu::ElementwiseKernel twice("T x", "T z", "z = 2 * x", "twice_in_blocks");
    for (const int block : {1, 7, 1000}) {
        for (const std::int64_t n : {1, 9, 130}) {
            const auto short_line = numbers<std::int8_t>(n + 1, 1);
            gpu::Array<std::int8_t> z = twice(short_line(slice(1, n + 1)), {.block = block});
            const auto host = gpu::to_host(z);
            for (std::size_t k = 0; k < host.size(); ++k)
                REQUIRE(host[k] == static_cast<std::int8_t>(2 * ((k + 1) % 61)));
        }
    }
}

// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdio>

#include "../cuda/texts.hpp"
#include "on_gpu.hpp"

using namespace gpu::detail;

TEST_CASE("a linear kernel gives the CPU's values and writes nothing else, aligned for packs or not") {
    const auto kernel = loaded(backend().generate(texts::squared_diff()));
    for (const std::size_t n : edge_sizes) {
        for (const std::size_t shift : {0u, 1u}) {
            const auto x = small_numbers<float>(n + shift), y = small_numbers<float>(2 * n + shift);
            const OnGpu<float> x_gpu(x), y_gpu(y), z_gpu(std::vector<float>(n + shift + 8, -1));
            launch_over(*kernel, {n},
                        {array(x_gpu.data() + shift), array(y_gpu.data() + shift), array(z_gpu.data() + shift)});
            const auto z = z_gpu.values();
            std::size_t wrong = 0;
            for (std::size_t k = 0; k < n; ++k) {
                const float d = x[k + shift] - y[k + shift];
                wrong += z[k + shift] != d * d;
            }
            CHECK_MESSAGE(wrong == 0, n << " elements, shifted by " << shift);
            for (std::size_t k = 0; k < shift; ++k) CHECK(z[k] == -1);
            for (std::size_t k = n + shift; k < z.size(); ++k) CHECK(z[k] == -1);
        }
    }
}

TEST_CASE("a kernel in place gives the CPU's values") {
    const auto kernel = loaded(backend().generate(texts::squared_diff()));
    const auto x = small_numbers<float>(1009);
    const OnGpu<float> x_gpu(x), y_gpu(std::vector<float>(1009, 1));
    launch_over(*kernel, {1009}, {array(x_gpu.data()), array(y_gpu.data()), array(x_gpu.data())});
    const auto z = x_gpu.values();
    for (std::size_t k = 0; k < x.size(); ++k) REQUIRE(z[k] == (x[k] - 1) * (x[k] - 1));
}

TEST_CASE("transposed and broadcast arrays are walked through by their strides") {
    const auto kernel = loaded(backend().generate(texts::strided_scale()));
    const std::int64_t a = 33, b = 5, c = 257, n = a * b * c;
    const auto x = small_numbers<double>(static_cast<std::size_t>(n));
    const auto y = small_numbers<int>(static_cast<std::size_t>(c));
    const OnGpu<double> x_gpu(x), z_gpu(x.size());
    const OnGpu<int> y_gpu(y);
    launch_over(*kernel, {a, b, c},
                {array(x_gpu.data(), {1, a, a * b}), array(y_gpu.data(), {0, 0, 1}), number(2.f),
                 array(z_gpu.data())});
    const auto z = z_gpu.values();
    std::size_t wrong = 0;
    for (std::int64_t i = 0; i < a; ++i)
        for (std::int64_t j = 0; j < b; ++j)
            for (std::int64_t k = 0; k < c; ++k) {
                const auto from = static_cast<std::size_t>(i + j * a + k * a * b);
                const double expected = x[from] * 2 + y[static_cast<std::size_t>(k)];
                wrong += z[static_cast<std::size_t>((i * b + j) * c + k)] != expected;
            }
    CHECK(wrong == 0);
}

TEST_CASE("the whole table of texts loads, and kernels see their index and size") {
    for (const auto& text : texts::elementwise_table()) CHECK(loaded(backend().generate(text)) != nullptr);
    const auto kernel = loaded(backend().generate(
        texts::elementwise("iota", {texts::output("long long", "y")}, "y = _ind.size() - 1 - i")));
    const OnGpu<long long> y(1009);
    launch_over(*kernel, {1009}, {array(y.data())});
    const auto values = y.values();
    for (std::size_t k = 0; k < values.size(); ++k) REQUIRE(values[k] == 1008 - static_cast<long long>(k));
}

TEST_CASE("a space of more than 2^31 elements is divided in 64 bits") {
    const std::int64_t rows = 70001, columns = 40009, n = rows * columns;  // 2.8e9 bytes
    if (backend().properties(0).total_memory < std::size_t{8} << 30) {
        std::puts("SKIP: large spaces: the device has less than 8 GiB");
        return;
    }
    const auto kernel = loaded(backend().generate(texts::elementwise(
        "outer", {texts::input("int", "x", true), texts::input("int", "y", true), texts::output("unsigned char", "z")},
        "z = (unsigned char)(x + y)", 2)));
    const OnGpu<int> x(small_numbers<int>(static_cast<std::size_t>(rows)));
    const OnGpu<int> y(small_numbers<int>(static_cast<std::size_t>(columns)));
    const OnGpu<unsigned char> z(static_cast<std::size_t>(n));
    launch_over(*kernel, {rows, columns}, {array(x.data(), {1, 0}), array(y.data(), {0, 1}), array(z.data())});
    for (const std::int64_t row : {std::int64_t{0}, std::int64_t{53687}, rows - 1}) {  // the middle one passes 2^31
        std::vector<unsigned char> line(static_cast<std::size_t>(columns));
        backend().copy(0, line.data(), z.data() + row * columns, line.size(), CopyKind::device_to_host, nullptr);
        std::size_t wrong = 0;
        for (std::int64_t k = 0; k < columns; ++k) {
            wrong += line[static_cast<std::size_t>(k)] != row * 7 % 13 + k * 7 % 13;
        }
        CHECK_MESSAGE(wrong == 0, "row " << row);
    }
}

TEST_CASE("a matrix of more than 2^31 elements is turned through tiles, in parts") {
    const std::int64_t rows = 46411, columns = 46347, n = rows * columns;  // 2.2e9 bytes, twice
    if (backend().properties(0).total_memory < std::size_t{8} << 30) {
        std::puts("SKIP: large matrices: the device has less than 8 GiB");
        return;
    }
    const auto fill = loaded(backend().generate(
        texts::elementwise("fill", {texts::output("unsigned char", "x")}, "x = (unsigned char)(i * 7 % 251)")));
    const auto text = texts::elementwise(
        "turn", {texts::output("unsigned char", "z", true), texts::input("unsigned char", "x", true)}, "z = x", 2);
    const auto turn = loaded(backend().generate(
        texts::planned(text, {.walk = texts::Traversal::tiles,
                              .width = 8192,
                              .across_log2 = 6,
                              .access = {texts::AccessPattern::any, texts::AccessPattern::tile}})));
    const OnGpu<unsigned char> x(static_cast<std::size_t>(n)), z(static_cast<std::size_t>(n));
    launch_over(*fill, {n}, {array(x.data())});
    launch_over(*turn, {rows, columns}, {array(z.data(), {columns, 1}), array(x.data(), {1, rows})});
    for (const std::int64_t row : {std::int64_t{0}, std::int64_t{63}, std::int64_t{46334}, rows - 1}) {
        std::vector<unsigned char> line(static_cast<std::size_t>(columns));
        backend().copy(0, line.data(), z.data() + row * columns, line.size(), CopyKind::device_to_host, nullptr);
        std::size_t wrong = 0;
        for (std::int64_t k = 0; k < columns; ++k)
            wrong += line[static_cast<std::size_t>(k)] != (k * rows + row) * 7 % 251;
        CHECK_MESSAGE(wrong == 0, "row " << row);
    }
}

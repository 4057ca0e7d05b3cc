// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include "emulated.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;

TEST_CASE("a linear elementwise kernel writes every element once and nothing else, packed or not") {
    if (!with_compiler("linear elementwise values")) return;
    Emulator kernel(elementwise_skeleton(texts::squared_diff()));
    for (const std::int64_t n : {1, 3, 4, 5, 31, 33, 255, 257, 1009, 5003}) {
        for (const std::size_t shift : {0u, 1u, 3u}) {  // elements past 16 bytes, of all three alike
            const auto x = small_numbers<float>(n + 8), y = small_numbers<float>(2 * n + 8);
            std::vector<float> storage(static_cast<std::size_t>(n) + 16, -1);
            const auto misaligned = (reinterpret_cast<std::uintptr_t>(storage.data()) % 16) / 4;
            float* const z = storage.data() + (4 - misaligned) % 4 + shift;
            kernel.elementwise({.size = n, .shape = {n}}, {array(x.data() + shift), array(y.data() + shift), array(z)});
            for (std::int64_t k = 0; k < n; ++k) {
                const auto at = static_cast<std::size_t>(k) + shift;
                const float d = x[at] - y[at];
                REQUIRE(z[k] == d * d);
            }
            CHECK(z[n] == -1);
            CHECK(std::count(storage.begin(), storage.end(), -1.f) == static_cast<std::ptrdiff_t>(storage.size()) - n);
        }
    }
}

TEST_CASE("the body runs once for every element, packed or not") {
    if (!with_compiler("bodies run once")) return;
    Emulator kernel(elementwise_skeleton(texts::elementwise("count", {texts::output("float", "y")}, "y += 1")));
    for (const std::size_t n : {1u, 4u, 1009u, 5003u}) {
        std::vector<float> y(n, 0);
        kernel.elementwise({.size = static_cast<std::int64_t>(n), .shape = {n}}, {array(y.data())});
        CHECK(y == std::vector<float>(n, 1));
    }
}

TEST_CASE("a strided elementwise kernel walks through transposed and broadcast arrays") {
    if (!with_compiler("strided elementwise values")) return;
    Emulator kernel(elementwise_skeleton(texts::strided_scale()));
    const std::int64_t a = 5, b = 7, c = 31, n = a * b * c;
    const auto x = small_numbers<double>(n);
    const auto y = small_numbers<int>(c);
    std::vector<double> z(static_cast<std::size_t>(n), -1);
    kernel.elementwise({.size = n, .shape = {a, b, c}},
                       {array(x.data(), {1, a, a * b}), array(y.data(), {0, 0, 1}), number(2.f), array(z.data())});
    for (std::int64_t i = 0; i < a; ++i)
        for (std::int64_t j = 0; j < b; ++j)
            for (std::int64_t k = 0; k < c; ++k) {
                const auto from = static_cast<std::size_t>(i + j * a + k * a * b);
                const double expected = x[from] * 2 + y[static_cast<std::size_t>(k)];
                REQUIRE(z[static_cast<std::size_t>((i * b + j) * c + k)] == expected);
            }
}

TEST_CASE("raw arrays are read by linear index and by axes, whatever their layout, and written anywhere") {
    if (!with_compiler("raw arrays")) return;
    Emulator turn(elementwise_skeleton(texts::raw_turn()));
    const std::int64_t a = 3, b = 5, c = 7, n = a * b * c;
    const auto x = small_numbers<float>(1024), y = small_numbers<float>(n);
    std::vector<float> z(static_cast<std::size_t>(n), -1);
    // x is transposed, and every second element of it.
    turn.elementwise({.size = n, .shape = {a, b, c}},
                     {raw_array(z.data(), {n}, {1}), raw_array(x.data(), {a, b, c}, {2, 2 * a, 2 * a * b}),
                      array(y.data(), {b * c, c, 1})});
    for (std::int64_t i = 0; i < a; ++i)
        for (std::int64_t j = 0; j < b; ++j)
            for (std::int64_t k = 0; k < c; ++k) {
                const std::int64_t at = (i * b + j) * c + k;
                const float own = x[static_cast<std::size_t>(2 * (i + a * j + a * b * k))];
                REQUIRE(z[static_cast<std::size_t>(n - 1 - at)] == own + 1000 * own + y[static_cast<std::size_t>(at)]);
            }

    Emulator packed(elementwise_skeleton(texts::raw_packed()));
    for (const std::int64_t m : {2, 34, 1010}) {
        const auto w = small_numbers<float>(m);
        std::vector<float> sum(static_cast<std::size_t>(m), -1);
        packed.elementwise({.size = m, .shape = {m}}, {array(sum.data()), array(x.data()),
                                                       raw_array(w.data(), {m / 2, 2}, {2, 1})});
        for (std::int64_t k = 0; k < m; ++k) {
            REQUIRE(sum[static_cast<std::size_t>(k)] ==
                    x[static_cast<std::size_t>(k)] + w[static_cast<std::size_t>(m - 1 - k)] * static_cast<float>(m));
        }
    }
}

TEST_CASE("the body sees the index and the size, and return ends one element") {
    if (!with_compiler("index and size")) return;
    Emulator kernel(elementwise_skeleton(texts::elementwise("iota", {texts::output("long long", "y")},
                                                            "y = _ind.size() - 1 - i; if (i == 2) return; y += 100;")));
    std::vector<long long> y(1009);
    kernel.elementwise({.size = 1009, .shape = {1009}}, {array(y.data())});
    CHECK(y[0] == 1108);
    CHECK(y[2] == 1006);
    CHECK(y[1008] == 100);
}

TEST_CASE("a conditional write leaves the other elements as they were") {
    if (!with_compiler("conditional writes")) return;
    Emulator kernel(elementwise_skeleton(texts::elementwise(
        "mixed", {texts::input("bool", "mask"), texts::input("double", "x"), texts::output("signed char", "y")},
        "if (mask) y = (signed char)x")));
    const auto x = small_numbers<double>(1000);
    std::vector<char> mask(1000);
    std::vector<signed char> y(1000, 99);
    for (std::size_t k = 0; k < 1000; k += 3) mask[k] = 1;
    kernel.elementwise({.size = 1000, .shape = {1000}}, {array(mask.data()), array(x.data()), array(y.data())});
    for (std::size_t k = 0; k < 1000; ++k) REQUIRE(y[k] == (k % 3 == 0 ? static_cast<signed char>(x[k]) : 99));
}
#endif

// SPDX-License-Identifier: MIT
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>

#include "cuda/skeletons.hpp"
#include "emulator.hpp"
#include "texts.hpp"

using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace {

bool with_compiler(const char* name) {
    if (Emulator::available()) return true;
    std::printf("SKIP: %s: no C++ compiler to run the generated text with\n", name);
    return false;
}

template <class T>
Argument array(T* data, std::initializer_list<std::int64_t> strides = {}) {
    Argument argument;
    argument.array.data = const_cast<std::remove_const_t<T>*>(data);
    std::copy(strides.begin(), strides.end(), argument.array.strides);
    return argument;
}

template <class T>
Argument number(T value) {
    Argument argument;
    argument.is_array = false;
    std::memcpy(argument.scalar, &value, sizeof value);
    return argument;
}

/// 0, 1, 2, ... 12, 0, 1, ...: sums of them are exact in float and double.
template <class T>
std::vector<T> small_numbers(std::int64_t n) {
    std::vector<T> values(static_cast<std::size_t>(n));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<T>((k * 7) % 13);
    return values;
}

/// A copy of some numbers that ends where memory ends.
class AtPageEnd {
public:
    explicit AtPageEnd(const std::vector<float>& values) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t bytes = values.size() * sizeof(float), room = (bytes + page - 1) / page * page;
        size_ = room + page;
        pages_ = static_cast<char*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        REQUIRE(pages_ != MAP_FAILED);
        REQUIRE(mprotect(pages_ + room, page, PROT_NONE) == 0);
        data_ = reinterpret_cast<float*>(pages_ + (room - bytes));
        std::copy(values.begin(), values.end(), data_);
    }
    ~AtPageEnd() { (void)munmap(pages_, size_); }
    AtPageEnd(const AtPageEnd&) = delete;
    AtPageEnd& operator=(const AtPageEnd&) = delete;

    [[nodiscard]] const float* data() const { return data_; }

private:
    std::size_t size_ = 0;
    char* pages_ = nullptr;
    float* data_ = nullptr;
};

ReductionSpace space_of(gpu::Shape kept, gpu::Shape reduced) {
    return {.outputs = kept.size(), .reduced = reduced.size(), .kept = kept, .reduced_shape = reduced};
}

}  // namespace

TEST_CASE("a linear elementwise kernel writes every element once and nothing else, packed or not") {
    if (!with_compiler("linear elementwise values")) return;
    Emulator kernel(elementwise_skeleton(texts::squared_diff()));
    for (const std::int64_t n : {1, 3, 4, 5, 31, 33, 255, 257, 1009, 5003}) {
        for (const std::size_t shift : {0u, 1u}) {  // one element past 16 bytes: the kernel can't use packs
            const auto x = small_numbers<float>(n + 8), y = small_numbers<float>(2 * n + 8);
            std::vector<float> storage(static_cast<std::size_t>(n) + 16, -1);
            const auto misaligned = (reinterpret_cast<std::uintptr_t>(storage.data()) % 16) / 4;
            float* const z = storage.data() + (4 - misaligned) % 4 + shift;
            kernel.elementwise({.size = n, .shape = {n}}, {array(x.data()), array(y.data()), array(z)});
            for (std::int64_t k = 0; k < n; ++k) {
                const float d = x[static_cast<std::size_t>(k)] - y[static_cast<std::size_t>(k)];
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

TEST_CASE("a whole-array reduction gives the sum at every size, split or not") {
    if (!with_compiler("whole reductions")) return;
    auto text = texts::l2norm();
    text.post.text = "y = a";
    Emulator kernel(reduction_skeleton(text));
    for (const std::int64_t n : {0, 1, 2, 31, 33, 255, 257, 1009, 8191, 8193, 20011, 100003}) {
        const auto x = small_numbers<float>(n);
        const float expected = std::inner_product(x.begin(), x.end(), x.begin(), 0.f);
        float y = -1;
        kernel.reduction(space_of({}, {n}), {array(x.data()), array(&y)});
        CHECK_MESSAGE(y == expected, n);
    }
}

TEST_CASE("a reduction reads nothing behind its input: the next page can't be read") {
    if (!with_compiler("no reads behind the input")) return;
    auto text = texts::l2norm();
    text.post.text = "y = a";
    Emulator kernel(reduction_skeleton(text));
    for (const std::int64_t n : {1, 3, 5, 31, 33, 1009, 20011}) {
        const AtPageEnd x(small_numbers<float>(n));
        float y = -1;
        kernel.reduction(space_of({}, {n}), {array(x.data()), array(&y)});
        CHECK(y > -1);
    }
}

TEST_CASE("the identity enters once, whatever the size") {
    if (!with_compiler("identity once")) return;
    auto text = texts::reduction("sum", {texts::input("int", "x"), texts::output("int", "y")}, "int", "x", "a + b",
                                 "y = a", "5");
    Emulator kernel(reduction_skeleton(text));
    for (const std::int64_t n : {0, 1, 33, 1009, 20011}) {
        const auto x = small_numbers<int>(n);
        int y = -1;
        kernel.reduction(space_of({}, {n}), {array(x.data()), array(&y)});
        CHECK_MESSAGE(y == 5 + std::accumulate(x.begin(), x.end(), 0), n);
    }
}

TEST_CASE("rows and columns of a matrix are summed, linear or strided, short or long") {
    if (!with_compiler("rows and columns")) return;
    auto linear = texts::reduction("sum", {texts::input("int", "x"), texts::output("long long", "y")}, "long long", "x",
                                   "a + b", "y = a", "0");
    linear.kept_rank = 1;
    auto strided = linear;
    strided.parameters[0].strided = strided.parameters[1].strided = true;
    Emulator rows(reduction_skeleton(linear)), any(reduction_skeleton(strided));
    struct Size { std::int64_t rows, columns; };
    for (const auto [m, n] : {Size{1, 7}, {3, 1}, {300, 3}, {77, 8}, {5, 300}, {33, 33}, {2, 20011}, {600, 130}}) {
        const auto x = small_numbers<int>(m * n);
        std::vector<long long> sums(static_cast<std::size_t>(m)), columns(static_cast<std::size_t>(n));
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
                sums[static_cast<std::size_t>(i)] += x[static_cast<std::size_t>(i * n + j)];
                columns[static_cast<std::size_t>(j)] += x[static_cast<std::size_t>(i * n + j)];
            }
        // Room behind the outputs, where nothing may be written.
        sums.resize(sums.size() + 256, -1);
        columns.resize(columns.size() + 256, -1);
        std::vector<long long> y(sums.size(), -1), z(y), twice(2 * columns.size(), -1);
        rows.reduction(space_of({m}, {n}), {array(x.data()), array(y.data())});
        CHECK_MESSAGE(y == sums, m << "x" << n << " linear rows");
        any.reduction(space_of({m}, {n}), {array(x.data(), {n, 1}), array(z.data(), {1})});
        CHECK_MESSAGE(z == sums, m << "x" << n << " strided rows");
        any.reduction(space_of({n}, {m}), {array(x.data(), {1, n}), array(twice.data(), {2})});
        for (std::size_t j = 0; j < columns.size(); ++j) {
            REQUIRE_MESSAGE(twice[2 * j] == columns[j], m << "x" << n << " columns");
            REQUIRE(twice[2 * j + 1] == -1);
        }
    }
}

TEST_CASE("a tall matrix's columns are split over blocks and joined") {
    if (!with_compiler("tall columns")) return;
    auto text = texts::reduction("sum", {texts::input("int", "x", true), texts::output("int", "y")}, "int", "x",
                                 "a + b", "y = a", "0");
    text.kept_rank = 1;
    Emulator kernel(reduction_skeleton(text));
    const std::int64_t m = 4001, n = 37;
    const auto x = small_numbers<int>(m * n);
    std::vector<int> expected(static_cast<std::size_t>(n)), y(expected);
    for (std::size_t k = 0; k < x.size(); ++k) expected[k % static_cast<std::size_t>(n)] += x[k];
    CHECK(plan_reduction(n, m, true, true).splits > 1);
    kernel.reduction(space_of({n}, {m}), {array(x.data(), {1, n}), array(y.data())});
    CHECK(y == expected);
}

TEST_CASE("without an identity, nothing but the elements takes part: the largest of negative numbers is negative") {
    if (!with_compiler("no identity")) return;
    Emulator kernel(reduction_skeleton(texts::strided_max()));
    const std::int64_t a = 3, b = 5, c = 7, d = 11;
    std::vector<float> x(static_cast<std::size_t>(a * b * c * d)), y(static_cast<std::size_t>(a * c), 99);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = -1.f - static_cast<float>((k * 7919) % 1009);
    const float w = 2;
    // Kept are axes 0 and 2, reduced 1 and 3; w is broadcast over all of them; the output is transposed.
    kernel.reduction(space_of({a, c}, {b, d}), {array(x.data(), {b * c * d, d, c * d, 1}), array(&w, {0, 0, 0, 0}),
                                                number(3.f), array(y.data(), {1, a})});
    for (std::int64_t i = 0; i < a; ++i)
        for (std::int64_t k = 0; k < c; ++k) {
            float largest = -std::numeric_limits<float>::infinity();
            for (std::int64_t j = 0; j < b; ++j)
                for (std::int64_t l = 0; l < d; ++l) {
                    largest = std::max(largest, x[static_cast<std::size_t>(((i * b + j) * c + k) * d + l)] * 2 * 3);
                }
            REQUIRE(y[static_cast<std::size_t>(i + k * a)] == largest + 3);
        }
}

TEST_CASE("an accumulator without a default constructor works, and five kept and three reduced axes") {
    if (!with_compiler("accumulators and axes")) return;
    auto best = texts::argmax();
    best.map.text = "Best(x, (long long)x)";  // the value is its own index
    best.kept_rank = 0;
    Emulator argmax(reduction_skeleton(best));
    std::vector<float> x(1009);
    std::iota(x.rbegin(), x.rend(), 0.f);
    long long index = -1;
    argmax.reduction(space_of({}, {1009}), {array(x.data(), {1}), array(&index)});
    CHECK(index == 1008);

    for (const auto& text : texts::reduction_table()) {
        if (text.name != "eight_axes") continue;
        Emulator kernel(reduction_skeleton(text));
        const auto values = small_numbers<float>(2 * 3 * 2 * 3 * 2 * 3 * 4 * 5);
        std::vector<float> sums(72, -1), expected(72);
        for (std::size_t k = 0; k < values.size(); ++k) expected[k / 60] += values[k];
        kernel.reduction(space_of({2, 3, 2, 3, 2}, {3, 4, 5}),
                         {array(values.data(), {2160, 720, 360, 120, 60, 20, 5, 1}),
                          array(sums.data(), {36, 12, 6, 2, 1})});
        CHECK(sums == expected);
    }
}
#endif

// SPDX-License-Identifier: MIT

#ifdef GPU_WITH_CUDA
#include "emulator.hpp"

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

#ifdef GPU_WITH_CUDA
#include <sys/mman.h>
#include <unistd.h>

#include <limits>
#include <numeric>
#include <string>

using namespace gpu::detail;
using namespace gpu::detail::cuda;

namespace {

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

}  // namespace
TEST_CASE("a whole-array reduction gives the sum at every size, split or not") {
    if (!with_compiler("whole reductions")) return;
    auto text = texts::l2norm();
    text.post.text = "y = a";
    for (const ReductionWalk walk : {ReductionWalk{}, ReductionWalk{false, 4}, ReductionWalk{false, 8}}) {
        WalkedReduction sum(text, walk);
        for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 31, 33, 255, 257, 1009, 8191, 8193, 20011, 100003}) {
            const auto x = small_numbers<float>(n + 1);
            for (const std::int64_t shift : {0, 1}) {  // a view that begins in the middle of a pack
                const float* const first = x.data() + shift;
                const float expected = std::inner_product(first, first + n, first, 0.f);
                float y = -1;
                sum(space_of({}, {n}), {array(first, {1}), array(&y)});
                CHECK_MESSAGE(y == expected, n << " from " << shift << ", packs of " << walk.pack);
            }
        }
        CHECK((walk.pack == 1 || sum.packed_launches() > 10));
    }
}

TEST_CASE("a reduction reads nothing behind its input: the next page can't be read") {
    if (!with_compiler("no reads behind the input")) return;
    auto text = texts::l2norm();
    text.post.text = "y = a";
    for (const int pack : {1, 4}) {
        WalkedReduction sum(text, {false, pack});
        for (const std::int64_t n : {1, 3, 4, 5, 31, 32, 33, 1009, 20011, 20012}) {
            const AtPageEnd x(small_numbers<float>(n));
            float y = -1;
            sum(space_of({}, {n}), {array(x.data(), {1}), array(&y)});
            CHECK(y > -1);
        }
    }
}

TEST_CASE("the identity enters once, whatever the size") {
    if (!with_compiler("identity once")) return;
    auto text = texts::reduction("sum", {texts::input("int", "x"), texts::output("int", "y")}, "int", "x", "a + b",
                                 "y = a", "5");
    Emulator kernel(text);
    for (const std::int64_t n : {0, 1, 33, 1009, 20011}) {
        const auto x = small_numbers<int>(n);
        int y = -1;
        kernel.reduction(space_of({}, {n}), {array(x.data()), array(&y)});
        CHECK_MESSAGE(y == 5 + std::accumulate(x.begin(), x.end(), 0), n);
    }
}

TEST_CASE("rows and columns of a matrix are summed, linear or strided, short or long, however threads walk"
          * doctest::test_suite("long")) {
    if (!with_compiler("rows and columns")) return;
    auto linear = texts::reduction("sum", {texts::input("int", "x"), texts::output("long long", "y")}, "long long", "x",
                                   "a + b", "y = a", "0");
    linear.kept_rank = 1;
    auto strided = linear;
    strided.parameters[0].strided = strided.parameters[1].strided = true;
    struct Size { std::int64_t rows, columns; };
    for (const ReductionWalk walk : walks) {
        WalkedReduction rows(linear, walk), any(strided, walk);
        for (const auto [m, n] : {Size{1, 7}, {3, 1}, {300, 3}, {77, 8}, {5, 300}, {33, 33}, {2, 20011}, {600, 130},
                                  {40, 64}, {8, 4096}, {70, 1000}, {2, 20000}}) {
            // Rows lie next to each other, or are cut out of longer ones, from the second element on.
            for (const std::int64_t apart : {n, n + 8, n + 3}) {
                const auto values = small_numbers<int>(m * apart + 1);
                const int* const x = values.data() + (apart == n + 3 ? 1 : 0);
                std::vector<long long> sums(static_cast<std::size_t>(m)), columns(static_cast<std::size_t>(n));
                for (std::int64_t i = 0; i < m; ++i)
                    for (std::int64_t j = 0; j < n; ++j) {
                        sums[static_cast<std::size_t>(i)] += x[i * apart + j];
                        columns[static_cast<std::size_t>(j)] += x[i * apart + j];
                    }
                // Room behind the outputs, where nothing may be written.
                sums.resize(sums.size() + 256, -1);
                columns.resize(columns.size() + 256, -1);
                std::vector<long long> y(sums.size(), -1), z(y), twice(2 * columns.size(), -1);
                const auto about = [&, m = m, n = n](const char* what) {
                    return std::to_string(m) + "x" + std::to_string(n) + " of " + std::to_string(apart) + " " + what +
                           (walk.by_column ? " by column" : " by row") + ", packs of " + std::to_string(walk.pack);
                };
                if (apart == n) {
                    rows(space_of({m}, {n}), {array(x, {n, 1}), array(y.data())});
                    CHECK_MESSAGE(y == sums, about("linear rows"));
                }
                any(space_of({m}, {n}), {array(x, {apart, 1}), array(z.data(), {1})});
                CHECK_MESSAGE(z == sums, about("strided rows"));
                any(space_of({n}, {m}), {array(x, {1, apart}), array(twice.data(), {2})});
                for (std::size_t j = 0; j < columns.size(); ++j) {
                    REQUIRE_MESSAGE(twice[2 * j] == columns[j], about("columns"));
                    REQUIRE(twice[2 * j + 1] == -1);
                }
            }
        }
        CHECK((walk.pack == 1 || any.packed_launches() > 5));
    }
}

TEST_CASE("many outputs have few lanes each: short rows one after the other, and ragged ones"
          * doctest::test_suite("long")) {
    if (!with_compiler("few lanes")) return;
    auto text = texts::reduction("sum", {texts::input("int", "x", true), texts::output("int", "y")}, "int", "x",
                                 "a + b", "y = a", "0");
    text.kept_rank = 1;
    text.reduced_rank = 2;
    // sum over a and c of x[a, b, c]: rows of c elements follow each other.
    const std::int64_t a = 5, b = 70001;
    for (const auto& [c, pack] : {std::pair{4, 1}, {8, 4}, {7, 4}}) {
        WalkedReduction sum(text, {false, pack});
        const auto values = small_numbers<int>(a * b * c + 2);
        const int* const x = values.data() + (pack == 1 ? 2 : 0);
        std::vector<int> y(static_cast<std::size_t>(b), -1), expected(y.size());
        for (std::int64_t k = 0; k < a * b * c; ++k) expected[static_cast<std::size_t>(k / c % b)] += x[k];
        auto space = space_of({b}, {a, c});
        sum(space, {array(x, {c, b * c, 1}), array(y.data(), {1})});
        CHECK_MESSAGE(y == expected, "rows of " << c);
    }
    text.reduced_rank = 1;
    WalkedReduction rows(text, {false, 4});
    for (const std::int64_t n : {67, 99}) {
        const std::int64_t m = 40000;
        const auto x = small_numbers<int>(m * n);
        std::vector<int> y(static_cast<std::size_t>(m), -1), expected(y.size());
        for (std::size_t k = 0; k < x.size(); ++k) expected[k / static_cast<std::size_t>(n)] += x[k];
        rows(space_of({m}, {n}), {array(x.data(), {n, 1}), array(y.data(), {1})});
        CHECK_MESSAGE(y == expected, "rows of " << n);
    }
}

TEST_CASE("a thread takes all elements of several outputs where these are few") {
    if (!with_compiler("short rows")) return;
    // Products of rows of x with one row of w, or with one element of each; n elements in rows of `apart`.
    auto text = texts::reduction("products", {texts::input("float", "x", true), texts::input("float", "w", true),
                                              texts::output("long long", "y", true)},
                                 "long long", "(long long)(x * w)", "a + b", "y = a + _out_ind.size()", "1");
    text.kept_rank = 1;
    for (const bool is_repeated : {false, true}) {
        for (const bool is_long : {false, true}) {
            auto walked = text;
            walked.parameters[1].broadcast_inner = is_repeated;
            if (is_long) walked.map.text = "(long long)(x * w + sin(0.f))";
            WalkedReduction products(walked, {false, 4});
            for (const auto& [n, apart] : {std::pair{4, 4}, {8, 8}, {7, 8}, {16, 20}, {3, 4}}) {
                for (const std::int64_t m : {1, 255, 2050}) {
                    const auto x = small_numbers<float>(m * apart);
                    const auto w = small_numbers<float>(std::max<std::int64_t>(m, 16));
                    std::vector<long long> y(static_cast<std::size_t>(2 * m), -1), expected(y);
                    for (std::int64_t i = 0; i < m; ++i) {
                        float sum = static_cast<float>(1 + m);
                        for (std::int64_t j = 0; j < n; ++j)
                            sum += x[static_cast<std::size_t>(i * apart + j)] *
                                   w[static_cast<std::size_t>(is_repeated ? i : j)];
                        expected[static_cast<std::size_t>(2 * i)] = static_cast<long long>(sum);
                    }
                    products(space_of({m}, {n}), {array(x.data(), {apart, 1}),
                                                  is_repeated ? array(w.data(), {1, 0}) : array(w.data(), {0, 1}),
                                                  array(y.data(), {2})});
                    CHECK_MESSAGE(y == expected, m << " rows of " << n);
                }
            }
            CHECK(products.short_launches() == 5 * 3);
        }
    }
}

TEST_CASE("a tall matrix's columns are split over blocks and joined") {
    if (!with_compiler("tall columns")) return;
    auto text = texts::reduction("sum", {texts::input("int", "x", true), texts::output("int", "y")}, "int", "x",
                                 "a + b", "y = a", "0");
    text.kept_rank = 1;
    for (const ReductionWalk walk : walks) {
        if (!walk.by_column) continue;
        WalkedReduction sum(text, walk);
        for (const std::int64_t n : {37, 40}) {
            const std::int64_t m = 16001;
            const auto x = small_numbers<int>(m * n);
            std::vector<int> expected(static_cast<std::size_t>(n)), y(expected);
            for (std::size_t k = 0; k < x.size(); ++k) expected[k % static_cast<std::size_t>(n)] += x[k];
            const auto space = space_of({n}, {m});
            CHECK(plan_launch(space, {.walk = walk}).steps == 2);
            sum(space, {array(x.data(), {1, n}), array(y.data(), {1})});
            CHECK_MESSAGE(y == expected, n << ", packs of " << walk.pack);
        }
    }
}

TEST_CASE("several kept and reduced axes, with one input repeated along the last one"
          * doctest::test_suite("long")) {
    if (!with_compiler("repeated inputs")) return;
    // y[i, k] = sum over j, l of x[i, j, k, l] * w[...], where w stays at one element along the fast axis.
    auto text = texts::reduction("weighted", {texts::input("int", "x", true), texts::input("int", "w", true),
                                              texts::output("long long", "y", true)},
                                 "long long", "x * w", "a + b", "y = a", "0");
    text.kept_rank = text.reduced_rank = 2;
    for (const ReductionWalk walk : walks) {
        auto repeated = text;
        (walk.by_column ? repeated.parameters[1].broadcast_outer : repeated.parameters[1].broadcast_inner) = true;
        WalkedReduction sum(repeated, walk);
        for (const std::int64_t inner : {1, 3, 8, 24}) {
            const std::int64_t a = 5, b = 3, other = 7;
            // The fast axis is the last kept one of a walk by column, else the last reduced one.
            const std::int64_t c = walk.by_column ? inner : other, d = walk.by_column ? other : inner;
            const std::int64_t wide = (inner + 7) / 8 * 8;  // rows begin at whole packs
            const std::int64_t xc = walk.by_column ? 1 : wide, xd = walk.by_column ? wide : 1, xb = other * wide,
                               xa = b * xb, wi = 8, wj = 80;
            const auto x = small_numbers<int>(a * xa), w = small_numbers<int>(400);
            std::vector<long long> y(static_cast<std::size_t>(a * c), -1), expected(y.size());
            for (std::int64_t i = 0; i < a; ++i)
                for (std::int64_t j = 0; j < b; ++j)
                    for (std::int64_t k = 0; k < c; ++k)
                        for (std::int64_t l = 0; l < d; ++l) {
                            expected[static_cast<std::size_t>(i * c + k)] +=
                                static_cast<long long>(x[static_cast<std::size_t>(i * xa + j * xb + k * xc + l * xd)]) *
                                w[static_cast<std::size_t>(i * wi + j * wj)];
                        }
            sum(space_of({a, c}, {b, d}), {array(x.data(), {xa, xc, xb, xd}), array(w.data(), {wi, 0, wj, 0}),
                                           array(y.data(), {c, 1})});
            CHECK_MESSAGE(y == expected, inner << (walk.by_column ? " by column" : " by row") << ", packs of "
                                               << walk.pack);
        }
        CHECK((walk.pack == 1 || sum.packed_launches() > 0));
    }
}

TEST_CASE("an accumulator of 64 bytes joins fewer outputs of a pack at a time") {
    if (!with_compiler("large accumulators")) return;
    auto text = texts::reduction("moments", {texts::input("short", "x", true), texts::output("long long", "y", true)},
                                 "Moments", "Moments(x, _J)", "a + b", "y = a.m[0] + a.m[1] * 1000", "");
    text.preamble = {"struct Moments {\n    long long m[8];\n"
                     "    __device__ Moments(long long x, long long j) {\n"
                     "        for (int k = 0; k < 8; ++k) m[k] = k ? j : x;\n    }\n"
                     "    __device__ Moments operator+(const Moments& o) const {\n        Moments s(*this);\n"
                     "        for (int k = 0; k < 8; ++k) s.m[k] += o.m[k];\n        return s;\n    }\n};\n",
                     "moments (preamble)", 1};
    text.kept_rank = 1;
    for (const ReductionWalk walk : {ReductionWalk{false, 8}, ReductionWalk{true, 4}, ReductionWalk{true, 8}}) {
        WalkedReduction moments(text, walk);
        const std::int64_t m = 40, n = 904;
        const auto x = small_numbers<short>(m * n);
        const std::int64_t kept = walk.by_column ? n : m, reduced = walk.by_column ? m : n;
        std::vector<long long> y(static_cast<std::size_t>(kept), -1);
        moments(space_of({kept}, {reduced}),
                {walk.by_column ? array(x.data(), {1, n}) : array(x.data(), {n, 1}), array(y.data(), {1})});
        CHECK(moments.packed_launches() == 1);
        for (std::int64_t o = 0; o < kept; ++o) {
            long long sum = reduced * (reduced - 1) / 2 * 1000;
            for (std::int64_t r = 0; r < reduced; ++r)
                sum += x[static_cast<std::size_t>(walk.by_column ? r * n + o : o * n + r)];
            REQUIRE_MESSAGE(y[static_cast<std::size_t>(o)] == sum, o << ", packs of " << walk.pack);
        }
    }
}

TEST_CASE("without an identity, nothing but the elements takes part: the largest of negative numbers is negative") {
    if (!with_compiler("no identity")) return;
    Emulator kernel(texts::strided_max());
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

TEST_CASE("several outputs, a raw array, the place in the row and the sizes, split or not") {
    if (!with_compiler("several outputs")) return;
    Emulator kernel(texts::two_results());
    std::vector<double> table(26);
    for (std::size_t k = 0; k < 13; ++k) table[2 * k] = static_cast<double>(k * k + 1);
    struct Size { std::int64_t rows, columns; };
    for (const auto [m, n] : {Size{1, 1}, {3, 7}, {40, 300}, {2, 20011}, {5, 0}}) {
        const auto k = small_numbers<int>(m * n + 1);
        std::vector<double> sums(static_cast<std::size_t>(m), -1);
        std::vector<long long> places(2 * static_cast<std::size_t>(m), -1);
        ReductionSpace space = space_of({m}, {n});
        space.results = 2;
        kernel.reduction(space, {array(k.data(), {n, 1}), raw_array(table.data(), {13}, {2}), array(sums.data(), {1}),
                                 array(places.data(), {2})});
        for (std::int64_t i = 0; i < m; ++i) {
            double expected = 1;
            for (std::int64_t j = 0; j < n; ++j) {
                const auto at = static_cast<std::size_t>(k[static_cast<std::size_t>(i * n + j)]);
                expected += static_cast<double>(at * at + 1);
            }
            REQUIRE(sums[static_cast<std::size_t>(i)] == expected);
            REQUIRE(places[2 * static_cast<std::size_t>(i)] == n * (n - 1) / 2 * 100 + n);
            REQUIRE(places[2 * static_cast<std::size_t>(i) + 1] == -1);
        }
    }
}

TEST_CASE("an accumulator without a default constructor works, and five kept and three reduced axes") {
    if (!with_compiler("accumulators and axes")) return;
    auto best = texts::argmax();
    best.map.text = "Best(x, (long long)x)";  // the value is its own index
    best.kept_rank = 0;
    Emulator argmax(best);
    std::vector<float> x(1009);
    std::iota(x.rbegin(), x.rend(), 0.f);
    long long index = -1;
    argmax.reduction(space_of({}, {1009}), {array(x.data(), {1}), array(&index)});
    CHECK(index == 1008);

    for (const auto& text : texts::reduction_table()) {
        if (text.name != "eight_axes" || text.plan != nullptr) continue;
        std::vector<ReductionWalk> ways(std::begin(walks), std::end(walks));
        for (const bool by_column : {false, true}) ways.push_back({by_column, 4, false, true});  // indices of 64 bits
        for (const ReductionWalk walk : ways) {
            WalkedReduction sum(text, walk);
            const auto values = small_numbers<float>(2 * 3 * 2 * 3 * 2 * 3 * 4 * 5);
            std::vector<float> sums(72, -1), expected(72);
            for (std::size_t k = 0; k < values.size(); ++k) expected[k / 60] += values[k];
            sum(space_of({2, 3, 2, 3, 2}, {3, 4, 5}), {array(values.data(), {2160, 720, 360, 120, 60, 20, 5, 1}),
                                                       array(sums.data(), {36, 12, 6, 2, 1})});
            CHECK(sums == expected);
        }
    }
}
#endif
